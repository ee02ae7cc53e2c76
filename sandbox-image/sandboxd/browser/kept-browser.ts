import type { ProjectSources } from '../files/sources.ts';
import type { Chromium } from './chromium.ts';
import { CaptureFault } from './faults.ts';
import type { BrowserLauncher } from './launcher.ts';
import type { Stage } from './stage.ts';

interface KeptBrowserOptions {
  readonly idleMs: number;
  /** Whether the browser is as sound after this error as before it. */
  readonly survives: (error: unknown) => boolean;
  /** The browser is gone, with the pages that were open in it. */
  readonly onEnd: () => void;
}

/**
 * One browser that stays up between uses, since starting it costs more than most uses do. It serves one caller at a time
 * (two pages in one browser starve each other), ends after a while without use, and is replaced after failures.
 */
export class KeptBrowser implements AsyncDisposable {
  readonly #launcher: BrowserLauncher;
  readonly #options: KeptBrowserOptions;
  #chromium: Chromium | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | null = null;
  #busy = false;
  #disposed = false;

  constructor(launcher: BrowserLauncher, options: KeptBrowserOptions) {
    this.#launcher = launcher;
    this.#options = options;
  }

  /** Lends the browser to `work`, in the order of the calls. */
  use<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => this.#lend(signal, work));
    this.#queue = Promise.allSettled([turn]);
    return turn;
  }

  /** Hands the browser over to the caller, who disposes of it; null when there is none, or it is in use. */
  release(): Chromium | null {
    const chromium = this.#chromium;
    if (this.#busy || !chromium || chromium.gone.aborted) return null;
    this.#chromium = null;
    return chromium;
  }

  async #lend<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#disposed) throw new Error('The browser was closed.');
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    this.#busy = true;
    try {
      if (this.#chromium?.gone.aborted) await this.#end();
      this.#chromium ??= await this.#launcher.launch(signal);
      return await work(this.#chromium);
    } catch (error) {
      if (!this.#options.survives(error)) await this.#end();
      throw error;
    } finally {
      this.#busy = false;
      this.#idleTimer = setTimeout(() => this.#queueEnd(), this.#options.idleMs).unref();
    }
  }

  #queueEnd(): void {
    this.#queue = this.#queue.then(() => this.#end());
  }

  async #end(): Promise<void> {
    const chromium = this.#chromium;
    this.#chromium = null;
    this.#options.onEnd();
    await chromium?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    // Not queued: work in progress loses the browser at once.
    await this.#end();
    await this.#queue;
  }
}

/** A page that was left open, ready to be pictured. */
export interface OpenPage {
  readonly stage: Stage;
  /** See `pageKey`. */
  readonly key: string;
}

/** Two opaque pages without parameters are the same when this is. */
export function pageKey(page: { origin: string; width: number; height: number; sources: ProjectSources }): string {
  return [page.origin, page.width, page.height, page.sources.total].join(' ');
}

/** The browser for single pictures, in which the last page may stay open for the render that often follows. */
export class WarmBrowser implements AsyncDisposable {
  readonly #browser: KeptBrowser;
  #page: OpenPage | null = null;

  constructor(launcher: BrowserLauncher, idleMs: number) {
    this.#browser = new KeptBrowser(launcher, {
      idleMs,
      // After the page's own mistakes the browser is sound; after anything else its state is unknown.
      survives: isPagesOwn,
      onEnd: () => {
        this.#page = null;
      },
    });
  }

  /** Lends the browser to `work`, in the order of the calls. */
  use<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    return this.#browser.use(signal, async (chromium) => {
      await this.#page?.stage[Symbol.asyncDispose]();
      this.#page = null;
      return await work(chromium);
    });
  }

  /** Leaves a page of the browser open after the work that `use` was given, until it is adopted or the browser is used. */
  keep(page: OpenPage): void {
    this.#page = page;
  }

  /**
   * Hands browser and page over when the page that is open has that key, so that a render need not load it
   * again; the caller disposes of the browser. Null when there is none, or it is in use.
   */
  adopt(key: string): { readonly chromium: Chromium; readonly stage: Stage } | null {
    const page = this.#page;
    if (page?.key !== key) return null;
    const chromium = this.#browser.release();
    if (!chromium) return null;
    this.#page = null;
    return { chromium, stage: page.stage };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#browser[Symbol.asyncDispose]();
  }
}

function isPagesOwn(error: unknown): boolean {
  return error instanceof CaptureFault && error.reason !== 'blocked' && error.reason !== 'crashed';
}
