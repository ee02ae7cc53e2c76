import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';
import type { Picture, PictureRequest } from '../../../server/contract/sandboxd.ts';
import { openFile } from '../files/content.ts';
import { detectFileType, type FileType } from '../files/image-type.ts';
import { ProtocolError } from '../http.ts';
import { agentCall, drawnSchema } from '../page/protocol.ts';
import { pageScript } from '../page-scripts.ts';
import { untilAborted, withTimeLimit } from '../time-limit.ts';
import type { Chromium } from './chromium.ts';

/** Longest for a page of a PDF, and for an image. */
const drawTimeoutMs = 20_000;
/** Two commands of poppler-utils, which read the file from their standard input. */
const [infoCommand, drawCommand] = ['pdfinfo', 'pdftoppm'];

/** One page of a PDF. */
export interface PdfPage {
  readonly png: Buffer;
  /** How many pages the file has. */
  readonly pages: number;
}

/**
 * Draws a page, counted from 1, `maxSide` px on its longer side. The file is the user's and may be made to do harm:
 * poppler reads it in processes of their own, inside the sandbox, with a time limit. Throws UNSUPPORTED_TYPE for a
 * file that is damaged or locked, and for a page that it does not have.
 */
export async function drawPdfPage(
  content: Buffer,
  { path, page, maxSide, signal }: { path: string; page: number; maxSide: number; signal: AbortSignal },
): Promise<PdfPage> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(drawTimeoutMs)]);
  const info = await run(infoCommand, ['-'], { content, path, signal: limited });
  const pages = Number(/^Pages:\s+(\d+)$/m.exec(info.toString())?.[1] ?? 0);
  if (page > pages) {
    const has = pages === 1 ? '1 page' : `${pages} pages`;
    throw new ProtocolError('UNSUPPORTED_TYPE', `"${path}" has ${has}, so there is no page ${page}.`);
  }
  const wanted = ['-png', '-singlefile', '-f', String(page), '-l', String(page), '-scale-to', String(maxSide), '-'];
  return { png: await run(drawCommand, wanted, { content, path, signal: limited }), pages };
}

async function run(
  command: string,
  args: readonly string[],
  { content, path, signal }: { content: Buffer; path: string; signal: AbortSignal },
): Promise<Buffer> {
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'pipe'], signal, killSignal: 'SIGKILL' });
  const ended = Promise.withResolvers<number | null>();
  child.once('error', ended.reject);
  child.once('close', ended.resolve);
  // A program that refuses the file does not read it to its end; what went wrong is in its exit status.
  child.stdin.on('error', () => undefined);
  child.stdin.end(content);
  try {
    const [output, complaint, status] = await Promise.all([buffer(child.stdout), text(child.stderr), ended.promise]);
    if (status === 0) return output;
    const reason = complaint.includes('password') ? 'it is locked with a password' : 'it is damaged, or no PDF';
    throw new ProtocolError('UNSUPPORTED_TYPE', `"${path}" cannot be drawn: ${reason}.`);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      const advice = 'Ask the user for the page as PNG, JPEG or SVG.';
      throw new ProtocolError('UNSUPPORTED_TYPE', `"${path}" is a PDF, and ${command} is not installed here. ${advice}`);
    }
    if (signal.aborted) throw new ProtocolError('EXECUTION_FAILED', `"${path}" could not be drawn in time.`);
    throw error;
  }
}

const maxFileBytes = 20 * 1024 * 1024;
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
      `"${path}" has ${sizeBytes} bytes; at most ${maxFileBytes} can be viewed. Make a smaller copy with FFmpeg first.`,
    );
  const content = await buffer(file.createReadStream({ start: 0, end: Math.max(0, sizeBytes - 1), autoClose: false }));
  const look = detectFileType(content);
  if (look.kind === 'pdf') {
    const { png, pages } = await drawPdfPage(content, { path, page, maxSide, signal });
    return { mediaType: 'image/png', content: png, sizeBytes, pages };
  }
  if (look.kind !== 'image') throw new ProtocolError('UNSUPPORTED_TYPE', `"${path}" ${advice[look.kind]}`);
  return { mediaType: look.mediaType, content, sizeBytes, pages: null };
}

const advice: Record<Exclude<FileType['kind'], 'image' | 'pdf'>, string> = {
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
    const late = () => new ProtocolError('EXECUTION_FAILED', `"${path}" could not be drawn within ${drawTimeoutMs / 1000} s.`);
    const { result } = await untilAborted(withTimeLimit(drawing, drawTimeoutMs, late), AbortSignal.any([signal, chromium.gone]));
    const drawn = drawnSchema.parse(result.value);
    if ('problem' in drawn) throw new ProtocolError('UNSUPPORTED_TYPE', `"${path}" cannot be drawn: ${drawn.problem}.`);
    const { width, height, dataUrl } = drawn;
    const [, type, base64] = /^data:(image\/(?:png|jpeg));base64,(.+)$/.exec(dataUrl) ?? [];
    if (base64 === undefined) throw new ProtocolError('EXECUTION_FAILED', `"${path}" is too large to be drawn.`);
    return { mediaType: type === 'image/png' ? 'image/png' : 'image/jpeg', base64, width, height, sizeBytes, pages };
  } finally {
    // With the browser gone there is nothing to close.
    await close().catch(() => undefined);
  }
}
