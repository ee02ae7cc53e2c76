import { useMutation } from '@tanstack/react-query';
import { ChevronDown, CircleAlert, Clapperboard, Download, ImageIcon, Play, RotateCcw, Trash2, X } from 'lucide-react';
import { memo, useId, useState } from 'react';
import type { QueueTurn } from '../../../server/contract/estimate.ts';
import { formatAgo, formatBytes, formatDurationMs, formatSeconds, formatSecondsLeft } from '../../../server/contract/format.ts';
import { type Render, renderFiles } from '../../../server/contract/render.ts';
import { toApiError } from '../api/client.ts';
import { renderApi } from '../api/renders.ts';
import { useProject } from '../project/context.ts';
import { isAtWork } from '../project/renders.ts';
import { texts } from '../texts.ts';
import { Button, buttonClass, IconButton } from '../ui/button.tsx';
import { cx } from '../ui/class-names.ts';
import { toast } from '../ui/toasts.tsx';
import { deleteWithUndo } from './pending-deletes.ts';
import { requestAgain } from './render-again.ts';
import { factsOf } from './render-facts.ts';
import { renderLabel } from './render-label.ts';
import { RenderProgress } from './render-progress.tsx';

interface RenderRowProps {
  render: Render;
  shown: boolean;
  /** When its turn comes, if it waits. */
  turn: QueueTurn | null;
  onPlay: (renderId: string) => void;
}

