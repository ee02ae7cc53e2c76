import type { Asset } from '../../../server/contract/project.ts';
import { uploadLimitBytes } from '../../../server/contract/uploads.ts';

/** A file that goes with the idea, and how far its upload got. */
export interface Attachment {
  readonly id: string;
  readonly file: File;
  readonly kind: Asset['kind'];
  readonly state: UploadState;
}

export type UploadState =
  | { readonly status: 'waiting' }
  /** `share`: how much of it was sent, 0…1. */
  | { readonly status: 'uploading'; readonly share: number }
  | { readonly status: 'done' }
  | { readonly status: 'failed'; readonly reason: string };

export interface RefusedFile {
  readonly name: string;
  readonly reason: 'type' | 'size';
  readonly limitBytes: number;
}

const endings: Record<Asset['kind'], readonly string[]> = {
  image: ['png', 'apng', 'jpg', 'jpeg', 'webp', 'gif', 'svg'],
  audio: ['mp3', 'wav', 'ogg', 'oga', 'opus', 'm4a'],
  font: ['ttf', 'otf', 'woff', 'woff2'],
};
const kinds = ['image', 'audio', 'font'] as const;

/** For a file picker. */
export const acceptedFiles = kinds.flatMap((kind) => endings[kind].map((ending) => `.${ending}`)).join(',');

/** What a file is by its name and the type that the browser gives it; the server looks at its bytes. Null = nothing of use. */
export function kindOfFile({ name, type }: Pick<File, 'name' | 'type'>): Asset['kind'] | null {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return kinds.find((kind) => endings[kind].includes(ending) || type.startsWith(`${kind}/`)) ?? null;
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
    const kind = kindOfFile(file);
    const limitBytes = uploadLimitBytes(file.name);
    if (next.some((other) => isSame(other.file, file))) continue;
    if (kind === null) refused.push({ name: file.name, reason: 'type', limitBytes: 0 });
    else if (file.size > limitBytes) refused.push({ name: file.name, reason: 'size', limitBytes });
    else next.push({ id: `file-${++count}`, file, kind, state: { status: 'waiting' } });
  }
  return { attached: next, refused };
}

/** Pictures of the clipboard all have the same name and hardly ever the same size. */
function isSame(a: File, b: File): boolean {
  return a === b || (a.name === b.name && a.size === b.size && a.lastModified === b.lastModified);
}
