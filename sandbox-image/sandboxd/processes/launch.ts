import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { invalidRequest, ProtocolError } from '../http.ts';
import { killTree, type ProcessTree } from './tree.ts';

/** The mark is inherited by whatever the program starts, so that also a detached child is found again. */
const markName = 'KODA_TREE';

export interface LaunchOptions {
  readonly workspace: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
}

export interface ExitState {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

/** A program in a process group of its own. */
export interface Launched {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the program itself has ended; children of it may still run. */
  readonly exited: Promise<ExitState>;
  /** Ends the program and everything it started: TERM, 5 s, KILL. Idempotent. */
  kill(): Promise<void>;
}

/** Trees that may have living processes, for the end of the daemon. */
const alive = new Set<ProcessTree>();

/** A tree that is about to have its first process, which must be started with `env` added to its environment. */
export interface NewTree {
  readonly env: Readonly<Record<string, string>>;
  /** Takes note of the first process, the leader of a group and session; answers what ends the tree: TERM, 5 s, KILL. Idempotent. */
  grow(leaderPid: number): () => Promise<void>;
}

/** A mark for a program that is about to start, by which it and all its children are found. */
export function newTree(): NewTree {
  const mark = randomUUID();
  return {
    env: { [markName]: mark },
    grow(leaderPid) {
      const tree: ProcessTree = { groupId: leaderPid, mark: `${markName}=${mark}` };
      alive.add(tree);
      let killing: Promise<void> | null = null;
      return () => {
        killing ??= killTree(tree).finally(() => {
          alive.delete(tree);
          killing = null;
        });
        return killing;
      };
    },
  };
}

/** Starts a program. Throws ProtocolError EXECUTION_FAILED when the system refuses. */
export async function launch(file: string, args: readonly string[], options: LaunchOptions): Promise<Launched> {
  const tree = newTree();
  const env = { ...programEnvironment(options.workspace, process.env, options.env), ...tree.env };
  const child = start(file, args, { cwd: options.cwd, env });
  const exited = new Promise<ExitState>((resolve) => {
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }));
  });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw executionFailed(error);
  }
  // `spawn` was seen, so that both are there.
  const { pid, stdout, stderr } = child;
  if (pid === undefined || !stdout || !stderr) throw executionFailed(new Error(`${file} did not start`));
  // A signal that cannot be delivered is noticed by the tree, which looks for itself.
  child.on('error', () => undefined);
  return { pid, stdout, stderr, exited, kill: tree.grow(pid) };
}

export interface EndConditions {
  readonly timeoutMs: number;
  /** Whoever the program works for has gone. */
  readonly signal: AbortSignal;
}

/** The end of a program; disposing brings it about now, and waits for it. */
export interface Ending extends AsyncDisposable {
  readonly timedOut: boolean;
}

/** Ends a program and everything it started when its time is up or `signal` fires, and at the latest with the scope. */
export function endAfter(program: Launched, { timeoutMs, signal }: EndConditions): Ending {
  let timedOut = false;
  // Awaited when it is disposed of, where its failure shows.
  const end = () => void program.kill().catch(() => undefined);
  const timer = setTimeout(() => {
    timedOut = true;
    end();
  }, timeoutMs);
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return {
    get timedOut() {
      return timedOut;
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      await program.kill();
    },
  };
}

function start(file: string, args: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }): ChildProcess {
  try {
    // `detached` makes it the leader of a new session and group, whose id is its pid.
    return spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    throw executionFailed(error);
  }
}

/** What is answered when the system refuses to start a program. */
export function executionFailed(error: unknown): ProtocolError {
  return new ProtocolError(
    'EXECUTION_FAILED',
    `The command could not be started: ${error instanceof Error ? error.message : String(error)}.`,
  );
}

/** Ends everything that was ever launched and may still live. */
export async function killAllTrees(): Promise<void> {
  await Promise.all([...alive].map((tree) => killTree(tree)));
}

/** What of the daemon's environment the programs of the project get. Its token is not among it. */
const passedOn = [
  'PATH',
  'HOME',
  'USER',
  'LANG',
  'LC_ALL',
  'TZ',
  'TMPDIR',
  'NODE_EXTRA_CA_CERTS',
  'npm_config_cafile',
  'KODA_SANDBOX_MARK',
] as const;

/** Environment of a program that runs in the workspace; what the caller adds comes last. Throws VALIDATION_ERROR. */
export function programEnvironment(workspace: string, own: NodeJS.ProcessEnv, added: Record<string, string>): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const name of passedOn) if (own[name] !== undefined) environment[name] = own[name];
  environment['PATH'] = [join(workspace, 'node_modules/.bin'), own['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'].join(delimiter);
  environment['TERM'] = 'dumb';
  environment['NO_COLOR'] = '1';
  // No tool may ask back, phone home or wait for a person.
  environment['CI'] = '1';
  environment['npm_config_update_notifier'] = 'false';
  for (const [name, value] of Object.entries(added)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0')) {
      throw invalidRequest(`The environment variable "${name}" cannot be set.`);
    }
    environment[name] = value;
  }
  return environment;
}

const keptCharacters = 16 * 1024;

/** The end of a program's output: enough to see why it failed, never more. */
export class LogTail {
  #text = '';

  /** Takes in a stream until it ends. */
  async follow(stream: AsyncIterable<Buffer>): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) this.add(decoder.decode(chunk, { stream: true }));
  }

  add(text: string): void {
    this.#text = (this.#text + text).slice(-keptCharacters);
  }

  clear(): void {
    this.#text = '';
  }

  /** Without colours and cursor movements. */
  text(): string {
    return stripVTControlCharacters(this.#text);
  }
}
