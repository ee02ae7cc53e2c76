import { realpath, stat } from 'node:fs/promises';
import { type Chromium, launchChromium, launchPlainChromium } from './chromium.ts';
import type { GraphicsBackend } from './chromium-flags.ts';
import { withTimeLimit } from './time-limit.ts';

const probeTimeoutMs = 15_000;
const probeExpression = `(() => {
  const gl = document.createElement('canvas').getContext('webgl2');
  return gl !== null && !gl.isContextLost();
})()`;

/**
 * Starts browsers that all raster alike: the backend is tried once, with a real WebGL context, and then
 * kept for as long as the daemon lives.
 */
export class BrowserLauncher {
  readonly #executablePath: () => string;
  readonly #preferred: GraphicsBackend;
  #backend: GraphicsBackend | null = null;

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
    await this.#knownBackend(signal);
    const files = await Promise.all([realpath(this.#executablePath()), '/var/lib/dpkg/status'].map(describe));
    return [this.#backend, ...files].join(' ');
  }

  /** A new browser; the caller disposes of it. Browsers that work side by side want one raster thread each. */
  async launch(signal: AbortSignal, rasterThreads: number | null = null): Promise<Chromium> {
    const executablePath = this.#executablePath();
    if (this.#backend === null) {
      if (this.#preferred === 'swiftshader') this.#backend = 'swiftshader';
      else {
        const chromium = await launchChromium({ executablePath, backend: this.#preferred, rasterThreads, signal });
        if (await hasWebgl(chromium)) {
          this.#backend = this.#preferred;
          return chromium;
        }
        await chromium[Symbol.asyncDispose]();
        signal.throwIfAborted();
        this.#backend = 'swiftshader';
      }
    }
    return launchChromium({ executablePath, backend: this.#backend, rasterThreads, signal });
  }

  /** A browser of the same graphics whose frames are not driven: the slow, certain way, to measure the fast one by. */
  async launchPlain(signal: AbortSignal): Promise<Chromium> {
    const backend = await this.#knownBackend(signal);
    return launchPlainChromium({ executablePath: this.#executablePath(), backend, rasterThreads: null, signal });
  }

  async #knownBackend(signal: AbortSignal): Promise<GraphicsBackend> {
    if (this.#backend === null) {
      await using _ = await this.launch(signal);
    }
    if (this.#backend === null) throw new Error('A browser was launched without a backend.');
    return this.#backend;
  }
}

/** Changes when the file does; empty when there is none. */
async function describe(path: string | Promise<string>): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(await path);
    return `${size}-${mtimeMs}`;
  } catch {
    // No package manager of this kind here, then; a missing browser is told when it is launched.
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
