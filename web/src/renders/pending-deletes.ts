import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import type { Render } from '../../../server/contract/render.ts';
import { toApiError } from '../api/client.ts';
import { renderApi } from '../api/renders.ts';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';
import { renderLabel } from './render-label.ts';

/** Ids of renders that are gone for the eye and may still be brought back. */
const pending = createStore<{ readonly ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

const hide = (id: string) => pending.setState(({ ids }) => ({ ids: new Set([...ids, id]) }));
const bringBack = (id: string) => pending.setState(({ ids }) => ({ ids: new Set([...ids].filter((other) => other !== id)) }));

/** Which renders are not to be shown, since the user deleted them a moment ago. */
export const usePendingDeletes = () => useStore(pending, ({ ids }) => ids);

/** Takes a finished render out of sight; it is really deleted when nobody wanted it back, or when the page is left. */
export function deleteWithUndo(render: Render, onDeleted: () => void): void {
  const { id } = render;
  const label = renderLabel(render);
  hide(id);
  const finish = async () => {
    if (!pending.getState().ids.has(id)) return;
    try {
      await renderApi.remove(id);
      onDeleted();
    } catch (error) {
      const { code, message } = toApiError(error);
      // Another tab may have been quicker.
      if (code === 'NOT_FOUND') onDeleted();
      else toast(texts.renders.removeFailed(label, message));
    } finally {
      bringBack(id);
    }
  };
  toast(texts.renders.removed(label), {
    action: { label: texts.common.undo, run: () => bringBack(id) },
    onGone: () => void finish(),
  });
}

window.addEventListener('pagehide', () => {
  for (const id of pending.getState().ids) renderApi.remove(id, { leaving: true }).catch(() => undefined);
});
