import { writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import type { TerminalSize } from '../../../server/contract/shells.ts';
import { errnoOf, ProtocolError } from '../http.ts';
import { executionFailed, newTree } from '../processes/launch.ts';

/** What a terminal may write in a window of time: more is held back, and with it the program, so that the daemon stays free. */
const windowMs = 50;
const windowBytes = 1024 * 1024;

/**
 * First words of a program for bash: the library leaves the terminals of other sessions open for whatever the daemon
 * starts, and there is no way to ask for anything else, so a shell closes them before it becomes itself.
 */
export const closeInherited = `for fd in /proc/self/fd/*; do fd=\${fd##*/}; [ "$fd" -le 2 ] || eval "exec $fd>&-"; done; unset fd;`;

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly size: TerminalSize;
  readonly onOutput: (chunk: Buffer) => void;
  /** The first process has ended, and its output was given. 128 + signal when it was ended by one. */
  readonly onExit: (exitCode: number) => void;
}

/** A program with a pseudo-terminal of its own, which controls it. */
export interface Terminal {
  /** Keys for the program. Throws LIMIT_EXCEEDED when it does not take them. */
  write(input: string): void;
  resize(size: TerminalSize): void;
  /** Tells the program that its terminal was closed: a shell with a prompt ignores TERM, and ends by this. */
  hangUp(): void;
  /** Ends the program and everything it started: TERM, 5 s, KILL. Idempotent. */
  kill(): Promise<void>;
}

/** Starts a program in a new pseudo-terminal. Throws ProtocolError EXECUTION_FAILED. */
export async function openTerminal(file: string, args: readonly string[], options: TerminalOptions): Promise<Terminal> {
  // Loaded when it is needed: where its binary does not load, the rest of the sandbox works.
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
    // `encoding: null` makes it bytes, which the types do not know.
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
      return spawn(file, [...args], {
        cwd: options.cwd,
        env: { ...options.env, ...tree.env },
        cols: columns,
        rows,
        encoding: null,
      });
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

/** Input that a program does not take is kept for it up to this size. */
const maxPendingBytes = 256 * 1024;
const retryMs = 20;

/**
 * Keys on their way into a terminal. The library's own `write` waits, and with it the whole daemon, when the program does
 * not read; this one writes what the terminal takes, and the rest later.
 */
class TerminalInput {
  readonly #fd: number;
  readonly #socket: ReadStream;
  #pending = Buffer.alloc(0);
  #timer: NodeJS.Timeout | null = null;

  /** Takes the library's terminal, whose types declare neither its file nor its stream. */
  constructor(pty: object) {
    const [fd, socket]: unknown[] = [Reflect.get(pty, 'fd'), Reflect.get(pty, '_socket')];
    if (typeof fd !== 'number' || !(socket instanceof ReadStream)) throw new Error('The terminal library is not as expected.');
    this.#fd = fd;
    this.#socket = socket;
  }

  /** Throws LIMIT_EXCEEDED when too much waits already. */
  write(text: string): void {
    const bytes = Buffer.from(text, 'utf8');
    if (this.#pending.length + bytes.length > maxPendingBytes) {
      throw new ProtocolError('LIMIT_EXCEEDED', 'The program in the session does not read its input; nothing was sent.');
    }
    this.#pending = Buffer.concat([this.#pending, bytes]);
    this.#flush();
  }

  /** Drops what was not taken. */
  close(): void {
    this.#pending = Buffer.alloc(0);
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #flush(): void {
    if (this.#timer) return;
    // After the stream has closed the number may belong to another file.
    while (this.#pending.length > 0 && !this.#socket.destroyed) {
      try {
        // The library made it non-blocking.
        this.#pending = this.#pending.subarray(writeSync(this.#fd, this.#pending));
      } catch (error) {
        // The program has ended, which is reported elsewhere.
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