/** One render: what it is, how it stands, and what can be done with it. Drawn anew only when something of it changed. */
export const RenderRow = memo(function RenderRow({ render, shown, turn, onPlay }: RenderRowProps) {
  const [open, setOpen] = useState(false);
  const details = useId();
  const label = renderLabel(render);
  return (
    // What is not in sight costs nothing, however many there are.
    <li className={cx('rounded-lg [contain-intrinsic-size:auto_60px] [content-visibility:auto]', shown && 'bg-sunken')}>
      <div className="flex min-h-15 items-center gap-3 px-2 py-1.5">
        <Thumbnail render={render} shown={shown} onPlay={onPlay} />
        <div className="min-w-0 flex-1">
          <p className="truncate text-[13px]">{label}</p>
          <Standing render={render} turn={turn} />
        </div>
        <Actions render={render} label={label} />
        <IconButton
          label={texts.renders.details(label)}
          aria-expanded={open}
          aria-controls={details}
          onClick={() => setOpen(!open)}
        >
          <ChevronDown aria-hidden="true" className={cx('size-4 transition-transform', open && 'rotate-180')} />
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
  return (
    <button
      type="button"
      disabled={!complete}
      aria-label={still ? texts.renders.show(label) : texts.renders.play(label)}
      aria-pressed={shown}
      onClick={() => onPlay(render.id)}
      className="group relative flex h-12 w-18 shrink-0 items-center justify-center overflow-hidden rounded-md bg-stage text-ink-3"
    >
      {thumbnailUrl ? (
        <img src={thumbnailUrl} alt="" loading="lazy" decoding="async" className="absolute size-full object-contain" />
      ) : status === 'failed' ? (
        <CircleAlert aria-hidden="true" className="size-4 text-bad" />
      ) : still ? (
        <ImageIcon aria-hidden="true" className="size-4" />
      ) : (
        <Clapperboard aria-hidden="true" className="size-4" />
      )}
      {complete && !still && (
        <Play
          aria-hidden="true"
          className="relative size-4 fill-white text-white opacity-0 drop-shadow transition-opacity group-hover:opacity-100 group-focus-visible:opacity-100"
        />
      )}
    </button>
  );
}

function Standing({ render, turn }: Pick<RenderRowProps, 'render' | 'turn'>) {
  const facts = 'truncate text-ink-3 text-xs tabular-nums';
  switch (render.status) {
    case 'queued': {
      const place =
        turn === null
          ? texts.renders.queued
          : turn.position === 1
            ? texts.renders.queueNext
            : texts.renders.queuePlace(turn.position);
      const starts = turn?.startsInSeconds != null && texts.renders.startsIn(formatSecondsLeft(turn.startsInSeconds));
      return <p className={facts}>{[place, starts].filter(Boolean).join(' · ')}</p>;
    }
    case 'running':
      return <RenderProgress render={render} />;
    case 'complete': {
      const { probe, renderTimeMs, settings, finishedAt } = render;
      const words = [
        probe && !renderFiles[settings.format].still && formatSeconds(probe.durationSeconds),
        probe && formatBytes(probe.sizeBytes),
        renderTimeMs !== null && texts.renders.took(formatDurationMs(renderTimeMs)),
        finishedAt !== null && formatAgo(finishedAt, Date.now()),
      ];
      return <p className={facts}>{words.filter(Boolean).join(' · ')}</p>;
    }
    case 'failed':
      return (
        <p className="line-clamp-2 wrap-anywhere text-bad text-xs">
          {[`${texts.renders.failed}.`, render.error?.message, texts.renders.failedHints[render.error?.code ?? '']].join(' ')}
        </p>
      );
    case 'cancelled':
      return <p className={facts}>{texts.renders.cancelled}</p>;
  }
}

/** What can be done with a render, failures being told in passing. */
function useActions(render: Render) {
  const { projectId, handle } = useProject();
  const onError = (error: Error) => toast(toApiError(error).message);
  const again = useMutation({ mutationFn: () => renderApi.start(projectId, requestAgain(render.settings)), onError });
  const cancel = useMutation({ mutationFn: () => renderApi.remove(render.id), onError });
  return { again, cancel, remove: () => deleteWithUndo(render, () => handle.forgetRender(render.id)) };
}

function Actions({ render, label }: { render: Render; label: string }) {
  const { again, cancel, remove } = useActions(render);
  if (isAtWork(render)) {
    // Its end is told by an event.
    const cancelling = cancel.isPending || cancel.isSuccess;
    return (
      <IconButton
        label={cancelling ? texts.renders.cancelling : texts.renders.cancelRender(label)}
        disabled={cancelling}
        onClick={() => cancel.mutate()}
      >
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    );
  }
  const failed = render.status === 'failed';
  return (
    <>
      {render.status === 'complete' && render.videoUrl && (
        <a
          href={`${render.videoUrl}?download`}
          download
          aria-label={texts.renders.downloadLabel(label)}
          className={buttonClass('secondary', 'sm')}
        >
          <Download aria-hidden="true" className="size-4" />
          <span className="max-lg:hidden">{texts.renders.download}</span>
        </a>
      )}
      <IconButton
        label={failed ? texts.renders.retry(label) : texts.renders.again(label)}
        disabled={again.isPending}
        onClick={() => again.mutate()}
        className="max-sm:hidden"
      >
        <RotateCcw aria-hidden="true" className="size-4" />
      </IconButton>
      <IconButton label={texts.renders.remove(label)} onClick={remove} className="max-sm:hidden">
        <Trash2 aria-hidden="true" className="size-4" />
      </IconButton>
    </>
  );
}

/** On a narrow screen, what has no room in the row. */
function NarrowActions({ render, label }: { render: Render; label: string }) {
  const { again, remove } = useActions(render);
  if (isAtWork(render)) return null;
  const failed = render.status === 'failed';
  return (
    <div className="mt-2 flex gap-2 sm:hidden">
      <Button size="sm" disabled={again.isPending} onClick={() => again.mutate()}>
        <RotateCcw aria-hidden="true" className="size-4" />
        {failed ? texts.common.retry : texts.renders.againButton}
      </Button>
      <Button size="sm" aria-label={texts.renders.remove(label)} onClick={remove}>
        <Trash2 aria-hidden="true" className="size-4" />
        {texts.renders.removeButton}
      </Button>
    </div>
  );
}
