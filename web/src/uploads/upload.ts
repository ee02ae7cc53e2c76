import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { formatBytes } from '../../../server/contract/format.ts';
import type { Asset } from '../../../server/contract/project.ts';
import { extensionOf, uploadEndings, uploadLimitBytes, uploadTypes } from '../../../server/contract/uploads.ts';
import { toApiError } from '../api/client.ts';
import { type UploadOptions, uploadAsset } from '../api/files.ts';
import { useProject } from '../project/context.ts';
import { useWindowEvent } from '../ui/hooks.ts';

/** For `accept` of a file picker; the server goes by the content. */
export const acceptedFiles = ['image/*', 'audio/*', ...uploadEndings.map((ending) => `.${ending}`)].join(',');

const kinds = ['image', 'audio', 'font'] as const satisfies readonly Asset['kind'][];

/** What a file is by its name and the type that the browser gives it; the server looks at its bytes. Null = nothing of use. */
export function kindOfFile({ name, type }: Pick<File, 'name' | 'type'>): Asset['kind'] | null {
  const extension = extensionOf(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
  return extension === null ? (kinds.find((kind) => type.startsWith(`${kind}/`)) ?? null) : uploadTypes[extension].kind;
}

/** Why a file need not be sent at all, in words; null = it may be sent. */
export function uploadProblem({ name, size, type }: Pick<File, 'name' | 'size' | 'type'>): string | null {
  if (kindOfFile({ name, type }) === null) return 'This is not an image, a sound or a font.';
  if (size === 0) return 'The file is empty.';
  const limitBytes = uploadLimitBytes(name);
  return size <= limitBytes
    ? null
    : `The file has ${formatBytes(size)}; its type allows at most ${Math.floor(limitBytes / 1024 / 1024)} MB. Make it smaller, then add it again.`;
}

/** How far a file is on its way into a project. */
export type UploadState =
  | { readonly kind: 'waiting' }
  /** Which share of the bytes is on its way, 0…1. */
  | { readonly kind: 'sending'; readonly share: number }
  /** All is sent; the server looks at it. */
  | { readonly kind: 'checking' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string; readonly mayRetry: boolean };

/** The state of a file of which this share (0…1) is on its way. */
export function sentState(share: number): UploadState {
  return share < 1 ? { kind: 'sending', share } : { kind: 'checking' };
}

/** The state of a file whose upload failed with this. */
export function failedState(error: unknown): UploadState {
  const { message, status } = toApiError(error);
  return { kind: 'failed', reason: message, mayRetry: status === 0 || status >= 500 || status === 429 };
}

/** Which share of a file is there, 0…1. */
export function shareOf(state: UploadState): number {
  if (state.kind === 'sending') return state.share;
  return state.kind === 'checking' || state.kind === 'done' ? 1 : 0;
}

/** How far a file of so many bytes is, in words. */
export function uploadWords(sizeBytes: number, state: UploadState): string {
  switch (state.kind) {
    case 'waiting':
      return 'Waiting';
    case 'sending':
      return `${formatBytes(Math.round(sizeBytes * state.share))} of ${formatBytes(sizeBytes)}`;
    case 'checking':
      return 'Checking the file…';
    case 'done':
    case 'failed':
      return formatBytes(sizeBytes);
  }
}

/** Where a file was given: it belongs to a message that is being written, or to the project alone. */
type UploadOrigin = 'message' | 'assets';

export interface UploadItem {
  readonly id: number;
  readonly file: File;
  readonly origin: UploadOrigin;
  readonly state: UploadState;
}

/** Files on their way into a project, in the order in which they were given; what has arrived is no longer among them. */
export interface UploadQueue {
  readonly store: StoreApi<{ readonly items: readonly UploadItem[] }>;
  add(files: Iterable<File>, origin: UploadOrigin): void;
  /** Stops an upload, or forgets a failed one. */
  remove(id: number): void;
  retry(id: number): void;
  /** Calls `onArrived` for each file that has arrived, until the returned function is called. */
  listen(onArrived: (asset: Asset, origin: UploadOrigin) => void): () => void;
}

/** A browser has six connections to a server; the events of the project need one of them. */
const atOnce = 2;

export function createUploadQueue(send: (file: File, options: UploadOptions) => Promise<Asset>): UploadQueue {
  const store = createStore<{ readonly items: readonly UploadItem[] }>(() => ({ items: [] }));
  const atWork = new Map<number, AbortController>();
  const listeners = new Set<(asset: Asset, origin: UploadOrigin) => void>();
  let count = 0;

  const setItems = (change: (items: readonly UploadItem[]) => readonly UploadItem[]) =>
    store.setState(({ items }) => ({ items: change(items) }));
  const setState = (id: number, state: UploadState) =>
    setItems((items) => items.map((item) => (item.id === id ? { ...item, state } : item)));
  const forget = (id: number) => setItems((items) => items.filter((item) => item.id !== id));

  const startNext = () => {
    for (const item of store.getState().items) {
      if (atWork.size >= atOnce) return;
      if (item.state.kind === 'waiting') void upload(item);
    }
  };

  const upload = async ({ id, file, origin }: UploadItem) => {
    const stop = new AbortController();
    atWork.set(id, stop);
    setState(id, { kind: 'sending', share: 0 });
    const onProgress = (share: number) => {
      if (!stop.signal.aborted) setState(id, sentState(share));
    };
    try {
      const asset = await send(file, { signal: stop.signal, onProgress });
      forget(id);
      for (const onArrived of listeners) onArrived(asset, origin);
    } catch (error) {
      // What was stopped is gone from the list.
      if (!stop.signal.aborted) setState(id, failedState(error));
    } finally {
      atWork.delete(id);
      startNext();
    }
  };

  return {
    store,
    add(files, origin) {
      const added = [...files].map((file): UploadItem => {
        const reason = uploadProblem(file);
        const state: UploadState = reason === null ? { kind: 'waiting' } : { kind: 'failed', reason, mayRetry: false };
        return { id: ++count, file, origin, state };
      });
      setItems((items) => [...items, ...added]);
      startNext();
    },
    remove(id) {
      forget(id);
      atWork.get(id)?.abort();
    },
    retry(id) {
      if (atWork.has(id)) return;
      setState(id, { kind: 'waiting' });
      startNext();
    },
    listen(onArrived) {
      listeners.add(onArrived);
      return () => listeners.delete(onArrived);
    },
  };
}

const queues = new Map<string, UploadQueue>();

/** The one queue of a project: it goes on while other views, or other projects, are looked at. */
export function uploadsOf(projectId: string): UploadQueue {
  const known = queues.get(projectId);
  if (known) return known;
  const queue = createUploadQueue((file, options) => uploadAsset(projectId, file, options));
  queues.set(projectId, queue);
  return queue;
}

/** The project's uploads; while one is under way, the browser asks before the page is closed. */
export function useUploads(): { queue: UploadQueue; items: readonly UploadItem[] } {
  const { projectId } = useProject();
  const queue = uploadsOf(projectId);
  const items = useStore(queue.store, (state) => state.items);
  const busy = items.some(({ state }) => state.kind !== 'failed');
  useWindowEvent('beforeunload', (event) => event.preventDefault(), { enabled: busy });
  return { queue, items };
}
