import { useMutation, useQuery } from '@tanstack/react-query';
import { ChevronDown, CircleAlert, Download, Play, Table2, Trash2, X } from 'lucide-react';
import { memo, useId, useState } from 'react';
import type { Batch, BatchRow } from '#contract/batch.ts';
import { formatCount } from '#contract/display.ts';
import { addressOf } from '../address.ts';
import { batchApi, toApiError } from '../api/client.ts';
import { useProject } from '../project/context.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Button, cx, ErrorNotice, IconButton, ProgressBar, Spinner } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';

/** Returns a batch as words: `96 of 100 videos, 4 failed`. */
export function batchText({ counts }: Pick<Batch, 'counts'>): string {
  const { total, complete, failed, cancelled } = counts;
  return [
    `${complete.toLocaleString('en')} of ${formatCount(total, 'video')}`,
    failed > 0 && `${failed.toLocaleString('en')} failed`,
    cancelled > 0 && `${cancelled.toLocaleString('en')} cancelled`,
  ]
    .filter(Boolean)
    .join(', ');
}

interface BatchGroupProps {
  batch: Batch;
  onPlay: (renderId: string) => void;
}

/** Shows the videos of a table as one entry, which opens into its rows. */
export const BatchGroup = memo(function BatchGroup({ batch, onPlay }: BatchGroupProps) {
  const [open, setOpen] = useState(false);
  const rows = useId();
  const { counts, state, reason } = batch;
  const text = batchText(batch);
  const ended = counts.complete + counts.failed + counts.cancelled;
  return (
    <li className={cx('rounded-lg', open && 'bg-sunken')}>
      <div className="flex min-h-15 items-center gap-3 px-2 py-1.5">
        <span className="flex h-12 w-18 shrink-0 items-center justify-center rounded-md bg-backdrop text-ink-3">
          <Table2 className="size-4" />
        </span>
        <div className="min-w-0 flex-1">
          <p className="truncate text-[13px] tabular-nums">{text}</p>
          {state === 'running' && (
            <ProgressBar
              label="Progress of the videos"
              percent={(100 * ended) / Math.max(1, counts.total)}
              valueText={text}
              className="my-1 h-1 rounded-full"
            />
          )}
          <p className={cx('line-clamp-2 wrap-anywhere text-xs', state === 'paused' ? 'text-bad' : 'text-ink-3')}>
            {state === 'paused' ? `Paused. ${reason?.message ?? ''}` : stateTexts[state]}
          </p>
        </div>
        <Actions batch={batch} text={text} />
        <IconButton label={`Rows of ${text}`} aria-expanded={open} aria-controls={rows} onClick={() => setOpen(!open)}>
          <ChevronDown className={cx('size-4 transition-transform', open && 'rotate-180')} />
        </IconButton>
      </div>
      <div id={rows} hidden={!open} className="max-h-72 overflow-y-auto px-2 pb-3 sm:pl-23">
        {open && <Rows batch={batch} onPlay={onPlay} />}
      </div>
    </li>
  );
});

const stateTexts: Record<Exclude<Batch['state'], 'paused'>, string> = {
  running: 'From a table, one row after the other',
  complete: 'From a table',
  cancelled: 'Cancelled. Finished videos are kept.',
};

/** Actions on a batch. Events report what they change. */
function Actions({ batch, text }: { batch: Batch; text: string }) {
  const { projectId } = useProject();
  const [removing, setRemoving] = useState(false);
  const onError = (error: Error) => toast(toApiError(error).message);
  const cancel = useMutation({ mutationFn: () => batchApi.cancel(projectId, batch.id), onError });
  const resume = useMutation({ mutationFn: () => batchApi.resume(projectId, batch.id), onError });
  const retry = useMutation({ mutationFn: () => batchApi.retry(projectId, batch.id), onError });
  const remove = useMutation({ mutationFn: () => batchApi.remove(projectId, batch.id), onError });
  const { state, counts } = batch;
  if (state === 'running')
    return (
      <IconButton
        icon={X}
        label={cancel.isPending ? 'Cancelling…' : `Cancel ${text}`}
        disabled={cancel.isPending}
        onClick={() => cancel.mutate()}
      />
    );
  return (
    <>
      {state !== 'complete' && (
        <Button size="sm" disabled={resume.isPending} onClick={() => resume.mutate()}>
          Continue
        </Button>
      )}
      {counts.failed > 0 && (
        <Button size="sm" disabled={retry.isPending} onClick={() => retry.mutate()}>
          Retry failed
        </Button>
      )}
      <IconButton
        icon={Trash2}
        label={`Delete ${text}`}
        disabled={remove.isPending}
        onClick={() => setRemoving(true)}
        className="max-sm:hidden"
      />
      <Confirm
        title="Delete these videos?"
        text={`This deletes the table’s entry and its ${formatCount(counts.complete, 'finished video')}. It cannot be undone.`}
        action="Delete"
        open={removing}
        onClose={() => setRemoving(false)}
        onConfirm={() => remove.mutate()}
      />
    </>
  );
}

function Rows({ batch, onPlay }: BatchGroupProps) {
  const { projectId } = useProject();
  const { state, counts } = batch;
  const detail = useQuery({
    // Each event changes the counts or the state, which makes the fetched rows stale.
    queryKey: ['batch', batch.id, state, JSON.stringify(counts)],
    queryFn: ({ signal }) => batchApi.get(projectId, batch.id, signal),
    placeholderData: (before) => before,
  });
  if (detail.isError) return <ErrorNotice error={detail.error} onRetry={() => void detail.refetch()} />;
  if (!detail.data)
    return (
      <p role="status" className="flex items-center gap-2 text-ink-3 text-xs">
        <Spinner className="size-3.5" />
        Loading the rows…
      </p>
    );
  return (
    <ol>
      {detail.data.rows.map((row) => (
        <RowLine key={row.number} row={row} onPlay={onPlay} />
      ))}
    </ol>
  );
}

const rowTexts: Record<Exclude<BatchRow['state'], 'failed'>, string> = {
  waiting: 'Waiting',
  rendering: 'Rendering',
  complete: 'Finished',
  cancelled: 'Cancelled',
};

function RowLine({ row, onPlay }: { row: BatchRow; onPlay: (renderId: string) => void }) {
  const { number, label, state, renderId, videoUrl, error } = row;
  return (
    // The browser does not render rows outside the view, however many there are.
    <li className="flex min-h-8 items-center gap-2 text-xs [contain-intrinsic-size:auto_32px] [content-visibility:auto]">
      <span className="w-8 shrink-0 text-right text-ink-3 tabular-nums">{number}</span>
      <span className="min-w-0 flex-1 truncate">{label}</span>
      {state === 'failed' ? (
        <span className="flex min-w-0 flex-2 items-start gap-1 wrap-anywhere text-bad">
          <CircleAlert className="mt-0.5 size-3.5 shrink-0" />
          {error?.message ?? 'It failed.'}
        </span>
      ) : (
        <span className="text-ink-3">{rowTexts[state]}</span>
      )}
      {videoUrl !== null && renderId !== null && (
        <>
          <IconButton icon={Play} label={`Play row ${number}`} onClick={() => onPlay(renderId)} className="size-7" />
          <a
            href={addressOf(`${videoUrl}?download`)}
            download
            aria-label={`Download row ${number}`}
            className="flex size-7 items-center justify-center rounded-md text-ink-2 hover:bg-sunken"
          >
            <Download className="size-4" />
          </a>
        </>
      )}
    </li>
  );
}
