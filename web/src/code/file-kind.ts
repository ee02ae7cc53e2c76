import { type FileAnswer, filesApi } from '../api/files.ts';

/** What a file is opened as. */
export type FileKind = 'text' | 'picture' | 'sound' | 'film';

/** Larger texts are not opened: editing them here would be slow. */
export const maxTextBytes = 1024 * 1024;

const endings: Readonly<Record<string, FileKind>> = {
  png: 'picture',
  jpg: 'picture',
  jpeg: 'picture',
  gif: 'picture',
  webp: 'picture',
  mp3: 'sound',
  wav: 'sound',
  ogg: 'sound',
  mp4: 'film',
  webm: 'film',
};

const endingOf = (path: string) => path.slice(path.lastIndexOf('.') + 1).toLowerCase();

/** By its name; what turns out to be no text is found when it is read. */
export function fileKind(path: string): FileKind {
  return endings[endingOf(path)] ?? 'text';
}

export type Language = 'typescript' | 'javascript' | 'css' | 'html' | 'json';

const languages: Readonly<Record<string, Language>> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  css: 'css',
  html: 'html',
  svg: 'html',
  json: 'json',
};

/** The language of a file; null = plain text. */
export function languageOf(path: string): Language | null {
  return languages[endingOf(path)] ?? null;
}

/** Decodes bytes without losing any; null when they are not text. */
export function decodeText(bytes: Uint8Array): string | null {
  // A byte order mark is a part of the file: written back it must be the same file.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    const text = decoder.decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/**
 * How a text's lines end, so that what is written back differs in nothing but what was typed. `\r\n` when all of them do;
 * in a mixture, `\r` counts as a character of its line.
 */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  const carriages = text.split('\r').length - 1;
  const feeds = text.split('\n').length - 1;
  const pairs = text.split('\r\n').length - 1;
  return pairs > 0 && pairs === feeds && pairs === carriages ? '\r\n' : '\n';
}

/** The one replacement that makes `after` of `before`; null when they are equal. Positions in `before`. */
export function replacement(before: string, after: string): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start += 1;
  let end = 0;
  while (end < shorter - start && before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end))
    end += 1;
  return { from: start, to: before.length - end, insert: after.slice(start, after.length - end) };
}

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
