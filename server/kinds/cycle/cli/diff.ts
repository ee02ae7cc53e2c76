import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { errorMessage, KodaError } from '#contract/errors.ts';
import type { TreeFile } from './folder.ts';
import type { Change } from './tree.ts';

const run = promisify(execFile);
const maxOutputBytes = 256 * 1024 * 1024;

/** Lines that a change adds and deletes. `null` for binary files. */
export interface DiffStat {
  readonly path: string;
  readonly status: 'A' | 'M' | 'D';
  readonly added: number | null;
  readonly deleted: number | null;
}

/** Returns the changes as a patch for `git apply`. */
export async function patchOf(changes: readonly Change[]): Promise<string> {
  return await compare(changes, ['--binary']);
}

export async function statsOf(changes: readonly Change[]): Promise<DiffStat[]> {
  const counts = new Map<string, readonly [string, string]>();
  const fields = (await compare(changes, ['--numstat', '-z'])).split('\0');
  // Each record is “added, deleted” and both paths, in which the folders `a` and `b` are the first segment.
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [added = '', deleted = ''] = (fields[at] ?? '').split('\t');
    const path = [fields[at + 1], fields[at + 2]].find((name) => name !== undefined && name !== '/dev/null');
    counts.set((path ?? '').slice(2), [added, deleted]);
  }
  return changes.map(({ path, before, after }) => {
    const [added, deleted] = counts.get(path) ?? ['0', '0'];
    return { path, status: statusOf(before, after), added: countIn(added), deleted: countIn(deleted) };
  });
}

function statusOf(before: TreeFile | null, after: TreeFile | null): DiffStat['status'] {
  if (before === null) return 'A';
  return after === null ? 'D' : 'M';
}

const countIn = (text: string) => (text === '-' ? null : Number(text));

/** Compares two folders in a temporary place, so that neither the repository nor its settings have any part in it. */
async function compare(changes: readonly Change[], options: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'koda-diff-'));
  try {
    for (const side of ['a', 'b']) await mkdir(join(folder, side));
    for (const { path, before, after } of changes) {
      if (before !== null) await put(join(folder, 'a', path), before);
      if (after !== null) await put(join(folder, 'b', path), after);
    }
    const command = [
      'diff',
      '--no-index',
      '--no-prefix',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      '--no-renames',
      ...options,
    ];
    const env = { PATH: process.env['PATH'], HOME: folder, GIT_CONFIG_NOSYSTEM: '1', GIT_CEILING_DIRECTORIES: dirname(folder) };
    const settings = { cwd: folder, env, maxBuffer: maxOutputBytes };
    const { stdout } = await run('git', ['-c', 'core.quotePath=false', ...command, '--', 'a', 'b'], settings).catch(
      (error: unknown) => differing(error),
    );
    return stdout;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Exit code 1 stands for differences. */
function differing(error: unknown): { stdout: string } {
  if (error instanceof Error && 'code' in error && error.code === 1 && 'stdout' in error) return { stdout: String(error.stdout) };
  throw new KodaError(
    'SERVICE_UNAVAILABLE',
    `git could not compare the files: ${errorMessage(error)}. Install git, then try again.`,
    {
      cause: error,
    },
  );
}

async function put(place: string, { content, executable }: TreeFile): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, content);
  await chmod(place, executable ? 0o755 : 0o644);
}
