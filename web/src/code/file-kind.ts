import { type FileResponse, filesApi } from '../api/files.ts';

export type FileKind = 'text' | 'image' | 'audio' | 'video';

/** Larger texts are not opened, because editing them here would be slow. */
export const maxTextBytes = 1024 * 1024;

const endings: Readonly<Record<string, FileKind>> = {
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  mp3: 'audio',
  wav: 'audio',
  ogg: 'audio',
  mp4: 'video',
  webm: 'video',
};

const endingOf = (path: string) => path.slice(path.lastIndexOf('.') + 1).toLowerCase();

/** Returns the file's kind by its name. Text files that turn out to be binary are detected when read. */
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

export function languageOf(path: string): Language | null {
  return languages[endingOf(path)] ?? null;
}

/** Decodes bytes losslessly. Returns `null` if they are not text. */
export function decodeText(bytes: Uint8Array): string | null {
  // Keeps a byte order mark, so that saving writes it back.
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    const text = decoder.decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

/**
 * Returns the line ending with which to save a text, so that a save changes only what was typed. `\r\n` if all lines use it;
 * in mixed files, `\r` counts as a character of its line.
 */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  const carriages = text.split('\r').length - 1;
  const feeds = text.split('\n').length - 1;
  const pairs = text.split('\r\n').length - 1;
  return pairs > 0 && pairs === feeds && pairs === carriages ? '\r\n' : '\n';
}

/**
 * Returns the single replacement that turns `before` into `after`, with positions in `before`, or `null` if they are equal.
 */
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

export type ReadVersion =
  | { readonly kind: 'text'; readonly text: string; readonly tag: string }
  | { readonly kind: 'large'; readonly sizeBytes: number | null }
  | { readonly kind: 'binary' }
  | { readonly kind: 'missing' };

/** Throws ApiError. */
export async function readVersion(projectId: string, path: string, signal: AbortSignal): Promise<ReadVersion> {
  return decoded(await filesApi.read(projectId, path, { limitBytes: maxTextBytes, signal }));
}

export async function readVersionAt(
  projectId: string,
  checkpointId: string,
  path: string,
  signal: AbortSignal,
): Promise<ReadVersion> {
  return decoded(await filesApi.readAt(projectId, checkpointId, path, { limitBytes: maxTextBytes, signal }));
}

function decoded(answer: FileResponse): ReadVersion {
  if (answer.kind !== 'bytes') return answer;
  const text = decodeText(answer.bytes);
  return text === null ? { kind: 'binary' } : { kind: 'text', text, tag: answer.tag };
}
