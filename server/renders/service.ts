import type { Readable } from 'node:stream';
import { KodaError } from '../contract/errors.ts';
import type { QueueTurn, RenderEstimate } from '../contract/estimate.ts';
import type { EventBody } from '../contract/events.ts';
import { newId, renderIdSchema } from '../contract/ids.ts';
import { type ParameterValues, type Render, type RenderRequest, renderFiles } from '../contract/render.ts';
import { failpoint } from '../lib/failpoint.ts';
import { type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import type { RenderStore } from '../storage/render-store.ts';
import { failed, isOver, renderFailure } from './failure.ts';
import { estimateRender, type Present, queueOf } from './forecast.ts';
import { RenderFiles, thumbnailName } from './publish.ts';
import { madeWay, RenderQueue } from './queue.ts';
import type { Lanes } from './queue-policy.ts';
import { describeFilm, type FilmDescription, ProgressTracker, type RunDeps, runRender } from './run-render.ts';
import { type PlannedFilm, resolveSettings } from './settings.ts';

export interface RenderServiceDeps {
  readonly store: RenderStore;
  /** Appends an event of a project, durably; it is what writes the rows of `store`. */
  readonly emit: (projectId: string, body: EventBody) => Promise<void>;
  readonly acquire: RunDeps['acquire'];
  /** `data/renders`. */
  readonly folder: string;
  /** Browsers at work on one render. */
  readonly workers: number;
  /** Renders at work at a time, over all projects. */
  readonly lanes: Lanes;
  /** Receives faults of the program; everything else is an event. */
  readonly onError: (renderId: string, error: unknown) => void;
}

/** How often a render may begin again after the server stopped under it. */
const maxTimesQueued = 2;
/** Previews are made anew with every change; a day later the old ones are of no use (A24). */
const previewLifetimeMs = 24 * 60 * 60 * 1000;

const shuttingDown = Symbol('the server is shutting down');

/** Renders of all projects: queued, run, published, cancelled, and taken up again after a restart. */
export class RenderService {
  readonly #deps: RenderServiceDeps;
  readonly #files: RenderFiles;
  readonly #queue: RenderQueue;
  /** Calls that wait for a render to end. */
  readonly #waiting = new Map<string, Set<(render: Render) => void>>();
  /** Where the previews that are at work are made. */
  readonly #makers = new Map<string, Sandbox>();
  /** As last reported by the running renders. */
  readonly #secondsLeft = new Map<string, number | null>();

  constructor(deps: RenderServiceDeps) {
    this.#deps = deps;
    this.#files = new RenderFiles(deps.folder);
    this.#queue = new RenderQueue({ lanes: deps.lanes, onError: deps.onError });
  }

  /** Queues a render. Throws what `resolveSettings` throws; then nothing was begun. */
  async start(projectId: string, request: RenderRequest, film: PlannedFilm, { id } = { id: newId('rnd') }): Promise<Render> {
    const render: Render = {
      id,
      projectId,
      status: 'queued',
      settings: resolveSettings(request, film),
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
    await this.#deps.emit(projectId, { type: 'render.queued', render });
    this.#enqueue(render);
    return render;
  }

  /** What such a render would cost; nothing is begun. Throws what `resolveSettings` throws, and NOT_FOUND. */
  async estimate(projectId: string, request: RenderRequest, film: PlannedFilm): Promise<RenderEstimate> {
    const asked = { projectId, settings: resolveSettings(request, film), film };
    return estimateRender(asked, this.#present());
  }

  /** When each waiting render of a project will start, in that order. */
  queued(projectId: string): Promise<QueueTurn[]> {
    return queueOf(projectId, this.#present());
  }

  /** The render when it is complete, failed or cancelled. Throws NOT_FOUND, and the reason of `signal`. */
  async wait(renderId: string, { signal }: { signal: AbortSignal }): Promise<Render> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Render>();
    const onAbort = () => reject(signal.reason);
    // It may fail while the store is being asked, when nothing listens to it yet.
    promise.catch(() => undefined);
    signal.addEventListener('abort', onAbort, { once: true });
    const waiting = this.#waiting.get(renderId) ?? new Set();
    this.#waiting.set(renderId, waiting.add(resolve));
    try {
      // Asked after having got in line, so that an end in between is not missed.
      const now = await this.#deps.store.get(renderId);
      return isOver(now) ? now : await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      waiting.delete(resolve);
      if (waiting.size === 0) this.#waiting.delete(renderId);
    }
  }

  /** Idempotent. When it resolves, the render is over and nothing of it is at work. */
  async cancel(renderId: string): Promise<void> {
    const cancelled = new KodaError('CANCELLED', 'The render was cancelled.');
    if (await this.#queue.stop(renderId, cancelled)) return;
    if (!this.#queue.withdraw(renderId)) return;
    const render = await this.#deps.store.get(renderId);
    await this.#end(failed(render, cancelled));
  }

  /** What a project's film says of itself. Throws what `acquire` and `describeFilm` throw. */
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

  /** Cancels a render that is under way; removes the row and the files of one that has ended. Throws NOT_FOUND. */
  async remove(renderId: string): Promise<void> {
    const render = await this.#deps.store.get(renderId);
    if (!isOver(render)) {
      await this.cancel(renderId);
      return;
    }
    // Row first, in one step: what dies in between leaves files without a row, for the next sweep.
    await this.#deps.store.delete(renderId);
    failpoint('render-delete.after-row');
    await this.#files.remove(renderId);
  }

  /** Removes the files of a render whose row went with its project. */
  async removeFiles(renderId: string): Promise<void> {
    await this.#files.remove(renderId);
  }

  /** Where a published file (`renderFiles`, `thumbnail.jpg`) is on this host; null when there is none. */
  filePath(renderId: string, name: string): Promise<string | null> {
    return this.#files.path(renderIdSchema.parse(renderId), name);
  }

  /**
   * A preview that is at work, as a fragmented MP4 from its beginning as far as it is made, and on to its end. Waits for
   * what is not made yet, never holds the render up, and fails when the render does. Throws NOT_FOUND when that preview
   * is not at work.
   */
  async live(renderId: string, { signal }: { signal: AbortSignal }): Promise<Readable> {
    const maker = this.#makers.get(renderId);
    if (!maker) throw notAtWork(renderId);
    try {
      return await maker.renderLive(renderId, { signal });
    } catch (error) {
      // The sandbox has not begun yet, or has ended a moment ago.
      throw error instanceof SandboxdError && error.code === 'NOT_FOUND' ? notAtWork(renderId) : error;
    }
  }

  /**
   * For the start, before anything is asked: removes what was half published and takes up what the last
   * server left. What waited, waits again; what was at work begins again, once.
   */
  async resume(): Promise<void> {
    await this.#files.removePartial();
    for (const render of await this.#deps.store.listUnfinished()) {
      if (render.status === 'queued') this.#enqueue(render);
      else if ((await this.#deps.store.timesQueued(render.id)) < maxTimesQueued) {
        const again: Render = { ...render, status: 'queued', percent: 0, stage: null };
        await this.#deps.emit(render.projectId, { type: 'render.queued', render: again });
        this.#enqueue(again);
      } else {
        const message = 'The server stopped twice while this was rendered. Render again.';
        await this.#end(failed(render, new KodaError('RENDER_FAILED', message, { recovery: 'retry' })));
      }
    }
  }

  /** Removes previews of a day ago, and files whose render is gone with its project (A24). For the start, and regularly. */
  async sweep(): Promise<void> {
    const { store } = this.#deps;
    const before = new Date(Date.now() - previewLifetimeMs).toISOString();
    for (const render of await store.previewsFinishedBefore(before)) await this.remove(render.id);
    const published = await this.#files.published();
    const existing = await store.existing(published);
    for (const renderId of published) if (!existing.has(renderId)) await this.#files.remove(renderId);
  }

  /** Stops all work. What was queued or at work is taken up by the next `resume`. */
  async close(): Promise<void> {
    await this.#queue.close(shuttingDown);
  }

  #present(): Present {
    return { store: this.#deps.store, queue: this.#queue.state(), secondsLeft: this.#secondsLeft };
  }

  #enqueue(render: Render): void {
    const { id, projectId, settings } = render;
    // One for all attempts, so that a render that made way for a preview does not seem to lose what it had done.
    const tracker = new ProgressTracker();
    const run = (signal: AbortSignal) => this.#run(render, { signal, tracker });
    this.#queue.add({ id, projectId, preview: settings.kind === 'preview', run });
  }

  /** False when the render made way for a preview; its frames are kept, and it is run again. */
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
      if (signal.aborted && signal.reason === madeWay) return false;
      // Its row stays as it is, for the next start to find.
      if (signal.aborted && signal.reason === shuttingDown) return true;
      await this.#end(failed(last, renderFailure(signal.aborted ? signal.reason : error)));
    } finally {
      this.#makers.delete(render.id);
      this.#secondsLeft.delete(render.id);
    }
    return true;
  }

  async #acquire({ id, settings }: Render, projectId: string, signal: AbortSignal): Promise<Sandbox> {
    const sandbox = await this.#deps.acquire(projectId, signal);
    if (settings.kind === 'preview') this.#makers.set(id, sandbox);
    return sandbox;
  }

  async #end(render: Render): Promise<void> {
    const type = render.status === 'complete' ? 'render.complete' : 'render.failed';
    try {
      await this.#deps.emit(render.projectId, { type, render });
      failpoint('render.after-row');
    } finally {
      // Also when its project is gone, and with it everything that could be reported.
      for (const resolve of this.#waiting.get(render.id) ?? []) resolve(render);
    }
  }
}

function notAtWork(renderId: string): KodaError {
  return new KodaError('NOT_FOUND', `No preview ${renderId} is being made now. A finished one is at its video's address.`, {
    recovery: 'list_renders',
  });
}
