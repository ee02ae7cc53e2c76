import { useMutation, useQuery } from '@tanstack/react-query';
import { AlertDialog } from 'radix-ui';
import type { CheckpointEntry } from '#contract/history.ts';
import { api, historyApi, toApiError } from '../api/client.ts';
import { type ProjectContextValue, useProject, useView } from '../project/context.ts';
import { dialogClass, overlayClass } from '../ui/dialog.tsx';
import { Button, ErrorNotice, Spinner } from '../ui/elements.tsx';
import { toast } from '../ui/toasts.tsx';
import { LineCounts, StatusLabel } from './diff-view.tsx';
import { countOf, quoted, restoredChanges } from './entries.ts';

interface RestoreDialogProps {
  entry: CheckpointEntry;
  /** The checkpoint with the current files. */
  newestId: string;
  onClose: () => void;
}

const listedFiles = 8;

/**
 * Shows what a restore will change, and that it can be undone. While the agent is running, the server rejects a restore, so
 * the dialog offers to stop it.
 */
export function RestoreDialog({ entry, newestId, onClose }: RestoreDialogProps) {
  const project = useProject();
  const { projectId } = project;
  const running = useView((view) => view.project.running);
  const assets = useView((view) => view.assets);
  const changes = useQuery({
    queryKey: ['diff', projectId, entry.id, newestId],
    queryFn: ({ signal }) => historyApi.diff(projectId, { checkpointId: entry.id, against: newestId, path: null }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const would = changes.data && restoredChanges(changes.data, assets);
  const restore = useMutation({ mutationFn: () => restoreWithUndo(projectId, entry), onSuccess: onClose });
  const stop = useMutation({ mutationFn: () => stopAndRestore(project, entry), onSuccess: onClose });
  const busy = restore.isPending || stop.isPending;
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && !busy && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlayClass} />
        <AlertDialog.Content className={`${dialogClass} max-w-120`}>
          <AlertDialog.Title className="font-semibold text-base">Restore this checkpoint?</AlertDialog.Title>
          <p className="wrap-anywhere mt-1 line-clamp-3 text-ink-2 text-sm">{entry.title}</p>
          <div className="mt-3 min-h-24">
            {changes.isPending && (
              <p role="status" className="flex items-center gap-2 text-ink-2">
                <Spinner />
                Checking what will change…
              </p>
            )}
            {changes.isError && <ErrorNotice error={changes.error} />}
            {would && <Changes would={would} />}
          </div>
          <AlertDialog.Description className="mt-3 text-[13px] text-ink-2">
            {running && `The agent is working on these files. Wait until it finishes, or stop it and restore. `}
            This also restores the plan. Messages, uploads and videos stay. Koda keeps the current files, so you can undo this.
          </AlertDialog.Description>
          {restore.isError && <ErrorNotice error={restore.error} className="mt-3" />}
          <div className="mt-5 flex justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button disabled={busy}>Cancel</Button>
            </AlertDialog.Cancel>
            {running || stop.isPending ? (
              <Button variant="primary" pending={stop.isPending && 'Stopping…'} onClick={() => stop.mutate()}>
                Stop and restore
              </Button>
            ) : (
              <Button
                variant="primary"
                pending={restore.isPending && 'Restoring…'}
                disabled={changes.isPending || would?.count === 0}
                onClick={() => restore.mutate()}
              >
                Restore
              </Button>
            )}
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

function Changes({ would: { count, files } }: { would: ReturnType<typeof restoredChanges> }) {
  if (count === 0) return <p>The files are already in this state, so nothing would change.</p>;
  const more = count - Math.min(listedFiles, files.length);
  return (
    <>
      <p>{`${countOf(count, 'file')} will change:`}</p>
      <ul className="mt-2 flex flex-col gap-1 rounded-lg bg-sunken px-3 py-2 text-[13px]">
        {files.slice(0, listedFiles).map((file) => (
          <li key={file.path} className="flex items-center gap-2">
            <span className="min-w-0 flex-1 truncate font-mono text-xs" title={file.path}>
              {file.path}
            </span>
            <StatusLabel file={file} />
            <LineCounts file={file} />
          </li>
        ))}
        {more > 0 && <li className="text-ink-2">{`and ${countOf(more, 'file')} more`}</li>}
      </ul>
    </>
  );
}

/** Long enough to watch the film before deciding. */
const undoMs = 20_000;

/** Restores a checkpoint's files and offers an undo. Throws ApiError if nothing was restored. */
async function restoreWithUndo(projectId: string, { id, title }: CheckpointEntry): Promise<void> {
  const { restored, checkpoint } = await historyApi.restore(projectId, id);
  if (!restored) {
    toast('The files are already in this state.');
    return;
  }
  toast(`${quoted(title)} is restored.`, {
    durationMs: undoMs,
    action: { label: 'Undo', run: () => void undo(projectId, checkpoint.id) },
  });
}

const stopTimeoutMs = 30_000;
/** The server releases a run shortly after reporting its end. */
const settleAttempts = 5;
const settleMs = 400;

/** Stops the agent, then restores, even if the view closes in the meantime. Reports failures as a toast. */
async function stopAndRestore(
  { projectId, handle }: Pick<ProjectContextValue, 'projectId' | 'handle'>,
  entry: CheckpointEntry,
): Promise<void> {
  try {
    await api.stop(projectId);
    await untilStopped(handle.store);
    await onceSettled(() => restoreWithUndo(projectId, entry));
  } catch (error) {
    toast(`Could not restore the checkpoint: ${toApiError(error).message}`);
  }
}

function untilStopped(store: ProjectContextValue['handle']['store']): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = () => {
    if (store.getState().view?.project.running === false) resolve();
  };
  const unsubscribe = store.subscribe(look);
  const timer = setTimeout(
    () => reject(new Error('The checkpoint was not restored, because the work has not stopped yet. Try again in a moment.')),
    stopTimeoutMs,
  );
  look();
  return promise.finally(() => {
    unsubscribe();
    clearTimeout(timer);
  });
}

async function onceSettled(restore: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await restore();
      return;
    } catch (error) {
      if (toApiError(error).code !== 'INVALID_TRANSITION' || attempt === settleAttempts) throw error;
      await new Promise((wake) => setTimeout(wake, settleMs));
    }
  }
}

/** A restore is a checkpoint itself; its predecessor has the earlier files. */
async function undo(projectId: string, restoreId: string): Promise<void> {
  try {
    const { items } = await historyApi.list(projectId, { cursor: null, limit: 100 });
    const before = items[items.findIndex(({ id }) => id === restoreId) + 1];
    if (before === undefined) throw new Error('Select the previous checkpoint in the list and restore it.');
    await historyApi.restore(projectId, before.id);
    toast('Restore undone. Your files are as before.');
  } catch (error) {
    toast(`Could not undo: ${toApiError(error).message}`);
  }
}
