import { setTimeout as delay } from 'node:timers/promises';
import { KodaError } from '../contract/errors.ts';
import type { ParameterValues, Render, RenderProbe, RenderSettings, RenderStage } from '../contract/render.ts';
import type { RenderEvent, RenderJob, StageInfo } from '../contract/sandboxd.ts';
import { type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import { renderFailure } from './failure.ts';
import type { RenderFiles } from './publish.ts';
import { partSeconds, renderTimeoutMs } from './settings.ts';

export interface RunDeps {
  /** The project's sandbox, its files complete. */
  readonly acquire: (projectId: string, signal: AbortSignal) => Promise<Sandbox>;
  readonly files: RenderFiles;
  /** Browsers at work on one render, at most. */
  readonly workers: number;
}

export interface RunOptions {
  readonly signal: AbortSignal;
  /** Of all attempts, so that nothing seems to go back. */
  readonly tracker: ProgressTracker;
  readonly onProgress: (report: ProgressReport) => Promise<void>;
}

/** How long a sandbox may need to end a render that was just cancelled. */
const busyRetries = 20;
const busyWaitMs = 250;

/** What the sandbox is asked to do for a render; `workers` at most are put to it. */
export function renderJob(render: Render, workers: number): RenderJob {
  const { kind, preset: _, ...picture } = render.settings;
  const preview = kind === 'preview';
  return {
    id: render.id,
    source: preview ? 'dev' : 'build',
    speed: preview ? 'ultrafast' : 'veryfast',
    ...picture,
    workers: workerCount(render.settings, workers),
    timeoutMs: renderTimeoutMs(render.settings),
  };
}

/**
 * One render from beginning to end: in the sandbox, then published. When the sandbox dies under it, it is
 * done again in a new one, once. Throws what went wrong; then nothing of it is visible.
 */
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
  const sandbox = await deps.acquire(render.projectId, signal);
  const probe = await renderInSandbox(sandbox, renderJob(render, deps.workers), options);
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
      // The one before may have been cancelled a moment ago, or by a server that died.
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
  throw new KodaError('RENDER_FAILED', 'The sandbox ended the render without a result. Render again.', { recovery: 'retry' });
}

/** The video is published; what stays in the sandbox only takes space there. */
async function discard(sandbox: Sandbox, renderId: string, signal: AbortSignal): Promise<void> {
  try {
    await sandbox.deleteRender(renderId, { signal });
  } catch (error) {
    // A sandbox that is gone, or that refuses, does not make the published video worse.
    if (!(error instanceof KodaError || error instanceof SandboxdError)) throw error;
  }
}

/**
 * Capturing this many pixels takes about as long as it takes a busy machine to start one more browser and to
 * load the page in it (measured on two cores without a GPU). Under it, a second browser only takes
 * processor time from the first, which may have the page open already.
 */
const pixelsPerBrowser = 20_000_000;

/**
 * How many browsers a render is captured with, `configured` at most. A preview is small and awaited, so it
 * starts no more of them than it has work for; a final uses all.
 */
export function workerCount(settings: RenderSettings, configured: number): number {
  if (settings.kind === 'final') return configured;
  const { width, height, fps, range } = settings;
  const pixels = partSeconds(range, settings) * fps * width * height;
  return Math.min(configured, Math.max(1, Math.round(pixels / pixelsPerBrowser)));
}

export interface FilmDescription {
  readonly film: StageInfo;
  /** What is wrong with each of the sets of values that were asked about, in sentences; null = nothing. */
  readonly problems: readonly (string | null)[];
}

/** Nothing is pictured, so the size only has to be possible. */
const size = { width: 320, height: 180 };

/**
 * Asks the page of a project what it is: length, scenes, sound, parameters, and whether these values suit its
 * parameters. Throws CAPTURE_FAILED with the page's own words when it does not load.
 */
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
    const words = report.console.findLast(({ level }) => level === 'error')?.text ?? 'It did not say why.';
    throw new KodaError('CAPTURE_FAILED', `The page of the project does not load. ${words}`, { recovery: 'retry' });
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

/** Frames are all but the end of the work; the rest is for joining, measuring and publishing. */
const framesPercent = 96;
const publishingPercent = 98;
/** At most five reports a second (A18): more cannot be seen, and each is a row. */
const minIntervalMs = 200;
/** Reported at once; an honest render changes its stage a few times, and each report is a row that is kept. */
const maxStageChanges = 16;

/**
 * Turns the sandbox's reports into events: not too often, and never going back, also when a
 * part of the film is rendered again.
 */
export class ProgressTracker {
  #told: ProgressReport | null = null;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #percent = 0;
  #stageChanges = 0;

  /** What to report now, or null when it is too soon or nothing is new. A new stage is reported at once. */
  frames(event: Extract<RenderEvent, { type: 'progress' }>, nowMs: number): ProgressReport | null {
    const { stage, framesDone, framesTotal, secondsLeft } = event;
    // A sandbox may say anything; what is no number would make the event unreadable for good.
    const share = framesTotal > 0 ? Math.min(1, framesDone / framesTotal) : 0;
    return this.#tell({ percent: share * framesPercent, stage, framesDone, framesTotal, secondsLeft }, nowMs);
  }

  /** The video is made and is being fetched. */
  publishing(frames: number, nowMs: number): ProgressReport | null {
    const report = {
      percent: publishingPercent,
      stage: 'publishing',
      framesDone: frames,
      framesTotal: frames,
      secondsLeft: null,
    } as const;
    return this.#tell(report, nowMs);
  }

  #tell(report: ProgressReport, nowMs: number): ProgressReport | null {
    this.#percent = Math.max(this.#percent, Math.round(report.percent * 10) / 10);
    const newStage = this.#told?.stage !== report.stage && this.#stageChanges < maxStageChanges;
    if (!newStage && (nowMs - this.#toldAtMs < minIntervalMs || this.#told?.percent === this.#percent)) return null;
    if (newStage) this.#stageChanges += 1;
    this.#toldAtMs = nowMs;
    this.#told = { ...report, percent: this.#percent };
    return this.#told;
  }
}
