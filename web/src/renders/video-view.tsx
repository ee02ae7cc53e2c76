import { useQuery } from '@tanstack/react-query';
import { Clapperboard, Film } from 'lucide-react';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import type { Batch } from '#contract/batch.ts';
import { formatCount } from '#contract/display.ts';
import type { QueuePosition } from '#contract/estimate.ts';
import type { Render } from '#contract/render.ts';
import { renderApi } from '../api/client.ts';
import { useProject, useView, useWorkbench } from '../project/context.ts';
import { byNewest, isRunning, newestComplete, runningPreview } from '../project/renders.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Button, Empty, Spinner } from '../ui/elements.tsx';
import { usePendingDeletes } from '../ui/toasts.tsx';
import { BatchGroup } from './batch-group.tsx';
import { FilmPlayer } from './film-player.tsx';
import { NotifyMe } from './notices.tsx';
import { RenderRow } from './render-row.tsx';

const TableForm = lazy(() => import('./table-form.tsx'));

const noRenders: readonly Render[] = [];

export function VideoView() {
  const { workbench } = useProject();
  const deleted = usePendingDeletes();
  const all = useView((view) => view.renders);
  const renders = deleted.size === 0 ? all : all.filter(({ id }) => !deleted.has(id));
  const batches = useView((view) => view.batches);
  const [hasTable, setHasTable] = useState(false);
  const canRender = useView((view) => view.project.phase === 'complete' || view.project.phase === 'preview');
  const playing = useWorkbench((state) => state.playing);
  const single = renders.filter(({ batch }) => batch === null);
  const newest = newestComplete(renders);
  const chosen = playing?.newestId === newest?.id ? renders.find((render) => render.id === playing?.renderId) : undefined;
  const shown = chosen?.status === 'complete' ? chosen : newest;
  const atWork = renders.some(isRunning);
  const making = runningPreview(renders) !== null;
  // A running preview does not replace a video that the user chose.
  const isElsewhere = shown !== newest;
  const newestId = newest?.id ?? null;
  const play = useCallback((renderId: string) => workbench.setState({ playing: { renderId, newestId } }), [workbench, newestId]);
  const openDialog = () => workbench.setState({ renderDialog: true });

  if (renders.length === 0 && batches.length === 0) {
    return (
      <Empty
        icon={<Film />}
        title="No video yet"
        text="Koda renders a small preview first. Once you like it, render the final video."
      >
        {canRender && (
          <Button variant="primary" onClick={openDialog}>
            New render
          </Button>
        )}
      </Empty>
    );
  }
  return (
    <div className="flex h-full flex-col">
      <div className="flex min-h-0 flex-1 items-center justify-center bg-backdrop p-3 sm:p-6">
        {shown || making ? (
          <FilmPlayer shown={shown} renders={isElsewhere ? noRenders : renders} />
        ) : (
          <p className="flex items-center gap-2 text-[13px] text-ink-2">
            {atWork ? <Spinner /> : <Clapperboard className="size-4" />}
            {atWork ? 'Capturing frames' : 'No video yet'}
          </p>
        )}
      </div>
      <section aria-label="Renders" className="flex max-h-[45%] min-h-40 shrink-0 flex-col border-line border-t bg-panel">
        <div className="flex h-12 shrink-0 items-center gap-2 px-4">
          <h2 className="font-medium">Renders</h2>
          <p className="text-ink-3 text-xs tabular-nums">{formatCount(single.length + batches.length, 'render')}</p>
          <div className="ml-auto flex items-center gap-1">
            {atWork && <NotifyMe />}
            {canRender && (
              <>
                <Button size="sm" variant="quiet" onClick={() => setHasTable(true)}>
                  From a table…
                </Button>
                <Button size="sm" onClick={openDialog}>
                  New render
                </Button>
              </>
            )}
          </div>
        </div>
        <div className="min-h-0 overflow-y-auto">
          <RenderList renders={single} batches={batches} shown={shown?.id ?? null} onPlay={play} />
        </div>
      </section>
      <Suspense>
        <Dialog
          title="Make a video per row"
          text="Each column that is named after a parameter of the film changes it."
          open={hasTable}
          onClose={() => setHasTable(false)}
          wide
        >
          {hasTable && <TableForm onDone={() => setHasTable(false)} />}
        </Dialog>
      </Suspense>
    </div>
  );
}

/** Other projects' renders change the queue, which this project's events do not report. */
const queueIntervalMs = 5000;

interface RenderListProps {
  renders: readonly Render[];
  batches: readonly Batch[];
  shown: string | null;
  onPlay: (renderId: string) => void;
}

function RenderList({ renders, batches, shown, onPlay }: RenderListProps) {
  const { projectId } = useProject();
  const queuePositions = useQueuePositions(projectId, renders);
  return (
    <ul className="flex flex-col gap-0.5 px-2 pb-2">
      {byNewest([...renders, ...batches]).map((item) =>
        'counts' in item ? (
          <BatchGroup key={item.id} batch={item} onPlay={onPlay} />
        ) : (
          <RenderRow
            key={item.id}
            render={item}
            shown={item.id === shown}
            queuePosition={item.status === 'queued' ? (queuePositions.get(item.id) ?? null) : null}
            onPlay={onPlay}
          />
        ),
      )}
    </ul>
  );
}

function useQueuePositions(projectId: string, renders: readonly Render[]): ReadonlyMap<string, QueuePosition> {
  // A render that is queued, starts or ends changes the query key.
  const atWork = renders.filter(({ status }) => status === 'queued' || status === 'running').map(({ id, status }) => id + status);
  const waiting = renders.some(({ status }) => status === 'queued');
  const { data } = useQuery({
    queryKey: ['queue', projectId, atWork.join(' ')],
    queryFn: ({ signal }) => renderApi.queue(projectId, signal),
    enabled: waiting,
    refetchInterval: queueIntervalMs,
  });
  return useMemo(() => new Map(data?.items.map((queuePosition) => [queuePosition.renderId, queuePosition])), [data]);
}
