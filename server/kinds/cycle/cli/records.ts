import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { KodaError } from '#contract/errors.ts';
import { Folder } from './folder.ts';
import { workTreeOf } from './git.ts';

/**
 * Returns the folder for the records of a repository: journals, backups, results and the lock. It is outside of the repository, because
 * whoever wrote the repository would otherwise write its records too. Returns `null` if it does not exist and must not be created.
 * Throws VALIDATION_ERROR if the repository contains it, and FORBIDDEN if another user could change it.
 */
export function recordsOf(repository: Folder, options: { create: true }): Folder;
export function recordsOf(repository: Folder, options: { create: boolean }): Folder | null;
export function recordsOf(repository: Folder, { create }: { create: boolean }): Folder | null {
  const home = stateHome(repository.path);
  if (create) mkdirSync(home, { recursive: true, mode: 0o700 });
  if (!existsSync(home)) return null;
  const state = new Folder(home);
  const key = createHash('sha256').update(repository.path).digest('hex');
  let path = '.';
  for (const name of ['koda', 'cycles', key]) {
    const parent = path;
    path = join(parent, name);
    if (state.stats(path) === undefined) {
      if (!create) return null;
      state.makeFolder(path, 0o700);
      state.sync(parent);
    }
    requirePrivate(join(state.path, path), state.stats(path));
  }
  return new Folder(join(state.path, path));
}

/** The folder for data that programs keep between runs: https://specifications.freedesktop.org/basedir-spec/latest/ */
function stateHome(root: string): string {
  const configured = process.env['XDG_STATE_HOME'] ?? '';
  const home = configured === '' ? join(homedir(), '.local/state') : configured;
  if (!isAbsolute(home))
    throw new KodaError('VALIDATION_ERROR', `XDG_STATE_HOME is the relative path “${home}”. Set it to an absolute one.`);
  const repository = workTreeOf(root) ?? root;
  for (let place = home; place !== dirname(place); place = dirname(place)) {
    if (!existsSync(place) || !isWithin(repository, realpathSync(place))) continue;
    throw new KodaError(
      'VALIDATION_ERROR',
      `Koda keeps the records of cycles in ${home}, which is inside the repository ${repository}. Set XDG_STATE_HOME to a folder outside of it.`,
    );
  }
  return home;
}

function isWithin(folder: string, place: string): boolean {
  const way = relative(folder, place);
  return way !== '..' && !way.startsWith(`..${sep}`);
}

function requirePrivate(place: string, stats: Stats | undefined): void {
  const isOwn = process.getuid === undefined || stats?.uid === process.getuid();
  if (stats?.isDirectory() && isOwn && (stats.mode & 0o022) === 0) return;
  throw new KodaError(
    'FORBIDDEN',
    `Koda cannot keep the records of cycles in ${place}, because it is not a folder of yours that nobody else can change. Rename it or correct its owner and permissions, or set XDG_STATE_HOME to another folder.`,
  );
}
