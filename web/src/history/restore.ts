import type { CheckpointEntry } from '../../../server/contract/history.ts';
import { api, toApiError } from '../api/client.ts';
import { historyApi } from '../api/history.ts';
import type { ProjectContextValue } from '../project/context.ts';
import { toast } from '../ui/toasts.tsx';
import { quoted } from './entries.ts';

/** Long enough to look at the film and to think better of it. */
const undoMs = 20_000;

/** Brings the files of a checkpoint back and offers to undo it. Throws ApiError when nothing was restored. */
export async function restoreWithUndo(projectId: string, { id, title }: CheckpointEntry): Promise<void> {
  const { restored, checkpoint } = await historyApi.restore(projectId, id);
  if (!restored) {
    toast('The files are those already.');
    return;
  }
  toast(`${quoted(title)} is restored.`, {
    durationMs: undoMs,
    action: { label: 'Undo', run: () => void undo(projectId, checkpoint.id) },
  });
}

const stopTimeoutMs = 30_000;
/** The server lets go of a run a moment after it has told of its end. */
const settleAttempts = 5;
const settleMs = 400;

/**
 * Stops the work, then restores. It goes on when the view that asked for it is gone. Whatever fails is told in
 * passing.
 */
export async function stopAndRestore(
  { projectId, handle }: Pick<ProjectContextValue, 'projectId' | 'handle'>,
  entry: CheckpointEntry,
): Promise<void> {
  try {
    await api.stop(projectId);
    await untilStopped(handle.store);
    await onceSettled(() => restoreWithUndo(projectId, entry));
  } catch (error) {
    toast(`Nothing was restored: ${toApiError(error).message}`);
  }
}

function untilStopped(store: ProjectContextValue['handle']['store']): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const look = () => {
    if (store.getState().view?.project.running === false) resolve();
  };
  const unsubscribe = store.subscribe(look);
  const timer = setTimeout(
    () => reject(new Error('The work has not stopped yet, so nothing was restored. Try again in a moment.')),
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

/** A restore is a checkpoint itself: what was there before it is in the one behind it. */
async function undo(projectId: string, restoreId: string): Promise<void> {
  try {
    const { items } = await historyApi.list(projectId, { cursor: null, limit: 100 });
    const before = items[items.findIndex(({ id }) => id === restoreId) + 1];
    if (before === undefined) throw new Error('Choose the checkpoint before it in the list, and restore that one.');
    await historyApi.restore(projectId, before.id);
    toast('Undone: the files are as they were before.');
  } catch (error) {
    toast(`It was not undone: ${toApiError(error).message}`);
  }
}
