import type { ParameterValues } from '../../../server/contract/render.ts';
import { type StageInfo, stageInfoSchema } from '../../../server/contract/sandboxd.ts';
import {
  canvasPictureSchema,
  captureCall,
  type LayoutSnapshot,
  layoutSnapshotSchema,
  parameterProblemsSchema,
  type ReadyState,
  readyStateSchema,
  type Sightings,
  sightingsSchema,
} from '../page/protocol.ts';
import { pageScript } from '../page-scripts.ts';
import type { Chromium, Size } from './chromium.ts';
import { CaptureFault } from './faults.ts';
import { FrameTarget } from './frame-target.ts';
import { currentSlowness, PageCalls } from './page-calls.ts';
import { collectEvidence, describeException, guardNetwork, type PageEvidence } from './page-evidence.ts';

/** On an idle machine; a busy one gets more (`slowness`). */
export interface StageLimits {
  /** From navigation to `window.__exportReady`. */
  readonly readyTimeoutMs: number;
  /** The longest a single seek or picture may take; beyond it the page is called blocked. */
  readonly callTimeoutMs: number;
}

export const defaultLimits: StageLimits = { readyTimeoutMs: 30_000, callTimeoutMs: 20_000 };

/** How long a page that threw may still become ready: a stray error is no reason to refuse it. */
const brokenGraceMs = 3000;
const pollIntervalMs = 15;
/** Frames drawn after the page is ready, so that what it changed last is laid out before the first seek. */
const settlingFrames = 2;
const jpegQuality = 95;

export interface StageOptions {
  /** Origin of the dev server or of the build, `http://127.0.0.1:5173`. */
  readonly origin: string;
  readonly size: Size;
  /** Without a background: the page leaves its own out, and what nothing covers has an alpha of 0. */
  readonly transparent: boolean;
  /** Values for the film's parameters; null = its own. */
  readonly parameters: ParameterValues | null;
  /** WebGL calls that would draw once more what a canvas shows are not carried out, where frames are driven. */
  readonly sparesCanvases: boolean;
  readonly signal: AbortSignal;
  readonly limits: StageLimits;
  readonly evidence: PageEvidence;
}

export interface SeekOutcome {
  /** A WebGL canvas was drawn upon, so that the browser will draw, too. Always false where canvases are not watched. */
  readonly drewCanvas: boolean;
}

export type PictureFormat = 'png' | 'jpeg';

/** What a canvas shows, which is JPEG, and how it is placed and styled. */
export interface CanvasPicture {
  readonly form: string;
  readonly picture: Buffer;
}

/**
 * A project's page in export mode, ready to be set to any moment and to be pictured there.
 * Every method throws CaptureFault, or the reason of `signal` once that fired. After a fault of reason
 * `blocked` or `crashed` the browser must be disposed; the page cannot be talked to any more.
 */
export class Stage implements AsyncDisposable {
  readonly evidence: PageEvidence;
  readonly #target: FrameTarget;
  readonly #calls: PageCalls;
  readonly #limits: StageLimits;
  #info: StageInfo | null = null;

  private constructor(target: FrameTarget, { evidence, limits, signal }: StageOptions) {
    this.evidence = evidence;
    this.#target = target;
    this.#limits = limits;
    this.#calls = new PageCalls(target, { timeoutMs: limits.callTimeoutMs, evidence, signal });
  }

  /** Opens the page with `?export` and waits until it is ready. `options.evidence` is filled even when this throws. */
  static async open(chromium: Chromium, options: StageOptions): Promise<Stage> {
    const { size, signal, evidence } = options;
    const what = 'The page crashed its browser process, most often for want of memory.';
    const crash = () => new CaptureFault('crashed', what, evidence.errors);
    const stage = new Stage(await FrameTarget.open(chromium, { size, signal, crash }), options);
    try {
      await stage.#load(options);
    } catch (error) {
      await stage[Symbol.asyncDispose]();
      throw error;
    }
    return stage;
  }

  /** Hands the stage over: from now on its calls end with this signal instead of the one it was opened with. */
  obey(signal: AbortSignal): void {
    this.#calls.obey(signal);
  }

