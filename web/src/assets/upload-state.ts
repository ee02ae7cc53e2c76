import { toApiError } from '../api/client.ts';
import { formatBytes } from '../format.ts';
import { texts } from '../texts.ts';

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
      return texts.assets.waiting;
    case 'sending':
      return texts.assets.sent(formatBytes(Math.round(sizeBytes * state.share)), formatBytes(sizeBytes));
    case 'checking':
      return texts.assets.checking;
    case 'done':
    case 'failed':
      return formatBytes(sizeBytes);
  }
}
