import type { Readable } from 'node:stream';
import { KodaError } from '#contract/errors.ts';
import type { QueuePosition, RenderEstimate } from '#contract/estimate.ts';
import type { EventBody } from '#contract/events.ts';
import { newId, renderIdSchema } from '#contract/ids.ts';
import type { Message } from '#contract/project.ts';
import { type ParameterValues, type Render, type RenderRequest, type RenderSettings, renderFiles } from '#contract/render.ts';
import { failpoint } from '../lib/failpoint.ts';
import { type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import type { RenderStore } from '../storage/render-store.ts';
import { failed, isOver, renderFailure } from './failure.ts';
import { estimateRender, type Present, queueOf } from './forecast.ts';
import { RenderFiles, thumbnailName } from './publish.ts';
import { preempted, RenderQueue } from './queue.ts';
import type { RenderSlots } from './queue-policy.ts';
import { describeFilm, type FilmDescription, ProgressTracker, type RunDeps, runRender } from './run-render.ts';
import { oneSizeLower, type PlannedFilm, resolveSettings } from './settings.ts';

export interface RenderServiceDeps {
  readonly store: RenderStore;
  /** Appends events of a project durably, all or none. Events write the rows of `store`. */
  readonly emit: (projectId: string, ...bodies: EventBody[]) => Promise<void>;
  readonly acquire: RunDeps['acquire'];
  readonly folder: string;
  readonly workers: number;
  readonly slots: RenderSlots;
  /** Receives errors that indicate a bug. Everything else is an event. */
  readonly onError: (renderId: string, error: unknown) => void;
}

/** A render interrupted by a server stop restarts at most once. */
const maxAttempts = 2;
/** Previews become obsolete with every change and are removed after a day (A24). */
const previewLifetimeMs = 24 * 60 * 60 * 1000;

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
    this.#files = new RenderFiles(deps.folder);
    this.#queue = new RenderQueue({ slots: deps.slots, onError: deps.onError });
  }

  /** Queues a render. Errors from `resolveSettings` propagate; nothing is queued then. */
  async start(projectId: string, request: RenderRequest, film: PlannedFilm, options?: { id: string }): Promise<Render> {
    const render = this.prepare(projectId, request, film, options);
    await this.#deps.emit(projectId, { type: 'render.queued', render });
    this.enqueue(render);
    return render;
  }

  /**
   * Returns a render for the caller to record (`render.queued`) together with other events, and then to enqueue. If the server
   * stops in between, `resume` enqueues it.
   */
  prepare(projectId: string, request: RenderRequest, film: PlannedFilm, { id } = { id: newId('rnd') }): Render {
    return queuedRender(projectId, resolveSettings(request, film), id);
  }

  async estimate(projectId: string, request: RenderRequest, film: PlannedFilm): Promise<RenderEstimate> {
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

  async cancel(renderId: string): Promise<void> {
    const cancelled = new KodaError('CANCELLED', 'The render was cancelled.');
    if (await this.#queue.stop(renderId, cancelled)) return;
    if (!this.#queue.withdraw(renderId)) return;
    const render = await this.#deps.store.get(renderId);
    await this.#end(failed(render, cancelled));
  }

  /** Describes a project's film. Errors from `acquire` and `describeFilm` propagate. */
  async describe(
    projectId: string,
    parameterSets: readonly ParameterValues[],
    { signal }: { signal: AbortSignal },
  ): Promise<FilmDescription> {
    return describeFilm(await this.#deps.acquire(projectId, signal), parameterSets, { signal });
  }

  get(renderId: string): Promise<Render> {
    return this.#deps.store.get(renderId);
  }

  list(projectId: string): Promise<Render[]> {
    return this.#deps.store.list(projectId);
  }

  /** Cancels an unfinished render, or deletes the row and files of one that has ended. Throws NOT_FOUND. */
  async remove(renderId: string): Promise<void> {
    const render = await this.#deps.store.get(renderId);
    if (!isOver(render)) {
      await this.cancel(renderId);
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
      if (render.status === 'queued') this.enqueue(render);
      else if ((await this.#deps.store.timesQueued(render.id)) < maxAttempts) {
        const again: Render = { ...render, status: 'queued', percent: 0, stage: null };
        await this.#deps.emit(render.projectId, { type: 'render.queued', render: again });
        this.enqueue(again);
      } else {
        const message = 'The render failed because the server stopped twice during it. Render again.';
        await this.#end(failed(render, new KodaError('RENDER_FAILED', message, { recovery: 'retry' })));
      }
    }
  }

  /** Removes previews older than a day, and files of deleted renders (A24). Call at startup and periodically. */
  async sweep(): Promise<void> {
    const { store } = this.#deps;
    const before = new Date(Date.now() - previewLifetimeMs).toISOString();
    for (const render of await store.previewsFinishedBefore(before)) await this.remove(render.id);
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

  /** Starts a recorded render as soon as there is a slot. */
  enqueue(render: Render): void {
    const { id, projectId, settings } = render;
    // Shared by all attempts, so that a preempted render does not appear to lose progress.
    const tracker = new ProgressTracker();
    const run = (signal: AbortSignal) => this.#run(render, { signal, tracker });
    this.#queue.add({ id, projectId, preview: settings.kind === 'preview', run });
  }

  /** Resolves to `false` if the render was preempted by a preview. Its frames are stored, and it runs again. */
  async #run(render: Render, { signal, tracker }: { signal: AbortSignal; tracker: ProgressTracker }): Promise<boolean> {
    const startedAtMs = performance.now();
    let last: Render = render;
    try {
      const probe = await runRender(
        render,
        { ...this.#deps, acquire: (projectId, stop) => this.#acquire(render, projectId, stop), files: this.#files },
        {
          signal,
          tracker,
          onProgress: async (report) => {
            last = { ...last, status: 'running', percent: report.percent, stage: report.stage };
            this.#secondsLeft.set(render.id, report.secondsLeft);
            await this.#deps.emit(render.projectId, { type: 'render.progress', renderId: render.id, ...report });
          },
        },
      );
      const base = `/storage/renders/${render.id}`;
      await this.#end({
        ...render,
        status: 'complete',
        percent: 100,
        stage: null,
        probe,
        videoUrl: `${base}/${renderFiles[render.settings.format].name}`,
        thumbnailUrl: `${base}/${thumbnailName}`,
        renderTimeMs: Math.round(performance.now() - startedAtMs),
        finishedAt: new Date().toISOString(),
      });
    } catch (error) {
      if (signal.aborted && signal.reason === preempted) return false;
      // Its row stays unchanged, so that the next start finds it.
      if (signal.aborted && signal.reason === shuttingDown) return true;
      await this.#end(failed(last, renderFailure(signal.aborted ? signal.reason : error)));
    } finally {
      this.#previewSandboxes.delete(render.id);
      this.#secondsLeft.delete(render.id);
    }
    return true;
  }

  async #acquire({ id, settings }: Render, projectId: string, signal: AbortSignal): Promise<Sandbox> {
    const sandbox = await this.#deps.acquire(projectId, signal);
    if (settings.kind === 'preview') this.#previewSandboxes.set(id, sandbox);
    return sandbox;
  }

  async #end(render: Render): Promise<void> {
    const type = render.status === 'complete' ? 'render.complete' : 'render.failed';
    const retry = smallerRetry(render);
    try {
      // One record, so that a crash cannot lose the retry or repeat its message.
      await this.#deps.emit(render.projectId, { type, render }, ...(retry === null ? [] : retry.events));
      failpoint('render.after-row');
    } finally {
      // Runs even if the project was deleted and the event could not be recorded.
      for (const resolve of this.#waiting.get(render.id) ?? []) resolve(render);
    }
    if (retry !== null) this.enqueue(retry.render);
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
  };
}

const lackTexts: Partial<Record<string, string>> = { OUT_OF_MEMORY: 'ran out of memory', TIMEOUT: 'took too long' };

/** Returns the next attempt at a final that failed for lack of memory or time, one size lower (A29), or `null` if there is none. */
function smallerRetry({ projectId, status, error, settings }: Render): { render: Render; events: EventBody[] } | null {
  const lack = status === 'failed' && error !== null ? lackTexts[error.code] : undefined;
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
