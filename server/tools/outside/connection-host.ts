import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { Logger } from 'pino';
import { KodaError } from '#contract/errors.ts';
import { ByteCollector } from '../../lib/bytes.ts';
import { Backoff } from './backoff.ts';
import { OutsideConnection, unavailable } from './outside-connection.ts';
import {
  beatIntervalMs,
  type Command,
  type Endpoint,
  type McpTimeouts,
  maxLineBytes,
  type Question,
  type Report,
  reportSchema,
} from './protocol.ts';

const program = join(import.meta.dirname, 'connections-process.ts');
const flags = ['--disable-sigusr1', '--max-old-space-size=256'];
const newline = 0x0a;
const maxSilentBeats = 10;
/** Loading the program takes long on a busy machine. */
const maxStartBeats = 60;
const closeTimeoutMs = 5_000;
const restarts = { firstMs: 1_000, maxMs: 60_000, quietMs: 60_000 };
/** What commands need to run, and TLS to work. Koda's own variables contain keys. */
const inheritedVariables = [
  ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER', 'TMPDIR', 'TZ', 'LANG'],
  ...['NODE_COMPILE_CACHE', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
];

interface HostOptions {
  readonly version: string;
  readonly timeouts: McpTimeouts;
  readonly log: Logger;
}

interface Opened {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly connection: OutsideConnection;
}

interface Running {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly watch: NodeJS.Timeout;
}

/**
 * Runs the connections to MCP servers in one process, so that what these servers send holds up or crashes only that process. It is
 * killed if it is stuck, and starts again after a delay that doubles.
 */
export class ConnectionHost {
  readonly #options: HostOptions;
  readonly #opened = new Map<number, Opened>();
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #restarts = new Backoff(restarts);
  #lastId = 0;
  #running: Running | null = null;
  #restart: NodeJS.Timeout | null = null;

  constructor(options: HostOptions) {
    this.#options = options;
  }

  /** Adds a connection, which opens in the background. */
  open(name: string, endpoint: Endpoint): OutsideConnection {
    const id = ++this.#lastId;
    const connection = new OutsideConnection({
      ask: (question, signal) => this.#ask(id, question, signal),
      close: () => this.#remove(id),
    });
    this.#opened.set(id, { name, endpoint, connection });
    if (this.#restart !== null) connection.lose();
    else if (this.#running === null) this.#start();
    else this.#sendOpen(id);
    return connection;
  }

  async close(): Promise<void> {
    this.#opened.clear();
    if (this.#restart !== null) clearTimeout(this.#restart);
    await this.#stop();
  }

  #remove(id: number): void {
    if (!this.#opened.delete(id)) return;
    this.#send({ type: 'close', connection: id });
    if (this.#opened.size === 0) void this.#stop();
  }

  #start(): void {
    this.#restart = null;
    const env = Object.fromEntries(inheritedVariables.flatMap((name) => [[name, process.env[name]]]));
    // A group of its own, so that commands end with the process.
    const child = spawn(process.execPath, [...flags, program], { env, detached: true, stdio: ['pipe', 'pipe', 'inherit'] });
    let left = maxStartBeats;
    // Counts its own turns instead of time: if the app was busy, reports may be waiting to be read.
    const watch = setInterval(() => {
      left -= 1;
      if (left <= 0) this.#lose(child, 'it does not respond');
    }, beatIntervalMs).unref();
    this.#running = { child, watch };
    const take = lineReader((line) => {
      left = maxSilentBeats;
      this.#take(line);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      try {
        if (this.#running?.child === child) take(chunk);
      } catch (error) {
        this.#options.log.warn({ err: error }, 'failed to read from the process of the MCP connections');
        this.#lose(child, 'it sent an invalid report');
      }
    });
    child.stdin.on('error', () => this.#lose(child, 'it closed its input'));
    child.on('error', (error) => this.#lose(child, error.message));
    child.on('exit', (code, signal) => this.#lose(child, `it exited with ${code ?? signal}`));
    for (const [id, { connection }] of this.#opened) {
      connection.reopen();
      this.#sendOpen(id);
    }
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    if (running === null) return;
    clearInterval(running.watch);
    this.#reject();
    const { child } = running;
    const exited = child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : once(child, 'exit');
    child.stdin.end();
    const timer = setTimeout(() => killGroup(child.pid), closeTimeoutMs);
    await exited;
    clearTimeout(timer);
    killGroup(child.pid);
  }

  /** Ends a process that is of no more use, and plans the next one. */
  #lose(child: Running['child'], reason: string): void {
    if (this.#running?.child !== child) return;
    clearInterval(this.#running.watch);
    this.#running = null;
    killGroup(child.pid);
    this.#reject();
    for (const { connection } of this.#opened.values()) connection.lose();
    const delayMs = this.#restarts.next();
    this.#options.log.warn({ reason, delayMs }, 'the process of the MCP connections ended');
    this.#restart = setTimeout(() => {
      this.#restart = null;
      if (this.#opened.size > 0) this.#start();
    }, delayMs).unref();
  }

  #reject(): void {
    for (const { reject } of this.#waiting.values()) reject(unavailable());
    this.#waiting.clear();
  }

  #sendOpen(id: number): void {
    const opened = this.#opened.get(id);
    if (opened === undefined) return;
    const { version, timeouts } = this.#options;
    this.#send({ type: 'open', connection: id, name: opened.name, endpoint: opened.endpoint, version, timeouts });
  }

  #send(command: Command): void {
    this.#running?.child.stdin.write(`${JSON.stringify(command)}\n`);
  }

  async #ask(connection: number, question: Question, signal: AbortSignal | null): Promise<unknown> {
    signal?.throwIfAborted();
    if (this.#running === null) throw unavailable();
    const request = ++this.#lastId;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(request, waiting);
    const abort = () => {
      this.#send({ type: 'cancel', request });
      waiting.reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
    this.#send({ ...question, request, connection });
    try {
      return await waiting.promise;
    } finally {
      this.#waiting.delete(request);
      signal?.removeEventListener('abort', abort);
    }
  }

  #take(line: string): void {
    const report: Report = reportSchema.parse(JSON.parse(line));
    switch (report.type) {
      case 'beat':
        return;
      case 'answer':
        this.#waiting.get(report.request)?.resolve(report.value);
        return;
      case 'failure':
        this.#waiting.get(report.request)?.reject(new KodaError(report.code, report.message, { details: report.details }));
        return;
      default:
        this.#opened.get(report.connection)?.connection.take(report);
    }
  }
}

/** Returns a function that takes chunks, and calls `take` with each line. It throws if a line is too long. */
function lineReader(take: (line: string) => void): (chunk: Buffer) => void {
  let line = new ByteCollector();
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
      line.add(chunk.subarray(from, end));
      take(line.whole().toString('utf8'));
      line = new ByteCollector();
      from = end + 1;
    }
    line.add(chunk.subarray(from));
    if (line.length > maxLineBytes) throw new Error(`a line of more than ${maxLineBytes} bytes`);
  };
}

/** Ends the process and its commands, if they still run. */
function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All have exited.
  }
}
