import { createStore } from 'zustand/vanilla';
import type { Asset } from '../../../server/contract/project.ts';
import { api, toApiError } from '../api/client.ts';
import { texts } from '../texts.ts';
import { toast } from '../ui/toasts.tsx';

/** Uploads that were deleted a moment ago, by id: gone for the eye, and still there should the user think better of it. */
export const leaving = createStore<{ readonly assets: ReadonlyMap<string, { readonly projectId: string }> }>(() => ({
  assets: new Map(),
}));

function change(make: (assets: Map<string, { projectId: string }>) => void): void {
  leaving.setState(({ assets }) => {
    const next = new Map(assets);
    make(next);
    return { assets: next };
  });
}

const stay = (assetId: string) => change((assets) => assets.delete(assetId));

/** Deletes an upload once the offer to undo it is over. `onDeleted` is called when it is really gone. */
export function deleteWithUndo(projectId: string, { id, name }: Asset, onDeleted: () => void): void {
  change((assets) => assets.set(id, { projectId }));
  window.addEventListener('pagehide', deleteAll);
  const gone = async () => {
    if (!leaving.getState().assets.has(id)) return;
    try {
      await api.deleteAsset(projectId, id);
      onDeleted();
    } catch (error) {
      toast(texts.assets.notDeleted(name, toApiError(error).message));
    }
    stay(id);
  };
  toast(texts.assets.deleted(name), {
    action: { label: texts.common.undo, run: () => stay(id) },
    onGone: () => void gone(),
  });
}

/** Nobody is left to undo anything when the page goes. */
function deleteAll(): void {
  for (const [id, { projectId }] of leaving.getState().assets) {
    void fetch(api.assetUrl(projectId, id), { method: 'DELETE', keepalive: true });
    stay(id);
  }
}
