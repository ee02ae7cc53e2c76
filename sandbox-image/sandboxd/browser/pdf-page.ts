import { spawn } from 'node:child_process';
import { buffer, text } from 'node:stream/consumers';
import { ProtocolError } from '../http.ts';

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
    throw new ProtocolError('UNSUPPORTED_TYPE', 415, `"${path}" has ${has}, so there is no page ${page}.`);
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
  // Who refuses the file does not read it to its end; what went wrong is in its exit status.
  child.stdin.on('error', () => undefined);
  child.stdin.end(content);
  try {
    const [output, complaint, status] = await Promise.all([buffer(child.stdout), text(child.stderr), ended.promise]);
    if (status === 0) return output;
    const reason = complaint.includes('password') ? 'it is locked with a password' : 'it is damaged, or no PDF';
    throw new ProtocolError('UNSUPPORTED_TYPE', 415, `"${path}" cannot be drawn: ${reason}.`);
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      const advice = 'Ask the user for the page as PNG, JPEG or SVG.';
      throw new ProtocolError('UNSUPPORTED_TYPE', 415, `"${path}" is a PDF, and ${command} is not installed here. ${advice}`);
    }
    if (signal.aborted) throw new ProtocolError('EXECUTION_FAILED', 500, `"${path}" could not be drawn in time.`);
    throw error;
  }
}
