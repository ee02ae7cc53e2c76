import { type Asset, assetSchema } from '../../../server/contract/project.ts';
import { texts } from '../texts.ts';
import { ApiError, failureOf } from './client.ts';

interface UploadOptions {
  readonly signal: AbortSignal;
  /** Which share of the file is on its way, 0…1. */
  readonly onProgress: (share: number) => void;
}

/**
 * Uploads an image, a sound or a font to a project. By XMLHttpRequest, since `fetch` does not tell how much of a body
 * was sent. Rejects with an ApiError, or with the signal's reason.
 */
export function uploadAsset(projectId: string, file: File, { signal, onProgress }: UploadOptions): Promise<Asset> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const request = new XMLHttpRequest();
    const onAbort = () => request.abort();
    const settle = (end: () => void) => {
      signal.removeEventListener('abort', onAbort);
      end();
    };
    request.upload.onprogress = ({ loaded, total }) => {
      if (total > 0) onProgress(Math.min(1, loaded / total));
    };
    request.onload = () =>
      settle(() => {
        if (request.status < 200 || request.status > 299) {
          reject(failureOf(request.status, request.responseText));
          return;
        }
        try {
          resolve(assetSchema.parse(JSON.parse(request.responseText)));
        } catch {
          reject(failureOf(request.status, request.responseText));
        }
      });
    request.onerror = () => settle(() => reject(new ApiError('NETWORK', texts.errors.network, { status: 0, recovery: 'retry' })));
    request.onabort = () => settle(() => reject(signal.reason));
    signal.addEventListener('abort', onAbort);
    const form = new FormData();
    form.set('file', file, file.name);
    request.open('POST', `/api/projects/${encodeURIComponent(projectId)}/assets`);
    request.send(form);
  });
}
