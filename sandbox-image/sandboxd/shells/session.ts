import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import type { ShellInput, ShellResult, ShellStatus, TerminalSize } from '#contract/sandbox/shells.ts';
import { ProtocolError } from '../http.ts';
import { ByteRing } from './byte-ring.ts';
import { type CommandShell, startCommandShell } from './command-shell.ts';
import { InputDeduplicator } from './input-deduplicator.ts';
import { plainText } from './plain-text.ts';
import { closeInherited, openTerminal, type Terminal } from './terminal.ts';

/** Size of the raw output buffer. Colours and redrawn lines take far more space than the resulting text. */
const bufferBytes = 256 * 1024;
const maxResultCharacters = 50 * 1024;
const streamChunkBytes = 64 * 1024;
/** Maximum wait for a command's last output after its status. */
const outputDelayMs = 500;
/** Grace period between Ctrl-C and killing the session, after the client disconnects. */
const interruptMs = 5_000;
/** The terminal normally closes by itself after a kill. */
const afterKillMs = 2_000;
/** The prompt is the folder in cyan, then `$` or `#`. */
const prompt = '\\[\\e[36m\\]\\w\\[\\e[0m\\] \\$ ';

type Order = NonNullable<ShellInput['order']>;

interface Command {
  readonly id: number;
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

/** A shell in a terminal, with its latest output. */
export class ShellSession {
  readonly name: string;
  readonly kind: ShellStatus['kind'];
  /** Time of the last call or end of a command, as `performance.now()`. */
  usedAtMs = performance.now();
  watchers = 0;
  readonly #id = randomBytes(8).toString('hex');
  readonly #deduplicator = new InputDeduplicator();
  readonly #ring = new ByteRing(bufferBytes);
  readonly #events = new EventEmitter().setMaxListeners(0);
  #shell: CommandShell | null = null;
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

