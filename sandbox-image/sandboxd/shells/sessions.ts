import type { ShellAnswer, ShellExecRequest, ShellInput, ShellStatus, TerminalSize } from '../../../server/contract/shells.ts';
import { invalidRequest, ProtocolError } from '../http.ts';
import { programEnvironment } from '../processes/launch.ts';
import { ShellSession } from './session.ts';

const maxSessions = 10;
/** Names of sessions that are gone, with the reason. */
const maxRemembered = 100;
/** After input a program that was quiet for so long has answered, or waits for more. */
const quietMs = 500;
const usualSize: TerminalSize = { columns: 120, rows: 40 };

/** The shell sessions of the sandbox, by name. */
export class ShellSessions {
  readonly #workspace: string;
  readonly #sessions = new Map<string, ShellSession>();
  readonly #gone = new Map<string, string>();
  /** Sessions begin one after the other, so that no two take the same name or the last place. */
  #beginning: Promise<unknown> = Promise.resolve();
  #closed = false;

  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  list(): ShellStatus[] {
    return [...this.#sessions.values()].map((session) => session.status());
  }

  /**
   * Runs a command in a session, which begins when there is none, and waits for its end, at most for its time limit. When
   * `signal` fires, the command is interrupted. Throws SESSION_BUSY, VALIDATION_ERROR, EXECUTION_FAILED.
   */
  async exec(name: string, request: ShellExecRequest, signal: AbortSignal): Promise<ShellAnswer> {
    if (request.command.includes('\0')) throw invalidRequest('The command contains a NUL character.');
    const session = await this.#begin(name, 'commands', usualSize);
    signal.throwIfAborted();
    session.run(request.command);
    try {
      await session.settled(request.timeoutMs, signal);
    } catch (error) {
      await session.interrupt();
      throw error;
    }
    return session.commandAnswer();
  }

  /** Sends keys; answers what was written since, when the command has ended or is quiet, or at the time limit. */
  async send(name: string, { input, timeoutMs, order }: ShellInput, signal: AbortSignal): Promise<ShellAnswer> {
    const session = this.get(name);
    const from = session.offset;
    session.send(input, order ?? null);
    await session.quiet(quietMs, timeoutMs, signal);
    return session.answerFrom(from);
  }

  /** Waits for the command that runs; answers its whole output. */
  async wait(name: string, timeoutMs: number, signal: AbortSignal): Promise<ShellAnswer> {
    const session = this.get(name);
    await session.settled(timeoutMs, signal);
    return session.commandAnswer();
  }

  /** The end of all that was written in a session. */
  view(name: string): ShellAnswer {
    const session = this.get(name);
    session.usedAtMs = performance.now();
    return session.answerFrom(0);
  }

  /** Opens a terminal for a person, or gives a session that is there another size. */
  async openTerminal(name: string, size: TerminalSize): Promise<ShellStatus> {
    const session = await this.#begin(name, 'terminal', size);
    session.resize(size);
    return session.status();
  }

  /** Ends a session; answers what it wrote last. It is forgotten then. */
  async kill(name: string): Promise<ShellAnswer> {
    const session = this.get(name);
    await session.kill();
    this.#forget(session, 'was killed');
    return session.answerFrom(0);
  }

  /** Throws SESSION_NOT_FOUND with what became of it. */
  get(name: string): ShellSession {
    const session = this.#sessions.get(name);
    if (session) return session;
    const fate = this.#gone.get(name);
    const others = [...this.#sessions.keys()].map((other) => `"${other}"`).join(', ');
    throw new ProtocolError(
      'SESSION_NOT_FOUND',
      `There is no session "${name}"${fate ? `: it ${fate}` : ''}. ${others ? `There are: ${others}.` : 'There is none.'} Running a command in it begins it.`,
    );
  }

  /** Takes no more sessions and ends those that are there. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#beginning;
    await Promise.all([...this.#sessions.values()].map((session) => session.kill()));
  }

  #begin(name: string, kind: ShellStatus['kind'], size: TerminalSize): Promise<ShellSession> {
    const session = this.#beginning.then(() => this.#findOrStart(name, kind, size));
    this.#beginning = session.catch(() => undefined);
    return session;
  }

  async #findOrStart(name: string, kind: ShellStatus['kind'], size: TerminalSize): Promise<ShellSession> {
    const known = this.#sessions.get(name);
    if (known && !known.status().ended) return known;
    if (this.#closed) throw new ProtocolError('CANCELLED', 'The sandbox ends.');
    if (known) this.#sessions.delete(name);
    await this.#makeRoom();
    const session = await ShellSession.start({
      name,
      kind,
      size,
      cwd: this.#workspace,
      env: environmentOf(this.#workspace, kind),
    });
    this.#sessions.set(name, session);
    this.#gone.delete(name);
    return session;
  }

  async #makeRoom(): Promise<void> {
    while (this.#sessions.size >= maxSessions) {
      const sessions = [...this.#sessions.values()];
      const oldest = firstToGo(
        sessions.map((session) => ({ ...session.status(), session, watched: session.watchers > 0, usedAtMs: session.usedAtMs })),
      );
      if (!oldest) return;
      this.#forget(oldest.session, `was closed because a sandbox has at most ${maxSessions} and it was idle longest`);
      await oldest.session.kill();
    }
  }

  #forget(session: ShellSession, fate: string): void {
    if (this.#sessions.get(session.name) !== session) return;
    this.#sessions.delete(session.name);
    this.#gone.set(session.name, fate);
    for (const name of [...this.#gone.keys()].slice(0, Math.max(0, this.#gone.size - maxRemembered))) this.#gone.delete(name);
  }
}

/** A model reads plain lines best, without colours and pagers; a person has a real terminal. */
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
  /** Somebody looks at its terminal. */
  readonly watched: boolean;
  readonly usedAtMs: number;
}

/** The session that gives up its place: one that has ended, else one in which nothing runs, else one without a viewer; of these the one idle longest. */
export function firstToGo<Session extends Candidate>(sessions: readonly Session[]): Session | undefined {
  const worth = ({ ended, running, watched }: Candidate) => (ended ? 0 : 1 + (watched ? 2 : 0) + (running ? 1 : 0));
  return [...sessions].sort((one, other) => worth(one) - worth(other) || one.usedAtMs - other.usedAtMs)[0];
}
