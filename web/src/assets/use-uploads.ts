import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useProject } from '../project/context.ts';
import { type UploadItem, type UploadQueue, uploadsOf } from './upload.ts';

/** The project's uploads; while one is under way, the browser asks before the page is closed. */
export function useUploads(): { queue: UploadQueue; items: readonly UploadItem[] } {
  const { projectId } = useProject();
  const queue = uploadsOf(projectId);
  const items = useStore(queue.store, (state) => state.items);
  const busy = items.some(({ state }) => state.kind !== 'failed');
  useEffect(() => {
    if (!busy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [busy]);
  return { queue, items };
}
