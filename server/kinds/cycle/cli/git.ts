import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The configuration and hooks of a repository can name programs, and the repository may come from somebody else. These settings
 * override it, so that git runs none of them: no hooks, no file monitor, no transport for missing objects, and no bare repository among
 * the files.
 */
const safeOptions = [
  ...['-c', 'core.hooksPath=/dev/null'],
  ...['-c', 'core.fsmonitor=false'],
  ...['-c', 'safe.bareRepository=explicit'],
  ...['-c', 'protocol.allow=never'],
];
const safeEnvironment = {
  // A repository can allow single protocols in spite of `protocol.allow`, but not in spite of this empty list.
  GIT_ALLOW_PROTOCOL: '',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
};
/** The user's own settings. All other variables of git could redirect it to another repository, or run a program. */
const userVariable = /^GIT_(AUTHOR_|COMMITTER_|CONFIG_(GLOBAL|SYSTEM|NOSYSTEM)$)/;
const timeoutMs = 120_000;

/** Runs git in a folder of the user's repository and returns its output. Throws with git's own error message. */
export function git(
  folder: string,
  args: readonly string[],
  { env = {}, input }: { env?: Record<string, string>; input?: Buffer | string | undefined } = {},
): Buffer {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_') || userVariable.test(name));
  try {
    return execFileSync('git', [...safeOptions, ...args], {
      cwd: folder,
      env: { ...Object.fromEntries(own), ...safeEnvironment, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      maxBuffer: 64 * 1024 * 1024,
      timeout: timeoutMs,
      ...(input === undefined ? {} : { input }),
    });
  } catch (error) {
    // Node's message repeats the whole command line.
    const reason = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
    throw reason === '' ? error : new Error(reason, { cause: error });
  }
}

/**
 * Returns the closest folder that contains `.git`, or `null`. Asking git instead would treat a repository that git refuses to read as
 * no repository.
 */
export function workTreeOf(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  const parent = dirname(folder);
  return parent === folder ? null : workTreeOf(parent);
}
