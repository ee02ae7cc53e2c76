import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { ConnectionTransport } from 'puppeteer-core';
import { errnoOf } from '../http.ts';

/** Of what Chromium writes while it runs, the end is kept. */
const keptWordsLength = 2000;
const messageEnd = 0;

export interface ChromiumCommand {
  readonly executablePath: string;
  /** With `--remote-debugging-pipe` among them. */
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

/**
 * A Chromium in a process group of its own, and the pipe on which it speaks DevTools; it ends when this process
 * does. The connection closes as soon as the first of its processes is gone: those that it forked hold the pipe
 * open for a while, so waiting for the pipe to close may take for ever.
 */
export class ChromiumProcess implements ConnectionTransport {
  onmessage?: (message: string) => void;
  onclose?: () => void;
  readonly #child: ChildProcess;
  readonly #requests: Writable;
  readonly #exited: Promise<unknown>;
  #pending: Buffer[] = [];
  #words = '';

  /** Throws the error of the system when there is no such program or it may not be run. */
  static async start({ executablePath, args, env }: ChromiumCommand): Promise<ChromiumProcess> {
    const child = spawn(executablePath, args, { detached: true, env, stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'] });
    const exited = once(child, 'exit').catch(() => undefined);
    await once(child, 'spawn');
    return new ChromiumProcess(child, exited);
  }

  private constructor(child: ChildProcess, exited: Promise<unknown>) {
    const [, , words, requests, answers] = child.stdio as [null, null, Readable, Writable, Readable];
    this.#child = child;
    this.#requests = requests;
    this.#exited = exited.then(() => this.#ended());
    // A pipe breaks when Chromium ends, which its exit reports.
    for (const pipe of [words, requests, answers]) pipe.on('error', () => undefined);
    words.setEncoding('utf8').on('data', (text: string) => {
      this.#words = (this.#words + text).slice(-keptWordsLength);
    });
    answers.on('data', (bytes: Buffer) => this.#receive(bytes));
  }

  get pid(): number {
    if (this.#child.pid === undefined) throw new Error('Chromium was used before it was started.');
    return this.#child.pid;
  }

  /** The end of its error stream. */
  get words(): string {
    return this.#words.trim();
  }

  /** The signal that ended it, e.g. the kernel's for want of memory; null while it runs and when it ended by itself. */
  get killedBy(): NodeJS.Signals | null {
    return this.#child.signalCode;
  }

  /** Resolves when it is gone, by whatever. */
  get exited(): Promise<unknown> {
    return this.#exited;
  }

  send(message: string): void {
    this.#requests.write(`${message}\0`);
  }

  /** Part of the transport: the connection is given up, and the browser with it. */
  close(): void {
    this.kill();
  }

  /** Nothing of a capturing browser is worth saving, so there is no gentle way. May be called again and again. */
  kill(): void {
    try {
      process.kill(-this.pid, 'SIGKILL');
    } catch (error) {
      // ESRCH: the whole group is gone already.
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
      // Not from within this event: an answer that throws must not keep the next ones from being read.
      setImmediate(() => this.onmessage?.(message));
    }
    if (rest.length > 0) this.#pending.push(rest);
  }
}
