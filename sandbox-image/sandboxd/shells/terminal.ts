import { writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { TerminalSize } from '#contract/sandbox/shells.ts';
import { errnoOf, ProtocolError } from '../http.ts';
import { executionFailed, newTree } from '../processes/launch.ts';
import { killedBeforeDaemon } from '../processes/out-of-memory.ts';

/** Output limit per period. Excess output pauses the program, so that the daemon stays responsive. */
const windowMs = 50;
const windowBytes = 1024 * 1024;

/** Prefix for a bash program. node-pty leaks other sessions' terminals into every child, so a shell closes them first. */
export const closeInherited = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; [ "$fd" -le 2 ] || eval "exec $fd>&-"; done; unset fd;`;

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly size: TerminalSize;
  readonly onOutput: (chunk: Buffer) => void;
  /** The first process has exited and all of its output was delivered. 128 + signal if a signal ended it. */
  readonly onExit: (exitCode: number) => void;
}

export interface Terminal {
  /** Sends keys. Throws LIMIT_EXCEEDED if the program does not read them. */
  write(input: string): void;
  resize(size: TerminalSize): void;
  /** Sends SIGHUP, because an interactive shell ignores SIGTERM. */
  hangUp(): void;
  kill(): Promise<void>;
}

/** Starts a program in a new pseudo-terminal. Throws EXECUTION_FAILED. */
export async function openTerminal(file: string, args: readonly string[], options: TerminalOptions): Promise<Terminal> {
  // The module is loaded on demand, so that the rest of the sandbox works even if the native code cannot be loaded.
  const { spawn } = await import('@lydell/node-pty').catch((error: unknown) => {
    throw executionFailed(error);
  });
  const tree = newTree();
  const pty = start();
  const kill = tree.register(pty.pid);
  const input = new TerminalInput(pty);
  let ended = false;
  let windowTotal = 0;
  let window: NodeJS.Timeout | null = null;

  pty.onData((data: string | Buffer) => {
    // `encoding: null` yields buffers, contrary to the types.
    const chunk = Buffer.from(data as Buffer);
    windowTotal += chunk.length;
    window ??= setTimeout(() => {
      window = null;
      windowTotal = 0;
      if (!ended) pty.resume();
    }, windowMs);
    if (windowTotal > windowBytes) pty.pause();
    options.onOutput(chunk);
  });
  pty.onExit(({ exitCode, signal }) => {
    ended = true;
    if (window) clearTimeout(window);
    input.close();
    options.onExit(signal ? 128 + signal : exitCode);
  });

  function start() {
    const { columns, rows } = options.size;
    try {
      return killedBeforeDaemon(() =>
        spawn(file, [...args], {
          cwd: options.cwd,
          env: { ...options.env, ...tree.env },
          cols: columns,
          rows,
          encoding: null,
        }),
      );
    } catch (error) {
      throw executionFailed(error);
    }
  }

  return {
    write(text) {
      if (!ended) input.write(text);
    },
    resize({ columns, rows }) {
      if (!ended) pty.resize(columns, rows);
    },
    hangUp() {
      if (!ended) pty.kill('SIGHUP');
    },
    kill,
  };
}

const maxPendingBytes = 256 * 1024;
const retryMs = 20;

/** Writes input without blocking. node-pty's own `write` blocks the daemon if the program does not read. */
class TerminalInput {
  readonly #fd: number;
  readonly #socket: ReadStream;
  #pending = Buffer.alloc(0);
  #timer: NodeJS.Timeout | null = null;

  /** node-pty's types do not declare its file descriptor and stream. */
  constructor(pty: object) {
    const [fd, socket]: unknown[] = [Reflect.get(pty, 'fd'), Reflect.get(pty, '_socket')];
    if (typeof fd !== 'number' || !(socket instanceof ReadStream))
      throw new Error('This version of node-pty is not supported: its file descriptor is missing.');
    this.#fd = fd;
    this.#socket = socket;
  }

  write(text: string): void {
    const bytes = Buffer.from(text, 'utf8');
    if (this.#pending.length + bytes.length > maxPendingBytes) {
      throw new ProtocolError(
        'LIMIT_EXCEEDED',
        'Nothing was sent, because the program in the session is not reading its input. Wait, or kill the session.',
      );
    }
    this.#pending = Buffer.concat([this.#pending, bytes]);
    this.#flush();
  }

  close(): void {
    this.#pending = Buffer.alloc(0);
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #flush(): void {
    if (this.#timer) return;
    // Once the stream is closed, the descriptor may belong to another file.
    while (this.#pending.length > 0 && !this.#socket.destroyed) {
      try {
        // node-pty made it non-blocking.
        this.#pending = this.#pending.subarray(writeSync(this.#fd, this.#pending));
      } catch (error) {
        // The program has exited, which `onExit` reports.
        if (errnoOf(error) === 'EAGAIN') this.#flushLater();
        else this.close();
        return;
      }
    }
  }

  #flushLater(): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#flush();
    }, retryMs);
  }
}
