import { useMutation } from '@tanstack/react-query';
import { ChevronDown, CircleAlert, Clapperboard, Download, ImageIcon, Play, RotateCcw, Trash2, X } from 'lucide-react';
import { memo, useId, useState } from 'react';
import { formatAgo, formatBytes, formatDurationMs, formatSeconds, formatSecondsLeft } from '#contract/display.ts';
import type { QueuePosition } from '#contract/estimate.ts';
import { type Render, renderFiles } from '#contract/render.ts';
import { addressOf } from '../address.ts';
import { renderApi, toApiError } from '../api/client.ts';
import { useProject } from '../project/context.ts';
import { isRunning } from '../project/renders.ts';
import { Button, buttonClass, cx, IconButton } from '../ui/elements.tsx';
import { deleteWithUndo, toast } from '../ui/toasts.tsx';
import { repeatRequest } from './render-choice.ts';
import { factsOf, renderLabel } from './render-label.ts';
import { RenderProgress } from './render-progress.tsx';

interface RenderRowProps {
  render: Render;
  shown: boolean;
  queuePosition: QueuePosition | null;
  onPlay: (renderId: string) => void;
}

/** Shows one render with its state and actions. Rerenders only if the render changes. */
export const RenderRow = memo(function RenderRow({ render, shown, queuePosition, onPlay }: RenderRowProps) {
  const [open, setOpen] = useState(false);
  const details = useId();
  const label = renderLabel(render);
  return (
    // The browser does not render rows outside the view, however many there are.
    <li className={cx('rounded-lg [contain-intrinsic-size:auto_60px] [content-visibility:auto]', shown && 'bg-sunken')}>
      <div className="flex min-h-15 items-center gap-3 px-2 py-1.5">
        <Thumbnail render={render} shown={shown} onPlay={onPlay} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-[13px]">{label}</p>
          <RenderStatus render={render} queuePosition={queuePosition} />
        </div>
        <Actions render={render} label={label} />
        <IconButton label={`Settings for ${label}`} aria-expanded={open} aria-controls={details} onClick={() => setOpen(!open)}>
          <ChevronDown className={cx('size-4 transition-transform', open && 'rotate-180')} />
        </IconButton>
      </div>
      <div id={details} hidden={!open} className="px-2 pb-3 sm:pl-23">
        {open && (
          <>
            <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-0.5 text-xs lg:grid-cols-[max-content_minmax(0,1fr)_max-content_minmax(0,1fr)]">
              {factsOf(render).map(({ name, value }) => (
                <div key={name} className="contents">
                  <dt className="text-ink-3">{name}</dt>
                  <dd className="wrap-anywhere tabular-nums">{value}</dd>
                </div>
              ))}
            </dl>
            <NarrowActions render={render} label={label} />
          </>
        )}
      </div>
    </li>
  );
});

function Thumbnail({ render, shown, onPlay }: Pick<RenderRowProps, 'render' | 'shown' | 'onPlay'>) {
  const { status, settings, thumbnailUrl } = render;
  const { still } = renderFiles[settings.format];
  const label = renderLabel(render);
  const complete = status === 'complete';
  const doneIcon = still ? ImageIcon : Clapperboard;
  const Icon = status === 'failed' ? CircleAlert : doneIcon;
  return (
    <button
      type="button"
      disabled={!complete}
      aria-label={still ? `Show ${label}` : `Play ${label}`}
      aria-pressed={shown}
      onClick={() => onPlay(render.id)}
      className="group relative flex h-12 w-18 shrink-0 items-center justify-center overflow-hidden rounded-md bg-backdrop text-ink-3"
    >
      {thumbnailUrl ? (
        <img src={addressOf(thumbnailUrl)} alt="" loading="lazy" decoding="async" className="absolute size-full object-contain" />
      ) : (
        <Icon className={cx('size-4', status === 'failed' && 'text-bad')} />
      )}
      {complete && !still && (
        <Play className="relative size-4 fill-white text-white opacity-0 drop-shadow transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100" />
      )}
    </button>
  );
}

/** Advice by error code. Missing if the error's message already gives it. */
const failedHints: Partial<Record<string, string>> = {
  OUT_OF_MEMORY: 'Choose a smaller resolution, or render a shorter range.',
  TIMEOUT: 'Choose a smaller resolution, or render a shorter range.',
  STORAGE_FULL: 'Delete renders you do not need, then try again.',
  CAPTURE_FAILED: 'Check the film in the live preview, and ask Koda to fix it.',
  SANDBOX_DEAD: 'Try again in a new sandbox.',
};

