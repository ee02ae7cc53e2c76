import type { Chromium } from './chromium.ts';
import type { BrowserLauncher } from './launcher.ts';

interface KeptBrowserOptions {
  readonly idleMs: number;
  /** Whether the browser is as sound after this error as before it. */
  readonly survives: (error: unknown) => boolean;
  /** The browser is gone, with the pages that were open in it. */
  readonly onEnd: () => void;
}

/**
 * One browser that stays up between uses, since starting it costs more than most uses do. It serves one caller at a time
 * (two pages in one browser starve each other), ends when nobody has asked for a while, and is replaced after failures.
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

  /** Lends the browser to `work`, after those who asked before. */
  use<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => this.#lend(signal, work));
    this.#queue = Promise.allSettled([turn]);
    return turn;
  }

  /** Hands the browser over to the caller, who disposes of it; null when there is none, or somebody is at work with it. */
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
    // Not queued: whoever is at work loses the browser at once.
    await this.#end();
    await this.#queue;
  }
}
