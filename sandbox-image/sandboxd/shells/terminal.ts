import type { TerminalSize } from '../../../server/contract/sandboxd.ts';
import { ProtocolError } from '../http.ts';
import { executionFailed, newTree } from '../processes/launch.ts';

/** What a terminal may write in a window of time: more is held back, and with it the program, so that the daemon stays free. */
const windowMs = 50;
const windowBytes = 1024 * 1024;
/** Input that a program does not take is kept for it up to this size. */
const maxPendingInputBytes = 256 * 1024;

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
  readonly pid: number;
  /** Keys for the program. Throws LIMIT_EXCEEDED when it does not take them. */
  write(input: string): void;
  resize(size: TerminalSize): void;
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
  const kill = tree.grow(pty.pid);
  const input = inputOf(pty);
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
    pid: pty.pid,
    write(text) {
      if (ended) return;
      if (input.writableLength + text.length > maxPendingInputBytes) {
        throw new ProtocolError('LIMIT_EXCEEDED', 422, 'The program in the session does not read its input; nothing was sent.');
      }
      pty.write(text);
    },
    resize({ columns, rows }) {
      if (!ended) pty.resize(columns, rows);
    },
    kill,
  };
}

/** The stream that carries the input, for how much waits in it: the library has no other word about that. */
function inputOf(pty: object): { readonly writableLength: number } {
  const socket: unknown = Reflect.get(pty, '_socket');
  if (typeof socket === 'object' && socket !== null && 'writableLength' in socket && typeof socket.writableLength === 'number')
    return socket as { readonly writableLength: number };
  throw new Error('The terminal library keeps its input elsewhere than expected.');
}
