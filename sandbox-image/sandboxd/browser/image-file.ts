import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';
import type { ImageRequest, ModelImage, SvgRequest } from '#contract/sandbox/answers.ts';
import { openFile } from '../files/content.ts';
import { detectFileType, type FileType } from '../files/image-type.ts';
import { ProtocolError } from '../http.ts';
import { agentCall, drawnSchema, type ImageToDraw } from '../page/protocol.ts';
import { pageScript } from '../page-scripts.ts';
import { killedBeforeDaemon } from '../processes/out-of-memory.ts';
import { untilAborted, withTimeLimit } from '../time-limit.ts';
import type { Chromium } from './chromium.ts';
import { devTools } from './devtools.ts';

const drawTimeoutMs = 20_000;
/** poppler-utils commands that read the file from stdin. */
const [infoCommand, drawCommand] = ['pdfinfo', 'pdftoppm'];

export interface PdfPage {
  readonly png: Buffer;
  readonly pages: number;
}

/**
 * Renders a PDF page, counted from 1. The file is untrusted, so poppler runs as a separate process with a timeout. Throws
 * UNSUPPORTED_TYPE for a damaged or encrypted file or a missing page.
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
    throw new ProtocolError('UNSUPPORTED_TYPE', `"${path}" has ${has}, so page ${page} does not exist.`);
  }
  const args = ['-png', '-singlefile', '-f', String(page), '-l', String(page), '-scale-to', String(maxSide), '-'];
  return { png: await run(drawCommand, args, { content, path, signal: limited }), pages };
}

async function run(
  command: string,
  args: readonly string[],
  { content, path, signal }: { content: Buffer; path: string; signal: AbortSignal },
): Promise<Buffer> {
  const child = killedBeforeDaemon(() => spawn(command, args, { stdio: 'pipe', signal, killSignal: 'SIGKILL' }));
  const ended = Promise.withResolvers<number | null>();
  child.once('error', ended.reject);
  child.once('close', ended.resolve);
  // A program that rejects the file does not read all of it; its exit status reports the reason.
  child.stdin.on('error', () => undefined);
  child.stdin.end(content);
  try {
    const [output, errorOutput, status] = await Promise.all([buffer(child.stdout), text(child.stderr), ended.promise]);
    if (status === 0) return output;
    const reason = errorOutput.includes('password') ? 'it is password-protected' : 'it is damaged or not a PDF';
    throw new ProtocolError('UNSUPPORTED_TYPE', `"${path}" cannot be displayed: ${reason}.`);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      const advice = 'Ask the user for the page as PNG, JPEG or SVG.';
      throw new ProtocolError('UNSUPPORTED_TYPE', `"${path}" is a PDF, and ${command} is not installed here. ${advice}`);
    }
    if (signal.aborted)
      throw new ProtocolError('EXECUTION_FAILED', `"${path}" could not be rendered in time. Ask the user for a simpler file.`);
    throw error;
  }
}

const maxFileBytes = 20 * 1024 * 1024;
/** Larger images are sent as JPEG instead of PNG. */
const maxPngCharacters = 2_000_000;
const jpegQuality = 0.85;

export interface ImageFile {
  readonly mediaType: string;
  readonly content: Buffer;
  readonly sizeBytes: number;
  /** Number of pages if `content` is a PDF page, otherwise `null`. */
  readonly pages: number | null;
}

