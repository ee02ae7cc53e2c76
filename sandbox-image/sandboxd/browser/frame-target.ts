import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { untilAborted, withTimeLimit } from '../time-limit.ts';
import type { Chromium, Size } from './chromium.ts';

/** Between two frames, as the page's clock sees it. */
export const frameIntervalMs = 1000 / 60;
/** Over ten times what a picture takes. */
const secondRequestAfterMs = 3_000;
const closeTimeoutMs = 1000;

interface FrameTargetOptions {
  readonly size: Size;
  /** Ends the opening; what is at work later its caller must end. */
  readonly signal: AbortSignal;
  /** The message when the page crashes. */
  readonly crash: () => Error;
}

/**
 * A page that draws and is pictured by request: the part of Chromium's protocol that differs between a browser whose
 * frames are driven and one with a clock of its own. Calls have no time limit and throw what the protocol does.
 */
export class FrameTarget implements AsyncDisposable {
  readonly session: CDPSession;
  /** Frames are drawn only by request. */
  readonly frameControl: boolean;
  /** Fires when the page cannot be used any more; its reason says why. */
  readonly gone: AbortSignal;
  readonly #close: () => Promise<void>;
  #frameTimeMs = 1000;

  private constructor(chromium: Chromium, target: Awaited<ReturnType<Chromium['openTarget']>>, crash: () => Error) {
    this.session = target.session;
    this.frameControl = chromium.frameControl;
    this.#close = target.close;
    const crashed = new AbortController();
    // Told once `Inspector.enable` was sent.
    target.session.on('Inspector.targetCrashed', () => crashed.abort(crash()));
    this.gone = AbortSignal.any([chromium.gone, crashed.signal]);
  }

  /** Opens a blank page. Throws the reason of the signal, and CaptureFault `crashed` when the browser ends meanwhile. */
  static async open(chromium: Chromium, { size, signal, crash }: FrameTargetOptions): Promise<FrameTarget> {
    const target = await untilAborted(chromium.openTarget(size), AbortSignal.any([signal, chromium.gone]));
    return new FrameTarget(chromium, target, crash);
  }

  /** Draws one frame and says whether a single pixel may have changed; always true where frames cannot be driven. */
  async draw(): Promise<boolean> {
    if (!this.frameControl) return true;
    const { hasDamage } = await this.#beginFrame({});
    return hasDamage;
  }

  /** The window, drawn anew; null when there is nothing to be pictured, as between two documents. */
  async picture(format: Protocol.HeadlessExperimental.ScreenshotParams): Promise<Buffer | null> {
    // A PNG with the same pixels takes a quarter of the time, at about twice the size; JPEG stays as it is.
    const screenshot = { ...format, optimizeForSpeed: true };
    const data = this.frameControl ? (await this.#beginFrame({ screenshot })).screenshotData : await this.#screenshot(screenshot);
    return data === undefined ? null : Buffer.from(data, 'base64');
  }

  #beginFrame(request: Protocol.HeadlessExperimental.BeginFrameRequest) {
    this.#frameTimeMs += frameIntervalMs;
    const frame = { frameTimeTicks: this.#frameTimeMs, interval: frameIntervalMs };
    return this.session.send('HeadlessExperimental.beginFrame', { ...frame, ...request });
  }

  /** Now and then a Chromium with a clock of its own never answers the first request; a second one wakes it. */
  async #screenshot(format: Protocol.Page.CaptureScreenshotRequest): Promise<string> {
    const take = () => this.session.send('Page.captureScreenshot', { ...format, captureBeyondViewport: false });
    const first = take();
    const answer = await Promise.race([first, delay(secondRequestAfterMs, null, { ref: false })]);
    if (answer !== null) return answer.data;
    await this.session.send('Page.bringToFront');
    return (await Promise.race([first, take()])).data;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    try {
      await withTimeLimit(this.#close(), closeTimeoutMs, () => new Error('The page did not close.'));
    } catch {
      // A page that hangs, or whose browser is gone, cannot be closed by asking; disposing of the browser ends it.
    }
  }
}
