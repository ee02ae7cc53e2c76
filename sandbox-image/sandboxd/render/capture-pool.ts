import type { ParameterValues } from '../../../server/contract/render.ts';
import type { StageInfo } from '../../../server/contract/sandboxd.ts';
import { CaptureError } from '../browser/capture-error.ts';
import type { Chromium, Size } from '../browser/chromium.ts';
import type { BrowserLauncher } from '../browser/launcher.ts';
import { PageEvidence } from '../browser/page-evidence.ts';
import { type ImageFormat, Stage, type StageLimits } from '../browser/stage.ts';
import { ProtocolError } from '../http.ts';
import { untilAborted } from '../time-limit.ts';
import { FrameGrabber } from './frame-grabber.ts';

export interface CaptureOptions {
  readonly launcher: BrowserLauncher;
  readonly origin: string;
  readonly size: Size;
  readonly transparent: boolean;
  readonly parameters: ParameterValues | null;
  /** PNG keeps every pixel and the alpha channel, at three to five times the time. */
  readonly picture: ImageFormat;
  readonly fps: number;
  readonly workers: number;
  readonly limits: StageLimits;
  readonly signal: AbortSignal;
  /** Gives a browser in which the page is open already, if there is one, which then is the pool's. Null: there never is. */
  readonly takeOpenPage: (() => { readonly chromium: Chromium; readonly stage: Stage } | null) | null;
}

/** Where captured frames go. */
export interface FrameReceiver {
  /** Resolves when that frame may be captured. What it rejects with ends the capture. */
  room(frame: number): Promise<void>;
  /** `sameAs`: an earlier frame that is the very same picture, since nothing on the page changed in between. */
  put(frame: number, picture: Buffer, sameAs: number | null): Promise<void>;
}

interface Worker {
  readonly chromium: Chromium;
  readonly stage: Stage;
  readonly grabber: FrameGrabber;
  /** What was captured last. */
  last: { readonly frame: number; readonly picture: Buffer } | null;
  /** Settles when the frame that was asked for last is there. */
  turn: Promise<unknown>;
}

/**
 * The browsers of one render: each holds the page, and together they capture frames. None is started before
 * it is needed. A browser that dies is replaced once in a capture; its frame is captured again.
 */
export class CapturePool implements AsyncDisposable {
  readonly #options: CaptureOptions;
  readonly #workers: (Promise<Worker> | null)[];

  constructor(options: CaptureOptions) {
    this.#options = options;
    this.#workers = Array.from({ length: options.workers }, () => null);
  }

