import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { pageScript } from '../page-scripts.ts';
import { withTimeLimit } from '../time-limit.ts';
import { type Chromium, launchChromium, launchPlainChromium } from './chromium.ts';
import type { GraphicsBackend } from './chromium-flags.ts';
import { CaptureFault } from './faults.ts';

const probeTimeoutMs = 15_000;
const probeExpression = `(() => {
  const gl = document.createElement('canvas').getContext('webgl2');
  return gl !== null && !gl.isContextLost();
})()`;

/** Of the scripts that have a part in how a page is drawn. */
function drawingHash(): string {
  const hash = createHash('sha256').update(pageScript('capture')).update(pageScript('still-canvas'));
  return hash.digest('hex').slice(0, 12);
}

/**
 * Starts browsers that all raster alike: the backend is tried once, with a real WebGL context, and then
 * kept for as long as the daemon lives.
 */
export class BrowserLauncher {
  readonly #executablePath: () => string;
  readonly #preferred: GraphicsBackend;
  #backend: GraphicsBackend | null = null;
  /** The trial that is under way. */
  #deciding: Promise<void> | null = null;

  /** `executablePath` is asked at the first launch, so that a missing Chromium fails a capture and not the daemon. */
  constructor(executablePath: () => string, preferred: GraphicsBackend) {
    this.#executablePath = executablePath;
    this.#preferred = preferred;
  }

  /**
   * Of all that decides a picture besides the page: two browsers of one identity draw the same. Installing
   * any package of the system (a browser, Mesa, fonts) makes another one.
   */
  async identity(signal: AbortSignal): Promise<string> {
    const backend = await this.#knownBackend(signal);
    const files = await Promise.all([realpath(this.#executablePath()), '/var/lib/dpkg/status'].map(describe));
    return [backend, drawingHash(), ...files].join(' ');
  }

  /** A new browser; the caller disposes of it. Browsers that work side by side want one raster thread each. */
  async launch(signal: AbortSignal, rasterThreads: number | null = null): Promise<Chromium> {
    if (this.#backend !== null || this.#preferred === 'swiftshader') {
      this.#backend ??= 'swiftshader';
      return this.#start(this.#backend, { rasterThreads, signal });
    }
    const deciding = this.#deciding;
    const chromium = this.#start(this.#preferred, { rasterThreads, signal });
    if (deciding === null) {
      this.#deciding = this.#decide(chromium);
      this.#deciding.finally(() => (this.#deciding = null)).catch(() => undefined);
    }
    const launched = await chromium;
    // Browsers that start together wait for one answer, so that they all have the same.
    await Promise.allSettled([deciding ?? this.#deciding]);
    // Undecided when that browser died; this one may live.
    if (this.#backend === null || this.#backend === this.#preferred) return launched;
    await launched[Symbol.asyncDispose]();
    signal.throwIfAborted();
    return this.launch(signal, rasterThreads);
  }

  /** Tries the preferred backend in this browser. One that does not start, or dies, decides nothing. */
  async #decide(launching: Promise<Chromium>): Promise<void> {
    const chromium = await launching;
    if (await hasWebgl(chromium)) this.#backend = this.#preferred;
    else if (!chromium.gone.aborted) this.#backend = 'swiftshader';
  }

  #start(backend: GraphicsBackend, options: { rasterThreads: number | null; signal: AbortSignal }): Promise<Chromium> {
    return launchChromium({ executablePath: this.#executablePath(), backend, ...options });
  }

  /** A browser of the same graphics whose frames are not driven: the slow, certain way, to measure the fast one by. */
  async launchPlain(signal: AbortSignal): Promise<Chromium> {
    const backend = await this.#knownBackend(signal);
    return launchPlainChromium({ executablePath: this.#executablePath(), backend, rasterThreads: null, signal });
  }

  /** A browser that is killed while it is tried decides nothing, so another one is, once. */
  async #knownBackend(signal: AbortSignal): Promise<GraphicsBackend> {
    if (this.#backend === null) await this.#try(signal).catch((error) => this.#tryAgain(error, signal));
    if (this.#backend === null) throw new CaptureFault('crashed', 'Chromium ended while it was tried.', []);
    return this.#backend;
  }

  async #try(signal: AbortSignal): Promise<void> {
    await using chromium = await this.launch(signal);
    if (this.#backend === null) chromium.gone.throwIfAborted();
  }

  async #tryAgain(error: unknown, signal: AbortSignal): Promise<void> {
    if (!(error instanceof CaptureFault && error.mayPass)) throw error;
    await this.#try(signal);
  }
}

/** Changes when the file does; empty when there is none. */
async function describe(path: string | Promise<string>): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(await path);
    return `${size}-${mtimeMs}`;
  } catch {
    // No package manager of this kind here, then; a missing browser is reported when it is launched.
    return '';
  }
}

async function hasWebgl(chromium: Chromium): Promise<boolean> {
  const probe = async (): Promise<boolean> => {
    const target = await chromium.openTarget({ width: 16, height: 16 });
    const { result } = await target.session.send('Runtime.evaluate', { expression: probeExpression, returnByValue: true });
    await target.close();
    return result.value === true;
  };
  try {
    return await withTimeLimit(probe(), probeTimeoutMs, () => new Error('no answer'));
  } catch {
    // Whatever went wrong, this backend does not work here; the other one needs nothing of the machine.
    return false;
  }
}
