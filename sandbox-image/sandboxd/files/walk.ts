import { type BigIntStats, lstatSync, readdirSync, type Stats } from 'node:fs';
import { setImmediate as breathe } from 'node:timers/promises';
import { type FileEntry, untrackedNames } from '../../../server/contract/sandboxd.ts';
import { errnoOf } from '../http.ts';
import { type OpenFolder, openFolder } from './workspace.ts';

/** One thing found in the workspace. */
export interface Found {
  readonly path: string;
  readonly stats: BigIntStats;
}

const untracked: ReadonlySet<string> = new Set(untrackedNames);
/** Deeper than any project, and not so deep that every level's open folder exhausts the file descriptors. */
const maxDepth = 64;
/** A walk is synchronous for speed; after this long it lets other calls in. */
const breatheAfterMs = 8;

/**
 * Everything below a folder, parents before their contents, names in code-unit order, each exactly once.
 * Links are never followed and untracked names (`node_modules`, `.git` …) never entered. What vanishes
 * while the walk is under way is left out. Throws ENOENT when the folder itself is not there.
 */
export async function* walkTree(
  workspace: string,
  from: readonly string[],
  options: { readonly recursive: boolean },
): AsyncGenerator<Found> {
  using folder = openFolder(workspace, from, { create: false, links: 'inside' });
  let breathed = performance.now();
  for (const found of walkFolder(folder, from.length === 0 ? '' : `${from.join('/')}/`, options.recursive ? maxDepth : 0)) {
    yield found;
    if (performance.now() - breathed < breatheAfterMs) continue;
    await breathe();
    breathed = performance.now();
  }
}

function* walkFolder(folder: OpenFolder, prefix: string, depth: number): Generator<Found> {
  for (const name of readdirSync(folder.self).sort()) {
    if (untracked.has(name)) continue;
    const stats = lstatOrNull(folder.at(name));
    if (!stats) continue;
    yield { path: `${prefix}${name}`, stats };
    if (depth === 0 || !stats.isDirectory()) continue;
    using inner = openChild(folder, name);
    if (inner) yield* walkFolder(inner, `${prefix}${name}/`, depth - 1);
  }
}

function openChild(folder: OpenFolder, name: string): OpenFolder | null {
  try {
    return openFolder(folder.self, [name], { create: false, links: 'never' });
  } catch (error) {
    // Gone, replaced by something else, or closed to us: its contents are unknown.
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'EACCES' || code === 'INVALID_PATH' || code === 'NOT_A_DIRECTORY') return null;
    throw error;
  }
}

function lstatOrNull(path: string): BigIntStats | null {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false }) ?? null;
}

/** What a listing says of a file, folder or link; null for what a project cannot hold (devices, pipes, sockets). */
export function entryOf(
  path: string,
  stats: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'> & EntryNumbers,
): FileEntry | null {
  const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'directory' : stats.isSymbolicLink() ? 'symlink' : null;
  if (type === null) return null;
  const isFile = type === 'file';
  return { path, type, sizeBytes: isFile ? Number(stats.size) : 0, executable: isFile && (Number(stats.mode) & 0o100) !== 0 };
}

interface EntryNumbers {
  readonly size: number | bigint;
  readonly mode: number | bigint;
}
