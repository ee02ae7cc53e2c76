import type { Asset } from '../../../server/contract/project.ts';
import type { UploadState } from '../uploads/upload.ts';
import { kindOfFile, uploadProblem } from '../uploads/upload-check.ts';

/** A file that goes with the idea, and how far its upload got. */
export interface Attachment {
  readonly id: string;
  readonly file: File;
  readonly kind: Asset['kind'];
  readonly state: UploadState;
}

export interface RefusedFile {
  readonly name: string;
  /** In words. */
  readonly reason: string;
}

let count = 0;

/** Adds files to those that are there, each once; what the server would refuse in the end is refused at once. */
export function addFiles(
  attached: readonly Attachment[],
  files: readonly File[],
): { attached: readonly Attachment[]; refused: readonly RefusedFile[] } {
  const next = [...attached];
  const refused: RefusedFile[] = [];
  for (const file of files) {
    if (next.some((other) => isSame(other.file, file))) continue;
    const kind = kindOfFile(file);
    const reason = uploadProblem(file);
    if (reason !== null) refused.push({ name: file.name, reason });
    else if (kind !== null) next.push({ id: `file-${++count}`, file, kind, state: { kind: 'waiting' } });
  }
  return { attached: next, refused };
}

/** Pictures of the clipboard all have the same name and hardly ever the same size. */
function isSame(a: File, b: File): boolean {
  return a === b || (a.name === b.name && a.size === b.size && a.lastModified === b.lastModified);
}
