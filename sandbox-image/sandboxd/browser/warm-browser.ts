import type { ProjectSources } from '../files/sources.ts';
import type { Chromium } from './chromium.ts';
import { CaptureFault } from './faults.ts';
import type { BrowserLauncher } from './launcher.ts';
import type { Stage } from './stage.ts';

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

/**
 * One browser that stays up between screenshots, since starting it costs more than a picture does. It
 * serves one caller at a time (two pages in one browser starve each other), ends when nobody has asked
 * for a while, and is replaced after every failure.
 */
export class WarmBrowser implements AsyncDisposable {
  readonly #launcher: BrowserLauncher;
  readonly #idleMs: number;
  #chromium: Chromium | null = null;
  #page: OpenPage | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | null = null;
  #busy = false;
  #disposed = false;

  constructor(launcher: BrowserLauncher, idleMs: number) {
    this.#launcher = launcher;
    this.#idleMs = idleMs;
  }

  /** Lends the browser to `work`, after those who asked before. */
  use<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => this.#lend(signal, work));
    this.#queue = Promise.allSettled([turn]);
    return turn;
  }

  /** Leaves a page of the browser open after the work that `use` was given, until somebody adopts it or uses the browser. */
  keep(page: OpenPage): void {
    this.#page = page;
  }

  /**
   * Hands browser and page over when the page that is open has that key, so that a render need not load it
   * again; the caller disposes of the browser. Null when there is none, or somebody else is at work.
   */
  adopt(key: string): { readonly chromium: Chromium; readonly stage: Stage } | null {
    const [chromium, page] = [this.#chromium, this.#page];
    if (this.#busy || !chromium || chromium.gone.aborted || page?.key !== key) return null;
    this.#chromium = null;
    this.#page = null;
    return { chromium, stage: page.stage };
  }

  async #lend<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#disposed) throw new Error('The browser was closed.');
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    this.#busy = true;
    try {
      if (this.#chromium?.gone.aborted) await this.#end();
      await this.#page?.stage[Symbol.asyncDispose]();
      this.#page = null;
      this.#chromium ??= await this.#launcher.launch(signal);
      return await work(this.#chromium);
    } catch (error) {
      // After the page's own mistakes the browser is sound; after anything else nobody knows.
      if (!isPagesOwn(error)) await this.#end();
      throw error;
    } finally {
      this.#busy = false;
      this.#idleTimer = setTimeout(() => this.#queueEnd(), this.#idleMs).unref();
    }
  }

  #queueEnd(): void {
    this.#queue = this.#queue.then(() => this.#end());
  }

  async #end(): Promise<void> {
    const chromium = this.#chromium;
    this.#chromium = null;
    this.#page = null;
    await chromium?.[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#disposed = true;
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    // Not queued: whoever is at work loses the browser at once.
    await this.#end();
    await this.#queue;
  }
}

function isPagesOwn(error: unknown): boolean {
  return error instanceof CaptureFault && error.reason !== 'blocked' && error.reason !== 'crashed';
}
