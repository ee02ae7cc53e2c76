import { open } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { imageSize } from 'image-size';
import { errorMessage, KodaError } from '#contract/errors.ts';
import type { Asset } from '#contract/project.ts';
import { extensionOf, uploadTypes } from '#contract/uploads.ts';
import { tooLarge } from './durable-file.ts';
import { isMoving } from './moving-image.ts';
import { svgProblem } from './svg-check.ts';

export interface AssetType {
  readonly extension: string;
  readonly mime: string;
  readonly kind: Asset['kind'];
  /** Size in pixels as displayed, after Exif rotation. `null` for files without dimensions. */
  readonly width: number | null;
  readonly height: number | null;
  /** Whether the image moves. Films show its first frame. */
  readonly moves: boolean;
}

/** Detects a file's type. Throws TOO_LARGE, or UNSUPPORTED_TYPE (also for a damaged image or an SVG with active content). */
export async function sniffAsset(path: string, sizeBytes: number): Promise<AssetType> {
  const sniffed = (await fileTypeFromFile(path))?.ext;
  const isSvg = (sniffed === undefined || sniffed === 'xml') && (await looksLikeSvg(path));
  const extension = isSvg ? 'svg' : extensionOf(sniffed ?? '');
  if (extension === null) {
    const found = sniffed === undefined ? 'its type was not recognised' : `its content is ${sniffed}`;
    throw unsupported(
      `The file cannot be used: ${found}. Upload PNG, JPEG, WebP, GIF or SVG, MP3, WAV, OGG or M4A, TTF, OTF, WOFF or WOFF2.`,
    );
  }
  const { mime, kind, maxBytes } = uploadTypes[extension];
  if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
  if (kind !== 'image') return { extension, mime, kind, width: null, height: null, moves: false };
  const bytes = await readHead(path, sizeBytes);
  if (isSvg) {
    const problem = svgProblem(bytes);
    if (problem !== null) throw unsupported(`The SVG was rejected: ${problem}. Export it as a plain SVG, or as PNG.`);
  }
  return { extension, mime, kind, ...dimensionsOf(bytes, isSvg), moves: isMoving(bytes, extension) };
}

function unsupported(message: string, cause?: unknown): KodaError {
  return new KodaError('UNSUPPORTED_TYPE', message, { recovery: 'convert_file', ...(cause === undefined ? {} : { cause }) });
}

function dimensionsOf(bytes: Uint8Array, mayHaveNone: boolean): { width: number | null; height: number | null } {
  try {
    const { width, height, orientation } = imageSize(bytes);
    // Exif orientations 5 to 8 include a quarter turn, which browsers apply.
    return orientation !== undefined && orientation >= 5 ? { width: height, height: width } : { width, height };
  } catch (error) {
    if (mayHaveNone) return { width: null, height: null };
    throw unsupported(`The image is damaged: ${errorMessage(error)}. Save it again and upload the new file.`, error);
  }
}

async function looksLikeSvg(path: string): Promise<boolean> {
  const head = Buffer.from(await readHead(path, 64 * 1024)).toString('utf8');
  return /<(\w+:)?svg[\s>]/i.test(head);
}

async function readHead(path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

const maxStemLength = 60;
const reserved = /^(con|prn|aux|nul|com[0-9]|lpt[0-9])$/;

/**
 * Returns a file name that is safe on every system, in URLs and in code: lower-case ASCII letters, digits, `.`, `_` and `-`. It
 * ends with the extension of the detected type and is not in `taken`. Accents are dropped (`Ünï.PNG` → `uni.png`); `fallback`
 * replaces a name that becomes empty.
 */
export function safeAssetName(
  name: string,
  options: { extension: string; fallback: string; taken: ReadonlySet<string> },
): string {
  const base = name.split(/[/\\]/).at(-1) ?? '';
  const stem = base
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/\.{2,}/g, '.')
    .slice(0, maxStemLength)
    .replace(/^[._-]+|[._-]+$/g, '');
  const plain = stem === '' || reserved.test(stem.split('.')[0] ?? '') ? options.fallback : stem;
  for (let number = 1; ; number++) {
    const candidate = `${plain}${number === 1 ? '' : `-${number}`}.${options.extension}`;
    if (!options.taken.has(candidate)) return candidate;
  }
}
