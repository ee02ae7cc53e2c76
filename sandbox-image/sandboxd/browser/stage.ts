import { type Aspect, frameSize, type ParameterValues } from '#contract/render.ts';
import { type StageInfo, stageInfoSchema } from '#contract/sandbox/answers.ts';
import {
  canvasImageSchema,
  captureCall,
  type LayoutSnapshot,
  layoutSnapshotSchema,
  parameterProblemsSchema,
  type ReadyState,
  readyStateSchema,
  type VisibleBodies,
  visibleBodiesSchema,
} from '../page/protocol.ts';
import { pageScript } from '../page-scripts.ts';
import { currentSlowness } from '../slowness.ts';
import { CaptureError } from './capture-error.ts';
import type { Chromium, Size } from './chromium.ts';
import { DirectCapture } from './direct-capture.ts';
import { FrameTarget } from './frame-target.ts';
import { PageCalls } from './page-calls.ts';
import { collectEvidence, describeException, guardNetwork, type PageEvidence } from './page-evidence.ts';
import { PendingRequests } from './pending-requests.ts';

/** Timeouts for an idle machine. On a busy one they are longer (`slowness`). */
export interface StageLimits {
  readonly readyTimeoutMs: number;
  readonly callTimeoutMs: number;
}

export const defaultLimits: StageLimits = { readyTimeoutMs: 30_000, callTimeoutMs: 20_000 };

/** Time for a page to become ready after an error on an idle machine, because a stray error need not be fatal. */
const brokenGraceMs = 3000;
const pollIntervalMs = 15;
/** Frames drawn after the page is ready, to settle its last changes before the first seek. */
const settlingFrames = 2;
/** A loaded file may request another one. A page that requests one in every frame is captured after as many. */
const maxLoadingRounds = 5;
const jpegQuality = 95;

export interface StageOptions {
  readonly origin: string;
  readonly size: Size;
  /** Renders without a background: uncovered pixels have an alpha of 0. */
  readonly transparent: boolean;
  /** Values for the film's parameters; `null` for its defaults. */
  readonly parameters: ParameterValues | null;
  /** Shape in which the page lays the film out; `null` for the film's own. */
  readonly aspect: Aspect | null;
  /** Skips WebGL calls that would redraw an unchanged canvas. Requires frame control. */
  readonly skipsRedundantDraws: boolean;
  readonly signal: AbortSignal;
  readonly limits: StageLimits;
  readonly evidence: PageEvidence;
}

export interface SeekOutcome {
  readonly drewCanvas: boolean;
}

export type ImageFormat = 'png' | 'jpeg';

/** A canvas's content as JPEG. `form` is its position and style. */
export interface CanvasImage {
  readonly form: string;
  readonly image: Buffer;
}

/**
 * Project page in export mode. Methods throw CaptureError, or the signal's reason. After `blocked` or `crashed`, the page is
 * unusable and the browser must be disposed.
 */
export class Stage implements AsyncDisposable {
  readonly evidence: PageEvidence;
  readonly #target: FrameTarget;
  readonly #calls: PageCalls;
  readonly #limits: StageLimits;
  readonly #url: string;
  readonly #chromium: Chromium;
  readonly #size: Size;
  #direct: DirectCapture | null = null;
  readonly #requests = new PendingRequests();
  #info: StageInfo | null = null;

  private constructor(chromium: Chromium, target: FrameTarget, options: StageOptions) {
    const { evidence, limits, signal, origin, transparent, aspect, size } = options;
    this.evidence = evidence;
    this.#chromium = chromium;
    this.#target = target;
    this.#size = size;
    this.#limits = limits;
    this.#url = `${origin}/?export${transparent ? '&transparent' : ''}${aspect === null ? '' : `&aspect=${aspect}`}`;
    this.#calls = new PageCalls(target, { timeoutMs: limits.callTimeoutMs, evidence, signal });
  }

