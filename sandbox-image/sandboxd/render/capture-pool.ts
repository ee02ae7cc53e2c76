import type { StageInfo } from '../../../server/contract/sandboxd.ts';
import type { Chromium, Size } from '../browser/chromium.ts';
import { CaptureFault } from '../browser/faults.ts';
import type { BrowserLauncher } from '../browser/launcher.ts';
import { PageEvidence } from '../browser/page-evidence.ts';
import { type PictureFormat, Stage, type StageLimits } from '../browser/stage.ts';
import { ProtocolError } from '../http.ts';
import { FrameGrabber } from './frame-grabber.ts';
import type { FrameWindow } from './frame-window.ts';
import { type FrameRange, framesOfWorker } from './ranges.ts';

export interface CaptureOptions {
  readonly launcher: BrowserLauncher;
  readonly origin: string;
  readonly size: Size;
  readonly transparent: boolean;
  /** PNG keeps every pixel and the alpha channel, at three to five times the time. */
  readonly picture: PictureFormat;
  readonly fps: number;
  readonly workers: number;
  readonly limits: StageLimits;
  readonly signal: AbortSignal;
}

interface Worker {
  readonly chromium: Chromium;
  readonly stage: Stage;
  readonly grabber: FrameGrabber;
}

/**
 * The browsers of one render: each holds the page, and together they capture a range. A browser that dies
 * is replaced once in a range; its frame is captured again.
 */
export class CapturePool implements AsyncDisposable {
  readonly #options: CaptureOptions;
  readonly #workers: (Worker | null)[];

  private constructor(options: CaptureOptions) {
    this.#options = options;
    this.#workers = Array.from({ length: options.workers }, () => null);
  }

  /** Opens the page in all browsers at once. Throws what `Stage.open` throws; then no browser is left. */
  static async open(options: CaptureOptions): Promise<CapturePool> {
    const pool = new CapturePool(options);
    const opening = await Promise.allSettled(pool.#workers.map((_, index) => pool.#openWithRetry(index)));
    const failed = opening.find((result) => result.status === 'rejected');
    if (failed) {
      await pool[Symbol.asyncDispose]();
      throw failed.reason;
    }
    return pool;
  }

  /** What the page says of itself. */
  get info(): StageInfo {
    const worker = this.#workers.find((candidate) => candidate !== null);
    if (!worker) throw new Error('The pool has no browser.');
    return worker.stage.info;
  }

  /**
   * Captures the frames of a range into `window`. A failure ends the window with it, and so does the
   * other way round: when the window's reader fails, capturing stops. Never rejects.
   */
  async capture(range: FrameRange, window: FrameWindow<Buffer>): Promise<void> {
    await Promise.all(
      this.#workers.map(async (_, index) => {
        try {
          await this.#captureShare(index, range, window);
        } catch (error) {
          window.fail(error);
        }
      }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#workers.map((_, index) => this.#close(index)));
  }

  async #captureShare(index: number, range: FrameRange, window: FrameWindow<Buffer>): Promise<void> {
    let retried = false;
    for (const frame of framesOfWorker(range, index, this.#options.workers)) {
      await window.room(frame);
      const seconds = frame / this.#options.fps;
      try {
        window.put(frame, await this.#grab(index, seconds));
      } catch (error) {
        if (!(error instanceof CaptureFault && error.mayPass)) throw error;
        if (retried)
          throw new ProtocolError(
            'RENDER_FAILED',
            500,
            `The browser failed twice around ${seconds.toFixed(2)} s. ${error.message}`,
          );
        retried = true;
        await this.#close(index);
        window.put(frame, await this.#grab(index, seconds));
      }
    }
  }

  async #grab(index: number, seconds: number): Promise<Buffer> {
    const worker = this.#workers[index] ?? (await this.#open(index));
    return worker.grabber.grab(seconds);
  }

  async #openWithRetry(index: number): Promise<void> {
    try {
      await this.#open(index);
    } catch (error) {
      if (!(error instanceof CaptureFault && error.mayPass)) throw error;
      await this.#open(index);
    }
  }

  async #open(index: number): Promise<Worker> {
    const { launcher, signal, origin, size, transparent, picture, limits } = this.#options;
    const chromium = await launcher.launch(signal);
    try {
      const stage = await Stage.open(chromium, { origin, size, transparent, limits, signal, evidence: new PageEvidence() });
      const worker = { chromium, stage, grabber: new FrameGrabber(stage, picture) };
      this.#workers[index] = worker;
      return worker;
    } catch (error) {
      await chromium[Symbol.asyncDispose]();
      throw error;
    }
  }

  async #close(index: number): Promise<void> {
    const worker = this.#workers[index];
    this.#workers[index] = null;
    // The page is not asked to close: the browser goes, and the page with it.
    await worker?.chromium[Symbol.asyncDispose]();
  }
}
