import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { ShellAnswer, ShellInput, ShellStatus, TerminalSize } from '../../../server/contract/shells.ts';
import { ProtocolError } from '../http.ts';
import { ByteRing } from './byte-ring.ts';
import { type DrivenShell, startDrivenShell } from './driven-shell.ts';
import { InputOrder } from './input-order.ts';
import { plainText } from './plain-text.ts';
import { closeInherited, openTerminal, type Terminal } from './terminal.ts';

/** Raw output that is kept: colours and redrawn lines need far more than the text that is left of them. */
const keptBytes = 256 * 1024;
/** The longest text of an answer, in characters. */
const maxAnswerCharacters = 50 * 1024;
const streamChunkBytes = 64 * 1024;
/** How long the last output of a command may still arrive after its end was reported. */
const outputDelayMs = 500;
/** Between Ctrl-C and the end of the session, for a command whose caller has gone. */
const interruptMs = 5_000;
/** After everything was killed the terminal closes by itself. */
const afterKillMs = 2_000;
/** Folder in cyan, then `$` or `#`. */
const prompt = '\\[\\e[36m\\]\\w\\[\\e[0m\\] \\$ ';

type Order = NonNullable<ShellInput['order']>;

interface Command {
  readonly id: number;
  /** Offsets of its output. */
  readonly start: number;
  end: number | null;
}

export interface SessionOptions {
  readonly name: string;
  readonly kind: ShellStatus['kind'];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly size: TerminalSize;
}

/** One shell in a terminal, with the last of what it wrote. */
export class ShellSession {
  readonly name: string;
  readonly kind: ShellStatus['kind'];
  /** When it was last used by a call, or its last command ended; of `performance.now()`. */
  usedAtMs = performance.now();
  /** Readers of the raw stream. */
  watchers = 0;
  readonly #id = randomBytes(8).toString('hex');
  readonly #inputOrder = new InputOrder();
  readonly #ring = new ByteRing(keptBytes);
  readonly #events = new EventEmitter().setMaxListeners(0);
  #shell: DrivenShell | null = null;
  #terminal: Terminal | null = null;
  #commands = 0;
  #command: Command | null = null;
  #running = false;
  #exitCode: number | null = null;
  #ended = false;

  private constructor({ name, kind }: SessionOptions) {
    this.name = name;
    this.kind = kind;
  }

