import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Browser, CDPSession } from 'puppeteer-core';
import { ProtocolError } from '../http.ts';
import { currentSlowness } from '../slowness.ts';
import { untilAborted, withTimeLimit } from '../time-limit.ts';
import { CaptureError } from './capture-error.ts';
import { chromiumArguments, chromiumEnvironment, type GraphicsBackend } from './chromium-flags.ts';
import { ChromiumProcess } from './chromium-process.ts';
import { devTools } from './devtools.ts';
import { hasSmallSharedMemory } from './executables.ts';

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

/** Running Chromium with its own profile. Disposal kills the process and deletes the profile; idempotent. */
export interface Chromium extends AsyncDisposable {
  readonly pid: number;
  readonly version: string;
  readonly backend: GraphicsBackend;
  /** Folder of its profile, which contains the private file systems of its pages. */
  readonly profile: string;
  /** Whether frames are drawn on request (headless shell). */
  readonly frameControl: boolean;
  /** Aborts with a CaptureError when the process exits. */
  readonly closed: AbortSignal;
  /** Opens a blank page of the given size. */
  openTarget(size: Size): Promise<{ session: CDPSession; close(): Promise<void> }>;
}

/**
 * Starts Chromium. Throws RENDER_FAILED with its error output if it does not start, CaptureError `crashed` if it is killed,
 * or the signal's reason.
 */
export async function launchChromium(options: ChromiumOptions): Promise<Chromium> {
  const shell = /headless[-_]shell/.test(basename(options.executablePath));
  const first = await start(options, shell);
  // The executable's name is unreliable (KODA_CHROMIUM can have any name); the browser reports its real type.
  if (first.version.startsWith('HeadlessChrome') === shell) return first;
  await first[Symbol.asyncDispose]();
  return start(options, !shell);
}

/** Starts Chromium without frame control. Throws the same errors as `launchChromium`. */
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
    const connecting = withTimeLimit(
      connectTo(running),
      launchTimeoutMs * currentSlowness(),
      () => new Error('it did not respond in time.'),
    );
    const { browser, version } = await untilAborted(connecting, signal);
    return new RunningChromium({ running, browser, version, userDataDir, frameControl, backend });
  } catch (error) {
    const killed = running !== null && running.killedBy !== null;
    await end(running, userDataDir);
    signal.throwIfAborted();
    if (killed) throw crash();
    const message = `${error instanceof Error ? error.message : String(error)} ${running?.errorOutput ?? ''}`;
    throw new ProtocolError('RENDER_FAILED', `Chromium (${executablePath}) did not start: ${message.slice(0, 2000).trim()}`);
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

function crash(): CaptureError {
  return new CaptureError('crashed', 'Chromium exited unexpectedly.', []);
}

interface Parts extends Pick<Chromium, 'version' | 'backend' | 'frameControl'> {
  readonly running: ChromiumProcess;
  readonly browser: Browser;
  readonly userDataDir: string;
}

class RunningChromium implements Chromium {
  readonly pid: number;
  readonly version: string;
  readonly profile: string;
  readonly backend: GraphicsBackend;
  readonly frameControl: boolean;
  readonly closed: AbortSignal;
  readonly #browser: Browser;
  readonly #end: () => Promise<void>;
  #root: Promise<CDPSession> | null = null;
  #ending: Promise<void> | null = null;

  constructor({ running, browser, version, backend, frameControl, userDataDir }: Parts) {
    this.pid = running.pid;
    this.version = version;
    this.profile = userDataDir;
    this.backend = backend;
    this.frameControl = frameControl;
    this.#browser = browser;
    this.#end = () => end(running, userDataDir);
    const closed = new AbortController();
    this.closed = closed.signal;
    const onClosed = () => closed.abort(crash());
    browser.once('disconnected', onClosed);
    running.exited.then(onClosed, onClosed);
  }

  async openTarget(size: Size): Promise<{ session: CDPSession; close(): Promise<void> }> {
    this.#root ??= this.#browser.target().createCDPSession();
    const root = await this.#root;
    // Full Chromium rejects a size for a tab, so the page's size is emulated.
    const { targetId } = await root.send(
      'Target.createTarget',
      this.frameControl ? { url: 'about:blank', ...size, enableBeginFrameControl: true } : { url: 'about:blank' },
    );
    const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
    const session = root.connection()?.session(sessionId);
    if (!session) throw new Error('Chromium closed the page while opening it.');
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
