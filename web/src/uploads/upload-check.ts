import { formatBytes } from '../../../server/contract/format.ts';
import type { Asset } from '../../../server/contract/project.ts';
import { extensionOf, uploadEndings, uploadLimitBytes, uploadTypes } from '../../../server/contract/uploads.ts';
import { texts } from '../texts.ts';

/** For `accept` of a file picker; the server goes by the content. */
export const acceptedFiles = ['image/*', 'audio/*', ...uploadEndings.map((ending) => `.${ending}`)].join(',');

const kinds = ['image', 'audio', 'font'] as const satisfies readonly Asset['kind'][];

/** What a file is by its name and the type that the browser gives it; the server looks at its bytes. Null = nothing of use. */
export function kindOfFile({ name, type }: Pick<File, 'name' | 'type'>): Asset['kind'] | null {
  const extension = extensionOf(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
  return extension === null ? (kinds.find((kind) => type.startsWith(`${kind}/`)) ?? null) : uploadTypes[extension].kind;
}

/** Why a file need not be sent at all, in words; null = it may be sent. */
export function uploadProblem({ name, size, type }: Pick<File, 'name' | 'size' | 'type'>): string | null {
  if (kindOfFile({ name, type }) === null) return texts.assets.unusable;
  if (size === 0) return texts.assets.empty;
  const limitBytes = uploadLimitBytes(name);
  return size <= limitBytes ? null : texts.assets.tooLarge(formatBytes(size), Math.floor(limitBytes / 1024 / 1024));
}