  /** Starts the shell. Throws ProtocolError EXECUTION_FAILED. */
  static async start(options: SessionOptions): Promise<ShellSession> {
    const session = new ShellSession(options);
    const own = {
      ...options,
      onOutput: (chunk: Buffer) => session.#take(chunk),
      onExit: (exitCode: number) => session.#end(exitCode),
    };
    if (options.kind === 'commands') {
      session.#shell = await startDrivenShell({
        ...own,
        onStatus: ({ commandId, exitCode, mark }) => void session.#finish(commandId, exitCode, mark),
      });
      session.#terminal = session.#shell;
    } else {
      session.#running = true;
      session.#terminal = await openTerminal(
        'bash',
        ['-c', `${closeInherited} export PS1="$0"; exec bash --noprofile --norc -i`, prompt],
        own,
      );
    }
    return session;
  }

  status(): ShellStatus {
    return {
      name: this.name,
      session: this.#id,
      kind: this.kind,
      running: this.#running,
      exitCode: this.#exitCode,
      ended: this.#ended,
    };
  }

  /** Starts a command. Throws SESSION_BUSY while another one runs, and in a terminal. */
  run(command: string): void {
    if (this.kind === 'terminal')
      throw new ProtocolError('SESSION_BUSY', `The session "${this.name}" is a person's terminal. Use another name.`);
    if (this.#running || !this.#shell)
      throw new ProtocolError(
        'SESSION_BUSY',
        `A command still runs in the session "${this.name}". Wait for it, send it input (Ctrl-C ends most programs), kill the session, or use another one.`,
      );
    const id = ++this.#commands;
    const lineBegins = /(^|\n)$/.test(plainText(this.#ring.read(this.#ring.end - 256)));
    this.#take(Buffer.from(`${lineBegins ? '' : '\r\n'}$ ${shown(command)}\r\n`));
    this.#command = { id, start: this.#ring.end, end: null };
    this.#running = true;
    this.#exitCode = null;
    this.#used();
    try {
      this.#shell.run(id, command);
    } catch (error) {
      this.#running = false;
      throw error;
    }
  }

  /** Sends keys, once when they have a number. Throws SESSION_IDLE when nothing runs that could read them, SESSION_NOT_FOUND. */
  send(input: string, order: Order | null): void {
    if (order && order.session !== this.#id)
      throw new ProtocolError('SESSION_NOT_FOUND', `The session "${this.name}" is another one now; nothing was sent.`);
    if (order && this.#inputOrder.isTaken(order)) return;
    if (!this.#running)
      throw new ProtocolError(
        'SESSION_IDLE',
        `Nothing runs in the session "${this.name}" that could read input${this.#ended ? ': its shell has ended' : ''}. Run a command first.`,
      );
    this.#used();
    this.#terminal?.write(input);
    if (order) this.#inputOrder.take(order);
  }

  resize(size: TerminalSize): void {
    this.#terminal?.resize(size);
  }

  /** Waits until nothing runs, at most for `timeoutMs`. Throws an AbortError when `signal` fires. */
  async settled(timeoutMs: number, signal: AbortSignal): Promise<void> {
    await this.#until(() => !this.#running, timeoutMs, signal);
    this.#used();
  }

  /** Waits until nothing runs or nothing was written for `quietMs`. Throws an AbortError when `signal` fires. */
  async quiet(quietMs: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    for (let seen = -1; this.#running && seen !== this.#ring.end && performance.now() < deadline; ) {
      seen = this.#ring.end;
      await this.#until(() => !this.#running, Math.min(quietMs, Math.ceil(Math.max(0, deadline - performance.now()))), signal);
    }
  }

  /** The output of the last command so far. */
  commandAnswer(): ShellAnswer {
    return this.answerFrom(this.#command?.start ?? 0, this.#command?.end ?? this.#ring.end);
  }

  /** Offset behind all output so far. */
  get offset(): number {
    return this.#ring.end;
  }

  /** Output from one offset to another. */
  answerFrom(from: number, to: number = this.#ring.end): ShellAnswer {
    const text = plainText(this.#ring.read(from, to));
    const truncated = from < this.#ring.start || text.length > maxAnswerCharacters;
    // A half of a pair of code units would be no character.
    return { ...this.status(), output: text.slice(-maxAnswerCharacters).replace(/^[\udc00-\udfff]/, ''), truncated };
  }

  /** Ctrl-C for the command that runs; the end of the session if that does not end it. */
  async interrupt(): Promise<void> {
    const { id } = this.#command ?? {};
    if (!this.#running) return;
    this.#terminal?.write('\u0003');
    await this.#until(() => !this.#running || this.#command?.id !== id, interruptMs, null);
    if (this.#running && this.#command?.id === id) await this.kill();
  }

  /** Ends the shell and everything that it started: TERM, 5 s, KILL. Idempotent. */
  async kill(): Promise<void> {
    const gone = this.#terminal?.kill();
    if (this.kind === 'terminal' && !this.#ended) this.#terminal?.hangUp();
    await gone;
    await this.#until(() => this.#ended, afterKillMs, null);
    // Somebody whom no kill can find holds the terminal open.
    this.#end(this.#exitCode ?? 137);
  }

  /**
   * The raw output from the start of a stream to the end of the session, as it comes. A reader that is slower than the
   * output comes to an end where something is missing: the next stream states where it begins.
   */
  stream(from: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    // Read at once: of a flood it would be gone before the reader's first step.
    return this.#follow(this.#ring.read(from, from + streamChunkBytes), from, signal);
  }

  /** Where a stream from this offset really begins. */
  streamStart(from: number): number {
    return Math.min(Math.max(from, this.#ring.start), this.#ring.end);
  }

  async *#follow(first: Buffer, from: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    this.watchers++;
    try {
      let at = from + first.length;
      if (first.length > 0) yield first;
      while (at >= this.#ring.start) {
        const chunk = this.#ring.read(at, at + streamChunkBytes);
        at += chunk.length;
        if (chunk.length > 0) yield chunk;
        else if (this.#ended) return;
        else await once(this.#events, 'change', { signal });
      }
    } finally {
      this.watchers--;
    }
  }

  #used(): void {
    this.usedAtMs = performance.now();
  }

  #take(chunk: Buffer): void {
    this.#ring.append(chunk);
    this.#events.emit('change');
  }

  /** The command has ended; this is reported once its output is complete, too. */
  async #finish(commandId: number, exitCode: number, mark: Buffer): Promise<void> {
    const command = this.#command;
    if (!command || command.id !== commandId || !this.#running) return;
    const complete = () => {
      command.end ??= this.#ring.find(mark, command.start);
      return command.end !== null;
    };
    await this.#until(() => this.#ended || complete(), outputDelayMs, null);
    if (!this.#running || this.#command !== command) return;
    command.end ??= this.#ring.end;
    this.#exitCode = exitCode;
    this.#running = false;
    this.#used();
    this.#events.emit('change');
  }

  #end(exitCode: number): void {
    if (this.#ended) return;
    this.#ended = true;
    // Of a shell that ended while nothing ran, this is the exit code, too.
    this.#exitCode = exitCode;
    this.#running = false;
    this.#used();
    this.#events.emit('change');
    // What it left in the background must not outlive it.
    void this.#terminal?.kill().catch(() => undefined);
  }

  /** Waits for a state, at most for `timeoutMs`. Throws an AbortError when `signal` fires; null = nobody can. */
  async #until(done: () => boolean, timeoutMs: number, signal: AbortSignal | null): Promise<void> {
    const limit = AbortSignal.timeout(timeoutMs);
    const either = signal ? AbortSignal.any([signal, limit]) : limit;
    while (!done()) {
      try {
        await once(this.#events, 'change', { signal: either });
      } catch (error) {
        if (limit.aborted && !signal?.aborted) return;
        throw error;
      }
    }
  }
}

/** A command as it is shown in the terminal: its lines below each other, without control characters. */
function shown(command: string): string {
  return command
    .trimEnd()
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .replaceAll('\n', '\r\n> ');
}