  get info(): StageInfo {
    if (!this.#info) throw new Error('The stage was used before it was ready.');
    return this.#info;
  }

  /** Sets the page to exactly that moment. Nothing is drawn to the screen before `capture` or `draw`. */
  async seek(seconds: number): Promise<SeekOutcome> {
    const doing = `it was set to ${seconds.toFixed(3)} s`;
    const { result, exceptionDetails } = await this.#calls.evaluate(captureCall('seek', seconds), doing);
    if (exceptionDetails) {
      throw this.#calls.fault('seek_failed', `The page threw when ${doing}: ${describeException(exceptionDetails)}.`);
    }
    switch (result.value) {
      case 'still':
      case 'drawn':
        return { drewCanvas: result.value === 'drawn' };
      case 'async':
        throw this.#calls.fault('seek_async', 'window.__exportSeekTo returned a promise.');
      case 'lost':
        throw this.#calls.fault('webgl_lost', `The page lost its WebGL context when ${doing}.`);
      case 'gone':
      case undefined:
        throw this.#calls.fault('reloaded', 'The page reloaded itself during the capture.');
      default:
        throw this.#calls.fault('seek_failed', `The page failed when ${doing}: ${String(result.value)}.`);
    }
  }

  /** What is wrong with each of these sets of values for the film's parameters, in sentences; null = nothing. */
  async parameterProblems(sets: readonly ParameterValues[]): Promise<(string | null)[]> {
    const doing = 'parameters were checked';
    const { result, exceptionDetails } = await this.#calls.evaluate(captureCall('checkParameters', sets), doing);
    if (exceptionDetails)
      throw this.#calls.fault('page_error', `The page threw when ${doing}: ${describeException(exceptionDetails)}.`);
    const problems = parameterProblemsSchema.safeParse(result.value);
    if (problems.success && problems.data?.length === sets.length) return problems.data;
    // The page does not check; what can be known is whether there are such parameters.
    return sets.map((values) => this.#undeclared(values));
  }

  /** What stands where in the page as it was set; null when the page hides it. */
  async layout(): Promise<LayoutSnapshot | null> {
    const { result } = await this.#calls.evaluate(captureCall('layout'), 'its layout was read');
    const snapshot = layoutSnapshotSchema.safeParse(result.value);
    return snapshot.success ? snapshot.data : null;
  }

  /** Who of the cast the page says is there as it was set; null when it does not say. */
  async cast(): Promise<Sightings | null> {
    const { result } = await this.#calls.evaluate(captureCall('cast'), 'its cast was read');
    const sightings = sightingsSchema.safeParse(result.value ?? null);
    return sightings.success ? sightings.data : null;
  }

  /** The picture of the page as it was set, always drawn anew. */
  async capture(format: PictureFormat, quality = jpegQuality): Promise<Buffer> {
    const request = format === 'jpeg' ? { format, quality } : { format };
    const picture = await this.#calls.wait(this.#target.picture(request), 'a picture was taken');
    if (picture === null) throw await this.#noPicture();
    return picture;
  }

  /**
   * What the page's canvas shows as it was set, at the quality of `capture`; null when anything else may be seen, or
   * when frames cannot be driven. Nothing is drawn to the screen.
   */
  async captureCanvas(): Promise<CanvasPicture | null> {
    if (!this.#target.frameControl) return null;
    const { result } = await this.#calls.evaluate(captureCall('canvasPicture', jpegQuality / 100), 'a picture was taken');
    const found = canvasPictureSchema.safeParse(result.value);
    return found.success && found.data ? { form: found.data.form, picture: Buffer.from(found.data.data, 'base64') } : null;
  }

  /** Between two documents there is nothing to be pictured. */
  async #noPicture(): Promise<CaptureFault> {
    const doing = 'a picture was taken';
    const { result } = await this.#calls.evaluate(captureCall('hasBegun'), doing);
    if (result.value === true) return this.#calls.fault('crashed', 'Chromium gave no picture.');
    return this.#calls.fault('reloaded', `The page reloaded itself while ${doing}.`);
  }

  /**
   * Draws without taking a picture and says whether a single pixel may have changed since the frame before.
   * Costs 2 ms when nothing did. Always true where frames cannot be driven.
   */
  async draw(): Promise<boolean> {
    return await this.#calls.wait(this.#target.draw(), 'a frame was drawn');
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#target[Symbol.asyncDispose]();
  }

  async #load({ origin, transparent, parameters, sparesCanvases }: StageOptions): Promise<void> {
    const { session } = this.#target;
    const beforePage = [pageScript('capture')];
    if (sparesCanvases && this.#target.frameControl) beforePage.push(pageScript('still-canvas'));
    if (parameters) beforePage.push(`window.__exportParameters = ${JSON.stringify(parameters)};`);
    await Promise.all([
      this.#calls.wait(session.send('Page.enable'), 'it was opened'),
      this.#calls.wait(session.send('Inspector.enable'), 'it was opened'),
      this.#calls.wait(collectEvidence(session, this.evidence), 'it was opened'),
      this.#calls.wait(guardNetwork(session, origin, this.evidence), 'it was opened'),
      ...beforePage.map((source) =>
        this.#calls.wait(session.send('Page.addScriptToEvaluateOnNewDocument', { source }), 'it was opened'),
      ),
    ]);
    if (transparent) {
      const color = { r: 0, g: 0, b: 0, a: 0 };
      await this.#calls.wait(session.send('Emulation.setDefaultBackgroundColorOverride', { color }), 'it was opened');
    }
    const url = `${origin}/?export${transparent ? '&transparent' : ''}`;
    const { errorText } = await this.#calls.wait(session.send('Page.navigate', { url }), 'it was loading');
    if (errorText) throw this.#calls.fault('unreachable', `The page at ${url} could not be opened: ${errorText}.`);
    this.#info = this.#acceptInfo(await this.#untilReady());
    const undeclared = this.#undeclared(parameters ?? {});
    if (undeclared !== null) throw new CaptureFault('bad_parameters', undeclared, []);
    await this.#calls.evaluate(captureCall('begin'), 'it was opened');
    for (let frame = 0; frame < settlingFrames; frame++) await this.draw();
  }

  /** Polls by script: what waits on animation frames would wait for ever, since frames come only from here. */
  async #untilReady(): Promise<unknown> {
    const startedAtMs = performance.now();
    for (;;) {
      const state = await this.#readyState();
      if (state?.parameterError) throw new CaptureFault('bad_parameters', state.parameterError, []);
      if (state?.error) throw this.#calls.fault('page_error', `The page failed while it was loading: ${state.error}`);
      if (state?.ready) return state.info;
      const nowMs = performance.now();
      const { brokenAtMs } = this.evidence;
      if (brokenAtMs !== null && nowMs - brokenAtMs > brokenGraceMs) {
        throw this.#calls.fault('page_error', 'The page threw while it was loading and did not become ready.');
      }
      const waitedMs = nowMs - startedAtMs;
      if (waitedMs > this.#limits.readyTimeoutMs * currentSlowness()) {
        throw this.#calls.fault('never_ready', `The page was not ready after ${(waitedMs / 1000).toFixed(0)} s.`);
      }
      await this.draw();
      await this.#calls.pause(pollIntervalMs);
    }
  }

  async #readyState(): Promise<ReadyState | null> {
    try {
      const { result } = await this.#calls.evaluate(captureCall('readyState'), 'it was loading');
      return readyStateSchema.optional().parse(result.value) ?? null;
    } catch (error) {
      // Between two documents there is nothing to ask; the next poll finds the new one.
      if (error instanceof CaptureFault && error.reason === 'reloaded') return null;
      throw error;
    }
  }

  #acceptInfo(info: unknown): StageInfo {
    const parsed = stageInfoSchema.safeParse(info);
    if (parsed.success) return parsed.data;
    throw this.#calls.fault('zero_duration', `window.__exportInfo is ${JSON.stringify(info)}, which is no stage with a length.`);
  }

  /** Why these values cannot be set, as far as names show; a page without parameters refuses none itself. */
  #undeclared(values: ParameterValues): string | null {
    const declared = this.info.parameters.map(({ name }) => name);
    const unknown = Object.keys(values).find((name) => !declared.includes(name));
    if (unknown === undefined) return null;
    const known = declared.length > 0 ? `It has: ${declared.join(', ')}.` : 'It has none at all.';
    return `The film has no parameter "${unknown}". ${known}`;
  }
}
