import { buffer } from 'node:stream/consumers';
import type { Picture, PictureRequest } from '../../../server/contract/sandboxd.ts';
import { openFile } from '../files/content.ts';
import { type FileLook, lookOf } from '../files/image-type.ts';
import { ProtocolError } from '../http.ts';
import { agentCall, drawnSchema } from '../page/protocol.ts';
import { pageScript } from '../page-scripts.ts';
import { untilAborted, withTimeLimit } from '../time-limit.ts';
import type { Chromium } from './chromium.ts';
import { drawPdfPage } from './pdf-page.ts';

const maxFileBytes = 20 * 1024 * 1024;
const drawTimeoutMs = 20_000;
/** Beyond this a picture without loss is not worth its size, and becomes a JPEG. */
const maxPngCharacters = 2_000_000;
const jpegQuality = 0.85;

export interface ImageFile {
  readonly mediaType: string;
  readonly content: Buffer;
  /** Of the file. */
  readonly sizeBytes: number;
  /** Of a PDF, of which `content` is a page; null for a picture. */
  readonly pages: number | null;
}

/**
 * Reads an image of the project, or draws a page of a PDF. Throws ENOENT as the system does, INVALID_PATH,
 * FILE_TOO_LARGE, UNSUPPORTED_TYPE with what to do.
 */
export async function readImage(
  workspace: string,
  { path, page, maxSide }: PictureRequest,
  signal: AbortSignal,
): Promise<ImageFile> {
  const { handle, sizeBytes } = await openFile(workspace, path);
  await using file = handle;
  if (sizeBytes > maxFileBytes)
    throw new ProtocolError(
      'FILE_TOO_LARGE',
      413,
      `"${path}" has ${sizeBytes} bytes; at most ${maxFileBytes} can be viewed. Make a smaller copy with FFmpeg first.`,
    );
  const content = await buffer(file.createReadStream({ start: 0, end: Math.max(0, sizeBytes - 1), autoClose: false }));
  const look = lookOf(content);
  if (look.kind === 'pdf') {
    const { png, pages } = await drawPdfPage(content, { path, page, maxSide, signal });
    return { mediaType: 'image/png', content: png, sizeBytes, pages };
  }
  if (look.kind !== 'image') throw new ProtocolError('UNSUPPORTED_TYPE', 415, `"${path}" ${advice[look.kind]}`);
  return { mediaType: look.mediaType, content, sizeBytes, pages: null };
}

const advice: Record<Exclude<FileLook['kind'], 'image' | 'pdf'>, string> = {
  text: 'is a text file. Read it with sandbox_read_file.',
  other:
    'is not an image that can be drawn: PNG, JPEG, GIF, WebP, AVIF, BMP, SVG and PDF can. Of a film, FFmpeg can write a frame as PNG.',
};

/**
 * The image no larger than asked for, drawn by the browser, which reads all these formats, in a page of its own that
 * reaches nothing. Of an animated one it is the first picture. Throws UNSUPPORTED_TYPE when it is damaged.
 */
export async function drawImage(
  chromium: Chromium,
  { mediaType, content, sizeBytes, pages }: ImageFile,
  { path, maxSide }: PictureRequest,
  signal: AbortSignal,
): Promise<Picture> {
  const { session, close } = await untilAborted(chromium.openTarget({ width: 16, height: 16 }), signal);
  try {
    const source = `data:${mediaType};base64,${content.toString('base64')}`;
    const drawing = session.send('Runtime.evaluate', {
      expression: `${pageScript('agent')}${agentCall('drawImage', { dataUrl: source, maxSide, maxPngCharacters, jpegQuality })}`,
      awaitPromise: true,
      returnByValue: true,
    });
    const late = () =>
      new ProtocolError('EXECUTION_FAILED', 500, `"${path}" could not be drawn within ${drawTimeoutMs / 1000} s.`);
    const { result } = await untilAborted(withTimeLimit(drawing, drawTimeoutMs, late), AbortSignal.any([signal, chromium.gone]));
    const drawn = drawnSchema.parse(result.value);
    if ('problem' in drawn) throw new ProtocolError('UNSUPPORTED_TYPE', 415, `"${path}" cannot be drawn: ${drawn.problem}.`);
    const { width, height, dataUrl } = drawn;
    const [, type, base64] = /^data:(image\/(?:png|jpeg));base64,(.+)$/.exec(dataUrl) ?? [];
    if (base64 === undefined) throw new ProtocolError('EXECUTION_FAILED', 500, `"${path}" is too large to be drawn.`);
    return { mediaType: type === 'image/png' ? 'image/png' : 'image/jpeg', base64, width, height, sizeBytes, pages };
  } finally {
    // With the browser gone there is nothing to close.
    await close().catch(() => undefined);
  }
}
