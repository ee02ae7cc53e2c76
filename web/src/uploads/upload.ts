import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { formatBytes } from '#contract/format.ts';
import type { Asset } from '#contract/project.ts';
import { extensionOf, uploadExtensions, uploadLimitBytes, uploadTypes } from '#contract/uploads.ts';
import { toApiError } from '../api/client.ts';
import { type UploadOptions, uploadAsset } from '../api/files.ts';
import { useProject } from '../project/context.ts';
import { useWindowEvent } from '../ui/hooks.ts';

/** For `accept` of a file picker; the server decides by content. */
export const acceptedFiles = ['image/*', 'audio/*', ...uploadExtensions.map((ending) => `.${ending}`)].join(',');

const kinds = ['image', 'audio', 'font'] as const satisfies readonly Asset['kind'][];

/** A file's kind by its name and the browser's type; the server checks its bytes. Null = not supported. */
export function kindOfFile({ name, type }: Pick<File, 'name' | 'type'>): Asset['kind'] | null {
  const extension = extensionOf(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
  return extension === null ? (kinds.find((kind) => type.startsWith(`${kind}/`)) ?? null) : uploadTypes[extension].kind;
}

/** Why a file would be refused, in words; null = it may be sent. */
export function uploadProblem({ name, size, type }: Pick<File, 'name' | 'size' | 'type'>): string | null {
  if (kindOfFile({ name, type }) === null) return 'This is not an image, a sound or a font.';
  if (size === 0) return 'The file is empty.';
  const limitBytes = uploadLimitBytes(name);
  return size <= limitBytes
    ? null
    : `The file has ${formatBytes(size)}; its type allows at most ${Math.floor(limitBytes / 1024 / 1024)} MB. Make it smaller, then add it again.`;
}

/** The state of an upload. */
export type UploadState =
  | { readonly kind: 'waiting' }
  /** The share of the bytes sent, 0…1. */
  | { readonly kind: 'sending'; readonly share: number }
  /** All bytes are sent; the server checks them. */
  | { readonly kind: 'checking' }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: string; readonly mayRetry: boolean };

/** The state of an upload with this share (0…1) sent. */
export function sentState(share: number): UploadState {
  return share < 1 ? { kind: 'sending', share } : { kind: 'checking' };
}

/** The state of a failed upload. */
export function failedState(error: unknown): UploadState {
  const { message, status } = toApiError(error);
  return { kind: 'failed', reason: message, mayRetry: status === 0 || status >= 500 || status === 429 };
}

/** The uploaded share of a file, 0…1. */
export function shareOf(state: UploadState): number {
  if (state.kind === 'sending') return state.share;
  return state.kind === 'checking' || state.kind === 'done' ? 1 : 0;
}

/** The progress of an upload in words. */
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

/** Where a file was added: to the message being written, or to the project. */
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
  /** Stops an upload, or forgets a failed one. */
  remove(id: number): void;
  retry(id: number): void;
  /** Calls `onArrived` for each finished upload until the returned function is called. */
  listen(onArrived: (asset: Asset, origin: UploadOrigin) => void): () => void;
}

/** A browser allows six connections to a server; events need one. */
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
      // A cancelled upload has left the list.
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

/** The one queue of a project: it continues while other views or projects are shown. */
export function uploadsOf(projectId: string): UploadQueue {
  const known = queues.get(projectId);
  if (known) return known;
  const queue = createUploadQueue((file, options) => uploadAsset(projectId, file, options));
  queues.set(projectId, queue);
  return queue;
}

/** The project's uploads; while one runs, the browser confirms before it closes the page. */
export function useUploads(): { queue: UploadQueue; items: readonly UploadItem[] } {
  const { projectId } = useProject();
  const queue = uploadsOf(projectId);
  const items = useStore(queue.store, (state) => state.items);
  const busy = items.some(({ state }) => state.kind !== 'failed');
  useWindowEvent('beforeunload', (event) => event.preventDefault(), { enabled: busy });
  return { queue, items };
}
