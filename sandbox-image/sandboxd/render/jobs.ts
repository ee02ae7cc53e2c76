import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { renderFiles, renderFormatSchema } from '../../../server/contract/render.ts';
import type { RenderEvent, RenderJob } from '../../../server/contract/sandboxd.ts';
import { pageKey, type ScreenshotBrowser } from '../browser/reusable-browser.ts';
import { type ProjectSources, readSources } from '../files/sources.ts';
import { errnoOf, ProtocolError } from '../http.ts';
import { exists } from '../paths.ts';
import { type PreviewServer, previewOrigin } from '../preview-server.ts';
import { buildPage } from './build.ts';
import { type FilmTools, renderFilm, thumbnailName } from './film.ts';
import { assertPossible } from './formats.ts';
import { FrameStore } from './frame-store.ts';
import { LiveFilm, type Progress } from './progress.ts';
import { serveFolder } from './static-server.ts';

export interface RenderJobsDeps {
  readonly workspace: string;
  /** For frames that may outlive the sandbox. */
  readonly cacheFolder: Promise<string>;
  readonly previewServer: PreviewServer;
  /** Asked when a render begins, so that a missing FFmpeg fails the render and not the daemon. */
  readonly tools: () => FilmTools;
  /** Where the page may be open already; null = nowhere. */
  readonly screenshotBrowser: ScreenshotBrowser | null;
  /** How many processes of the sandbox the kernel has killed for want of memory; null when that is not known. */
  readonly oomKills: () => Promise<number | null>;
}

/** What the frames of one project may take; about a quarter of an hour of 1080p at 30 fps, or four minutes of 4k. */
const maxFrameBytes = 4 * 1024 ** 3;

interface Running {
  readonly id: string;
  /** Only previews can be watched while they are made. */
  readonly live: LiveFilm | null;
  readonly cancel: AbortController;
  /** Settles when nothing of the render is left but its result. Never rejects. */
  readonly over: Promise<unknown>;
}

interface ServedPage extends AsyncDisposable {
  readonly origin: string;
  /** Folders in which its server looks for a path, in its order. */
  readonly roots: readonly string[];
  readonly sources: ProjectSources;
}

interface RenderWork {
  readonly report: (event: RenderEvent) => void;
  /** Where the files are until all are complete. */
  readonly partial: string;
  readonly live: LiveFilm | null;
  readonly signal: AbortSignal;
}

const partialSuffix = '.partial';
const liveName = 'live.mp4';

/** The renders of one sandbox: one at work at a time, finished ones kept until they are deleted. */
export class RenderJobs implements AsyncDisposable {
  readonly #deps: RenderJobsDeps;
  readonly #root: string;
  #running: Running | null = null;

  constructor(deps: RenderJobsDeps) {
    this.#deps = deps;
    this.#root = join(deps.workspace, '.koda', 'renders');
  }

