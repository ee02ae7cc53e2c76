import type { Readable } from 'node:stream';
import { KodaError } from '#contract/errors.ts';
import type { QueuePosition, RenderEstimate } from '#contract/estimate.ts';
import type { EventBody } from '#contract/events.ts';
import { newId, renderIdSchema } from '#contract/ids.ts';
import { koda, type Principal } from '#contract/principal.ts';
import type { Message } from '#contract/project.ts';
import { type ParameterValues, type Render, type RenderRequest, type RenderSettings, renderFiles } from '#contract/render.ts';
import { failpoint } from '../lib/failpoint.ts';
import { type Priority, type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import type { DiskUsage } from '../storage/disk-usage.ts';
import type { RenderStore } from '../storage/render-store.ts';
import { estimateRender, type Present, queueOf } from './forecast.ts';
import { RenderFiles, thumbnailName } from './publish.ts';
import { preempted, RenderQueue } from './queue.ts';
import type { RenderSlots, SandboxStatus } from './queue-policy.ts';
import {
  describeFilm,
  type FilmDescription,
  failed,
  isOver,
  ProgressTracker,
  type RunDeps,
  renderFailure,
  runRender,
} from './run-render.ts';
import { oneSizeLower, type RenderSubject, resolveSettings } from './settings.ts';

export interface RenderServiceDeps extends Pick<RunDeps, 'workers' | 'preparesFinals'> {
  readonly store: RenderStore;
  /** Appends events of a project durably, all or none. Events write the rows of `store`. */
  readonly emit: (projectId: string, by: Principal, ...bodies: EventBody[]) => Promise<void>;
  /** Returns the project's sandbox. Waits while too many others run. */
  readonly acquire: (projectId: string, options: { signal: AbortSignal; priority: Priority }) => Promise<Sandbox>;
  readonly sandboxOf: (projectId: string) => SandboxStatus;
  readonly folder: string;
  readonly disk: Pick<DiskUsage, 'reserve'>;
  readonly slots: RenderSlots;
  /** Receives errors that indicate a bug. Everything else is an event. */
  readonly onError: (renderId: string, error: unknown) => void;
}

/** A render interrupted by a server stop restarts at most once. */
const maxAttempts = 2;
/** Previews become obsolete with every change and are removed after a day. */
const previewLifetimeMs = 24 * 60 * 60 * 1000;

interface SweepOptions {
  readonly nowMs: number;
  /** Returns which expired previews may be removed, because the system's clock can be wrong. */
  readonly confirmed: (renderIds: readonly string[]) => Promise<ReadonlySet<string>>;
}

const shuttingDown = Symbol('the server is shutting down');

/** Queues, runs, publishes and cancels renders of all projects, and resumes them after a restart. */
export class RenderService {
  readonly #deps: RenderServiceDeps;
  readonly #files: RenderFiles;
  readonly #queue: RenderQueue;
  readonly #waiting = new Map<string, Set<(render: Render) => void>>();
  readonly #previewSandboxes = new Map<string, Sandbox>();
  readonly #secondsLeft = new Map<string, number | null>();

  constructor(deps: RenderServiceDeps) {
    this.#deps = deps;
    this.#files = new RenderFiles(deps.folder, deps.disk);
    this.#queue = new RenderQueue({ slots: deps.slots, sandboxOf: deps.sandboxOf, onError: deps.onError });
  }

  /** Queues a render. Errors from `resolveSettings` propagate; nothing is queued then. */
  async start(
    projectId: string,
    request: RenderRequest,
    film: RenderSubject,
    { by, id = newId('rnd') }: { by: Principal; id?: string },
  ): Promise<Render> {
    const render = this.prepare(projectId, request, film, { id });
    await this.#deps.emit(projectId, by, { type: 'render.queued', render });
    this.enqueue(render);
    return render;
  }

  /**
   * Returns a render for the caller to record (`render.queued`) together with other events, and then to enqueue. If the server
   * stops in between, `resume` enqueues it.
   */
  prepare(
    projectId: string,
    request: RenderRequest,
    film: RenderSubject,
    { id = newId('rnd'), batch = null }: { id?: string; batch?: Render['batch'] } = {},
  ): Render {
    return { ...queuedRender(projectId, resolveSettings(request, film), id), batch };
  }

  async estimate(projectId: string, request: RenderRequest, film: RenderSubject): Promise<RenderEstimate> {
    const requested = { projectId, settings: resolveSettings(request, film), film };
    return estimateRender(requested, this.#present());
  }

  /** Returns whether a render of any project is running or waiting. */
  isRendering(): boolean {
    const { running, waiting } = this.#queue.state();
    return running.length > 0 || waiting.length > 0;
  }

  queued(projectId: string): Promise<QueuePosition[]> {
    return queueOf(projectId, this.#present());
  }

  async wait(renderId: string, { signal }: { signal: AbortSignal }): Promise<Render> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Render>();
    const onAbort = () => reject(signal.reason);
    // It may reject before it is awaited below.
    promise.catch(() => undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    const waiting = this.#waiting.get(renderId) ?? new Set();
    this.#waiting.set(renderId, waiting.add(resolve));
    try {
      // Read after registering, so that a render that ends in between is not missed.
      const now = await this.#deps.store.get(renderId);
      return isOver(now) ? now : await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      waiting.delete(resolve);
      if (waiting.size === 0) this.#waiting.delete(renderId);
    }
  }

  async cancel(renderId: string, by: Principal): Promise<void> {
    const cancelled = new Cancellation(by);
    if (await this.#queue.stop(renderId, cancelled)) return;
    if (!this.#queue.withdraw(renderId)) return;
    const render = await this.#deps.store.get(renderId);
    await this.#end(failed(render, cancelled), by);
  }

  /** Describes a project's film. Errors from `acquire` and `describeFilm` propagate. */
  async describe(
    projectId: string,
    parameterSets: readonly ParameterValues[],
    { signal }: { signal: AbortSignal },
  ): Promise<FilmDescription> {
    const sandbox = await this.#deps.acquire(projectId, { signal, priority: 'person' });
    return describeFilm(sandbox, parameterSets, { signal });
  }

  get(renderId: string): Promise<Render> {
    return this.#deps.store.get(renderId);
  }

  list(projectId: string): Promise<Render[]> {
    return this.#deps.store.list(projectId);
  }

  /** Cancels an unfinished render, or deletes the row and files of one that has ended. Throws NOT_FOUND. */
  async remove(renderId: string, by: Principal): Promise<void> {
    const render = await this.#deps.store.get(renderId);
    if (!isOver(render)) {
      await this.cancel(renderId, by);
      return;
    }
    // Row first: a crash in between leaves files without a row, which the next sweep removes.
    await this.#deps.store.delete(renderId);
    failpoint('render-delete.after-row');
    await this.#files.remove(renderId);
  }

  async removeFiles(renderId: string): Promise<void> {
    await this.#files.remove(renderId);
  }

  /** Returns the path of a published file (`renderFiles`, `thumbnail.jpg`), or `null` if it does not exist. */
  filePath(renderId: string, name: string): Promise<string | null> {
    return this.#files.path(renderIdSchema.parse(renderId), name);
  }

  /** Streams a running preview as fragmented MP4, without slowing the render. Throws NOT_FOUND if it is not running. */
  async live(renderId: string, { signal }: { signal: AbortSignal }): Promise<Readable> {
    const sandbox = this.#previewSandboxes.get(renderId);
    if (!sandbox) throw notRunning(renderId);
    try {
      return await sandbox.renderLive(renderId, { signal });
    } catch (error) {
      // The sandbox has not started the render yet, or has just ended it.
      throw error instanceof SandboxdError && error.code === 'NOT_FOUND' ? notRunning(renderId) : error;
    }
  }

  /** Removes partial files and requeues unfinished renders, interrupted ones once. Call at startup. */
  async resume(): Promise<void> {
    await this.#files.removePartial();
    for (const render of await this.#deps.store.listUnfinished()) {
      if (render.status === 'queued') this.enqueue(render, 'background');
      else if ((await this.#deps.store.timesQueued(render.id)) < maxAttempts) {
        const again: Render = { ...render, status: 'queued', percent: 0, stage: null };
        await this.#deps.emit(render.projectId, koda('recovery'), { type: 'render.queued', render: again });
        this.enqueue(again, 'background');
      } else {
        const message = 'The render failed because the server stopped twice during it. Render again.';
        await this.#end(failed(render, new KodaError('RENDER_FAILED', message, { recovery: 'retry' })), koda('recovery'));
      }
    }
  }

  /**
   * Removes previews that are older than a day and that `confirmed` returns, and files of deleted renders. Call at startup
   * and periodically; `nowMs` since 1970.
   */
  async sweep({ nowMs, confirmed }: SweepOptions): Promise<void> {
    const { store } = this.#deps;
    const before = new Date(nowMs - previewLifetimeMs).toISOString();
    const expired = (await store.previewsFinishedBefore(before)).map(({ id }) => id);
    for (const renderId of await confirmed(expired)) await this.remove(renderId, koda('schedule'));
    const published = await this.#files.published();
    const existing = await store.existing(published);
    for (const renderId of published) if (!existing.has(renderId)) await this.#files.remove(renderId);
  }

  async close(): Promise<void> {
    await this.#queue.close(shuttingDown);
  }

  #present(): Present {
    return { store: this.#deps.store, queue: this.#queue.state(), secondsLeft: this.#secondsLeft };
  }

  /** Call when a project starts to wait for its sandbox: its render's slot is then available. */
  fillSlots(): void {
    this.#queue.fill();
  }

  /** Starts a recorded render as soon as there is a slot. */
  enqueue(render: Render, priority: Priority = 'person'): void {
    const { id, projectId, settings } = render;
    // Shared by all attempts, so that a preempted render does not appear to lose progress.
    const tracker = new ProgressTracker();
    const run = (signal: AbortSignal) => this.#run(render, { signal, tracker, priority });
    this.#queue.add({ id, projectId, preview: settings.kind === 'preview', run });
  }

  /** Resolves to `false` if the render was preempted by a preview. Its frames are stored, and it runs again. */
  async #run(
    render: Render,
    { signal, tracker, priority }: { signal: AbortSignal; tracker: ProgressTracker; priority: Priority },
  ): Promise<boolean> {
    let startedAtMs = performance.now();
    let last: Render = render;
    const acquire = async (stop: AbortSignal) => {
      const sandbox = await this.#acquire(render, stop, priority);
      // The wait for other projects' sandboxes is not part of the render.
      startedAtMs = performance.now();
      return sandbox;
    };
    const { workers, preparesFinals } = this.#deps;
    try {
      const probe = await runRender(
        render,
        { workers, preparesFinals, acquire, files: this.#files },
        {
          signal,
          tracker,
          onProgress: async (report) => {
            last = { ...last, status: 'running', percent: report.percent, stage: report.stage };
            this.#secondsLeft.set(render.id, report.secondsLeft);
            await this.#deps.emit(render.projectId, koda('render'), { type: 'render.progress', renderId: render.id, ...report });
          },
        },
      );
      const base = `/storage/renders/${render.id}`;
      const complete: Render = {
        ...render,
        status: 'complete',
        percent: 100,
        stage: null,
        probe,
        videoUrl: `${base}/${renderFiles[render.settings.format].name}`,
        thumbnailUrl: `${base}/${thumbnailName}`,
        renderTimeMs: Math.round(performance.now() - startedAtMs),
        finishedAt: new Date().toISOString(),
      };
      await this.#end(complete, koda('render'));
    } catch (error) {
      if (signal.aborted && signal.reason === preempted) return false;
      // Its row stays unchanged, so that the next start finds it.
      if (signal.aborted && signal.reason === shuttingDown) return true;
      const cause: unknown = signal.aborted ? signal.reason : error;
      await this.#end(failed(last, renderFailure(cause)), cause instanceof Cancellation ? cause.by : koda('render'));
    } finally {
      this.#previewSandboxes.delete(render.id);
      this.#secondsLeft.delete(render.id);
    }
    return true;
  }

  async #acquire({ id, projectId, settings }: Render, signal: AbortSignal, priority: Priority): Promise<Sandbox> {
    const sandbox = await this.#deps.acquire(projectId, { signal, priority });
    if (settings.kind === 'preview') this.#previewSandboxes.set(id, sandbox);
    return sandbox;
  }

  async #end(render: Render, by: Principal): Promise<void> {
    const type = render.status === 'complete' ? 'render.complete' : 'render.failed';
    const retry = smallerRetry(render);
    try {
      // One record, so that a crash cannot lose the retry or repeat its message.
      await this.#deps.emit(render.projectId, by, { type, render }, ...(retry === null ? [] : retry.events));
      failpoint('render.after-row');
    } finally {
      // Runs even if the project was deleted and the event could not be recorded.
      for (const resolve of this.#waiting.get(render.id) ?? []) resolve(render);
    }
    if (retry !== null) this.enqueue(retry.render);
  }
}

class Cancellation extends KodaError {
  readonly by: Principal;

  constructor(by: Principal) {
    super('CANCELLED', 'The render was cancelled.');
    this.by = by;
  }
}

function queuedRender(projectId: string, settings: RenderSettings, id = newId('rnd')): Render {
  return {
    id,
    projectId,
    status: 'queued',
    settings,
    percent: 0,
    stage: null,
    probe: null,
    videoUrl: null,
    thumbnailUrl: null,
    renderTimeMs: null,
    error: null,
    createdAt: new Date().toISOString(),
    finishedAt: null,
    batch: null,
  };
}

const lackTexts: Partial<Record<string, string>> = { OUT_OF_MEMORY: 'ran out of memory', TIMEOUT: 'took too long' };

/** Returns the next attempt at a final that failed for lack of memory or time, one size lower, or `null` if there is none. */
function smallerRetry({ projectId, status, error, settings, batch }: Render): { render: Render; events: EventBody[] } | null {
  // The videos of a batch have one size. Its row fails, and the person decides.
  const lack = status === 'failed' && error !== null && batch === null ? lackTexts[error.code] : undefined;
  const lower = lack === undefined ? null : oneSizeLower(settings);
  if (lower === null) return null;
  const render = queuedRender(projectId, lower.settings);
  const content = `Rendering ${settings.width}×${settings.height} ${lack}, so I am rendering the video in ${lower.size} (${render.settings.width}×${render.settings.height}) instead. The failed render stays in the list with its reason.`;
  const message: Message = { id: newId('msg'), role: 'assistant', content, queued: false, at: render.createdAt };
  return {
    render,
    events: [
      { type: 'message.added', message },
      { type: 'render.queued', render },
    ],
  };
}

function notRunning(renderId: string): KodaError {
  return new KodaError('NOT_FOUND', `The preview ${renderId} is not running. If it is finished, open its video instead.`, {
    recovery: 'list_renders',
  });
}
