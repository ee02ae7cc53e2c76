import { type FileAnswer, filesApi } from '../api/files.ts';
import { decodeText, maxTextBytes } from './file-kind.ts';

/** A file as far as it can be edited here. */
export type ReadVersion =
  | { readonly kind: 'text'; readonly text: string; readonly tag: string }
  | { readonly kind: 'large'; readonly sizeBytes: number | null }
  | { readonly kind: 'binary' }
  | { readonly kind: 'missing' };

/** Throws an ApiError. */
export async function readVersion(projectId: string, path: string, signal: AbortSignal): Promise<ReadVersion> {
  return decoded(await filesApi.read(projectId, path, { limitBytes: maxTextBytes, signal }));
}

/** A file as it was in a checkpoint. Throws an ApiError. */
export async function readVersionAt(
  projectId: string,
  checkpointId: string,
  path: string,
  signal: AbortSignal,
): Promise<ReadVersion> {
  return decoded(await filesApi.readAt(projectId, checkpointId, path, { limitBytes: maxTextBytes, signal }));
}

function decoded(answer: FileAnswer): ReadVersion {
  if (answer.kind !== 'bytes') return answer;
  const text = decodeText(answer.bytes);
  return text === null ? { kind: 'binary' } : { kind: 'text', text, tag: answer.tag };
}
