import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PreviewStatus } from '#contract/sandboxd.ts';
import { ProtocolError } from '../http.ts';
import type { PreviewServer } from '../preview-server.ts';
import { type Launched, LogTail, launch } from '../processes/launch.ts';

const startTimeoutMs = 60_000;
const pollMs = 50;
const probeTimeoutMs = 2_000;

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
    if (this.#starting || run?.state === 'starting') return { state: 'starting', port: null, log: this.#log.text() };
    if (run?.state === 'running') return { state: 'running', port: run.port, log: this.#log.text() };
    return { state: this.#failed ? 'failed' : 'stopped', port: null, log: this.#log.text() };
  }

  /** Stops the dev server with all its children, even while it is starting. Idempotent. */
  async stop(): Promise<PreviewStatus> {
    await this.#run?.program.kill();
    // Callers that wait for the start receive its error.
    await this.#starting?.catch(() => undefined);
    await this.#run?.program.kill();
    this.#run = null;
    this.#failed = false;
    return this.status();
  }

  async #ready(): Promise<Run> {
    if (this.#run?.state !== 'running') {
      this.#starting ??= this.#start().finally(() => {
        this.#starting = null;
      });
      return await this.#starting;
    }
    return this.#run;
  }

  async #start(): Promise<Run> {
    this.#failed = false;
    this.#log.clear();
    try {
      const run = await this.#launch();
      this.#run = run;
      await run.ready;
      run.state = 'running';
      return run;
    } catch (error) {
      this.#failed = true;
      throw error;
    }
  }

  async #launch(): Promise<Run> {
    const port = await freePort();
    const vite = join(this.#workspace, 'node_modules/vite/bin/vite.js');
    // Vite's default config loader writes next to the packages, which may be read-only.
    const args = [vite, '--configLoader', 'native', '--host', '127.0.0.1', '--port', String(port), '--strictPort'];
    const program = await launch(process.execPath, args, {
      workspace: this.#workspace,
      cwd: this.#workspace,
      env: { PORT: String(port) },
    });
    const run: Run = { program, port, state: 'starting', ready: this.#waitUntilReady(program, port) };
    const output = Promise.all([this.#log.follow(program.stdout), this.#log.follow(program.stderr)]);
    void this.#watch(run, output);
    return run;
  }

  async #watch(run: Run, output: Promise<unknown>): Promise<void> {
    const exit = await run.program.exited;
    run.state = 'ended';
    if (this.#run === run) this.#failed = true;
    await run.program.kill();
    await Promise.race([output, delay(1_000)]);
    this.#log.add(`\n[the dev server exited:  ${exit.signal ?? `exit code ${exit.exitCode}`}]\n`);
  }

  async #waitUntilReady(program: Launched, port: number): Promise<void> {
    const deadline = Date.now() + startTimeoutMs;
    let hasExited = false;
    const exited = program.exited.then(() => {
      hasExited = true;
    });
    while (!(await isServing(port))) {
      await Promise.race([exited, delay(pollMs)]);
      if (hasExited) {
        await delay(pollMs);
        throw this.#serverFailed('The dev server exited before it was ready.');
      }
      if (Date.now() > deadline) {
        await program.kill();
        throw this.#serverFailed(`The dev server did not respond within ${startTimeoutMs / 1000} s.`);
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

/** Returns a free port. If another program takes it first, the dev server exits with an error. */
async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string')
    throw new ProtocolError('PORT_UNAVAILABLE', 'The dev server cannot start, because no port is free.');
  return address.port;
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