function queueText(queued: QueuePosition | null): string {
  if (queued === null) return 'Waiting';
  return queued.position === 1 ? 'Next in the queue' : `Number ${queued.position} in the queue`;
}

function RenderStatus({ render, queuePosition }: Pick<RenderRowProps, 'render' | 'queuePosition'>) {
  const facts = 'truncate text-ink-3 text-xs tabular-nums';
  switch (render.status) {
    case 'queued': {
      const starts =
        queuePosition?.startsInSeconds != null && `starts in about ${formatSecondsLeft(queuePosition.startsInSeconds)}`;
      return <p className={facts}>{[queueText(queuePosition), starts].filter(Boolean).join(' · ')}</p>;
    }
    case 'running':
      return <RenderProgress render={render} />;
    case 'complete': {
      const { probe, renderTimeMs, settings, finishedAt } = render;
      const words = [
        probe && !renderFiles[settings.format].still && formatSeconds(probe.durationSeconds),
        probe && formatBytes(probe.sizeBytes),
        renderTimeMs !== null && `rendered in ${formatDurationMs(renderTimeMs)}`,
        finishedAt !== null && formatAgo(finishedAt, Date.now()),
      ];
      return <p className={facts}>{words.filter(Boolean).join(' · ')}</p>;
    }
    case 'failed':
      return (
        <p className="line-clamp-2 wrap-anywhere text-bad text-xs">
          {['Failed.', render.error?.message, failedHints[render.error?.code ?? '']].join(' ')}
        </p>
      );
    case 'cancelled':
      return <p className={facts}>Cancelled</p>;
  }
}

/** Actions on a render. Failures show a toast. */
function useActions(render: Render) {
  const { projectId, handle } = useProject();
  const onError = (error: Error) => toast(toApiError(error).message);
  const again = useMutation({ mutationFn: () => renderApi.start(projectId, repeatRequest(render.settings)), onError });
  const cancel = useMutation({ mutationFn: () => renderApi.remove(render.id), onError });
  const remove = () =>
    deleteWithUndo(render.id, {
      name: renderLabel(render),
      run: (options) => renderApi.remove(render.id, options),
      onDeleted: () => handle.removeRender(render.id),
    });
  return { again, cancel, remove };
}

function Actions({ render, label }: { render: Render; label: string }) {
  const { again, cancel, remove } = useActions(render);
  if (isRunning(render)) {
    // An event reports the end.
    const cancelling = cancel.isPending || cancel.isSuccess;
    return (
      <IconButton
        icon={X}
        label={cancelling ? 'Cancelling…' : `Cancel ${label}`}
        disabled={cancelling}
        onClick={() => cancel.mutate()}
      />
    );
  }
  const failed = render.status === 'failed';
  return (
    <>
      {render.status === 'complete' && render.videoUrl && (
        <a
          href={addressOf(`${render.videoUrl}?download`)}
          download
          aria-label={`Download ${label}`}
          className={buttonClass('secondary', 'sm')}
        >
          <Download className="size-4" />
          <span className="max-lg:hidden">Download</span>
        </a>
      )}
      <IconButton
        icon={RotateCcw}
        label={failed ? `Try again: ${label}` : `Render again: ${label}`}
        disabled={again.isPending}
        onClick={() => again.mutate()}
        className="max-sm:hidden"
      />
      <IconButton icon={Trash2} label={`Delete ${label}`} onClick={remove} className="max-sm:hidden" />
    </>
  );
}

/** Menu with the actions that do not fit into the row on a narrow screen. */
function NarrowActions({ render, label }: { render: Render; label: string }) {
  const { again, remove } = useActions(render);
  if (isRunning(render)) return null;
  const failed = render.status === 'failed';
  return (
    <div className="mt-2 flex gap-2 sm:hidden">
      <Button icon={RotateCcw} size="sm" disabled={again.isPending} onClick={() => again.mutate()}>
        {failed ? 'Try again' : 'Render again'}
      </Button>
      <Button icon={Trash2} size="sm" aria-label={`Delete ${label}`} onClick={remove}>
        Delete
      </Button>
    </div>
  );
}
