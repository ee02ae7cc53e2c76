import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { renderFiles, renderFormatSchema } from '#contract/render.ts';
import type { RenderEvent, RenderJob } from '#contract/sandbox/answers.ts';
import { pageKey, type ScreenshotBrowser } from '../browser/reusable-browser.ts';
import { readSources } from '../files/sources.ts';
import { errnoOf, ProtocolError } from '../http.ts';
import { exists } from '../paths.ts';
import { type PreviewServer, previewOrigin } from '../preview-server.ts';
import { type FilmTools, renderFilm, thumbnailName } from './film.ts';
import { FinalAhead, type ServedBuild } from './final-ahead.ts';
import { assertSupported } from './formats.ts';
import { FrameStore } from './frame-store.ts';
import { type Progress, ProgressiveVideo } from './progress.ts';

export interface RenderJobsDeps {
  readonly workspace: string;
  readonly cacheFolder: Promise<string>;
  readonly previewServer: PreviewServer;
  /** Resolved per render, so that a missing FFmpeg affects only renders. */
  readonly tools: () => FilmTools;
  readonly screenshotBrowser: ScreenshotBrowser | null;
  /** Number of the sandbox's processes killed when out of memory; `null` if unknown. */
  readonly oomKills: () => Promise<number | null>;
}

/** Storage limit for a project's frames: about 15 min of 1080p at 30 fps, or 4 min of 4K. */
const maxFrameBytes = 4 * 1024 ** 3;

interface Running {
  readonly id: string;
  /** Only previews have progressive output. */
  readonly live: ProgressiveVideo | null;
  readonly cancel: AbortController;
  /** Never rejects. */
  readonly over: Promise<unknown>;
}

interface ServedPage extends Pick<ServedBuild, 'origin' | 'sources' | 'takePage'>, AsyncDisposable {
  /** Folders in which the page's server looks up a path, in order. */
  readonly roots: readonly string[];
}

interface RenderWork {
  readonly report: (event: RenderEvent) => void;
  readonly partial: string;
  readonly live: ProgressiveVideo | null;
  readonly signal: AbortSignal;
}

const partialSuffix = '.partial';
const liveName = 'live.mp4';

/** A sandbox's renders: at most one is running; finished ones are stored until deleted. */
export class RenderJobs implements AsyncDisposable {
  readonly #deps: RenderJobsDeps;
  readonly #root: string;
  readonly #ahead: FinalAhead;
  #running: Running | null = null;

  constructor(deps: RenderJobsDeps) {
    this.#deps = deps;
    this.#root = join(deps.workspace, '.koda', 'renders');
    this.#ahead = new FinalAhead(deps);
  }

  /** Throws CONFLICT while a render is running, because two would only slow each other down. */
  assertFree(): void {
    if (!this.#running) return;
    throw new ProtocolError('CONFLICT', `The sandbox is already rendering ${this.#running.id}. Wait for it, or delete it.`);
  }

  /** Renders a job and reports progress; the last event is `done`. An error leaves no processes or files behind. */
  async run(job: RenderJob, report: (event: RenderEvent) => void, signal: AbortSignal): Promise<void> {
    this.assertFree();
    const cancel = new AbortController();
    const timeout = AbortSignal.timeout(job.timeoutMs);
    const partial = `${this.#folder(job.id)}${partialSuffix}`;
    const live = job.source === 'dev' && job.format === 'mp4' ? new ProgressiveVideo(join(partial, liveName)) : null;
    const work = this.#render(job, { report, partial, live, signal: AbortSignal.any([signal, cancel.signal, timeout]) });
    this.#running = { id: job.id, live, cancel, over: Promise.allSettled([work]) };
    try {
      await work;
      if (job.preparesFinal) this.#ahead.start(job);
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

  /** Streams a running render's video from its start to its end. Throws NOT_FOUND if there is none. */
  live(id: string, signal: AbortSignal): AsyncGenerator<Buffer> {
    const live = this.#running?.id === id ? this.#running.live : null;
    if (!live) throw new ProtocolError('NOT_FOUND', `The sandbox is not rendering a preview ${id}.`);
    return live.read(signal);
  }

  async delete(id: string): Promise<boolean> {
    const running = this.#running?.id === id ? this.#running : null;
    running?.cancel.abort();
    await running?.over;
    const found = await exists(this.#folder(id));
    await rm(this.#folder(id), { recursive: true, force: true });
    return running !== null || found;
  }

  /** Throws NOT_FOUND if there is no finished video. */
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
    await this.#ahead[Symbol.asyncDispose]();
  }

  #folder(id: string): string {
    return join(this.#root, id);
  }

  async #render(job: RenderJob, { report, partial, live, signal }: RenderWork): Promise<void> {
    assertSupported(job);
    await this.#removeStaleFiles();
    const oomKillsBefore = await this.#deps.oomKills();
    try {
      await mkdir(partial, { recursive: true });
      const { workspace } = this.#deps;
      await using page = await this.#openPage(job, signal);
      const { sources, takePage } = page;
      const tools = this.#deps.tools();
      // A dev server's page may change even if a crash prevents `settle`, so its frames are stored inside the sandbox.
      const position = job.source === 'build' ? await this.#deps.cacheFolder : join(workspace, '.koda');
      const store = new FrameStore(join(position, 'frames'), maxFrameBytes);
      const size = { width: job.width, height: job.height };
      const plain = !job.transparent && job.parameters === null && job.aspect === null;
      const onProgress = (progress: Progress) => report({ type: 'progress', ...progress });
      const probe = await renderFilm(job, {
        tools,
        origin: page.origin,
        roots: page.roots,
        folder: partial,
        live,
        takeOpenPage: plain ? () => takePage(size) : null,
        signal,
        onProgress,
        cache: {
          store,
          sources,
          renderer: await tools.launcher.identity(signal),
          // A build never changes.
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

  async #openPage(job: RenderJob, signal: AbortSignal): Promise<ServedPage> {
    const { workspace } = this.#deps;
    if (job.source === 'build') {
      const build = await this.#ahead.open(signal);
      return { ...build, roots: [build.folder] };
    }
    // The preview needs the processors, and usually shows newer sources.
    await this.#ahead.stop();
    const sources = await readSources(workspace);
    const origin = await previewOrigin(this.#deps.previewServer, signal);
    return {
      origin,
      roots: [join(workspace, 'public'), workspace],
      sources,
      takePage: async (size) => this.#deps.screenshotBrowser?.takePage(pageKey({ ...size, origin, sources })) ?? null,
      [Symbol.asyncDispose]: () => Promise.resolve(),
    };
  }

  /** Deletes partial files left behind by a daemon that was killed during a render. */
  async #removeStaleFiles(): Promise<void> {
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
  return new ProtocolError('NOT_FOUND', `This sandbox has no finished render ${id}.`);
}

async function statOrNull(path: string): Promise<{ size: number } | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}
