import { type ChildProcess, spawn } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasCode, KodaError } from '#contract/errors.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { storageFull } from '../storage/durable-file.ts';

interface GitOptions {
  readonly repository: string;
  readonly signal: AbortSignal;
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: GitLimits;
}

/** Limits of git and of each of its helpers, because a history's content is untrusted. Not every system enforces them. */
export interface GitLimits {
  /** Address space. */
  readonly memoryBytes: number;
  readonly cpuSeconds: number;
}

const mebibyte = 1024 ** 2;
const usualLimits: GitLimits = { memoryBytes: 512 * mebibyte, cpuSeconds: 60 };
/** For commands that read or write whole histories, which may have 16 GiB. Their memory does not depend on the size. */
const bulkLimits: GitLimits = { memoryBytes: 512 * mebibyte, cpuSeconds: 30 * 60 };
const bulkCommands: ReadonlySet<string> = new Set([
  'archive',
  'fast-import',
  'fsck',
  'http-backend',
  'index-pack',
  'pack-objects',
  'repack',
  'rev-list',
]);
/** Commands that need much memory and CPU. None of them waits for a client or a sandbox, which would hold its slot. */
const heavyCommands: ReadonlySet<string> = new Set(['diff-tree', 'fetch', 'fsck', 'pack-objects', 'repack']);
const heavySlots = new Semaphore(2);

/**
 * Keeps the memory within the limits: by default, git maps 1 GiB of a pack at once and compresses with a thread per CPU. A
 * repository came from outside, so whatever its content or configuration asks for, git reaches no other machine.
 */
const settings = [
  'safe.directory=*',
  'core.quotePath=false',
  'protocol.allow=never',
  'protocol.file.allow=always',
  'core.packedGitWindowSize=16m',
  'core.packedGitLimit=128m',
  'core.deltaBaseCacheLimit=64m',
  'core.bigFileThreshold=16m',
  'pack.threads=1',
  'pack.windowMemory=64m',
  'pack.deltaCacheSize=32m',
].flatMap((setting) => ['-c', setting]);

/** Thrown if git fails. `message` ends with git's own error text. */
export class GitError extends Error {
  constructor(command: string, message: string) {
    super(`git ${command} failed: ${message || 'no reason was given'}`);
    this.name = 'GitError';
  }
}

/** Excludes the machine's git configuration, hooks, credentials and prompts. PATH covers Linux distributions and Homebrew. */
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
/** With less free space than this, a git failure is treated as a full disk. */
const nearlyFullBytes = 1024 * 1024;

/** Returns git's output. Throws GitError, STORAGE_FULL, CANCELLED, or SERVICE_UNAVAILABLE if git is not installed. */
export async function git(
  args: readonly string[],
  options: GitOptions & { input: AsyncIterable<Uint8Array> | null },
): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of run(args, options)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** Streams git's output. The stream fails if git does. */
export function gitOutput(
  args: readonly string[],
  { input = null, ...options }: GitOptions & { input?: AsyncIterable<Uint8Array> | null },
): Readable {
  return Readable.from(run(args, { ...options, input }), { objectMode: false });
}

async function* run(
  args: readonly string[],
  options: GitOptions & { input: AsyncIterable<Uint8Array> | null },
): AsyncGenerator<Uint8Array> {
  if (options.signal.aborted) throw cancelled();
  const command = commandOf(args);
  if (!heavyCommands.has(command)) {
    yield* runNow(command, args, options);
    return;
  }
  await using _slot = await heavySlots.enter(options.signal);
  if (options.signal.aborted) throw cancelled();
  yield* runNow(command, args, options);
}

