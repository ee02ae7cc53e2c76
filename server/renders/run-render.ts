import { setTimeout as delay } from 'node:timers/promises';
import { type ErrorCode, errorCodeSchema, errorMessage, isCancelled, KodaError } from '#contract/errors.ts';
import type { ParameterValues, Render, RenderProbe, RenderSettings, RenderStage } from '#contract/render.ts';
import { platforms } from '#contract/render-rules.ts';
import type { RenderEvent, RenderJob, StageInfo } from '#contract/sandbox/answers.ts';
import { type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import type { RenderFiles } from './publish.ts';
import { renderedSeconds, renderTimeoutMs } from './settings.ts';

export interface RunDeps {
  readonly acquire: (signal: AbortSignal) => Promise<Sandbox>;
  readonly files: RenderFiles;
  readonly workers: number;
  /** Whether each preview prepares a final, because accepting it renders one. */
  readonly preparesFinals: boolean;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Shared by all attempts, so that progress never appears to go back. */
  readonly tracker: ProgressTracker;
  readonly onProgress: (report: ProgressReport) => Promise<void>;
}

/** Retries while a sandbox is still ending a cancelled render. */
const busyRetries = 20;
const busyWaitMs = 250;

export function renderJob(render: Render, { workers, preparesFinals }: Pick<RunDeps, 'workers' | 'preparesFinals'>): RenderJob {
  const { kind, preset, fileSize, ...output } = render.settings;
  const final = fileSize === 'small' ? 'medium' : 'fast';
  return {
    id: render.id,
    source: kind === 'preview' ? 'dev' : 'build',
    speed: kind === 'preview' ? 'ultrafast' : final,
    ...output,
    chapters: preset === null || platforms[preset].chapters,
    workers: workerCount(render.settings, workers),
    preparesFinal: kind === 'preview' && preparesFinals,
    timeoutMs: renderTimeoutMs(render.settings),
  };
}

/** Renders and publishes. Retries once if the sandbox exits unexpectedly. Errors propagate; nothing is published then. */
export async function runRender(render: Render, deps: RunDeps, options: RunOptions): Promise<RenderProbe> {
  try {
    return await attempt(render, deps, options);
  } catch (error) {
    if (!(error instanceof KodaError && error.code === 'SANDBOX_DEAD') || options.signal.aborted) throw error;
    return await attempt(render, deps, options);
  }
}

async function attempt(render: Render, deps: RunDeps, options: RunOptions): Promise<RenderProbe> {
  const { signal, onProgress, tracker } = options;
  const sandbox = await deps.acquire(signal);
  const probe = await renderInSandbox(sandbox, renderJob(render, deps), options);
  const publishing = tracker.publishing(probe.frames, performance.now());
  if (publishing) await onProgress(publishing);
  await deps.files.publish(render, probe, { sandbox, signal });
  await discard(sandbox, render.id, signal);
  return probe;
}

async function renderInSandbox(sandbox: Sandbox, job: RenderJob, options: RunOptions): Promise<RenderProbe> {
  for (let retries = 0; ; retries++) {
    try {
      return await follow(sandbox, job, options);
    } catch (error) {
      // The previous render may have just been cancelled, or interrupted by a server crash.
      const busy = error instanceof SandboxdError && error.code === 'CONFLICT';
      if (!busy || retries >= busyRetries) throw error;
      await delay(busyWaitMs, null, { signal: options.signal });
    }
  }
}

async function follow(sandbox: Sandbox, job: RenderJob, options: RunOptions): Promise<RenderProbe> {
  for await (const event of sandbox.render(job, { signal: options.signal })) {
    if (event.type === 'error') throw new SandboxdError(event.code, event.message, {});
    if (event.type === 'done') {
      const { type: _, ...probe } = event;
      return probe;
    }
    const report = options.tracker.frames(event, performance.now());
    if (report) await options.onProgress(report);
  }
  throw new KodaError('RENDER_FAILED', 'The render failed: the sandbox returned no result. Render again.', { recovery: 'retry' });
}

async function discard(sandbox: Sandbox, renderId: string, signal: AbortSignal): Promise<void> {
  try {
    await sandbox.deleteRender(renderId, { signal });
  } catch (error) {
    // A sandbox that has ended or rejects the call does not affect the published video.
    if (!(error instanceof KodaError || error instanceof SandboxdError)) throw error;
  }
}

/**
 * On a busy machine (two cores, no GPU), capturing this many pixels takes about as long as starting another browser with the
 * page. Below that, a second browser only takes CPU time from the first one, which may already have the page open.
 */
const pixelsPerBrowser = 20_000_000;

/** Returns the number of browsers: all for a final; for a preview, which a viewer awaits, only as many as help. */
export function workerCount(settings: RenderSettings, configured: number): number {
  if (settings.kind === 'final') return configured;
  const { width, height, fps, range } = settings;
  const pixels = renderedSeconds(range, settings) * fps * width * height;
  return Math.min(configured, Math.max(1, Math.round(pixels / pixelsPerBrowser)));
}

export interface FilmDescription {
  readonly film: StageInfo;
  /** Validation error for each requested set of parameter values, or `null` if it is valid. */
  readonly problems: readonly (string | null)[];
}

/** No frame is captured, so any valid size works. */
const size = { width: 320, height: 180 };

/** Reads the film's description from its page, and validates parameter values. Throws CAPTURE_FAILED. */
export async function describeFilm(
  sandbox: Sandbox,
  parameterSets: readonly ParameterValues[],
  { signal }: { signal: AbortSignal },
): Promise<FilmDescription> {
  try {
    const request = { ...size, atSeconds: [], parameterSets: [...parameterSets], contactSheet: false };
    const report = await sandbox.inspect(request, { signal });
    if (report.info !== null && report.parameterProblems.length === parameterSets.length) {
      return { film: report.info, problems: report.parameterProblems };
    }
    const reason = report.console.findLast(({ level }) => level === 'error')?.text ?? 'It reported no error.';
    throw new KodaError('CAPTURE_FAILED', `The project’s film page did not load. ${reason}`, { recovery: 'retry' });
  } catch (error) {
    throw renderFailure(error);
  }
}

export interface ProgressReport {
  readonly percent: number;
  readonly stage: RenderStage;
  readonly framesDone: number;
  readonly framesTotal: number;
  readonly secondsLeft: number | null;
}

/** The remaining percentage covers joining, measuring and publishing. */
const framesPercent = 96;
const publishingPercent = 98;
/** Each report is stored as a row, and more than five per second are not perceptible. */
const minIntervalMs = 200;
/** A stage change is reported at once and stored as a row. A regular render has only a few. */
const maxStageChanges = 16;

/** Converts the sandbox's reports into events. Limits their rate, and never goes back, even if a range is rendered again. */
export class ProgressTracker {
  #reported: ProgressReport | null = null;
  #reportedAtMs = Number.NEGATIVE_INFINITY;
  #percent = 0;
  #stageChanges = 0;

  /** Returns the report to send now, or `null` if it is too early or nothing has changed. Reports a new stage immediately. */
  frames(event: Extract<RenderEvent, { type: 'progress' }>, nowMs: number): ProgressReport | null {
    const { stage, framesDone, framesTotal, secondsLeft } = event;
    // The values are untrusted, and a NaN would make the event permanently unreadable.
    const share = framesTotal > 0 ? Math.min(1, framesDone / framesTotal) : 0;
    return this.#report({ percent: share * framesPercent, stage, framesDone, framesTotal, secondsLeft }, nowMs);
  }

  /** Reports that the finished video is being fetched. */
  publishing(frames: number, nowMs: number): ProgressReport | null {
    const report = {
      percent: publishingPercent,
      stage: 'publishing',
      framesDone: frames,
      framesTotal: frames,
      secondsLeft: null,
    } as const;
    return this.#report(report, nowMs);
  }

  #report(report: ProgressReport, nowMs: number): ProgressReport | null {
    this.#percent = Math.max(this.#percent, Math.round(report.percent * 10) / 10);
    const newStage = this.#reported?.stage !== report.stage && this.#stageChanges < maxStageChanges;
    if (!newStage && (nowMs - this.#reportedAtMs < minIntervalMs || this.#reported?.percent === this.#percent)) return null;
    if (newStage) this.#stageChanges += 1;
    this.#reportedAtMs = nowMs;
    this.#reported = { ...report, percent: this.#percent };
    return this.#reported;
  }
}

const sameMeaning: Partial<Record<string, ErrorCode>> = { EXECUTION_FAILED: 'RENDER_FAILED', INTERNAL_ERROR: 'RENDER_FAILED' };

/** Converts an error into one that can be shown to the user. Unknown errors become RENDER_FAILED. */
export function renderFailure(error: unknown): KodaError {
  if (error instanceof KodaError) return error;
  if (error instanceof SandboxdError) {
    const known = errorCodeSchema.safeParse(sameMeaning[error.code] ?? error.code);
    return new KodaError(known.success ? known.data : 'RENDER_FAILED', error.message, {
      details: error.details,
      recovery: 'retry',
      cause: error,
    });
  }
  if (isCancelled(error)) return new KodaError('CANCELLED', 'The render was cancelled.', { cause: error });
  return new KodaError('RENDER_FAILED', `The render failed: ${errorMessage(error)}`, { recovery: 'retry', cause: error });
}

export function isOver(render: Render): boolean {
  return render.status !== 'queued' && render.status !== 'running';
}

export function failed(render: Render, error: KodaError): Render {
  const { code, message } = error;
  return {
    ...render,
    status: code === 'CANCELLED' ? 'cancelled' : 'failed',
    stage: null,
    error: { code, message },
    finishedAt: new Date().toISOString(),
  };
}
