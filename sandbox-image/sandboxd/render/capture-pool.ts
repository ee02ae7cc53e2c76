import { Mutex } from 'async-mutex';
import type { Aspect, ParameterValues } from '#contract/render.ts';
import type { StageInfo } from '#contract/sandbox/answers.ts';
import { CaptureError } from '../browser/capture-error.ts';
import type { Chromium, Size } from '../browser/chromium.ts';
import type { BrowserLauncher } from '../browser/launcher.ts';
import { PageEvidence } from '../browser/page-evidence.ts';
import { Stage, type StageLimits, type StageOptions } from '../browser/stage.ts';
import { ProtocolError } from '../http.ts';
import { untilAborted } from '../time-limit.ts';
import type { FrameFormat } from './formats.ts';
import { FrameCapturer } from './frame-capturer.ts';

export interface CaptureOptions {
  readonly launcher: BrowserLauncher;
  readonly origin: string;
  readonly size: Size;
  readonly transparent: boolean;
  readonly parameters: ParameterValues | null;
  readonly aspect: Aspect | null;
  readonly fps: number;
  readonly workers: number;
  readonly limits: StageLimits;
  readonly signal: AbortSignal;
  /** Takes over a browser with the open page, or resolves to `null` if there is none; `null` if takeover is not supported. */
  readonly takeOpenPage: (() => Promise<BrowserPage | null>) | null;
}

export interface FrameRequest {
  readonly frame: number;
  /** PNG preserves every pixel and alpha, but takes three to five times as long as JPEG. */
  readonly format: FrameFormat;
  /** Whether a frame that the page draws itself is captured from the page too, to compare them. */
  readonly isChecked: boolean;
}

export interface FrameReceiver {
  /** Resolves when the frame may be captured. A rejection ends the capture. */
  waitForSlot(frame: number): Promise<void>;
  /** `sameAs` is an earlier frame with an identical image. */
  put(frame: number, image: Buffer, sameAs: number | null): Promise<void>;
  /** `page` is a PNG of the page at the same time. Called at most once for the same image of a browser. */
  check(frame: number, image: Buffer, page: Buffer): Promise<void>;
}

/** A browser with a page. Disposing the browser ends both. */
export interface BrowserPage {
  readonly chromium: Chromium;
  readonly stage: Stage;
}

interface Worker extends BrowserPage {
  readonly capturer: FrameCapturer;
  last: { readonly frame: number; readonly image: Buffer } | null;
  checked: Buffer | null;
  /** Serialises captures, because a page can show only one timestamp at a time. */
  readonly capturing: Mutex;
}

/**
 * The browsers of a render, which capture frames in parallel. Each one starts when it is first needed. A crashed browser is
 * replaced once per capture and its frame recaptured.
 */
