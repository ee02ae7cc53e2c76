import type { CheckpointEntry } from '../../../server/contract/history.ts';
import { toApiError } from '../api/client.ts';
import { historyApi } from '../api/history.ts';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';

/** Long enough to look at the film and to think better of it. */
const undoMs = 20_000;

/** Brings the files of a checkpoint back and offers to undo it. Throws ApiError when nothing was restored. */
export async function restoreWithUndo(projectId: string, { id, title }: CheckpointEntry): Promise<void> {
  const { restored, checkpoint } = await historyApi.restore(projectId, id);
  if (!restored) {
    toast(texts.history.restoredAlready);
    return;
  }
  toast(texts.history.restored(title), {
    durationMs: undoMs,
    action: { label: texts.common.undo, run: () => void undo(projectId, checkpoint.id) },
  });
}

/** A restore is a checkpoint itself: what was there before it is in the one behind it. */
async function undo(projectId: string, restoreId: string): Promise<void> {
  try {
    const { items } = await historyApi.list(projectId, { cursor: null, limit: 100 });
    const before = items[items.findIndex(({ id }) => id === restoreId) + 1];
    if (before === undefined) throw new Error(texts.history.undoLost);
    await historyApi.restore(projectId, before.id);
    toast(texts.history.undone);
  } catch (error) {
    toast(texts.history.undoFailed(toApiError(error).message));
  }
}
