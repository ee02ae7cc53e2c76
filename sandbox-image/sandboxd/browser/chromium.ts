import type { ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Browser, type CDPSession, launch } from 'puppeteer-core';
import { ProtocolError } from '../http.ts';
import { chromiumArguments, chromiumEnvironment, type GraphicsBackend } from './chromium-flags.ts';
import { hasSmallSharedMemory } from './executables.ts';
import { CaptureFault } from './faults.ts';

const launchTimeoutMs = 30_000;

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface ChromiumOptions {
  readonly executablePath: string;
  readonly backend: GraphicsBackend;
  readonly rasterThreads: number | null;
  readonly signal: AbortSignal;
}

/** A running Chromium of its own process group and its own empty profile. Disposing ends both, however often it is called. */
export interface Chromium extends AsyncDisposable {
  readonly pid: number;
  readonly version: string;
  readonly backend: GraphicsBackend;
  /** Frames can be driven one by one (headless shell). */
  readonly frameControl: boolean;
  /** Fires when the process is gone, for whatever reason; its own reason is a CaptureFault. */
  readonly gone: AbortSignal;
  /** A blank page of that size; the session speaks to it. */
  openTarget(size: Size): Promise<{ session: CDPSession; close(): Promise<void> }>;
}

/**
 * Starts Chromium over a pipe: no port is opened, and it ends when this process does.
 * Throws ProtocolError RENDER_FAILED with Chromium's own words when it does not start.
 */
export async function launchChromium(options: ChromiumOptions): Promise<Chromium> {
  const shell = /headless[-_]shell/.test(basename(options.executablePath));
  const first = await start(options, shell);
  // The name of the executable is only a guess (KODA_CHROMIUM may be any name); the browser itself knows.
  if (first.version.startsWith('HeadlessChrome') === shell) return first;
  await first[Symbol.asyncDispose]();
  return start(options, !shell);
}

/** One that draws by its own clock, as a person's browser does, whatever the executable could do. Throws as above. */
export function launchPlainChromium(options: ChromiumOptions): Promise<Chromium> {
  return start(options, false);
}

async function start(options: ChromiumOptions, frameControl: boolean): Promise<Chromium> {
  const userDataDir = await mkdtemp(join(tmpdir(), 'koda-chromium-'));
  let browser: Browser;
  try {
    browser = await launch({
      executablePath: options.executablePath,
      ignoreDefaultArgs: true,
      args: chromiumArguments({ ...options, frameControl, userDataDir, smallSharedMemory: hasSmallSharedMemory() }),
      env: chromiumEnvironment(options, process.env),
      pipe: true,
      defaultViewport: null,
      waitForInitialPage: false,
      timeout: launchTimeoutMs,
      signal: options.signal,
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } catch (error) {
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 5 });
    options.signal.throwIfAborted();
    const words = error instanceof Error ? error.message : String(error);
    throw new ProtocolError('RENDER_FAILED', 500, `Chromium (${options.executablePath}) did not start: ${words.slice(0, 2000)}`);
  }
  const child = browser.process();
  if (child?.pid === undefined) throw new ProtocolError('RENDER_FAILED', 500, 'Chromium has no process of its own.');
  return new RunningChromium(browser, {
    child,
    pid: child.pid,
    userDataDir,
    frameControl,
    backend: options.backend,
    version: await browser.version(),
  });
}

interface Running {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly userDataDir: string;
  readonly frameControl: boolean;
  readonly backend: GraphicsBackend;
  readonly version: string;
}

class RunningChromium implements Chromium {
  readonly pid: number;
  readonly version: string;
  readonly backend: GraphicsBackend;
  readonly frameControl: boolean;
  readonly gone: AbortSignal;
  readonly #browser: Browser;
  readonly #running: Running;
  #root: Promise<CDPSession> | null = null;
  #ending: Promise<void> | null = null;

  constructor(browser: Browser, running: Running) {
    this.#browser = browser;
    this.#running = running;
    this.pid = running.pid;
    this.version = running.version;
    this.backend = running.backend;
    this.frameControl = running.frameControl;
    const gone = new AbortController();
    this.gone = gone.signal;
    const end = () => gone.abort(new CaptureFault('crashed', 'Chromium ended in the middle of its work.', []));
    browser.once('disconnected', end);
    running.child.once('exit', end);
  }

  async openTarget(size: Size): Promise<{ session: CDPSession; close(): Promise<void> }> {
    this.#root ??= this.#browser.target().createCDPSession();
    const root = await this.#root;
    // Full Chromium refuses a size for a tab; there the page's size is emulated.
    const { targetId } = await root.send(
      'Target.createTarget',
      this.frameControl ? { url: 'about:blank', ...size, enableBeginFrameControl: true } : { url: 'about:blank' },
    );
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    const session = root.connection()?.session(sessionId);
    if (!session) throw new Error('Chromium closed the page while it was being opened.');
    if (!this.frameControl) {
      await session.send('Emulation.setDeviceMetricsOverride', { ...size, deviceScaleFactor: 1, mobile: false });
    }
    return {
      session,
      close: async () => {
        await root.send('Target.closeTarget', { targetId });
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    const { child, pid, userDataDir } = this.#running;
    const exited = new Promise<void>((resolve) => {
      if (child.exitCode !== null || child.signalCode !== null) resolve();
      else child.once('exit', () => resolve());
    });
    // Nothing of a capturing browser is worth saving, so there is no gentle way first.
    killGroup(pid);
    await exited;
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // ESRCH: the whole group is gone already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
