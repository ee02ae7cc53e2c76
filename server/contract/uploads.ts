import type { Asset } from './project.ts';

const megabyte = 1024 * 1024;

export const maxAssetBytes = 100 * megabyte;

export interface UploadType {
  readonly mime: string;
  readonly kind: Asset['kind'];
  readonly maxBytes: number;
}

/** Accepted types, by the file name extension that Koda uses for them. */
export const uploadTypes = {
  png: { mime: 'image/png', kind: 'image', maxBytes: 25 * megabyte },
  jpg: { mime: 'image/jpeg', kind: 'image', maxBytes: 25 * megabyte },
  webp: { mime: 'image/webp', kind: 'image', maxBytes: 25 * megabyte },
  gif: { mime: 'image/gif', kind: 'image', maxBytes: 25 * megabyte },
  svg: { mime: 'image/svg+xml', kind: 'image', maxBytes: 5 * megabyte },
  mp3: { mime: 'audio/mpeg', kind: 'audio', maxBytes: maxAssetBytes },
  wav: { mime: 'audio/wav', kind: 'audio', maxBytes: maxAssetBytes },
  ogg: { mime: 'audio/ogg', kind: 'audio', maxBytes: maxAssetBytes },
  m4a: { mime: 'audio/mp4', kind: 'audio', maxBytes: maxAssetBytes },
  ttf: { mime: 'font/ttf', kind: 'font', maxBytes: 25 * megabyte },
  otf: { mime: 'font/otf', kind: 'font', maxBytes: 25 * megabyte },
  woff: { mime: 'font/woff', kind: 'font', maxBytes: 25 * megabyte },
  woff2: { mime: 'font/woff2', kind: 'font', maxBytes: 25 * megabyte },
} as const satisfies Record<string, UploadType>;

export type UploadExtension = keyof typeof uploadTypes;

/** Alternative file name extensions for these types. */
const alternativeExtensions: Readonly<Record<string, UploadExtension>> = { apng: 'png', jpeg: 'jpg', oga: 'ogg', opus: 'ogg' };

export const uploadExtensions: readonly string[] = [...Object.keys(uploadTypes), ...Object.keys(alternativeExtensions)];

/** Returns the type for a lower-case extension without a dot, or `null` if it is not accepted. */
export function extensionOf(extension: string): UploadExtension | null {
  if (Object.hasOwn(uploadTypes, extension)) return extension as UploadExtension;
  return Object.hasOwn(alternativeExtensions, extension) ? (alternativeExtensions[extension] ?? null) : null;
}

/** Returns the size limit in bytes by the file's extension, because its content is not known yet. */
export function uploadLimitBytes(fileName: string): number {
  const extension = extensionOf(fileName.slice(fileName.lastIndexOf('.') + 1).toLowerCase());
  return extension === null ? maxAssetBytes : uploadTypes[extension].maxBytes;
}
