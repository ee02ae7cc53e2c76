import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { buffer } from 'node:stream/consumers';

export interface GitAnswer {
  readonly ok: boolean;
  readonly output: Buffer;
  readonly words: string;
}

async function runGit(repository: string, args: readonly string[], input = ''): Promise<GitAnswer> {
  const git = spawn('git', ['-c', 'safe.directory=*', ...args], {
    env: { ...process.env, GIT_DIR: repository, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C' },
  });
  // Ignores the broken pipe if git exits before it has read its input. The exit code reports the reason.
  git.stdin.on('error', () => undefined).end(input);
  const [output, complaints, [status]] = await Promise.all([buffer(git.stdout), buffer(git.stderr), once(git, 'close')]);
  return { ok: status === 0, output, words: complaints.toString('utf8').trim() };
}

/** Returns the contents of a commit's files, as printed by `git cat-file`; `null` if the commit lacks the file. */
export async function readFiles(
  repository: string,
  commitId: string,
  paths: readonly string[],
): Promise<Map<string, Buffer | null>> {
  const { output } = await runGit(repository, ['cat-file', '--batch'], paths.map((path) => `${commitId}:${path}\n`).join(''));
  const files = new Map<string, Buffer | null>();
  let at = 0;
  for (const path of paths) {
    const end = output.indexOf('\n', at);
    const size = / blob (\d+)$/.exec(output.subarray(at, end).toString('utf8'))?.[1];
    const start = end + 1;
    if (end === -1 || size === undefined) {
      files.set(path, null);
      at = start;
      continue;
    }
    files.set(path, output.subarray(start, start + Number(size)));
    at = start + Number(size) + 1;
  }
  return files;
}

/** Checks that every object of these commits exists and matches its hash. Returns git's error, or `null`. */
export async function damageOf(repository: string, commitIds: readonly string[]): Promise<string | null> {
  const fsck = await runGit(repository, ['fsck', '--full', '--no-dangling', '--no-progress']);
  if (!fsck.ok) return fsck.words || fsck.output.toString('utf8').slice(0, 500);
  if (commitIds.length === 0) return null;
  const walk = await runGit(repository, ['rev-list', '--objects', '--quiet', '--stdin'], `${commitIds.join('\n')}\n`);
  return walk.ok ? null : walk.words;
}
