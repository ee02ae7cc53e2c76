import type { Asset } from '#contract/project.ts';
import { routes, routeUrl } from '#contract/routes.ts';
import { addressOf } from '../address.ts';
import { type ApiError, call, disconnected, failureOf, request, toApiError, unreadable } from './client.ts';

/** A file's bytes and its version tag, up to a size limit. */
export type FileResponse =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer>; readonly tag: string }
  /** `sizeBytes` is `null` if the server does not send it. */
  | { readonly kind: 'large'; readonly sizeBytes: number | null }
  | { readonly kind: 'missing' };

/**
 * Returns headers that make a change conditional on this version, or on the file not existing if `tag` is `null`. If the
 * condition fails, the server responds with CONFLICT.
 */
const expecting = (tag: string | null): Record<string, string> => (tag === null ? { 'if-none-match': '*' } : { 'if-match': tag });

interface ReadOptions {
  readonly limitBytes: number;
  readonly signal: AbortSignal;
}

/** Calls about a project's files. Each throws ApiError. */
export const filesApi = {
  url: (id: string, path: string) => addressOf(routeUrl(routes.readFile, { id, path })),

  read: (id: string, path: string, options: ReadOptions) =>
    limitedResponse(request(routes.readFile, { id, path }, { signal: options.signal }), options),

  readAt: (id: string, cid: string, path: string, options: ReadOptions) =>
    limitedResponse(request(routes.checkpointFile, { id, cid, path }, { signal: options.signal }), options),

  /** Returns the new version's tag. `seen` is the tag passed to `expecting`. */
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

  /** `seen` is the tag of the version to delete; `null` deletes any version. */
  remove: (id: string, path: string, { seen }: { seen: string | null }) =>
    call(routes.deleteFile, { id, path }, { headers: seen === null ? {} : expecting(seen) }),
};

async function limitedResponse(asked: Promise<Response>, { limitBytes }: ReadOptions): Promise<FileResponse> {
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

const startingWaitMs = 2000;
const maxStartMs = 120_000;

/** Returns whether an error means that the project's sandbox is still starting. */
export const isStarting = (error: unknown): error is ApiError => toApiError(error).code === 'SERVICE_UNAVAILABLE';

/** Query retries: many while the sandbox is starting, two after server or network errors, none after rejections. */
export const retryFiles = {
  retry: (count: number, error: unknown) => {
    if (isStarting(error)) return count < maxStartMs / startingWaitMs;
    const { status } = toApiError(error);
    return (status === 0 || status >= 500) && count < 2;
  },
  retryDelay: (count: number, error: unknown) => (isStarting(error) ? startingWaitMs : 1000 * (count + 1)),
};

/** Retries `work` for up to two minutes while the sandbox is starting. Calls `onStarting` before each wait. */
export async function retryUntilRunning<T>(
  work: () => Promise<T>,
  { signal, onStarting }: { signal: AbortSignal; onStarting: () => void },
): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += startingWaitMs) {
    try {
      return await work();
    } catch (error) {
      if (!isStarting(error) || waitedMs >= maxStartMs) throw error;
    }
    onStarting();
    await new Promise<void>((resolve, reject) => {
      signal.throwIfAborted();
      const stop = () => {
        clearTimeout(timer);
        reject(signal.reason);
      };
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', stop);
        resolve();
      }, startingWaitMs);
      signal.addEventListener('abort', stop, { once: true });
    });
  }
}

export interface UploadOptions {
  readonly signal: AbortSignal;
  /** Receives the fraction of bytes sent, 0 to 1. At 1, the server is still checking the file. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Uploads a file to a project. Throws ApiError: UNSUPPORTED_TYPE, TOO_LARGE, STORAGE_FULL and other server errors, or NETWORK
 * if the connection is lost.
 */
export function uploadAsset(projectId: string, file: File, { signal, onProgress }: UploadOptions): Promise<Asset> {
  const { promise, resolve, reject } = Promise.withResolvers<Asset>();
  if (signal.aborted) {
    reject(signal.reason);
    return promise;
  }
  const form = new FormData();
  form.set('file', file, file.name);
  const request = new XMLHttpRequest();
  request.open('POST', addressOf(routeUrl(routes.uploadAsset, { id: projectId })));
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
