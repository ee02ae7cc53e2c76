import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import { untilAborted, withTimeLimit } from '../time-limit.ts';
import type { Chromium, Size } from './chromium.ts';

/** Time between two frames on the page's clock. */
export const frameIntervalMs = 1000 / 60;
/** More than ten times the usual duration of a capture. */
const secondRequestAfterMs = 3_000;
const closeTimeoutMs = 1000;

interface FrameTargetOptions {
  readonly size: Size;
  /** Aborts the opening. Later work must be ended by the caller. */
  readonly signal: AbortSignal;
  readonly crash: () => Error;
}

/** Page that draws and captures on request, with or without frame control. Calls have no timeout. */
export class FrameTarget implements AsyncDisposable {
  readonly session: CDPSession;
  readonly frameControl: boolean;
  /** Aborts when the page becomes unusable; its reason is the cause. */
  readonly closed: AbortSignal;
  readonly #close: () => Promise<void>;
  #frameTimeMs = 1000;

  private constructor(chromium: Chromium, target: Awaited<ReturnType<Chromium['openTarget']>>, crash: () => Error) {
    this.session = target.session;
    this.frameControl = chromium.frameControl;
    this.#close = target.close;
    const crashed = new AbortController();
    // Requires `Inspector.enable`.
    target.session.on('Inspector.targetCrashed', () => crashed.abort(crash()));
    this.closed = AbortSignal.any([chromium.closed, crashed.signal]);
  }

  /** Opens a blank page. Throws the signal's reason, or CaptureError `crashed` if the browser exits. */
  static async open(chromium: Chromium, { size, signal, crash }: FrameTargetOptions): Promise<FrameTarget> {
    const target = await untilAborted(chromium.openTarget(size), AbortSignal.any([signal, chromium.closed]));
    return new FrameTarget(chromium, target, crash);
  }

  /** Draws one frame. Returns whether any pixel may have changed; always `true` without frame control. */
  async draw(): Promise<boolean> {
    if (!this.frameControl) return true;
    const { hasDamage } = await this.#beginFrame({});
    return hasDamage;
  }

  /** Lets the page update and paint without drawing to the screen. Requires frame control. */
  async update(): Promise<void> {
    await this.#beginFrame({ noDisplayUpdates: true });
  }

  async capture(format: Protocol.HeadlessExperimental.ScreenshotParams): Promise<Buffer | null> {
    // Takes a quarter of the time for a PNG of about twice the size and the same pixels. Does not affect JPEG.
    const screenshot = { ...format, optimizeForSpeed: true };
    const data = this.frameControl ? (await this.#beginFrame({ screenshot })).screenshotData : await this.#screenshot(screenshot);
    return data === undefined ? null : Buffer.from(data, 'base64');
  }

  #beginFrame(request: Protocol.HeadlessExperimental.BeginFrameRequest) {
    this.#frameTimeMs += frameIntervalMs;
    const frame = { frameTimeTicks: this.#frameTimeMs, interval: frameIntervalMs };
    return this.session.send('HeadlessExperimental.beginFrame', { ...frame, ...request });
  }

  /** Without frame control, Chromium occasionally never responds to the first request; a second one unblocks it. */
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
      // A page that hangs cannot be closed; disposing the browser ends it.
    }
  }
}