async function* runNow(
  command: string,
  args: readonly string[],
  { repository, signal, env, limits: ownLimits, input }: GitOptions & { input: AsyncIterable<Uint8Array> | null },
): AsyncGenerator<Uint8Array> {
  const limits = ownLimits ?? (bulkCommands.has(command) ? bulkLimits : usualLimits);
  const [program, ...rest] = limited(['git', ...settings, ...args], limits);
  const child = spawn(program, rest, {
    env: { ...environment, GIT_DIR: repository, ...env },
    cwd: '/',
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const kill = () => killGroup(child);
  signal.addEventListener('abort', kill, { once: true });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(-maxStderrLength);
  });
  const exit = new Promise<Exit>((resolve) => {
    child.once('error', (error) => resolve({ notStarted: error, code: null, signal: null }));
    child.once('close', (code, signal) => resolve({ notStarted: null, code, signal }));
  });
  let feedError: unknown = null;
  const fed = pipeline(input ?? [], child.stdin).catch((error: unknown) => {
    // git's own error message explains more than the broken-pipe error.
    if (hasCode(error, 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE')) return;
    feedError = error;
    // If the source fails, git would wait for the rest of it.
    kill();
  });
  try {
    yield* child.stdout as AsyncIterable<Uint8Array>;
    const { notStarted: spawnError, code, signal: killed } = await exit;
    if (signal.aborted) throw cancelled();
    if (spawnError !== null) throw notStarted(spawnError);
    if (feedError !== null) throw feedError;
    if (killed !== null || (code !== 0 && memoryPattern.test(stderr))) throw limitExceeded(command, limits, stderr.trim());
    if (code !== 0) throw await failure({ command, message: stderr.trim(), repository });
    await fed;
  } finally {
    signal.removeEventListener('abort', kill);
    kill();
    await exit;
  }
}

/** Returns git's subcommand, which follows settings (`-c name=value`). */
function commandOf(args: readonly string[]): string {
  return args.find((arg, index) => arg !== '-c' && args[index - 1] !== '-c') ?? '';
}

function limited(command: readonly string[], { memoryBytes, cpuSeconds }: GitLimits): [string, ...string[]] {
  const script = 'ulimit -v "$0" 2>/dev/null; ulimit -t "$1" 2>/dev/null; shift; exec "$@"';
  return ['/bin/sh', '-c', script, String(Math.floor(memoryBytes / 1024)), String(cpuSeconds), ...command];
}

/** Matches messages of git, and of helpers that a limit has killed. */
const memoryPattern = /out of memory|cannot allocate memory|died of signal (9|24)/i;

function limitExceeded(command: string, { memoryBytes, cpuSeconds }: GitLimits, message: string): KodaError {
  return new KodaError(
    'LIMIT_EXCEEDED',
    `The project’s history could not be read or written: git needs more than ${memoryBytes / mebibyte} MiB of memory or ${cpuSeconds} s of CPU time for it. The history is unchanged. Use fewer and smaller files, or download a single file of the checkpoint.`,
    { cause: new GitError(command, message) },
  );
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process has just exited.
  }
}

interface Exit {
  readonly notStarted: Error | null;
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

function cancelled(): KodaError {
  return new KodaError('CANCELLED', 'Reading or saving the project history was cancelled.');
}

function notStarted(cause: unknown): KodaError {
  return new KodaError(
    'SERVICE_UNAVAILABLE',
    'The project history is unavailable: git could not be started. Install git on the server.',
    {
      recovery: 'install_git',
      cause,
    },
  );
}

/** git has no exit code for a full disk and its messages vary, so this checks the disk. */
async function failure(failed: { command: string; message: string; repository: string }): Promise<Error> {
  const error = new GitError(failed.command, failed.message);
  const { bavail, bsize } = await statfs(failed.repository);
  const full = bavail * bsize < nearlyFullBytes || /no space left|out of disk ?space|quota exceeded/i.test(failed.message);
  if (full) return storageFull(error);
  return damagePattern.test(failed.message) ? historyDamaged(failed.repository, error) : error;
}

/** Matches git's messages about missing or corrupt repository files. */
const damagePattern =
  /not a git repository|invalid gitfile|corrupt|bad (config|tree|object|signature|revision)|unable to (read|find)|inflate|packfile|loose object|not a valid (commit|object)|invalid (object|sha1)|missing (commit|tree|blob|object)/i;

export function historyDamaged(repository: string, cause: unknown): KodaError {
  return new KodaError(
    'INTERNAL_ERROR',
    `The project’s history is damaged: git cannot read ${repository}. Other projects are not affected. Run "koda verify" to see what is damaged, then restore it from a backup.`,
    { recovery: 'restore_backup', cause },
  );
}
