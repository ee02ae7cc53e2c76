import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Browser, CDPSession } from 'puppeteer-core';
import { ProtocolError } from '../http.ts';
import { untilAborted, withTimeLimit } from '../time-limit.ts';
import { chromiumArguments, chromiumEnvironment, type GraphicsBackend } from './chromium-flags.ts';
import { ChromiumProcess } from './chromium-process.ts';
import { devTools } from './devtools.ts';
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
 * Throws ProtocolError RENDER_FAILED with Chromium's own words when it does not start, CaptureFault `crashed`
 * when it was killed meanwhile, or the reason of the signal.
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
  const { executablePath, backend, signal } = options;
  signal.throwIfAborted();
  const userDataDir = await mkdtemp(join(tmpdir(), 'koda-chromium-'));
  let running: ChromiumProcess | null = null;
  try {
    running = await ChromiumProcess.start({
      executablePath,
      args: chromiumArguments({ ...options, frameControl, userDataDir, smallSharedMemory: hasSmallSharedMemory() }),
      env: chromiumEnvironment(options, process.env),
    });
    const connecting = withTimeLimit(connectTo(running), launchTimeoutMs, () => new Error('it does not answer.'));
    const { browser, version } = await untilAborted(connecting, signal);
    return new RunningChromium({ running, browser, version, userDataDir, frameControl, backend });
  } catch (error) {
    const killed = running !== null && running.killedBy !== null;
    await end(running, userDataDir);
    signal.throwIfAborted();
    if (killed) throw crash();
    const words = `${error instanceof Error ? error.message : String(error)} ${running?.words ?? ''}`;
    throw new ProtocolError('RENDER_FAILED', `Chromium (${executablePath}) did not start: ${words.slice(0, 2000).trim()}`);
  }
}

async function connectTo(transport: ChromiumProcess): Promise<{ browser: Browser; version: string }> {
  const { connect } = await devTools();
  const browser = await connect({ transport, defaultViewport: null });
  return { browser, version: await browser.version() };
}

async function end(running: ChromiumProcess | null, userDataDir: string): Promise<void> {
  running?.kill();
  await running?.exited;
  await rm(userDataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
}

function crash(): CaptureFault {
  return new CaptureFault('crashed', 'Chromium ended in the middle of its work.', []);
}

interface Parts extends Pick<Chromium, 'version' | 'backend' | 'frameControl'> {
  readonly running: ChromiumProcess;
  readonly browser: Browser;
  readonly userDataDir: string;
}

class RunningChromium implements Chromium {
  readonly pid: number;
  readonly version: string;
  readonly backend: GraphicsBackend;
  readonly frameControl: boolean;
  readonly gone: AbortSignal;
  readonly #browser: Browser;
  readonly #end: () => Promise<void>;
  #root: Promise<CDPSession> | null = null;
  #ending: Promise<void> | null = null;

  constructor({ running, browser, version, backend, frameControl, userDataDir }: Parts) {
    this.pid = running.pid;
    this.version = version;
    this.backend = backend;
    this.frameControl = frameControl;
    this.#browser = browser;
    this.#end = () => end(running, userDataDir);
    const gone = new AbortController();
    this.gone = gone.signal;
    const onGone = () => gone.abort(crash());
    browser.once('disconnected', onGone);
    running.exited.then(onGone, onGone);
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
}
