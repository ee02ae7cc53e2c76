import { Mutex } from 'async-mutex';
import type { ShellExecRequest, ShellInput, ShellResult, ShellStatus, TerminalSize } from '#contract/sandbox/shells.ts';
import { invalidRequest, ProtocolError } from '../http.ts';
import { programEnvironment } from '../processes/launch.ts';
import { ShellSession } from './session.ts';

const maxSessions = 10;
/** Limit on the names of closed sessions, which are stored with the reason. */
const maxClosedNames = 100;
/** A program that is silent for this long after input has either responded or is waiting for more. */
const quietMs = 500;
const defaultSize: TerminalSize = { columns: 120, rows: 40 };

export class ShellSessions {
  readonly #workspace: string;
  readonly #sessions = new Map<string, ShellSession>();
  readonly #closedNames = new Map<string, string>();
  /** Starts run in sequence, so that no two use the same name or the last free slot. */
  readonly #starting = new Mutex();
  #closed = false;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  list(): ShellStatus[] {
    return [...this.#sessions.values()].map((session) => session.status());
  }

  /**
   * Runs a command, up to its timeout, in an existing or new session. Interrupts it if `signal` aborts. Throws SESSION_BUSY,
   * VALIDATION_ERROR or EXECUTION_FAILED.
   */
  async exec(name: string, request: ShellExecRequest, signal: AbortSignal): Promise<ShellResult> {
    if (request.command.includes('\0')) throw invalidRequest('The command contains a NUL character.');
    const session = await this.#start(name, 'commands', defaultSize);
    signal.throwIfAborted();
    session.run(request.command);
    try {
      await session.settled(request.timeoutMs, signal);
    } catch (error) {
      await session.interrupt();
      throw error;
    }
    return session.commandResult();
  }

  /** Sends keys. Returns the output since then, once the command ends, falls silent or times out. */
  async send(name: string, { input, timeoutMs, order }: ShellInput, signal: AbortSignal): Promise<ShellResult> {
    const session = this.get(name);
    const from = session.offset;
    session.send(input, order ?? null);
    await session.quiet(quietMs, timeoutMs, signal);
    return session.resultFrom(from);
  }

  async wait(name: string, timeoutMs: number, signal: AbortSignal): Promise<ShellResult> {
    const session = this.get(name);
    await session.settled(timeoutMs, signal);
    return session.commandResult();
  }

  view(name: string): ShellResult {
    const session = this.get(name);
    session.usedAtMs = performance.now();
    return session.resultFrom(0);
  }

  async openTerminal(name: string, size: TerminalSize): Promise<ShellStatus> {
    const session = await this.#start(name, 'terminal', size);
    session.resize(size);
    return session.status();
  }

  async kill(name: string): Promise<ShellResult> {
    const session = this.get(name);
    await session.kill();
    this.#remove(session, 'was killed');
    return session.resultFrom(0);
  }

  get(name: string): ShellSession {
    const session = this.#sessions.get(name);
    if (session) return session;
    const reason = this.#closedNames.get(name);
    const others = [...this.#sessions.keys()].map((other) => `"${other}"`).join(', ');
    throw new ProtocolError(
      'SESSION_NOT_FOUND',
      `The session "${name}" does not exist${reason ? `: it ${reason}` : ''}. ${others ? `Existing sessions: ${others}.` : 'There are no sessions.'} Run a command in it to start it.`,
    );
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#starting.waitForUnlock();
    await Promise.all([...this.#sessions.values()].map((session) => session.kill()));
  }

  #start(name: string, kind: ShellStatus['kind'], size: TerminalSize): Promise<ShellSession> {
    return this.#starting.runExclusive(() => this.#findOrStart(name, kind, size));
  }

  async #findOrStart(name: string, kind: ShellStatus['kind'], size: TerminalSize): Promise<ShellSession> {
    const known = this.#sessions.get(name);
    if (known && !known.status().ended) return known;
    if (this.#closed) throw new ProtocolError('CANCELLED', 'The sandbox is shutting down.');
    if (known) this.#sessions.delete(name);
    await this.#evictIfFull();
    const session = await ShellSession.start({
      name,
      kind,
      size,
      cwd: this.#workspace,
      env: environmentOf(this.#workspace, kind),
    });
    this.#sessions.set(name, session);
    this.#closedNames.delete(name);
    return session;
  }

  async #evictIfFull(): Promise<void> {
    while (this.#sessions.size >= maxSessions) {
      const sessions = [...this.#sessions.values()];
      const oldest = evictionCandidate(
        sessions.map((session) => ({ ...session.status(), session, watched: session.watchers > 0, usedAtMs: session.usedAtMs })),
      );
      if (!oldest) return;
      this.#remove(
        oldest.session,
        `was closed, because a sandbox has at most ${maxSessions} sessions and this one was the least recently used`,
      );
      await oldest.session.kill();
    }
  }

  #remove(session: ShellSession, reason: string): void {
    if (this.#sessions.get(session.name) !== session) return;
    this.#sessions.delete(session.name);
    this.#closedNames.set(session.name, reason);
    for (const name of [...this.#closedNames.keys()].slice(0, Math.max(0, this.#closedNames.size - maxClosedNames)))
      this.#closedNames.delete(name);
  }
}

/** Models read plain text best, without colours and pagers; users get a full terminal. */
function environmentOf(workspace: string, kind: ShellStatus['kind']): NodeJS.ProcessEnv {
  if (kind === 'commands') return programEnvironment(workspace, process.env, { PAGER: 'cat', GIT_PAGER: 'cat' });
  const {
    NO_COLOR: _colour,
    CI: _ci,
    ...environment
  } = programEnvironment(workspace, process.env, {
    TERM: 'xterm-256color',
    COLORTERM: 'truecolor',
  });
  return environment;
}

export interface Candidate {
  readonly ended: boolean;
  readonly running: boolean;
  readonly watched: boolean;
  readonly usedAtMs: number;
}

/** Returns the session to close: ended ones first, then idle ones, then unwatched ones, least recently used first. */
export function evictionCandidate<Session extends Candidate>(sessions: readonly Session[]): Session | undefined {
  const priority = ({ ended, running, watched }: Candidate) => (ended ? 0 : 1 + (watched ? 2 : 0) + (running ? 1 : 0));
  return [...sessions].sort((one, other) => priority(one) - priority(other) || one.usedAtMs - other.usedAtMs)[0];
}
