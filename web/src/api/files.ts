import type { Asset } from '#contract/project.ts';
import { routes, routeUrl } from '#contract/routes.ts';
import { type ApiError, call, disconnected, failureOf, request, toApiError, unreadable } from './client.ts';

/** A file's bytes with the tag of that version, up to a size limit. */
export type FileAnswer =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer>; readonly tag: string }
  /** `sizeBytes`: null when the server does not say. */
  | { readonly kind: 'large'; readonly sizeBytes: number | null }
  | { readonly kind: 'missing' };

/** The version that a change expects: the one with that tag, or (null) no file. The server answers CONFLICT to others. */
const expecting = (tag: string | null): Record<string, string> => (tag === null ? { 'if-none-match': '*' } : { 'if-match': tag });

interface ReadOptions {
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

/** Calls about the files of a project. Each one throws an ApiError. */
export const filesApi = {
  url: (id: string, path: string) => routeUrl(routes.readFile, { id, path }),

  read: (id: string, path: string, options: ReadOptions) =>
    limitedAnswer(request(routes.readFile, { id, path }, { signal: options.signal }), options),

  /** A file as it was in a checkpoint. */
  readAt: (id: string, cid: string, path: string, options: ReadOptions) =>
    limitedAnswer(request(routes.checkpointFile, { id, cid, path }, { signal: options.signal }), options),

  /** Returns the tag of the new version. `seen`: see `expecting`. */
  async write(
    id: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    { seen, signal }: { seen: string | null; signal?: AbortSignal },
  ): Promise<string> {
    const headers = { 'content-type': 'application/octet-stream', ...expecting(seen) };
    const response = await request(routes.writeFile, { id, path }, { headers, body, ...(signal && { signal }) });
    return response.headers.get('etag') ?? '';
  },

  /** `seen`: the tag of the version to delete; null = any. */
  remove: (id: string, path: string, { seen }: { seen: string | null }) =>
    call(routes.deleteFile, { id, path }, { headers: seen === null ? {} : expecting(seen) }),
};

/** The bytes of an answer, unless there are more than `limitBytes`. */
async function limitedAnswer(asked: Promise<Response>, { limitBytes }: ReadOptions): Promise<FileAnswer> {
  let response: Response;
  try {
    response = await asked;
  } catch (error) {
    if (toApiError(error).code === 'NOT_FOUND') return { kind: 'missing' };
    throw error;
  }
  const declared = response.headers.get('content-length');
  const sizeBytes = declared === null ? null : Number(declared);
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

/** Whether an error means that the sandbox with the files is starting. */
export const isAsleep = (error: unknown): error is ApiError => toApiError(error).code === 'SERVICE_UNAVAILABLE';

/** Retries of queries about files: many while the sandbox starts, two after faults, none after refusals. */
export const retryFiles = {
  retry: (count: number, error: unknown) => {
    if (isAsleep(error)) return count < maxAsleepMs / asleepWaitMs;
    const { status } = toApiError(error);
    return (status === 0 || status >= 500) && count < 2;
  },
  retryDelay: (count: number, error: unknown) => (isAsleep(error) ? asleepWaitMs : 1000 * (count + 1)),
};

/** Retries `work` while the sandbox starts, for up to two minutes. `onAsleep`: called before each wait. */
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

export interface UploadOptions {
  /** Ends the upload; it rejects with the signal's reason then. */
  readonly signal: AbortSignal;
  /** The share of the bytes sent, 0…1. At 1 the server still checks the file. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Uploads a file to a project. Throws ApiError: UNSUPPORTED_TYPE, TOO_LARGE, STORAGE_FULL and
 * others of the server, NETWORK when the connection breaks.
 */
export function uploadAsset(projectId: string, file: File, { signal, onProgress }: UploadOptions): Promise<Asset> {
  const { promise, resolve, reject } = Promise.withResolvers<Asset>();
  if (signal.aborted) {
    reject(signal.reason);
    return promise;
  }
  const form = new FormData();
  form.set('file', file, file.name);
  // `fetch` does not report upload progress.
  const request = new XMLHttpRequest();
  request.open('POST', routeUrl(routes.uploadAsset, { id: projectId }));
  request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
    if (lengthComputable) onProgress?.(loaded / total);
  };
  request.upload.onload = () => onProgress?.(1);
  request.onload = () => {
    const { status, responseText } = request;
    try {
      if (status < 200 || status >= 300) reject(failureOf(status, responseText));
      else resolve(routes.uploadAsset.response.parse(JSON.parse(responseText)));
    } catch (cause) {
      reject(unreadable(status, cause));
    }
  };
  request.onerror = () => reject(disconnected());
  request.onabort = () => reject(signal.reason);
  const abort = () => request.abort();
  signal.addEventListener('abort', abort, { once: true });
  request.onloadend = () => signal.removeEventListener('abort', abort);
  request.send(form);
  return promise;
}
