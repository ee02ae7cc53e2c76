import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer-core';
import { errnoOf } from '../http.ts';
import { killedBeforeDaemon } from '../processes/out-of-memory.ts';

const maxErrorOutputLength = 2000;
const messageEnd = 0;

export interface ChromiumCommand {
  readonly executablePath: string;
  /** Must contain `--remote-debugging-pipe`. */
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

/**
 * Chromium process group with a DevTools pipe, which exits with this process. The connection closes when the main process
 * exits, because its children may hold the pipe open indefinitely.
 */
export class ChromiumProcess implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly #child: ChildProcess;
  readonly #requests: Writable;
  readonly #exited: Promise<unknown>;
  #pending: Buffer[] = [];
  #errorOutput = '';

  static async start({ executablePath, args, env }: ChromiumCommand): Promise<ChromiumProcess> {
    const child = killedBeforeDaemon(() =>
      spawn(executablePath, args, { detached: true, env, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] }),
    );
    const exited = once(child, 'exit').catch(() => undefined);
    await once(child, 'spawn');
    return new ChromiumProcess(child, exited);
  }

  private constructor(child: ChildProcess, exited: Promise<unknown>) {
    const [, , errorOutput, requests, answers] = child.stdio as [null, null, Readable, Writable, Readable];
    this.#child = child;
    this.#requests = requests;
    this.#exited = exited.then(() => this.#ended());
    // A pipe breaks when Chromium exits, which `exited` reports.
    for (const pipe of [errorOutput, requests, answers]) pipe.on('error', () => undefined);
    errorOutput.setEncoding('utf8').on('data', (text: string) => {
      this.#errorOutput = (this.#errorOutput + text).slice(-maxErrorOutputLength);
    });
    answers.on('data', (bytes: Buffer) => this.#receive(bytes));
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('Chromium was used before it started.');
    return this.#child.pid;
  }

  get errorOutput(): string {
    return this.#errorOutput.trim();
  }

  /** Signal that killed Chromium, for example from the kernel when out of memory; otherwise `null`. */
  get killedBy(): NodeJS.Signals | null {
    return this.#child.signalCode;
  }

  get exited(): Promise<unknown> {
    return this.#exited;
  }

  send(message: string): void {
    this.#requests.write(`${message}\0`);
  }

  /** Implements the transport: closing the connection kills the browser. */
  close(): void {
    this.kill();
  }

  /** A capture browser has no state to save, so it is killed without a graceful shutdown. Idempotent. */
  kill(): void {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch (error) {
      if (errnoOf(error) !== 'ESRCH') throw error;
    }
  }

  #ended(): void {
    this.kill();
    this.onclose?.();
  }

  #receive(bytes: Buffer): void {
    let rest = bytes;
    for (let end = rest.indexOf(messageEnd); end !== -1; end = rest.indexOf(messageEnd)) {
      const message = Buffer.concat([...this.#pending, rest.subarray(0, end)]).toString();
      this.#pending = [];
      rest = rest.subarray(end + 1);
      // Deferred, so that a handler that throws does not stop the parsing of further messages.
      setImmediate(() => this.onmessage?.(message));
    }
    if (rest.length > 0) this.#pending.push(rest);
  }
}