  /** Opens the page with `?export` and waits until it is ready. Fills `options.evidence` even on an error. */
  static async open(chromium: Chromium, options: StageOptions): Promise<Stage> {
    const { size, signal, evidence } = options;
    const what = 'The page crashed its browser process, probably because it ran out of memory.';
    const crash = () => new CaptureError('crashed', what, evidence.errors);
    const stage = new Stage(chromium, await FrameTarget.open(chromium, { size, signal, crash }), options);
    try {
      await stage.#load(options);
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
    return stage;
  }

  /** Transfers the stage to a new owner, whose signal aborts its calls. */
  setSignal(signal: AbortSignal): void {
    this.#calls.setSignal(signal);
  }

  get info(): StageInfo {
    if (!this.#info) throw new Error('The stage was used before it was ready.');
    return this.#info;
  }

  /**
   * Sets the page to a timestamp, once it has loaded what it shows then. The screen changes only with `capture` or `draw`.
   */
  async seek(seconds: number): Promise<SeekOutcome> {
    const startedAtMs = performance.now();
    let drewCanvas = false;
    for (let round = 0; ; round++) {
      const outcome = await this.#seekOnce(seconds);
      drewCanvas ||= outcome === 'drawn' || outcome === 'loading';
      if (outcome === 'rewound') await this.#open();
      else if (outcome !== 'loading' && (this.#requests.urls.length === 0 || round >= maxLoadingRounds)) return { drewCanvas };
      else await this.#untilLoaded(seconds, startedAtMs);
    }
  }

  async #seekOnce(seconds: number): Promise<'unchanged' | 'drawn' | 'loading' | 'rewound'> {
    const doing = `moving to ${seconds.toFixed(3)} s`;
    const { result, exceptionDetails } = await this.#calls.evaluate(captureCall('seek', seconds), doing);
    if (exceptionDetails) {
      throw this.#calls.error('seek_failed', `The page threw an error while ${doing}: ${describeException(exceptionDetails)}.`);
    }
    switch (result.value) {
      case 'unchanged':
      case 'drawn':
      case 'loading':
      case 'rewound':
        return result.value;
      case 'async':
        throw this.#calls.error('seek_async', 'window.__exportSeekTo returned a promise.');
      case 'lost':
        throw this.#calls.error('webgl_lost', `The page lost its WebGL context while ${doing}.`);
      case 'reloaded':
      case undefined:
        throw this.#calls.error('reloaded', 'The page reloaded itself during the capture.');
      default:
        throw this.#calls.error('seek_failed', `The page failed while ${doing}: ${String(result.value)}.`);
    }
  }

  /** Waits for requests, and gives the page time to decode what they brought. */
  async #untilLoaded(seconds: number, startedAtMs: number): Promise<void> {
    do {
      if (performance.now() - startedAtMs > this.#limits.readyTimeoutMs * currentSlowness()) {
        const what = this.#requests.urls.slice(0, 3).join(', ') || 'a font or an image';
        throw this.#calls.error('never_ready', `At ${seconds.toFixed(3)} s the page still loads ${what}.`);
      }
      await this.draw();
      await this.#calls.pause(pollIntervalMs);
    } while (this.#requests.urls.length > 0);
  }

  /** Returns the validation error for each set of parameter values, or `null` if it is valid. */
  async parameterProblems(sets: readonly ParameterValues[]): Promise<(string | null)[]> {
    const doing = 'checking parameters';
    const { result, exceptionDetails } = await this.#calls.evaluate(captureCall('checkParameters', sets), doing);
    if (exceptionDetails)
      throw this.#calls.error('page_error', `The page threw an error while ${doing}: ${describeException(exceptionDetails)}.`);
    const problems = parameterProblemsSchema.safeParse(result.value);
    if (problems.success && problems.data?.length === sets.length) return problems.data;
    // The page does not validate parameters, so only their names can be checked.
    return sets.map((values) => this.#undeclared(values));
  }

  /** Returns the layout at the current timestamp, or `null` if the page does not report it. */
  async layout(): Promise<LayoutSnapshot | null> {
    const { result } = await this.#calls.evaluate(captureCall('layout'), 'reporting its layout');
    const snapshot = layoutSnapshotSchema.safeParse(result.value);
    return snapshot.success ? snapshot.data : null;
  }

  /** Returns the visible cast at the current timestamp, or `null` if the page does not report it. */
  async cast(): Promise<VisibleBodies | null> {
    const { result } = await this.#calls.evaluate(captureCall('cast'), 'reporting its visible objects');
    const visibleBodies = visibleBodiesSchema.safeParse(result.value ?? null);
    return visibleBodies.success ? visibleBodies.data : null;
  }

  /** Captures the current timestamp with all glyphs in `glyphMark`. */
  async captureMarkedGlyphs(): Promise<Buffer> {
    const doing = 'looking at its texts';
    await this.#calls.evaluate(captureCall('markGlyphs', true), doing);
    const image = await this.capture('png');
    await this.#calls.evaluate(captureCall('markGlyphs', false), doing);
    return image;
  }

  /** Redraws and captures the page at the current timestamp. */
  async capture(format: ImageFormat, quality = jpegQuality): Promise<Buffer> {
    const request = format === 'jpeg' ? { format, quality } : { format };
    const image = await this.#calls.wait(this.#target.capture(request), 'capturing a frame');
    if (image === null) throw await this.#missingImage();
    return image;
  }

  /** Captures the canvas without drawing to the screen. `null` if anything else may be visible, or without frame control. */
  async captureCanvas(): Promise<CanvasImage | null> {
    if (!this.#target.frameControl) return null;
    const { result } = await this.#calls.evaluate(captureCall('canvasImage', jpegQuality / 100), 'capturing a frame');
    const found = canvasImageSchema.safeParse(result.value);
    return found.success && found.data ? { form: found.data.form, image: Buffer.from(found.data.data, 'base64') } : null;
  }

  /**
   * Chooses where the page draws from the next seek on: into a file for `captureDirect`, or to the screen for all other methods.
   * Throws DirectCaptureError if the page or the browser cannot draw into a file.
   */
  async setDirect(isDirect: boolean): Promise<void> {
    if (!isDirect) return await this.#direct?.leave();
    const page = { chromium: this.#chromium, target: this.#target, calls: this.#calls, size: this.#size };
    this.#direct ??= await DirectCapture.start(page);
    await this.#direct.enter();
  }

  /**
   * Returns the current timestamp as bare pixels in I420, BT.709 with limited range, or `null` if nothing has changed since the
   * last call. Throws DirectCaptureError if the page cannot draw what it shows.
   */
  async captureDirect(): Promise<Buffer | null> {
    if (this.#direct === null) throw this.#calls.error('reloaded', 'The page reloaded itself during the capture.');
    return await this.#direct.capture();
  }

  async #missingImage(): Promise<CaptureError> {
    const doing = 'capturing a frame';
    const { result } = await this.#calls.evaluate(captureCall('hasStarted'), doing);
    if (result.value === true) return this.#calls.error('crashed', 'Chromium returned no image.');
    return this.#calls.error('reloaded', `The page reloaded itself while ${doing}.`);
  }

  /**
   * Draws without a capture, which takes 2 ms if nothing has changed. Returns whether any pixel may have changed; always
   * `true` without frame control.
   */
  async draw(): Promise<boolean> {
    return await this.#calls.wait(this.#target.draw(), 'drawing a frame');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#target[Symbol.asyncDispose]();
  }

  async #load({ origin, transparent, parameters, aspect, skipsRedundantDraws }: StageOptions): Promise<void> {
    const { session } = this.#target;
    const beforePage = [pageScript('capture')];
    if (skipsRedundantDraws && this.#target.frameControl) beforePage.push(pageScript('redundant-draws'));
    if (parameters) beforePage.push(`window.__exportParameters = ${JSON.stringify(parameters)};`);
    await Promise.all([
      this.#calls.wait(session.send('Page.enable'), 'opening'),
      this.#calls.wait(session.send('Inspector.enable'), 'opening'),
      this.#calls.wait(collectEvidence(session, this.evidence), 'opening'),
      this.#calls.wait(guardNetwork(session, origin, { evidence: this.evidence, stillImages: true }), 'opening'),
      this.#calls.wait(this.#requests.follow(session), 'opening'),
      ...beforePage.map((source) =>
        this.#calls.wait(session.send('Page.addScriptToEvaluateOnNewDocument', { source }), 'opening'),
      ),
    ]);
    if (transparent) {
      const color = { r: 0, g: 0, b: 0, a: 0 };
      await this.#calls.wait(session.send('Emulation.setDefaultBackgroundColorOverride', { color }), 'opening');
    }
    await this.#open();
    if (aspect !== null) this.#requireAspect(aspect);
    const undeclared = this.#undeclared(parameters ?? {});
    if (undeclared !== null) throw new CaptureError('bad_parameters', undeclared, []);
  }

  async #open(): Promise<void> {
    this.#direct = null;
    this.#requests.clear();
    const navigating = this.#target.session.send('Page.navigate', { url: this.#url });
    const { errorText } = await this.#calls.wait(navigating, 'loading');
    if (errorText) throw this.#calls.error('unreachable', `The page at ${this.#url} could not be opened: ${errorText}.`);
    this.#info = this.#acceptInfo(await this.#untilReady());
    await this.#calls.evaluate(captureCall('start'), 'opening');
    for (let frame = 0; frame < settlingFrames; frame++) await this.draw();
  }

  /** Polls by script. Animation frames would never arrive, because frames are drawn only on request. */
  async #untilReady(): Promise<unknown> {
    const startedAtMs = performance.now();
    for (;;) {
      const state = await this.#readyState();
      if (state?.parameterError) throw new CaptureError('bad_parameters', state.parameterError, []);
      if (state?.error) throw this.#calls.error('page_error', `The page failed while loading: ${state.error}`);
      if (state?.ready) return state.info;
      const nowMs = performance.now();
      const { brokenAtMs } = this.evidence;
      if (brokenAtMs !== null && nowMs - brokenAtMs > brokenGraceMs * currentSlowness()) {
        throw this.#calls.error('page_error', 'The page threw an error while loading and did not become ready.');
      }
      const waitedMs = nowMs - startedAtMs;
      if (waitedMs > this.#limits.readyTimeoutMs * currentSlowness()) {
        throw this.#calls.error('never_ready', `The page was not ready after ${(waitedMs / 1000).toFixed(0)} s.`);
      }
      await this.draw();
      await this.#calls.pause(pollIntervalMs);
    }
  }

  async #readyState(): Promise<ReadyState | null> {
    try {
      const { result } = await this.#calls.evaluate(captureCall('readyState'), 'loading');
      return readyStateSchema.optional().parse(result.value) ?? null;
    } catch (error) {
      // There is no document between two pages; the next poll finds the new one.
      if (error instanceof CaptureError && error.reason === 'reloaded') return null;
      throw error;
    }
  }

  #acceptInfo(info: unknown): StageInfo {
    const parsed = stageInfoSchema.safeParse(info);
    if (parsed.success) return parsed.data;
    throw this.#calls.error('zero_duration', `window.__exportInfo is ${JSON.stringify(info)}, which has no valid duration.`);
  }

  /** The project's copy of the stage may predate this option, and would draw a part of the film. */
  #requireAspect(aspect: Aspect): void {
    const { width, height } = this.info;
    const wanted = frameSize(aspect, '1080p');
    if (Math.abs((width / height) * (wanted.height / wanted.width) - 1) < 0.01) return;
    throw new CaptureError('bad_aspect', `The film page draws ${width}×${height} and cannot lay the film out in ${aspect}.`, []);
  }

  /** Returns an error for undeclared names, because a page without parameters does not validate them. */
  #undeclared(values: ParameterValues): string | null {
    const declared = this.info.parameters.map(({ name }) => name);
    const unknown = Object.keys(values).find((name) => !declared.includes(name));
    if (unknown === undefined) return null;
    const known = declared.length > 0 ? `Its parameters: ${declared.join(', ')}.` : 'It has no parameters.';
    return `The film has no parameter "${unknown}". ${known}`;
  }
}
