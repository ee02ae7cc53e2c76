import { once } from 'node:events';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PreviewStatus } from '../../../server/contract/sandboxd.ts';
import { ProtocolError } from '../http.ts';
import type { PreviewServer } from '../preview-server.ts';
import { type Launched, LogTail, launch } from '../processes/launch.ts';

const startTimeoutMs = 60_000;
const pollMs = 50;
const probeTimeoutMs = 2_000;

/** One run of the dev server, from its start to its end. */
interface Run {
  readonly program: Launched;
  readonly port: number;
  /** Resolves when it serves HTTP; rejects with SERVER_FAILED when it ended or did not answer in time. */
  readonly ready: Promise<void>;
  state: 'starting' | 'running' | 'ended';
}

/** The project's Vite dev server: started on demand, and again after it died. */
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
    if (!run) throw new ProtocolError('CANCELLED', 'The call was cancelled.');
    return { port: run.port };
  }

  status(): PreviewStatus {
    const run = this.#run;
    if (this.#starting || run?.state === 'starting') return { state: 'starting', port: null, log: this.#log.text() };
    if (run?.state === 'running') return { state: 'running', port: run.port, log: this.#log.text() };
    return { state: this.#failed ? 'failed' : 'stopped', port: null, log: this.#log.text() };
  }

  /** Ends the dev server with everything it started, also while it starts. Fine when it does not run. */
  async stop(): Promise<PreviewStatus> {
    await this.#run?.program.kill();
    // Its failure is reported to the waiting calls; here it counts as stopped.
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
    // The packages may be read-only, and Vite's other way to load its configuration writes beside them.
    const args = [vite, '--configLoader', 'native', '--host', '127.0.0.1', '--port', String(port), '--strictPort'];
    const program = await launch(process.execPath, args, {
      workspace: this.#workspace,
      cwd: this.#workspace,
      env: { PORT: String(port) },
    });
    const run: Run = { program, port, state: 'starting', ready: this.#whenReady(program, port) };
    const output = Promise.all([this.#log.follow(program.stdout), this.#log.follow(program.stderr)]);
    void this.#watch(run, output);
    return run;
  }

  /** Takes note of the end, whenever it comes. */
  async #watch(run: Run, output: Promise<unknown>): Promise<void> {
    const exit = await run.program.exited;
    run.state = 'ended';
    if (this.#run === run) this.#failed = true;
    await run.program.kill();
    await Promise.race([output, delay(1_000)]);
    this.#log.add(`\n[the dev server ended: ${exit.signal ?? `exit code ${exit.exitCode}`}]\n`);
  }

  async #whenReady(program: Launched, port: number): Promise<void> {
    const deadline = Date.now() + startTimeoutMs;
    let ended = false;
    const exited = program.exited.then(() => {
      ended = true;
    });
    while (!(await answers(port))) {
      await Promise.race([exited, delay(pollMs)]);
      if (ended) {
        // Its last output is still in the pipe.
        await delay(pollMs);
        throw this.#serverFailed('The dev server ended before it served anything.');
      }
      if (Date.now() > deadline) {
        await program.kill();
        throw this.#serverFailed(`The dev server did not answer within ${startTimeoutMs / 1000} s.`);
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

/** A port that is free now. Another program may take it before the dev server does, which then ends and says so. */
async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string')
    throw new ProtocolError('PORT_UNAVAILABLE', 'No port is free for the dev server.');
  return address.port;
}

/** Whether anything at all comes back over HTTP. */
async function answers(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const request = get(
      { host: '127.0.0.1', port, path: '/', headers: { accept: 'text/html' }, agent: false, timeout: probeTimeoutMs },
      (response) => {
        response.destroy();
        resolve(true);
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', () => resolve(false));
  });
}
