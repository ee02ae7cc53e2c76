import { randomUUID } from 'node:crypto';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Protocol } from 'puppeteer-core';
import { captureCall } from '../page/protocol.ts';
import { pageScript } from '../page-scripts.ts';
import { CaptureError } from './capture-error.ts';
import type { Chromium, Size } from './chromium.ts';
import type { FrameTarget } from './frame-target.ts';
import type { PageCalls } from './page-calls.ts';

/** The page's frames cannot be drawn directly, or not correctly. Capturing the page itself still works. */
export class DirectCaptureError extends Error {}

/** Bytes of a frame in I420: a byte of luma per pixel, and two of chroma per four pixels. */
export function i420Bytes({ width, height }: Size): number {
  return (width * height * 3) / 2;
}

interface DirectCaptureOptions {
  readonly chromium: Chromium;
  readonly target: FrameTarget;
  readonly calls: PageCalls;
  readonly size: Size;
}

const doing = 'drawing a frame directly';

/**
 * Frames that a page draws into a file of its private file system (`page/direct-frames.ts`), which is the fastest way out of
 * the browser. The file has a fixed size and is never trusted for more than its pixels.
 */
export class DirectCapture {
  readonly #options: DirectCaptureOptions;
  readonly #path: string;
  #entered = false;

  private constructor(options: DirectCaptureOptions, path: string) {
    this.#options = options;
    this.#path = path;
  }

  /** Throws DirectCaptureError if the page or the browser cannot do it. */
  static async start(options: DirectCaptureOptions): Promise<DirectCapture> {
    const { chromium, target, calls, size } = options;
    if (!target.frameControl) throw new DirectCaptureError('The browser has no frame control.');
    const mark = randomUUID();
    const start = captureCall('startDirect', pageScript('frame-writer'), { name: `koda-${mark}`, mark });
    const { result, exceptionDetails } = await calls.evaluate(start, doing, true);
    if (exceptionDetails || result.value !== null) throw refused(exceptionDetails ? 'an error' : result.value);
    const path = await findFile(chromium.profile, { mark, bytes: i420Bytes(size) });
    if (path === null) throw new DirectCaptureError('The file that the page writes was not found.');
    return new DirectCapture(options, path);
  }

  /** From the next seek on, the page draws into the file. */
  async enter(): Promise<void> {
    if (this.#entered) return;
    const { result } = await this.#options.calls.evaluate(captureCall('enterDirect'), doing);
    if (result.value !== null) throw refused(result.value);
    this.#entered = true;
  }

  /** Returns the frame of the last seek, or `null` if it is the one before. */
  async capture(): Promise<Buffer | null> {
    const { target, calls, size } = this.#options;
    await calls.wait(target.update(), doing);
    const { result } = await this.#take();
    if (result.value === 'unchanged') return null;
    if (result.value !== 'written') throw refused(result.value);
    const frame = await readStart(this.#path, i420Bytes(size));
    if (frame === null) throw new DirectCaptureError('The file that the page writes is too short.');
    return frame;
  }

  /** A page whose worker has died does not answer, but can still be captured. */
  async #take(): Promise<Protocol.Runtime.EvaluateResponse> {
    try {
      return await this.#options.calls.evaluate(captureCall('takeDirect'), doing, true);
    } catch (error) {
      if (error instanceof CaptureError && error.reason === 'blocked') throw new DirectCaptureError(error.message);
      throw error;
    }
  }

  /** From the next seek on, the page draws to the screen again. */
  async leave(): Promise<void> {
    if (!this.#entered) return;
    this.#entered = false;
    await this.#options.calls.evaluate(captureCall('leaveDirect'), doing);
  }
}

/** `why` comes from the page. */
function refused(why: unknown): DirectCaptureError {
  return new DirectCaptureError(`The page cannot draw its own frames: ${String(why).slice(0, 300)}.`);
}

/** Finds the page's file by its first bytes, because Chromium gives it a name of its own. */
async function findFile(profile: string, wanted: { readonly mark: string; readonly bytes: number }): Promise<string | null> {
  for (const entry of await readdir(profile, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !path.includes('/File System/') || (await stat(path)).size !== wanted.bytes) continue;
    const start = await readStart(path, wanted.mark.length);
    if (start?.toString('latin1') === wanted.mark) return path;
  }
  return null;
}

/** Returns a file's first bytes, or `null` if it has fewer. */
async function readStart(path: string, bytes: number): Promise<Buffer | null> {
  await using file = await open(path);
  const start = Buffer.allocUnsafe(bytes);
  const { bytesRead } = await file.read(start, 0, bytes, 0);
  return bytesRead === bytes ? start : null;
}
