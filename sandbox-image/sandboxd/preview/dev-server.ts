import { randomInt } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { get } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { PreviewStatus } from '#contract/sandbox/answers.ts';
import { ProtocolError } from '../http.ts';
import type { PreviewServer } from '../preview-server.ts';
import { type Launched, LogTail, launch } from '../processes/launch.ts';
import { currentSlowness } from '../slowness.ts';
import { compileProblems } from './compile-problems.ts';

const startTimeoutMs = 60_000;
const pollMs = 50;
const probeTimeoutMs = 2_000;
/** Maximum wait for the last output of an ended dev server, whose children may still have it open. */
const lastOutputMs = 1_000;
/** Folder whose changes may break or repair the page. */
const sourceFolder = 'src';
/**
 * Delays after a change before the page is checked. Vite needs a moment to notice the change, and on a busy machine only the
 * second delay is long enough.
 */
const checkDelaysMs = [300, 1_500] as const;
/** Time between two checks if changes of the sources cannot be watched. */
const checkEveryMs = 2_000;
/** Vite's line about a watcher that has failed, and the system's words if that ends Vite. Both limits are those of the user. */
const watcherFailure = /file watcher error: (.+)|((?:ENOSPC|EMFILE): .*(?:watch|open files).*)/;
/** Vite's message if another program has taken the port in the meantime. */
const portTaken = /Port \d+ is already in use/;
const maxOtherPorts = 2;
const [firstPort, lastPort] = [15_000, 30_000] as const;
const maxPortAttempts = 100;
/** Makes Vite read the files' times instead of watching them. */
const polling = { CHOKIDAR_USEPOLLING: '1', CHOKIDAR_INTERVAL: '1000' };
/** Maximum wait of a watcher, shorter than the time limit of its call. */
const maxWatchMs = 20_000;

interface Run {
  readonly program: Launched;
  readonly port: number;
  readonly ready: Promise<void>;
  state: 'starting' | 'running' | 'ended';
}

