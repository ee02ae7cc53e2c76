import { useMutation } from '@tanstack/react-query';
import { Download, Play, Trash2, X } from 'lucide-react';
import type { Render } from '../../../server/contract/render.ts';
import { api } from '../api/client.ts';
import { formatBytes, formatDurationMs, formatSeconds, formatSecondsLeft } from '../format.ts';
import { useProject, useView } from '../project/context.ts';
import { texts } from '../texts.ts';
import { buttonClass, IconButton } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import { ErrorNotice } from '../ui/notice.tsx';
import { renderLabel } from './render-label.ts';
import { isAtWork } from './render-order.ts';

interface RenderListProps {
  renders: readonly Render[];
  shown: string | null;
  onPlay: (renderId: string) => void;
}

export function RenderList({ renders, shown, onPlay }: RenderListProps) {
  const { handle } = useProject();
  const remove = useMutation({
    mutationFn: (render: Render) => api.deleteRender(render.id),
    // A render that was cancelled says so itself, by an event.
    onSuccess: (_, render) => !isAtWork(render) && handle.forgetRender(render.id),
  });
  return (
    <>
      {remove.isError && (
        <div className="px-4 pb-2">
          <ErrorNotice error={remove.error} onDismiss={() => remove.reset()} />
        </div>
      )}
      <ul className="min-h-0 overflow-y-auto px-2 pb-2">
        {renders.map((render) => (
          <RenderRow
            key={render.id}
            render={render}
            shown={render.id === shown}
            onPlay={() => onPlay(render.id)}
            onRemove={() => remove.mutate(render)}
          />
        ))}
      </ul>
    </>
  );
}

interface RenderRowProps {
  render: Render;
  shown: boolean;
  onPlay: () => void;
  onRemove: () => void;
}

function RenderRow({ render, shown, onPlay, onRemove }: RenderRowProps) {
  const label = renderLabel(render);
  return (
    <li className={cx('flex min-h-14 items-center gap-3 rounded-lg px-2 py-1.5', shown && 'bg-sunken')}>
      <button
        type="button"
        disabled={render.status !== 'complete'}
        aria-label={texts.renders.play(label)}
        aria-pressed={shown}
        onClick={onPlay}
        className="group relative flex h-11 w-18 shrink-0 items-center justify-center overflow-hidden rounded-md bg-stage text-ink-3"
      >
        {render.thumbnailUrl && <img src={render.thumbnailUrl} alt="" className="absolute size-full object-cover" />}
        {render.status === 'complete' && (
          <Play
            aria-hidden="true"
            className="relative size-4 fill-white text-white opacity-0 drop-shadow transition-opacity group-hover:opacity-100"
          />
        )}
      </button>
      <div className="min-w-0 flex-1">
        <p className="truncate text-[13px]">{label}</p>
        <RenderFacts render={render} />
      </div>
      {render.status === 'complete' && render.videoUrl && (
        <a
          href={`${render.videoUrl}?download`}
          download
          aria-label={texts.renders.downloadLabel(label)}
          className={buttonClass('secondary', 'sm')}
        >
          <Download aria-hidden="true" className="size-4" />
          <span className="max-sm:hidden">{texts.renders.download}</span>
        </a>
      )}
      <IconButton label={isAtWork(render) ? texts.renders.cancelRender : texts.renders.remove(label)} onClick={onRemove}>
        {isAtWork(render) ? <X className="size-4" /> : <Trash2 className="size-4" />}
      </IconButton>
    </li>
  );
}

function RenderFacts({ render }: { render: Render }) {
  const progress = useView((view) => view.progress[render.id] ?? null);
  const facts = 'truncate text-ink-3 text-xs tabular-nums';
  switch (render.status) {
    case 'queued':
      return <p className={facts}>{texts.renders.queued}</p>;
    case 'running': {
      const words = [
        `${Math.floor(render.percent)} %`,
        render.stage && texts.renders.stages[render.stage],
        progress && progress.framesTotal > 0 && texts.renders.frames(progress.framesDone, progress.framesTotal),
        progress?.secondsLeft != null && texts.renders.left(formatSecondsLeft(progress.secondsLeft)),
      ];
      return (
        <>
          <div
            role="progressbar"
            aria-label={texts.renders.progress}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={Math.floor(render.percent)}
            className="my-1 h-1 overflow-hidden rounded-full bg-line"
          >
            <div
              className="h-full rounded-full bg-accent transition-[width] duration-300"
              style={{ width: `${render.percent}%` }}
            />
          </div>
          <p className={facts}>{words.filter(Boolean).join(' · ')}</p>
        </>
      );
    }
    case 'complete': {
      const words = [
        render.probe && formatSeconds(render.probe.durationSeconds),
        render.probe && formatBytes(render.probe.sizeBytes),
        render.renderTimeMs !== null && texts.renders.took(formatDurationMs(render.renderTimeMs)),
      ];
      return <p className={facts}>{words.filter(Boolean).join(' · ')}</p>;
    }
    case 'failed':
      return (
        <p className="truncate text-bad text-xs" title={render.error?.message}>
          {render.error?.message ?? texts.renders.failed}
        </p>
      );
    case 'cancelled':
      return <p className={facts}>{texts.renders.cancelled}</p>;
  }
}
