import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Failpoint } from '../../server/lib/failpoint.ts';
import { killGroup } from './sandboxes.ts';

const root = join(import.meta.dirname, '../..');
const stopTimeoutMs = 120_000;
const keptLogLines = 40;

export interface AppFolders {
  /** Folder for all data of the server and its sandboxes, and nothing else. */
  readonly base: string;
  readonly dataDir: string;
  readonly socketsDir: string;
}

interface StartOptions {
  readonly failpoint: Failpoint | null;
  /** A module that breaks the store before the server is loaded. */
  readonly preload: string | null;
}

/** The real server as a process, with everything that it starts in one process group. Sandboxes are outside that group. */
export class App {
  readonly #child: ChildProcess;
  readonly #log: string[] = [];
  /** Resolves with the address once the server accepts requests, or with `null` if it exits first. */
  readonly ready: Promise<string | null>;
  /** Resolves with the signal's name or the exit code. */
  readonly ended: Promise<string>;
  #hasEnded = false;

  constructor({ dataDir, socketsDir, base }: AppFolders, { failpoint, preload }: StartOptions) {
    const flags = preload === null ? [] : ['--import', pathToFileURL(preload).href];
    this.#child = spawn(process.execPath, [...flags, join(root, 'server/main.ts')], {
      cwd: root,
      env: {
        ...process.env,
        // Reuses Node's compile cache between starts, which halves the startup time.
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? join(base, 'compiled'),
        KODA_PORT: '0',
        KODA_SANDBOX: 'process',
        KODA_INSTANCE: 'chaos',
        KODA_DATA_DIR: dataDir,
        KODA_SOCKETS_DIR: socketsDir,
        KODA_LOG_LEVEL: 'info',
        KODA_AUTO_FINAL: 'off',
        KODA_SANDBOXES: '8',
        KODA_RENDERS: '1',
        KODA_RENDER_WORKERS: '1',
        KODA_FAILPOINT: failpoint ?? '',
      },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.ended = once(this.#child, 'exit').then(([code, signal]) => {
      this.#hasEnded = true;
      // Ends the server's git processes too, as in a power cut.
      this.#killGroup();
      return String(signal ?? code);
    });
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.ready = promise;
    void this.ended.then(() => resolve(null));
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        this.#log.push(line);
        if (this.#log.length > keptLogLines) this.#log.shift();
        const url = /"msg":"Koda is running at ([^"]+)"/.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Returns the end of the server's output. */
  get log(): string {
    return this.#log.join('\n');
  }

  /** Returns the server's address. Throws an Error if it exits first. */
  async started(): Promise<string> {
    const url = await this.ready;
    if (url !== null) return url;
    throw new Error(`The server did not start. Its last words:\n${this.log}`);
  }

  /** Sends SIGKILL to the server and everything that it runs itself. */
  async kill(): Promise<void> {
    this.#killGroup();
    await this.ended;
  }

  /** Sends SIGTERM and waits for the exit. Throws if it takes too long or reports an error. */
  async stop(): Promise<void> {
    if (this.#hasEnded) return;
    this.#child.kill('SIGTERM');
    const how = await Promise.race([this.ended, delay(stopTimeoutMs, 'no end', { ref: false })]);
    if (how === '0') return;
    await this.kill();
    throw new Error(`The server did not stop in order (${how}). Its last words:\n${this.log}`);
  }

  #killGroup(): void {
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
  }
}