  static async start(options: SessionOptions): Promise<ShellSession> {
    const session = new ShellSession(options);
    const own = {
      ...options,
      onOutput: (chunk: Buffer) => session.#append(chunk),
      onExit: (exitCode: number) => session.#handleExit(exitCode),
    };
    if (options.kind === 'commands') {
      session.#shell = await startCommandShell({
        ...own,
        onStatus: ({ commandId, exitCode, marker }) => void session.#finish(commandId, exitCode, marker),
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

  /** Starts a command. Throws SESSION_BUSY if one is running or the session is a user's terminal. */
  run(command: string): void {
    if (this.kind === 'terminal')
      throw new ProtocolError('SESSION_BUSY', `The session "${this.name}" is the user's terminal. Use another session name.`);
    if (this.#running || !this.#shell)
      throw new ProtocolError(
        'SESSION_BUSY',
        `A command is still running in the session "${this.name}". Wait for it, send it input (Ctrl-C ends most programs), kill the session, or use another session.`,
      );
    const id = ++this.#commands;
    const lineBegins = /(^|\n)$/.test(plainText(this.#ring.read(this.#ring.end - 256)));
    this.#append(Buffer.from(`${lineBegins ? '' : '\r\n'}$ ${displayed(command)}\r\n`));
    this.#command = { id, start: this.#ring.end, end: null };
    this.#running = true;
    this.#exitCode = null;
    this.#touch();
    try {
      this.#shell.run(id, command);
    } catch (error) {
      this.#running = false;
      throw error;
    }
  }

  /** Sends keys and ignores numbered duplicates. Throws SESSION_IDLE if no command is running, or SESSION_NOT_FOUND. */
  send(input: string, order: Order | null): void {
    if (order && order.session !== this.#id)
      throw new ProtocolError(
        'SESSION_NOT_FOUND',
        `Nothing was sent, because the session "${this.name}" has been replaced by a new one.`,
      );
    if (order && this.#deduplicator.isDuplicate(order)) return;
    if (!this.#running)
      throw new ProtocolError(
        'SESSION_IDLE',
        `No program in the session "${this.name}" can read input${this.#ended ? ', because its shell has exited' : ''}. Run a command first.`,
      );
    this.#touch();
    this.#terminal?.write(input);
    if (order) this.#deduplicator.record(order);
  }

  resize(size: TerminalSize): void {
    this.#terminal?.resize(size);
  }

  /** Waits until the session is idle, up to `timeoutMs`. Throws an AbortError if `signal` aborts. */
  async settled(timeoutMs: number, signal: AbortSignal): Promise<void> {
    await this.#until(() => !this.#running, timeoutMs, signal);
    this.#touch();
  }

  /** Waits until the session is idle or has written nothing for `quietMs`. Throws an AbortError if `signal` aborts. */
  async quiet(quietMs: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    for (let seen = -1; this.#running && seen !== this.#ring.end && performance.now() < deadline; ) {
      seen = this.#ring.end;
      await this.#until(() => !this.#running, Math.min(quietMs, Math.ceil(Math.max(0, deadline - performance.now()))), signal);
    }
  }

  commandResult(): ShellResult {
    return this.resultFrom(this.#command?.start ?? 0, this.#command?.end ?? this.#ring.end);
  }

  get offset(): number {
    return this.#ring.end;
  }

  resultFrom(from: number, to: number = this.#ring.end): ShellResult {
    const text = plainText(this.#ring.read(from, to));
    const truncated = from < this.#ring.start || text.length > maxResultCharacters;
    // Drops half a surrogate pair at the start.
    return { ...this.status(), output: text.slice(-maxResultCharacters).replace(/^[\udc00-\udfff]/, ''), truncated };
  }

  /** Sends Ctrl-C to the running command. Kills the session if that has no effect. */
  async interrupt(): Promise<void> {
    const { id } = this.#command ?? {};
    if (!this.#running) return;
    this.#terminal?.write('\u0003');
    await this.#until(() => !this.#running || this.#command?.id !== id, interruptMs, null);
    if (this.#running && this.#command?.id === id) await this.kill();
  }

  async kill(): Promise<void> {
    const killed = this.#terminal?.kill();
    if (this.kind === 'terminal' && !this.#ended) this.#terminal?.hangUp();
    await killed;
    await this.#until(() => this.#ended, afterKillMs, null);
    // A process that the kill cannot find holds the terminal open.
    this.#handleExit(this.#exitCode ?? 137);
  }

  /** Streams raw output until the session ends, or until the reader falls behind and would miss data. */
  stream(from: number, signal: AbortSignal): AsyncGenerator<Buffer> {
    // Reads immediately, because heavy output would overwrite these bytes before the reader's first step.
    return this.#follow(this.#ring.read(from, from + streamChunkBytes), from, signal);
  }

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

  #touch(): void {
    this.usedAtMs = performance.now();
  }

  #append(chunk: Buffer): void {
    this.#ring.append(chunk);
    this.#events.emit('change');
  }

  /** Reports a command's end once its output is complete. */
  async #finish(commandId: number, exitCode: number, marker: Buffer): Promise<void> {
    const command = this.#command;
    if (!command || command.id !== commandId || !this.#running) return;
    const complete = () => {
      command.end ??= this.#ring.find(marker, command.start);
      return command.end !== null;
    };
    await this.#until(() => this.#ended || complete(), outputDelayMs, null);
    if (!this.#running || this.#command !== command) return;
    command.end ??= this.#ring.end;
    this.#exitCode = exitCode;
    this.#running = false;
    this.#touch();
    this.#events.emit('change');
  }

  #handleExit(exitCode: number): void {
    if (this.#ended) return;
    this.#ended = true;
    // A shell that exits while idle also has an exit code.
    this.#exitCode = exitCode;
    this.#running = false;
    this.#touch();
    this.#events.emit('change');
    // Background processes must not outlive the session.
    void this.#terminal?.kill().catch(() => undefined);
  }

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

function displayed(command: string): string {
  return command
    .trimEnd()
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
    .replaceAll('\n', '\r\n> ');
}
