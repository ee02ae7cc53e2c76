import { type ApiError, send, toApiError } from './client.ts';

/** The bytes of a file and the tag of that version, as far as they are wanted. */
export type FileAnswer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer>; readonly tag: string }
  /** `sizeBytes`: null when the server does not say. */
  | { readonly kind: 'large'; readonly sizeBytes: number | null }
  | { readonly kind: 'missing' };

const project = (projectId: string) => `/api/projects/${encodeURIComponent(projectId)}`;
const segments = (path: string) => path.split('/').map(encodeURIComponent).join('/');
const fileUrl = (projectId: string, path: string) => `${project(projectId)}/files/${segments(path)}`;

/** What a change takes the file to be: the version with that tag, or (null) no file. Else it is refused with CONFLICT. */
const expecting = (tag: string | null): Record<string, string> => (tag === null ? { 'if-none-match': '*' } : { 'if-match': tag });

interface ReadOptions {
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

/** Calls about the files of a project. Each one throws an ApiError. */
export const filesApi = {
  url: fileUrl,

  read: (projectId: string, path: string, options: ReadOptions) => readAt(fileUrl(projectId, path), options),

  /** A file as it was in a checkpoint. */
  readAt: (projectId: string, checkpointId: string, path: string, options: ReadOptions) =>
    readAt(`${project(projectId)}/checkpoints/${encodeURIComponent(checkpointId)}/files/${segments(path)}`, options),

  /** The tag of what was written. `seen`: see `expecting`. */
  async write(
    projectId: string,
    path: string,
    content: string | Uint8Array<ArrayBuffer>,
    { seen, signal }: { seen: string | null; signal?: AbortSignal },
  ): Promise<string> {
    const response = await send(fileUrl(projectId, path), {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream', ...expecting(seen) },
      body: content,
      ...(signal ? { signal } : {}),
    });
    return response.headers.get('etag') ?? '';
  },

  /** `seen`: the tag of the version that may go; null = whichever is there. */
  async remove(projectId: string, path: string, { seen }: { seen: string | null }): Promise<void> {
    await send(fileUrl(projectId, path), { method: 'DELETE', headers: seen === null ? {} : expecting(seen) });
  },
};

async function readAt(url: string, { limitBytes, signal }: ReadOptions): Promise<FileAnswer> {
  let response: Response;
  try {
    response = await send(url, { signal });
  } catch (error) {
    if (toApiError(error).code === 'NOT_FOUND') return { kind: 'missing' };
    throw error;
  }
  const told = response.headers.get('content-length');
  const sizeBytes = told === null ? null : Number(told);
  const bytes = sizeBytes !== null && sizeBytes > limitBytes ? null : await limited(response, limitBytes);
  if (bytes !== null) return { kind: 'bytes', bytes, tag: response.headers.get('etag') ?? '' };
  await response.body?.cancel();
  return { kind: 'large', sizeBytes };
}

/** The body, or null when there is more of it. */
async function limited(response: Response, limitBytes: number): Promise<Uint8Array<ArrayBuffer> | null> {
  const reader = response.body?.getReader();
  const pieces: Uint8Array[] = [];
  let size = 0;
  for (let turn = await reader?.read(); turn && !turn.done; turn = await reader?.read()) {
    pieces.push(turn.value);
    size += turn.value.byteLength;
    if (size <= limitBytes) continue;
    reader?.releaseLock();
    return null;
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.byteLength;
  }
  return bytes;
}

const asleepWaitMs = 2000;
const maxAsleepMs = 120_000;

/** The sandbox that holds the files is being started: worth asking again. */
export const isAsleep = (error: unknown): error is ApiError => toApiError(error).code === 'SERVICE_UNAVAILABLE';

/** How a query about files is tried again: often while the sandbox wakes, a little after faults, never after refusals. */
export const retryFiles = {
  retry: (count: number, error: unknown) => {
    if (isAsleep(error)) return count < maxAsleepMs / asleepWaitMs;
    const { status } = toApiError(error);
    return (status === 0 || status >= 500) && count < 2;
  },
  retryDelay: (count: number, error: unknown) => (isAsleep(error) ? asleepWaitMs : 1000 * (count + 1)),
};

/** Does it, again and again while the sandbox wakes, two minutes at most. `onAsleep`: before each wait. */
export async function onceAwake<T>(
  work: () => Promise<T>,
  { signal, onAsleep }: { signal: AbortSignal; onAsleep: () => void },
): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += asleepWaitMs) {
    try {
      return await work();
    } catch (error) {
      if (!isAsleep(error) || waitedMs >= maxAsleepMs) throw error;
    }
    onAsleep();
    await new Promise<void>((resolve, reject) => {
      signal.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, asleepWaitMs);
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}