export class CapturePool implements AsyncDisposable {
  readonly #options: CaptureOptions;
  readonly #workers: (Promise<Worker> | null)[];

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.#workers = Array.from({ length: options.workers }, () => null);
  }

  warm(): void {
    for (const index of this.#workers.keys()) this.#worker(index).catch(() => undefined);
  }

  async info(): Promise<StageInfo> {
    return (await this.#workerWithRetry(0)).stage.info;
  }

  /**
   * Captures frames, given in ascending order. Each browser takes the next free frame, so they arrive almost in order.
   * Rejects with the first error once all browsers have stopped.
   */
  async capture(frames: readonly FrameRequest[], receiver: FrameReceiver): Promise<void> {
    let next = 0;
    const failed = new AbortController();
    const take = () => (failed.signal.aborted ? undefined : frames[next++]);
    // A failed frame never arrives, so the frames after it would wait for a slot forever.
    const waitForSlot = (frame: number) => untilAborted(receiver.waitForSlot(frame), failed.signal);
    const busy = [...this.#workers.keys()].slice(0, frames.length);
    await Promise.allSettled(
      busy.map(async (index) => {
        try {
          await this.#captureShare(index, take, { ...receiver, waitForSlot });
        } catch (error) {
          failed.abort(error);
        }
      }),
    );
    failed.signal.throwIfAborted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#workers.map((_, index) => this.#close(index)));
  }

  async #captureShare(index: number, take: () => FrameRequest | undefined, receiver: FrameReceiver): Promise<void> {
    let retried = false;
    // Takes a frame only once a browser is running, because all others wait for that frame.
    await this.#workerWithRetry(index);
    for (let request = take(); request !== undefined; request = take()) {
      await receiver.waitForSlot(request.frame);
      try {
        await this.#captureFrame(index, request, receiver);
      } catch (error) {
        if (!(error instanceof CaptureError && error.isRetryable)) throw error;
        if (retried) {
          const seconds = (request.frame / this.#options.fps).toFixed(2);
          throw new ProtocolError('RENDER_FAILED', `The browser failed twice around ${seconds} s. ${error.message}`);
        }
        retried = true;
        await this.#close(index);
        await this.#captureFrame(index, request, receiver);
      }
    }
  }

  async #captureFrame(index: number, request: FrameRequest, receiver: FrameReceiver): Promise<void> {
    const worker = await this.#worker(index);
    const { frame } = request;
    const { image, sameAs, page } = await worker.capturing.runExclusive(() => this.#captureNext(worker, request));
    if (page) await receiver.check(frame, image, page);
    await receiver.put(frame, image, sameAs);
  }

  async #captureNext(
    worker: Worker,
    { frame, format, isChecked }: FrameRequest,
  ): Promise<{ image: Buffer; sameAs: number | null; page: Buffer | null }> {
    const image = await worker.capturer.capture(frame / this.#options.fps, format);
    const sameAs = worker.last?.image === image ? worker.last.frame : null;
    worker.last = { frame, image };
    if (!isChecked || format !== 'i420' || worker.checked === image) return { image, sameAs, page: null };
    worker.checked = image;
    await worker.stage.setDirect(false);
    await worker.stage.seek(frame / this.#options.fps);
    return { image, sameAs, page: await worker.stage.capture('png') };
  }

  #worker(index: number): Promise<Worker> {
    const worker = this.#workers[index] ?? this.#open();
    this.#workers[index] = worker;
    return worker;
  }

  async #workerWithRetry(index: number): Promise<Worker> {
    try {
      return await this.#worker(index);
    } catch (error) {
      if (!(error instanceof CaptureError && error.isRetryable)) throw error;
      await this.#close(index);
      return await this.#worker(index);
    }
  }

  async #open(): Promise<Worker> {
    const { launcher, signal, origin, size, transparent, parameters, aspect, limits, workers, takeOpenPage } = this.#options;
    const open = await takeOpenPage?.();
    if (open) {
      open.stage.setSignal(signal);
      return this.#ready(open);
    }
    // Parallel browsers use the cores better than raster threads.
    const launching = launcher.launch(signal, workers > 1 ? 1 : null);
    return this.#ready(await openBrowserPage(launching, { origin, size, transparent, parameters, aspect, limits, signal }));
  }

  #ready({ chromium, stage }: BrowserPage): Worker {
    return { chromium, stage, capturer: new FrameCapturer(stage), last: null, checked: null, capturing: new Mutex() };
  }

  async #close(index: number): Promise<void> {
    const opening = this.#workers[index];
    this.#workers[index] = null;
    const [worker] = await Promise.allSettled([opening]);
    if (worker.status === 'fulfilled') await worker.value?.chromium[Symbol.asyncDispose]();
  }
}

/** Opens a page whose frames are captured. On an error, the browser has ended. */
export async function openBrowserPage(
  launching: Promise<Chromium>,
  page: Omit<StageOptions, 'skipsRedundantDraws' | 'evidence'>,
): Promise<BrowserPage> {
  const chromium = await launching;
  try {
    const stage = await Stage.open(chromium, { ...page, skipsRedundantDraws: true, evidence: new PageEvidence() });
    return { chromium, stage };
  } catch (error) {
    await chromium[Symbol.asyncDispose]();
    throw error;
  }
}

/** Reorders frames, and limits each worker to `size` frames ahead, which bounds the memory. */
export class FrameReorderBuffer<Frame> {
  readonly #size: number;
  readonly #frames = new Map<number, Frame>();
  readonly #waiting = new Set<() => void>();
  #next: number;
  #failure: { readonly error: unknown } | null = null;

  constructor(first: number, size: number) {
    this.#next = first;
    this.#size = size;
  }

  /** Resolves when frame `index` may be captured. Rejects with the error from `fail`. */
  async waitForSlot(index: number): Promise<void> {
    while (index >= this.#next + this.#size) await this.#change();
    this.#throwIfFailed();
  }

  put(index: number, frame: Frame): void {
    this.#frames.set(index, frame);
    this.#wake();
  }

  /** Returns the next frame in order. Rejects with the error from `fail`. */
  async take(): Promise<Frame> {
    for (;;) {
      this.#throwIfFailed();
      const frame = this.#frames.get(this.#next);
      if (frame !== undefined) {
        this.#frames.delete(this.#next);
        this.#next++;
        this.#wake();
        return frame;
      }
      await this.#change();
    }
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  #throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async #change(): Promise<void> {
    this.#throwIfFailed();
    await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
