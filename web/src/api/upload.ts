import type { Asset } from '../../../server/contract/project.ts';
import { routes, routeUrl } from '../../../server/contract/routes.ts';
import { texts } from '../texts.ts';
import { ApiError, failureOf } from './client.ts';

export interface UploadOptions {
  /** Ends the upload; it rejects with the signal's reason then. */
  readonly signal: AbortSignal;
  /** Which share of the bytes is on its way, 0…1. At 1 the server still looks at the file. */
  readonly onProgress?: (share: number) => void;
}

/**
 * Sends a file to a project and returns what it became. Throws ApiError: UNSUPPORTED_TYPE, TOO_LARGE, STORAGE_FULL and
 * others of the server, NETWORK when the connection broke.
 */
export function uploadAsset(projectId: string, file: File, { signal, onProgress }: UploadOptions): Promise<Asset> {
  const { promise, resolve, reject } = Promise.withResolvers<Asset>();
  if (signal.aborted) {
    reject(signal.reason);
    return promise;
  }
  const form = new FormData();
  form.set('file', file, file.name);
  // `fetch` does not tell how much of a body is sent.
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
      else resolve(routes.uploadAsset.answer.parse(JSON.parse(responseText)));
    } catch (cause) {
      reject(new ApiError('UNREADABLE', texts.errors.unreadable(status), { status, recovery: null, cause }));
    }
  };
  request.onerror = () => reject(new ApiError('NETWORK', texts.errors.network, { status: 0, recovery: 'retry' }));
  request.onabort = () => reject(signal.reason);
  const abort = () => request.abort();
  signal.addEventListener('abort', abort, { once: true });
  request.onloadend = () => signal.removeEventListener('abort', abort);
  request.send(form);
  return promise;
}
