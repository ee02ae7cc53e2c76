import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { invalidRequest, ProtocolError } from '../http.ts';
import { killedBeforeDaemon } from './out-of-memory.ts';
import { killTree, type ProcessTree } from './tree.ts';

/** Environment variable that all children inherit, so that even detached ones can be found. */
const tagName = 'KODA_TREE';

export interface LaunchOptions {
  readonly workspace: string;
  readonly cwd: string;
  readonly env: Record<string, string>;
}

export interface ExitState {
  readonly exitCode: number | null;
  readonly signal: string | null;
}

export interface Launched {
  readonly pid: number;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** Resolves when the program itself has exited; its children may still run. */
  readonly exited: Promise<ExitState>;
  /** Ends the program and its descendants: SIGTERM, and SIGKILL after 5 s. Idempotent. */
  kill(): Promise<void>;
}

const runningTrees = new Set<ProcessTree>();

/** Process tree that has no processes yet. Its first process must start with `env` in its environment. */
export interface NewTree {
  readonly env: Readonly<Record<string, string>>;
  /** Registers the first process, the leader of a group and session. Returns a function like `Launched.kill`. */
  register(leaderPid: number): () => Promise<void>;
}

/** Creates a unique tag by which a program and its descendants are found. */
export function newTree(): NewTree {
  const tag = randomUUID();
  return {
    env: { [tagName]: tag },
    register(leaderPid) {
      const tree: ProcessTree = { groupId: leaderPid, tag: `${tagName}=${tag}` };
      runningTrees.add(tree);
      let killing: Promise<void> | null = null;
      return () => {
        killing ??= killTree(tree).finally(() => {
          runningTrees.delete(tree);
          killing = null;
        });
        return killing;
      };
    },
  };
}

/** Starts a program in its own process group. Throws EXECUTION_FAILED if the system refuses. */
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
  const { pid, stdout, stderr } = child;
  if (pid === undefined || !stdout || !stderr) throw executionFailed(new Error(`${file} did not start`));
  // A failed signal needs no handling, because the kill scans the tree itself.
  child.on('error', () => undefined);
  return { pid, stdout, stderr, exited, kill: tree.register(pid) };
}

export interface EndConditions {
  readonly timeoutMs: number;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Disposing it ends the program and waits for its exit. */
export interface Ending extends AsyncDisposable {
  readonly timedOut: boolean;
}

/** Ends a program with its descendants on timeout, when `signal` aborts, or at the end of the scope. */
export function endAfter(program: Launched, { timeoutMs, signal }: EndConditions): Ending {
  let timedOut = false;
  // The disposer awaits the kill and reports its error.
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
    return killedBeforeDaemon(() => spawn(file, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] }));
  } catch (error) {
    throw executionFailed(error);
  }
}

export function executionFailed(error: unknown): ProtocolError {
  return new ProtocolError(
    'EXECUTION_FAILED',
    `The command could not be started: ${error instanceof Error ? error.message : String(error)}.`,
  );
}

/** Kills every process tree that may still have running processes. */
export async function killAllTrees(): Promise<void> {
  await Promise.all([...runningTrees].map((tree) => killTree(tree)));
}

/** Variables that project programs inherit. The daemon's token is not among them. */
const inheritedVariables = [
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

/** Builds the environment for a program in the workspace. `added` overrides everything else. Throws VALIDATION_ERROR. */
export function programEnvironment(workspace: string, own: NodeJS.ProcessEnv, added: Record<string, string>): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const name of inheritedVariables) if (own[name] !== undefined) environment[name] = own[name];
  environment['PATH'] = [join(workspace, 'node_modules/.bin'), own['PATH'] ?? '/usr/local/bin:/usr/bin:/bin'].join(delimiter);
  environment['TERM'] = 'dumb';
  environment['NO_COLOR'] = '1';
  // Keeps tools from prompting, sending telemetry or waiting for input.
  environment['CI'] = '1';
  environment['npm_config_update_notifier'] = 'false';
  for (const [name, value] of Object.entries(added)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0')) {
      throw invalidRequest(
        `The environment variable "${name}" cannot be set: its name or value contains characters that are not allowed.`,
      );
    }
    environment[name] = value;
  }
  return environment;
}

const maxTailCharacters = 16 * 1024;

/** Keeps the last 16 Ki characters of a program's output, enough to show why it failed. */
export class LogTail {
  #text = '';

  async follow(stream: AsyncIterable<Buffer>, onText: () => void = () => undefined): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of stream) {
      this.add(decoder.decode(chunk, { stream: true }));
      onText();
    }
  }

  add(text: string): void {
    this.#text = (this.#text + text).slice(-maxTailCharacters);
  }

  clear(): void {
    this.#text = '';
  }

  text(): string {
    return stripVTControlCharacters(this.#text);
  }
}