  /** Throws ProtocolError CONFLICT while another render is at work: two would only make each other slow. */
  assertFree(): void {
    if (!this.#running) return;
    throw new ProtocolError('CONFLICT', `The sandbox is rendering ${this.#running.id} already. Wait for it, or delete it.`);
  }

  /**
   * Renders, reporting progress; the last event is `done`. When this throws, no process and no file of
   * the render is left.
   */
  async run(job: RenderJob, report: (event: RenderEvent) => void, signal: AbortSignal): Promise<void> {
    this.assertFree();
    const cancel = new AbortController();
    const timeout = AbortSignal.timeout(job.timeoutMs);
    const partial = `${this.#folder(job.id)}${partialSuffix}`;
    const live = job.source === 'dev' && job.format === 'mp4' ? new LiveFilm(join(partial, liveName)) : null;
    const work = this.#render(job, { report, partial, live, signal: AbortSignal.any([signal, cancel.signal, timeout]) });
    this.#running = { id: job.id, live, cancel, over: Promise.allSettled([work]) };
    try {
      await work;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (cancel.signal.aborted) throw new ProtocolError('CANCELLED', 'The render was cancelled.');
      if (timeout.aborted) throw timedOut(job);
      throw error;
    } finally {
      live?.break();
      this.#running = null;
    }
  }

  /** The film of a render that is at work, as far as it is made, and on to its end. Throws NOT_FOUND when there is none. */
  live(id: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const live = this.#running?.id === id ? this.#running.live : null;
    if (!live) throw new ProtocolError('NOT_FOUND', `The sandbox is not making a preview ${id} now.`);
    return live.read(signal);
  }

  /** Cancels the render if it is at work, and removes its files. False when there was nothing of it. */
  async delete(id: string): Promise<boolean> {
    const running = this.#running?.id === id ? this.#running : null;
    running?.cancel.abort();
    await running?.over;
    const found = await exists(this.#folder(id));
    await rm(this.#folder(id), { recursive: true, force: true });
    return running !== null || found;
  }

  /** Path and format of a finished film. Throws NOT_FOUND. */
  async video(id: string): Promise<{ path: string; format: RenderJob['format']; sizeBytes: number }> {
    for (const format of renderFormatSchema.options) {
      const path = join(this.#folder(id), renderFiles[format].name);
      const found = await statOrNull(path);
      if (found) return { path, format, sizeBytes: found.size };
    }
    throw notFound(id);
  }

  async thumbnail(id: string): Promise<{ path: string; sizeBytes: number }> {
    const path = join(this.#folder(id), thumbnailName);
    const found = await statOrNull(path);
    if (!found) throw notFound(id);
    return { path, sizeBytes: found.size };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#running?.cancel.abort();
    await this.#running?.over;
  }

  #folder(id: string): string {
    return join(this.#root, id);
  }

  async #render(job: RenderJob, { report, partial, live, signal }: RenderWork): Promise<void> {
    assertPossible(job);
    await this.#removeLeftovers();
    const oomKillsBefore = await this.#deps.oomKills();
    try {
      await mkdir(partial, { recursive: true });
      const { workspace } = this.#deps;
      await using page = await this.#openPage(job, signal);
      const { sources } = page;
      const tools = this.#deps.tools();
      // A dev server's page changes with its files, also under a render that dies before it can report: its frames die with it.
      const place = job.source === 'build' ? await this.#deps.cacheFolder : join(workspace, '.koda');
      const store = new FrameStore(join(place, 'frames'), maxFrameBytes);
      const size = { width: job.width, height: job.height };
      const plain = !job.transparent && job.parameters === null;
      const onProgress = (progress: Progress) => report({ type: 'progress', ...progress });
      const probe = await renderFilm(job, {
        tools,
        origin: page.origin,
        roots: page.roots,
        folder: partial,
        live,
        takeOpenPage: plain
          ? () => this.#deps.screenshotBrowser?.takePage(pageKey({ ...size, origin: page.origin, sources })) ?? null
          : null,
        signal,
        onProgress,
        cache: {
          store,
          sources,
          renderer: await tools.launcher.identity(signal),
          // A build stays what it is; the dev server's page changes with its files.
          isCurrent: async () => job.source === 'build' || (await readSources(workspace)).total === sources.total,
        },
      });
      if (live) await rm(live.path);
      await rm(this.#folder(job.id), { recursive: true, force: true });
      await rename(partial, this.#folder(job.id));
      report({ type: 'done', ...probe });
    } catch (error) {
      await rm(partial, { recursive: true, force: true });
      signal.throwIfAborted();
      const oomKills = await this.#deps.oomKills();
      if (oomKills !== null && oomKillsBefore !== null && oomKills > oomKillsBefore) throw outOfMemory(job);
      throw error;
    }
  }

  /** Serves the page: the dev server as it is, or a production build of what is there now. */
  async #openPage(job: RenderJob, signal: AbortSignal): Promise<ServedPage> {
    const { workspace } = this.#deps;
    if (job.source === 'build') {
      const { folder, sources } = await buildPage(workspace, signal);
      return Object.assign(await serveFolder(folder), { roots: [folder], sources });
    }
    const sources = await readSources(workspace);
    // The dev server is the project's and stays.
    return {
      origin: await previewOrigin(this.#deps.previewServer, signal),
      roots: [join(workspace, 'public'), workspace],
      sources,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  /** What a daemon left that was killed while it rendered. */
  async #removeLeftovers(): Promise<void> {
    await mkdir(this.#root, { recursive: true });
    for (const name of await readdir(this.#root)) {
      if (name.endsWith(partialSuffix)) await rm(join(this.#root, name), { recursive: true, force: true });
    }
  }
}

function timedOut(job: RenderJob): ProtocolError {
  const seconds = Math.round(job.timeoutMs / 1000);
  return new ProtocolError(
    'TIMEOUT',
    `The render took longer than ${seconds} s. Lower the resolution, the frame rate or the length.`,
  );
}

function outOfMemory(job: RenderJob): ProtocolError {
  const size = `${job.width}×${job.height} with ${job.workers} ${job.workers === 1 ? 'browser' : 'browsers'}`;
  return new ProtocolError(
    'OUT_OF_MEMORY',
    `The sandbox ran out of memory while rendering ${size}. Use fewer render workers, a lower resolution, or give sandboxes more memory.`,
  );
}

function notFound(id: string): ProtocolError {
  return new ProtocolError('NOT_FOUND', `There is no finished render ${id} in this sandbox.`);
}

async function statOrNull(path: string): Promise<{ size: number } | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}
