import { createHash } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { pageScript } from '../page-scripts.ts';
import { currentSlowness } from '../slowness.ts';
import { withTimeLimit } from '../time-limit.ts';
import { CaptureError } from './capture-error.ts';
import { type Chromium, launchChromium, launchPlainChromium } from './chromium.ts';
import type { GraphicsBackend } from './chromium-flags.ts';

const probeTimeoutMs = 15_000;
const probeExpression = `(() => {
  const gl = document.createElement('canvas').getContext('webgl2');
  return gl !== null && !gl.isContextLost();
})()`;

/** Hashes the page scripts that affect drawing. */
function drawingHash(): string {
  const hash = createHash('sha256');
  for (const name of ['capture', 'frame-writer', 'redundant-draws'] as const) hash.update(pageScript(name));
  return hash.digest('hex').slice(0, 12);
}

/**
 * Starts browsers with the same rasteriser. The first browser tests the preferred backend with a real WebGL context; the
 * result is valid until the daemon exits.
 */
export class BrowserLauncher {
  readonly #executablePath: () => string;
  readonly #preferred: GraphicsBackend;
  #backend: GraphicsBackend | null = null;
  #testing: Promise<void> | null = null;

  /** `executablePath` is resolved on launch, so that a missing Chromium only affects captures. */
  constructor(executablePath: () => string, preferred: GraphicsBackend) {
    this.#executablePath = executablePath;
    this.#preferred = preferred;
  }

  /** Returns a key for everything outside the page that affects frames, such as the browser, Mesa and fonts. */
  async identity(signal: AbortSignal): Promise<string> {
    const backend = await this.#knownBackend(signal);
    const files = await Promise.all([realpath(this.#executablePath()), '/var/lib/dpkg/status'].map(describe));
    return [backend, drawingHash(), ...files].join(' ');
  }

  /** Starts a browser that the caller disposes. Parallel browsers should use one raster thread each. */
  async launch(signal: AbortSignal, rasterThreads: number | null = null): Promise<Chromium> {
    if (this.#backend !== null || this.#preferred === 'swiftshader') {
      this.#backend ??= 'swiftshader';
      return this.#start(this.#backend, { rasterThreads, signal });
    }
    const testing = this.#testing;
    const chromium = this.#start(this.#preferred, { rasterThreads, signal });
    if (testing === null) {
      this.#testing = this.#test(chromium);
      this.#testing.finally(() => (this.#testing = null)).catch(() => undefined);
    }
    const launched = await chromium;
    // Browsers that start together wait for the same result, so that all use the same backend.
    await Promise.allSettled([testing ?? this.#testing]);
    if (this.#backend === null || this.#backend === this.#preferred) return launched;
    await launched[Symbol.asyncDispose]();
    signal.throwIfAborted();
    return this.launch(signal, rasterThreads);
  }

  /** Tests the preferred backend. A browser that crashes or does not start gives no result. */
  async #test(launching: Promise<Chromium>): Promise<void> {
    const chromium = await launching;
    if (await hasWebgl(chromium)) this.#backend = this.#preferred;
    else if (!chromium.closed.aborted) this.#backend = 'swiftshader';
  }

  #start(backend: GraphicsBackend, options: { rasterThreads: number | null; signal: AbortSignal }): Promise<Chromium> {
    return launchChromium({ executablePath: this.#executablePath(), backend, ...options });
  }

  /** Starts a browser without frame control: the slow reference for verifying the fast path. */
  async launchPlain(signal: AbortSignal): Promise<Chromium> {
    const backend = await this.#knownBackend(signal);
    return launchPlainChromium({ executablePath: this.#executablePath(), backend, rasterThreads: null, signal });
  }

  async #knownBackend(signal: AbortSignal): Promise<GraphicsBackend> {
    if (this.#backend === null) await this.#testBackend(signal).catch((error) => this.#retryTest(error, signal));
    if (this.#backend === null) throw new CaptureError('crashed', 'Chromium exited during its first test.', []);
    return this.#backend;
  }

  async #testBackend(signal: AbortSignal): Promise<void> {
    await using chromium = await this.launch(signal);
    if (this.#backend === null) chromium.closed.throwIfAborted();
  }

  async #retryTest(error: unknown, signal: AbortSignal): Promise<void> {
    if (!(error instanceof CaptureError && error.isRetryable)) throw error;
    await this.#testBackend(signal);
  }
}

/** Returns a fingerprint of a file, or an empty string if it is missing. */
async function describe(path: string | Promise<string>): Promise<string> {
  try {
    const { size, mtimeMs } = await stat(await path);
    return `${size}-${mtimeMs}`;
  } catch {
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
    return await withTimeLimit(probe(), probeTimeoutMs * currentSlowness(), () => new Error('no response'));
  } catch {
    // On any error, this backend is unusable. SwiftShader needs no system libraries.
    return false;
  }
}
