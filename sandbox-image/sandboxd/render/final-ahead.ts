import { type Aspect, aspectSchema, frameSize } from '#contract/render.ts';
import type { Chromium, Size } from '../browser/chromium.ts';
import { untilAborted } from '../time-limit.ts';
import { buildPage, type PageBuild } from './build.ts';
import { type BrowserPage, openBrowserPage } from './capture-pool.ts';
import type { FilmTools } from './film.ts';
import { serveFolder } from './static-server.ts';

/** A build on a local address. Disposing ends its server, and its browser unless someone has taken it. */
export interface ServedBuild extends PageBuild, AsyncDisposable {
  readonly origin: string;
  /** Transfers the browser in which the page is open, once and only at that size. Resolves to `null` if there is none. */
  readonly takePage: (size: Size) => Promise<BrowserPage | null>;
}

interface FinalAheadDeps {
  readonly workspace: string;
  readonly tools: () => Pick<FilmTools, 'launcher' | 'limits'>;
}

interface Preparation {
  readonly stop: AbortController;
  /** Resolves when the page is built, while it may still be opening; to `null` if the build failed. */
  readonly built: Promise<ServedBuild | null>;
}

/** Time for which a prepared page waits for its final. */
const idleMs = 60_000;

/**
 * Prepares the final that often follows a preview: builds the page and opens it in a browser. Ignores errors, because the final
 * repeats the failed step and reports them.
 */
export class FinalAhead implements AsyncDisposable {
  readonly #deps: FinalAheadDeps;
  #preparation: Preparation | null = null;
  #idleTimer: NodeJS.Timeout | null = null;

  constructor(deps: FinalAheadDeps) {
    this.#deps = deps;
  }

  /** Call after a preview of this size. */
  start(preview: Size): void {
    const stop = new AbortController();
    this.#preparation = { stop, built: this.#prepare(usualFinal(preview), stop).catch(() => null) };
    this.#idleTimer = setTimeout(() => void this.stop(), idleMs).unref();
  }

  /** Frees processors and memory for other work. */
  async stop(): Promise<void> {
    const preparation = this.#release();
    preparation?.stop.abort(new Error('The preparation of a final was stopped.'));
    await (await preparation?.built)?.[Symbol.asyncDispose]();
  }

  /** Returns the build of the current sources, which the caller disposes. Errors from `buildPage` propagate. */
  async open(signal: AbortSignal): Promise<ServedBuild> {
    // Two builds of the same sources would write the same files.
    if (this.#preparation) await untilAborted(this.#preparation.built, signal);
    const build = await buildPage(this.#deps.workspace, signal);
    const prepared = await this.#release()?.built;
    if (prepared?.folder === build.folder) return prepared;
    await prepared?.[Symbol.asyncDispose]();
    return { ...build, ...(await serveFolder(build.folder)), takePage: () => Promise.resolve(null) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #release(): Preparation | null {
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    const preparation = this.#preparation;
    this.#preparation = null;
    return preparation;
  }

  async #prepare(size: Size | null, stop: AbortController): Promise<ServedBuild> {
    const { signal } = stop;
    // The browser starts while Vite builds.
    const launching = size === null ? null : this.#launch(signal);
    // Nothing awaits it while Vite builds, and an unhandled rejection would end the daemon.
    launching?.catch(() => undefined);
    const endBrowser = async () => (await launching?.catch(() => null))?.[Symbol.asyncDispose]();
    try {
      const build = await buildPage(this.#deps.workspace, signal);
      const server = await serveFolder(build.folder);
      const opening = launching && size && this.#openPage(launching, { origin: server.origin, size, signal }).catch(() => null);
      let isTaken = false;
      return {
        ...build,
        origin: server.origin,
        async takePage({ width, height }) {
          if (isTaken || width !== size?.width || height !== size.height) return null;
          isTaken = true;
          const page = await opening;
          if (!page?.chromium.closed.aborted) return page;
          await page.chromium[Symbol.asyncDispose]();
          return null;
        },
        async [Symbol.asyncDispose]() {
          stop.abort(new Error('No render has used the page.'));
          if (!isTaken) await endBrowser();
          await server[Symbol.asyncDispose]();
        },
      };
    } catch (error) {
      await endBrowser();
      throw error;
    }
  }

  async #launch(signal: AbortSignal): Promise<Chromium> {
    return await this.#deps.tools().launcher.launch(signal, 1);
  }

  #openPage(launching: Promise<Chromium>, page: { origin: string; size: Size; signal: AbortSignal }): Promise<BrowserPage> {
    return openBrowserPage(launching, {
      ...page,
      transparent: false,
      parameters: null,
      aspect: null,
      limits: this.#deps.tools().limits,
    });
  }
}

/** Returns the size in which a final is rendered unless the person chooses another, or `null` for a film of no usual shape. */
function usualFinal(preview: Size): Size | null {
  const sizes = aspectSchema.options.map((aspect: Aspect) => frameSize(aspect, '1080p'));
  return sizes.find(({ width, height }) => width * preview.height === height * preview.width) ?? null;
}
