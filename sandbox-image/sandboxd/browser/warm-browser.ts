import type { ProjectSources } from '../files/sources.ts';
import type { Chromium } from './chromium.ts';
import { CaptureFault } from './faults.ts';
import { KeptBrowser } from './kept-browser.ts';
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

/** The browser for single pictures, in which the last page may stay open for the render that often follows. */
export class WarmBrowser implements AsyncDisposable {
  readonly #browser: KeptBrowser;
  #page: OpenPage | null = null;

  constructor(launcher: BrowserLauncher, idleMs: number) {
    this.#browser = new KeptBrowser(launcher, {
      idleMs,
      // After the page's own mistakes the browser is sound; after anything else nobody knows.
      survives: isPagesOwn,
      onEnd: () => {
        this.#page = null;
      },
    });
  }

  /** Lends the browser to `work`, after those who asked before. */
  use<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    return this.#browser.use(signal, async (chromium) => {
      await this.#page?.stage[Symbol.asyncDispose]();
      this.#page = null;
      return await work(chromium);
    });
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