/** The project's Vite dev server. Starts on demand, and again after an unexpected exit. */
export class DevServer implements PreviewServer {
  readonly #workspace: string;
  readonly #log = new LogTail();
  #run: Run | null = null;
  #failed = false;
  #starting: Promise<Run> | null = null;
  #stopping = false;
  #problems: readonly string[] = [];
  /** Whether the system has refused to watch files, so that the dev server polls them. */
  #polls = false;
  #onOutput: () => void = () => undefined;
  #revision = 0;
  readonly #changes = new EventEmitter().setMaxListeners(0);

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  async ensureRunning(signal: AbortSignal): Promise<{ port: number }> {
    signal.throwIfAborted();
    const cancelled = once(signal, 'abort').then(() => signal.throwIfAborted());
    cancelled.catch(() => undefined);
    const run = await Promise.race([this.#ready(), cancelled]);
    if (!run) throw new ProtocolError('CANCELLED', 'The request was cancelled.');
    return { port: run.port };
  }

  status(): PreviewStatus {
    const run = this.#run;
    const known = { log: this.#log.text(), revision: this.#revision, problems: [] };
    if (this.#stopping) return { ...known, state: 'stopped', port: null };
    if (this.#starting || run?.state === 'starting') return { ...known, state: 'starting', port: null };
    if (run?.state === 'running') return { ...known, state: 'running', port: run.port, problems: [...this.#problems] };
    return { ...known, state: this.#failed ? 'failed' : 'stopped', port: null };
  }

  /** Resolves when the status has another revision, or after a time limit. */
  async watch(revision: number, signal: AbortSignal): Promise<PreviewStatus> {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(maxWatchMs)]);
    // Rejects at the end of the wait, when the status is returned as it is.
    if (revision === this.#revision) await once(this.#changes, 'change', { signal: ended }).catch(() => undefined);
    return this.status();
  }

  /** Stops the dev server with all its children, even while it is starting. Idempotent. */
  async stop(): Promise<PreviewStatus> {
    this.#stopping = true;
    await this.#run?.program.kill();
    // Callers that wait for the start receive its error.
    await this.#starting?.catch(() => undefined);
    await this.#run?.program.kill();
    this.#run = null;
    this.#failed = false;
    this.#stopping = false;
    this.#changed();
    return this.status();
  }

  async #ready(): Promise<Run> {
    if (this.#run?.state !== 'running') {
      this.#starting ??= this.#start().finally(() => {
        this.#starting = null;
        this.#changed();
      });
      return await this.#starting;
    }
    return this.#run;
  }

  #changed(): void {
    this.#revision += 1;
    this.#changes.emit('change');
  }

  async #start(otherPorts = maxOtherPorts): Promise<Run> {
    this.#failed = false;
    this.#problems = [];
    this.#log.clear();
    try {
      const run = await this.#launch();
      this.#run = run;
      await run.ready;
      run.state = 'running';
      this.#checkAfterChanges(run);
      return run;
    } catch (error) {
      if (this.#startsPolling()) return await this.#start();
      if (otherPorts > 0 && !this.#stopping && portTaken.test(this.#log.text())) return await this.#start(otherPorts - 1);
      this.#failed = true;
      throw error;
    }
  }

  /** Returns whether the dev server has just failed to watch files, and polls them from its next start on. */
  #startsPolling(): boolean {
    if (this.#polls || this.#stopping || this.#watcherFailure() === null) return false;
    this.#polls = true;
    return true;
  }

  #watcherFailure(): string | null {
    const [, vite, system] = watcherFailure.exec(this.#log.text()) ?? [];
    return vite ?? system ?? null;
  }

  async #launch(): Promise<Run> {
    const port = await freePort();
    const vite = join(this.#workspace, 'node_modules/vite/bin/vite.js');
    // Vite's default config loader writes next to the packages, which may be read-only.
    const args = [vite, '--configLoader', 'native', '--host', '127.0.0.1', '--port', String(port), '--strictPort'];
    const program = await launch(process.execPath, args, {
      workspace: this.#workspace,
      cwd: this.#workspace,
      env: { PORT: String(port), ...(this.#polls && polling) },
    });
    const follow = (stream: Readable) => this.#log.follow(stream, () => this.#onOutput());
    const output = Promise.all([follow(program.stdout), follow(program.stderr)]);
    const run: Run = { program, port, state: 'starting', ready: this.#waitUntilReady(program, port, output) };
    void this.#watch(run, output);
    return run;
  }

  async #watch(run: Run, output: Promise<unknown>): Promise<void> {
    const exit = await run.program.exited;
    run.state = 'ended';
    if (this.#run === run) this.#failed = true;
    await run.program.kill();
    await Promise.race([output, delay(lastOutputMs)]);
    this.#log.add(`\n[the dev server exited:  ${exit.signal ?? `exit code ${exit.exitCode}`}]\n`);
    // The state is reported together with the whole log.
    this.#changed();
  }

  /** Finds compile errors now, after each change of the sources, and if the watcher fails, until the dev server exits. */
  #checkAfterChanges(run: Run): void {
    let timers: NodeJS.Timeout[] = [];
    const check = () => void this.#check(run).catch((error: unknown) => this.#log.add(`\n[compile check: ${String(error)}]\n`));
    const schedule = () => {
      for (const timer of timers) clearTimeout(timer);
      timers = checkDelaysMs.map((delayMs) => setTimeout(check, delayMs));
    };
    schedule();
    let failure = this.#watcherFailure();
    this.#onOutput = () => {
      const before = failure;
      failure = this.#watcherFailure();
      if (failure !== before) check();
    };
    const sources = join(this.#workspace, sourceFolder);
    if (!existsSync(sources)) return;
    const stop = watched(sources, schedule, (error) => {
      this.#log.add(`\n[compile check, from now on every ${checkEveryMs / 1000} s: ${String(error)}]\n`);
      return setInterval(check, checkEveryMs);
    });
    void run.program.exited.then(() => {
      stop();
      for (const timer of timers) clearTimeout(timer);
    });
  }

  async #check(run: Run): Promise<void> {
    if (this.#run === run && this.#startsPolling()) {
      await run.program.kill();
      await this.#ready();
      return;
    }
    const exited = new AbortController();
    void run.program.exited.then(() => exited.abort());
    const failure = this.#watcherFailure();
    const problems = [
      ...(failure === null ? [] : [`The dev server does not notice changes of files: ${failure}`]),
      ...(await compileProblems(`http://127.0.0.1:${run.port}`, this.#workspace, exited.signal)),
    ];
    if (this.#run !== run || JSON.stringify(problems) === JSON.stringify(this.#problems)) return;
    this.#problems = problems;
    this.#changed();
  }

  async #waitUntilReady(program: Launched, port: number, output: Promise<unknown>): Promise<void> {
    const timeoutMs = startTimeoutMs * currentSlowness();
    const deadline = Date.now() + timeoutMs;
    let hasExited = false;
    const exited = program.exited.then(() => {
      hasExited = true;
    });
    while (!(await isServing(port))) {
      await Promise.race([exited, delay(pollMs)]);
      if (hasExited) {
        await Promise.race([output, delay(lastOutputMs)]);
        throw this.#serverFailed('The dev server exited before it was ready.');
      }
      if (Date.now() > deadline) {
        await program.kill();
        throw this.#serverFailed(`The dev server did not respond within ${Math.round(timeoutMs / 1000)} s.`);
      }
    }
  }

  #serverFailed(message: string): ProtocolError {
    const log = this.#log.text();
    return new ProtocolError('SERVER_FAILED', `${message} Its output ends with: ${log.slice(-2_000) || '(nothing)'}`, {
      log,
    });
  }
}

/** Watches a folder. If the system refuses that, now or later, `poll` replaces it. Returns how to end either. */
function watched(folder: string, onChange: () => void, poll: (error: unknown) => NodeJS.Timeout): () => void {
  let timer: NodeJS.Timeout | undefined;
  const replace = (error: unknown) => {
    timer ??= poll(error);
  };
  try {
    const watcher = watch(folder, { recursive: true }, onChange).on('error', replace);
    return () => {
      watcher.close();
      clearInterval(timer);
    };
  } catch (error) {
    replace(error);
    return () => clearInterval(timer);
  }
}

/** Returns a free port below the ephemeral range, from which the system could assign it to another program in the meantime. */
async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < maxPortAttempts; attempt++) {
    const server = createServer().listen(randomInt(firstPort, lastPort), '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }
  throw new ProtocolError('PORT_UNAVAILABLE', 'The dev server cannot start, because no port is free.');
}

/** Returns whether the port returns any HTTP response. */
async function isServing(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const request = get(
      { host: '127.0.0.1', port, path: '/', headers: { accept: 'text/html' }, agent: false, timeout: probeTimeoutMs },
      (response) => {
        response.destroy();
        resolve(true);
      },
    );
    request.on('timeout', () => request.destroy(new Error('no response')));
    request.on('error', () => resolve(false));
  });
}
