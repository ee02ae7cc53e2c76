import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { toApiError } from '../api/client.ts';
import { toast } from './toasts.tsx';

interface Deletion {
  /** What was deleted, as its toast calls it. */
  readonly name: string;
  /** Deletes it on the server. `leaving`: the page is being closed, and the request has to outlive it. */
  readonly run: (options: { leaving: boolean }) => Promise<unknown>;
  /** The server no longer has it. */
  readonly onDeleted: () => void;
}

/** By id: hidden on the page, still on the server. */
const pending = createStore<{ readonly deletions: ReadonlyMap<string, Deletion> }>(() => ({ deletions: new Map() }));

const show = (id: string) =>
  pending.setState(({ deletions }) => ({ deletions: new Map([...deletions].filter(([other]) => other !== id)) }));

/** The ids that are hidden because the user has just deleted them. */
export const usePendingDeletes = () => useStore(pending, ({ deletions }) => deletions);

/** Hides something at once, and deletes it when the offer to undo is over or the page is left. */
export function deleteWithUndo(id: string, deletion: Deletion): void {
  const { name, run, onDeleted } = deletion;
  pending.setState(({ deletions }) => ({ deletions: new Map(deletions).set(id, deletion) }));
  window.addEventListener('pagehide', deleteAll);
  const finish = async () => {
    if (!pending.getState().deletions.has(id)) return;
    try {
      await run({ leaving: false });
      onDeleted();
    } catch (error) {
      const { code, message } = toApiError(error);
      // Another tab may have been quicker.
      if (code === 'NOT_FOUND') onDeleted();
      else toast(`${name} was not deleted: ${message}`);
    }
    show(id);
  };
  toast(`${name} was deleted.`, { action: { label: 'Undo', run: () => show(id) }, onGone: () => void finish() });
}

/** Nobody is left to undo anything when the page goes. */
function deleteAll(): void {
  for (const [id, { run }] of pending.getState().deletions) {
    run({ leaving: true }).catch(() => undefined);
    show(id);
  }
}
