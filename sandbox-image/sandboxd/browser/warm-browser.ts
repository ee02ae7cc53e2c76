import type { Chromium } from './chromium.ts';
import { CaptureFault } from './faults.ts';
import type { BrowserLauncher } from './launcher.ts';

/**
 * One browser that stays up between screenshots, since starting it costs more than a picture does. It
 * serves one caller at a time (two pages in one browser starve each other), ends when nobody has asked
 * for a while, and is replaced after every failure.
 */
export class WarmBrowser implements AsyncDisposable {
  readonly #launcher: BrowserLauncher;
  readonly #idleMs: number;
  #chromium: Chromium | null = null;
  #queue: Promise<unknown> = Promise.resolve();
  #idleTimer: NodeJS.Timeout | null = null;
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

  async #lend<T>(signal: AbortSignal, work: (chromium: Chromium) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#disposed) throw new Error('The browser was closed.');
    if (this.#idleTimer) clearTimeout(this.#idleTimer);
    if (this.#chromium?.gone.aborted) await this.#end();
    this.#chromium ??= await this.#launcher.launch(signal);
    try {
      return await work(this.#chromium);
    } catch (error) {
      // After the page's own mistakes the browser is sound; after anything else nobody knows.
      if (!isPagesOwn(error)) await this.#end();
      throw error;
    } finally {
      this.#idleTimer = setTimeout(() => this.#queueEnd(), this.#idleMs).unref();
    }
  }

  #queueEnd(): void {
    this.#queue = this.#queue.then(() => this.#end());
  }

  async #end(): Promise<void> {
    const chromium = this.#chromium;
    this.#chromium = null;
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