  /** Begins to start all browsers. A failure of one is reported when it is used. */
  warm(): void {
    for (const index of this.#workers.keys()) this.#worker(index).catch(() => undefined);
  }

  /** What the page says of itself. Throws what `Stage.open` throws. */
  async info(): Promise<StageInfo> {
    return (await this.#workerWithRetry(0)).stage.info;
  }

  /**
   * Captures frames (numbers of the film, in ascending order). Each browser takes the next one that no other
   * has begun, so frames come nearly in the order in which an encoder wants them, at the speed of all
   * browsers together. Rejects with the first failure, when no browser is at work on it any more.
   */
  async capture(frames: readonly number[], receiver: FrameReceiver): Promise<void> {
    let next = 0;
    const failed = new AbortController();
    const take = () => (failed.signal.aborted ? undefined : frames[next++]);
    // A frame whose browser failed never comes, so there may never be room for the next one.
    const room = (frame: number) => untilAborted(receiver.room(frame), failed.signal);
    // A browser more than there are frames would only be started and ended.
    const busy = [...this.#workers.keys()].slice(0, frames.length);
    await Promise.allSettled(
      busy.map(async (index) => {
        try {
          await this.#captureShare(index, take, { ...receiver, room });
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

  async #captureShare(index: number, take: () => number | undefined, receiver: FrameReceiver): Promise<void> {
    let retried = false;
    // A frame is only taken by a browser that is there, since all others wait for it.
    await this.#workerWithRetry(index);
    for (let frame = take(); frame !== undefined; frame = take()) {
      await receiver.room(frame);
      try {
        await this.#grab(index, frame, receiver);
      } catch (error) {
        if (!(error instanceof CaptureError && error.isRetryable)) throw error;
        if (retried) {
          const seconds = (frame / this.#options.fps).toFixed(2);
          throw new ProtocolError('RENDER_FAILED', `The browser failed twice around ${seconds} s. ${error.message}`);
        }
        retried = true;
        await this.#close(index);
        await this.#grab(index, frame, receiver);
      }
    }
  }

  async #grab(index: number, frame: number, receiver: FrameReceiver): Promise<void> {
    const worker = await this.#worker(index);
    // Several captures may want the browser, but its page can only be at one moment.
    const grabbed = worker.turn.then(() => this.#picture(worker, frame));
    worker.turn = Promise.allSettled([grabbed]);
    const { picture, sameAs } = await grabbed;
    await receiver.put(frame, picture, sameAs);
  }

  async #picture(worker: Worker, frame: number): Promise<{ picture: Buffer; sameAs: number | null }> {
    const picture = await worker.grabber.grab(frame / this.#options.fps);
    const sameAs = worker.last?.picture === picture ? worker.last.frame : null;
    worker.last = { frame, picture };
    return { picture, sameAs };
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
    const { launcher, signal, origin, size, transparent, parameters, limits, workers, takeOpenPage } = this.#options;
    const open = takeOpenPage?.();
    if (open) {
      open.stage.setSignal(signal);
      return this.#ready(open.chromium, open.stage);
    }
    // Side by side, browsers use the cores better than threads do.
    const chromium = await launcher.launch(signal, workers > 1 ? 1 : null);
    try {
      const evidence = new PageEvidence();
      const page = { origin, size, transparent, parameters, skipsRedundantDraws: true };
      const stage = await Stage.open(chromium, { ...page, limits, signal, evidence });
      return this.#ready(chromium, stage);
    } catch (error) {
      await chromium[Symbol.asyncDispose]();
      throw error;
    }
  }

  #ready(chromium: Chromium, stage: Stage): Worker {
    const grabber = new FrameGrabber(stage, this.#options.picture);
    return { chromium, stage, grabber, last: null, turn: Promise.resolve() };
  }

  async #close(index: number): Promise<void> {
    const opening = this.#workers[index];
    this.#workers[index] = null;
    const [worker] = await Promise.allSettled([opening]);
    // The page is not asked to close: the browser goes, and the page with it.
    if (worker.status === 'fulfilled') await worker.value?.chromium[Symbol.asyncDispose]();
  }
}

/**
 * Puts frames that several workers capture out of order back into order, and lets no worker run further
 * ahead than `size` frames: what waits here is all the memory that captured frames take.
 */
export class FrameWindow<Frame> {
  readonly #size: number;
  readonly #frames = new Map<number, Frame>();
  readonly #wakers = new Set<() => void>();
  #next: number;
  #failure: { readonly error: unknown } | null = null;

  constructor(first: number, size: number) {
    this.#next = first;
    this.#size = size;
  }

  /** Resolves when frame `index` may be captured. Rejects with what `fail` was given. */
  async room(index: number): Promise<void> {
    while (index >= this.#next + this.#size) await this.#change();
    this.#throwIfFailed();
  }

  put(index: number, frame: Frame): void {
    this.#frames.set(index, frame);
    this.#wake();
  }

  /** The next frame in order. Rejects with what `fail` was given. */
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

  /** Ends every wait with `error`. The first failure is the one that counts. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#wake();
  }

  #throwIfFailed(): void {
    if (this.#failure) throw this.#failure.error;
  }

  async #change(): Promise<void> {
    this.#throwIfFailed();
    await new Promise<void>((resolve) => this.#wakers.add(resolve));
  }

  #wake(): void {
    for (const wake of this.#wakers) wake();
    this.#wakers.clear();
  }
}
