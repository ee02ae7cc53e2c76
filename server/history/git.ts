import { type ChildProcess, spawn } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasCode, KodaError } from '../contract/errors.ts';
import { storageFull } from '../storage/durable-file.ts';

interface GitOptions {
  readonly repository: string;
  readonly signal: AbortSignal;
  /** Beside what every git gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** For input that is not trusted: address space of git and its helpers, where the system can limit it. */
  readonly maxMemoryBytes?: number;
}

/** git failed; `message` ends with its own words. */
export class GitError extends Error {
  constructor(command: string, words: string) {
    super(`git ${command} failed: ${words || 'no reason was given'}`);
    this.name = 'GitError';
  }
}

/**
 * Nothing of the machine's or a user's set-up reaches git: no configuration, hooks, credentials or prompts.
 * The path is fixed, too; it covers Linux distributions and Homebrew.
 */
const environment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_LITERAL_PATHSPECS: '1',
};

const maxStderrLength = 4000;
/** With less free space than this, git's failures are put down to the disk. */
const nearlyFullBytes = 1024 * 1024;

/** Runs git on a repository and returns what it prints. Throws GitError, STORAGE_FULL, CANCELLED, SERVICE_UNAVAILABLE (no git). */
export async function git(
  args: readonly string[],
  options: GitOptions & { input: AsyncIterable<Uint8Array> | null },
): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of run(args, options)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** What git prints, as a stream that fails when git does. */
export function gitOutput(
  args: readonly string[],
  { input = null, ...options }: GitOptions & { input?: AsyncIterable<Uint8Array> | null },
): Readable {
  return Readable.from(run(args, { ...options, input }), { objectMode: false });
}

async function* run(
  args: readonly string[],
  { repository, signal, env, maxMemoryBytes, input }: GitOptions & { input: AsyncIterable<Uint8Array> | null },
): AsyncGenerator<Uint8Array> {
  if (signal.aborted) throw cancelled();
  const [program, ...rest] = limited(['git', '-c', 'safe.directory=*', '-c', 'core.quotePath=false', ...args], maxMemoryBytes);
  const child = spawn(program, rest, {
    env: { ...environment, GIT_DIR: repository, ...env },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: git has helpers, which must not outlive it.
    detached: true,
  });
  const kill = () => killGroup(child);
  signal.addEventListener('abort', kill, { once: true });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-maxStderrLength);
  });
  const exit = new Promise<Exit>((resolve) => {
    child.once('error', (error) => resolve({ notStarted: error, code: null }));
    child.once('close', (code) => resolve({ notStarted: null, code }));
  });
  let feedError: unknown = null;
  const fed = pipeline(input ?? [], child.stdin).catch((error: unknown) => {
    // What git says of itself explains more than the pipe that broke when it went.
    if (isBrokenPipe(error)) return;
    feedError = error;
    // git would wait for the rest of a source that broke.
    kill();
  });
  try {
    yield* child.stdout as AsyncIterable<Uint8Array>;
    const { notStarted: spawnError, code } = await exit;
    if (signal.aborted) throw cancelled();
    if (spawnError !== null) throw notStarted(spawnError);
    if (feedError !== null) throw feedError;
    if (code !== 0) throw await failure({ command: args[0] ?? '', words: stderr.trim(), repository });
    await fed;
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
    await exit;
  }
}

function limited(command: [string, ...string[]], maxMemoryBytes: number | undefined): [string, ...string[]] {
  if (maxMemoryBytes === undefined) return command;
  return ['/bin/sh', '-c', 'ulimit -v "$0" 2>/dev/null; exec "$@"', String(Math.floor(maxMemoryBytes / 1024)), ...command];
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It ended in this moment.
  }
}

interface Exit {
  readonly notStarted: Error | null;
  readonly code: number | null;
}

function isBrokenPipe(error: unknown): boolean {
  return hasCode(error, 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE');
}

function cancelled(): KodaError {
  return new KodaError('CANCELLED', 'The work on the project history was cancelled.');
}

function notStarted(cause: unknown): KodaError {
  return new KodaError(
    'SERVICE_UNAVAILABLE',
    'git cannot be started, so no history is kept. Install git on the machine of the server.',
    {
      recovery: 'install_git',
      cause,
    },
  );
}

/** git has no code for a full disk and words it differently from place to place, so the disk is asked. */
async function failure(failed: { command: string; words: string; repository: string }): Promise<Error> {
  const error = new GitError(failed.command, failed.words);
  const { bavail, bsize } = await statfs(failed.repository);
  const full = bavail * bsize < nearlyFullBytes || /no space left|out of disk ?space|quota exceeded/i.test(failed.words);
  if (full) return storageFull(error);
  return damageWords.test(failed.words) ? historyDamaged(failed.repository, error) : error;
}

/** What git says of a repository whose files are gone or changed. */
const damageWords =
  /not a git repository|invalid gitfile|corrupt|bad (config|tree|object|signature|revision)|unable to (read|find)|inflate|packfile|loose object|not a valid (commit|object)|invalid (object|sha1)|missing (commit|tree|blob|object)/i;

/** The error for a repository that cannot be read; other projects have theirs. */
export function historyDamaged(repository: string, cause: unknown): KodaError {
  return new KodaError(
    'INTERNAL_ERROR',
    `The history of the project is damaged: ${repository} cannot be read as git left it. Other projects are not concerned. See what is damaged with "koda verify", and restore it from a back-up.`,
    { recovery: 'restore_backup', cause },
  );
}