/** Reads an image, or renders a PDF page. Throws ENOENT, INVALID_PATH, FILE_TOO_LARGE or UNSUPPORTED_TYPE. */
export async function readImage(
  workspace: string,
  { path, page, maxSide }: ImageRequest,
  signal: AbortSignal,
): Promise<ImageFile> {
  const { handle, sizeBytes } = await openFile(workspace, path);
  await using file = handle;
  if (sizeBytes > maxFileBytes)
    throw new ProtocolError(
      'FILE_TOO_LARGE',
      `"${path}" is ${sizeBytes} bytes; the limit for viewing is ${maxFileBytes}. Make a smaller copy with FFmpeg first.`,
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
    'is not a supported image. Supported formats: PNG, JPEG, GIF, WebP, AVIF, BMP, SVG and PDF. To view a video, extract a frame as PNG with FFmpeg.',
};

/**
 * Downscales an image in an isolated browser page, which supports all these formats. Uses an animation's first frame. Throws
 * UNSUPPORTED_TYPE if the image is damaged.
 */
export async function drawImage(
  chromium: Chromium,
  { mediaType, content, sizeBytes, pages }: ImageFile,
  { path, maxSide }: ImageRequest,
  signal: AbortSignal,
): Promise<ModelImage> {
  const what = `"${path}"`;
  const image = { dataUrl: dataUrlOf(mediaType, content), maxSide, enlarges: false, maxPngCharacters, jpegQuality };
  const { width, height, dataUrl } = await draw(chromium, image, { what, signal });
  const [, type, base64] = /^data:(image\/(?:png|jpeg));base64,(.+)$/.exec(dataUrl) ?? [];
  if (base64 === undefined)
    throw new ProtocolError('EXECUTION_FAILED', `${what} is too large to display. Make a smaller copy with FFmpeg first.`);
  return { mediaType: type === 'image/png' ? 'image/png' : 'image/jpeg', base64, width, height, sizeBytes, pages };
}

/** The PNG must fit into its response. */
const maxDrawingCharacters = 24 * 1024 * 1024;

/**
 * Draws an SVG as PNG. The page shows it as an image: its scripts do not run, and it loads nothing from elsewhere. Throws
 * UNSUPPORTED_TYPE, TOO_LARGE, or EXECUTION_FAILED if drawing takes too long.
 */
export async function drawSvg(chromium: Chromium, { svg, maxSide }: SvgRequest, signal: AbortSignal): Promise<Buffer> {
  const dataUrl = dataUrlOf('image/svg+xml', Buffer.from(svg));
  const image = { dataUrl, maxSide, enlarges: true, maxPngCharacters: maxDrawingCharacters, jpegQuality };
  const drawn = await draw(chromium, image, { what: 'The SVG', signal });
  const start = 'data:image/png;base64,';
  if (!drawn.dataUrl.startsWith(start))
    throw new ProtocolError('TOO_LARGE', 'The SVG is too large as PNG. Choose a smaller width and height.');
  return Buffer.from(drawn.dataUrl.slice(start.length), 'base64');
}

const dataUrlOf = (mediaType: string, content: Buffer) => `data:${mediaType};base64,${content.toString('base64')}`;

async function draw(
  chromium: Chromium,
  image: ImageToDraw,
  { what, signal }: { what: string; signal: AbortSignal },
): Promise<{ width: number; height: number; dataUrl: string }> {
  const { session, close } = await untilAborted(chromium.openTarget({ width: 16, height: 16 }), signal);
  try {
    const drawing = session.send('Runtime.evaluate', {
      expression: `${pageScript('agent')}${agentCall('drawImage', image)}`,
      awaitPromise: true,
      returnByValue: true,
    });
    const late = () => new ProtocolError('EXECUTION_FAILED', `${what} could not be rendered within ${drawTimeoutMs / 1000} s.`);
    const { result } = await untilAborted(
      withTimeLimit(drawing, drawTimeoutMs, late),
      AbortSignal.any([signal, chromium.closed]),
    );
    const drawn = drawnSchema.parse(result.value);
    if ('problem' in drawn) throw new ProtocolError('UNSUPPORTED_TYPE', `${what} cannot be displayed: ${drawn.problem}.`);
    return drawn;
  } catch (error) {
    signal.throwIfAborted();
    const { ProtocolError: DevToolsError } = await devTools();
    if (!chromium.closed.aborted && !(error instanceof DevToolsError)) throw error;
    const reason = 'its page crashed, probably because it ran out of memory';
    throw new ProtocolError('EXECUTION_FAILED', `${what} could not be rendered: ${reason}.`);
  } finally {
    await close().catch(() => undefined);
  }
}
