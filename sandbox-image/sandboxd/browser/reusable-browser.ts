import { Mutex } from 'async-mutex';
import type { ProjectSources } from '../files/sources.ts';
import { CaptureError } from './capture-error.ts';
import type { Chromium } from './chromium.ts';
import type { BrowserLauncher } from './launcher.ts';
import type { Stage } from './stage.ts';

interface ReusableBrowserOptions {
  readonly idleMs: number;
  /** Returns whether the browser stays usable after this error. */
  readonly isHarmless: (error: unknown) => boolean;
  readonly onEnd: () => void;
}

/**
 * Keeps one browser open between uses, because starting it is expensive. Serves one caller at a time, because pages in the
 * same browser slow each other down. Closes when idle, and is replaced after failures.
 */
export class ReusableBrowser implements AsyncDisposable {
  readonly #launcher: BrowserLauncher;
  readonly #options: ReusableBrowserOptions;
  readonly #use = new Mutex();
  #chromium: Chromium | null = null;
  #idleTimer: NodeJS.Timeout | null = null;
  #disposed = false;

  constructor(launcher: BrowserLauncher, options: ReusableBrowserOptions) {
    this.#launcher = launcher;
    this.#options = options;
  }

  use<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    return this.#use.runExclusive(() => this.#withBrowser(signal, work));
  }

  /** Transfers the browser to the caller. Returns `null` if none is running or it is in use. */
  release(): Chromium | null {
    const chromium = this.#chromium;
    if (this.#use.isLocked() || !chromium || chromium.closed.aborted) return null;
    this.#chromium = null;
    return chromium;
  }

  async #withBrowser<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#disposed) throw new Error('The browser was closed.');
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    try {
      if (this.#chromium?.closed.aborted) await this.#end();
      this.#chromium ??= await this.#launcher.launch(signal);
      return await work(this.#chromium);
    } catch (error) {
      if (!this.#options.isHarmless(error)) await this.#end();
      throw error;
    } finally {
      this.#idleTimer = setTimeout(() => void this.#use.runExclusive(() => this.#end()), this.#options.idleMs).unref();
    }
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
    // Not queued, so that current work fails at once instead of delaying the shutdown.
    await this.#end();
    await this.#use.waitForUnlock();
  }
}

export interface OpenPage {
  readonly stage: Stage;
  readonly key: string;
}

/** Returns a key that is the same for identical opaque pages without parameters. */
export function pageKey(page: { origin: string; width: number; height: number; sources: ProjectSources }): string {
  return [page.origin, page.width, page.height, page.sources.total].join(' ');
}

/** The browser for screenshots. It can keep its last page open for a render, which often comes next. */
export class ScreenshotBrowser implements AsyncDisposable {
  readonly #browser: ReusableBrowser;
  #page: OpenPage | null = null;

  constructor(launcher: BrowserLauncher, idleMs: number) {
    this.#browser = new ReusableBrowser(launcher, {
      idleMs,
      // Only the page's own errors leave the browser in a known state.
      isHarmless: isPageError,
      onEnd: () => {
        this.#page = null;
      },
    });
  }

  /** Does the work once more in another browser if the first one exits, for example because memory was short. */
  async use<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    const attempt = () =>
      this.#browser.use(signal, async (chromium) => {
        await this.#page?.stage[Symbol.asyncDispose]();
        this.#page = null;
        return await work(chromium);
      });
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CaptureError && error.reason === 'crashed') || signal.aborted) throw error;
      return await attempt();
    }
  }

  /** Keeps a page open after `use`, until a render takes it or the browser is used again. */
  keep(page: OpenPage): void {
    this.#page = page;
  }

  /**
   * Transfers the browser and its page if the open page has that key and the browser is not in use. Returns `null` otherwise.
   */
  takePage(key: string): { readonly chromium: Chromium; readonly stage: Stage } | null {
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

function isPageError(error: unknown): boolean {
  return error instanceof CaptureError && error.reason !== 'blocked' && error.reason !== 'crashed';
}
