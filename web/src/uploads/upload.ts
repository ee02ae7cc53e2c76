import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { formatBytes } from '#contract/display.ts';
import type { Asset } from '#contract/project.ts';
import { extensionOf, uploadExtensions, uploadLimitBytes, uploadTypes } from '#contract/uploads.ts';
import { toApiError } from '../api/client.ts';
import { type UploadOptions, uploadAsset } from '../api/files.ts';
import { useProject } from '../project/context.ts';
import { useWindowEvent } from '../ui/hooks.ts';

/** Values for a file picker's `accept`. The server decides by content. */
export const acceptedFiles = ['image/*', 'audio/*', ...uploadExtensions.map((ending) => `.${ending}`)].join(',');

const kinds = ['image', 'audio', 'font'] as const satisfies readonly Asset['kind'][];

/** Returns a file's kind by its name and the browser's type, or `null` if it is unsupported. The server checks the bytes. */
export function kindOfFile({ name, type }: Pick<File, 'name' | 'type'>): Asset['kind'] | null {
  const extension = extensionOf(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
  return extension === null ? (kinds.find((kind) => type.startsWith(`${kind}/`)) ?? null) : uploadTypes[extension].kind;
}

/** Returns why the server would reject a file, or `null` if it may be sent. */
export function uploadProblem({ name, size, type }: Pick<File, 'name' | 'size' | 'type'>): string | null {
  if (kindOfFile({ name, type }) === null) return 'This is not an image, an audio file or a font.';
  if (size === 0) return 'The file is empty.';
  const limitBytes = uploadLimitBytes(name);
  return size <= limitBytes
    ? null
    : `The file is ${formatBytes(size)}; the limit for its type is ${Math.floor(limitBytes / 1024 / 1024)} MB. Make it smaller, then add it again.`;
}

export type UploadState =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'sending'; readonly share: number }
  /** All bytes have been sent; the server is checking them. */
  | { readonly kind: 'checking' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string; readonly mayRetry: boolean };

/** Returns the state of an upload given the fraction sent (0 to 1). */
export function sentState(share: number): UploadState {
  return share < 1 ? { kind: 'sending', share } : { kind: 'checking' };
}

export function failedState(error: unknown): UploadState {
  const { message, status } = toApiError(error);
  return { kind: 'failed', reason: message, mayRetry: status === 0 || status >= 500 || status === 429 };
}

/** Returns the uploaded fraction of a file, 0 to 1. */
export function shareOf(state: UploadState): number {
  if (state.kind === 'sending') return state.share;
  return state.kind === 'checking' || state.kind === 'done' ? 1 : 0;
}

export function uploadText(sizeBytes: number, state: UploadState): string {
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

/** Where a file was added: to the unsent message, or to the project. */
type UploadOrigin = 'message' | 'assets';

export interface UploadItem {
  readonly id: number;
  readonly file: File;
  readonly origin: UploadOrigin;
  readonly state: UploadState;
}

/** A project's unfinished uploads, in the order in which they were added. */
export interface UploadQueue {
  readonly store: StoreApi<{ readonly items: readonly UploadItem[] }>;
  add(files: Iterable<File>, origin: UploadOrigin): void;
  /** Stops an upload, or removes a failed one. */
  remove(id: number): void;
  retry(id: number): void;
  /** Calls `onArrived` for each finished upload until the returned function is called. */
  listen(onArrived: (asset: Asset, origin: UploadOrigin) => void): () => void;
}

/** Browsers allow six connections per server, and events need one. */
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
      // A cancelled upload is no longer in the list.
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

/** Returns the project's only queue. Uploads continue while other views or projects are shown. */
export function uploadsOf(projectId: string): UploadQueue {
  const known = queues.get(projectId);
  if (known) return known;
  const queue = createUploadQueue((file, options) => uploadAsset(projectId, file, options));
  queues.set(projectId, queue);
  return queue;
}

/** Returns the project's uploads. During an upload, the browser asks before closing the page. */
export function useUploads(): { queue: UploadQueue; items: readonly UploadItem[] } {
  const { projectId } = useProject();
  const queue = uploadsOf(projectId);
  const items = useStore(queue.store, (state) => state.items);
  const busy = items.some(({ state }) => state.kind !== 'failed');
  useWindowEvent('beforeunload', (event) => event.preventDefault(), { enabled: busy });
  return { queue, items };
}
