import { type BigIntStats, lstatSync, readdirSync, type Stats } from 'node:fs';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type FileEntry, untrackedNames } from '#contract/sandbox/answers.ts';
import { errnoOf } from '../http.ts';
import { type OpenFolder, openFolder } from './workspace.ts';

export interface Found {
  readonly path: string;
  readonly stats: BigIntStats;
}

const untracked: ReadonlySet<string> = new Set(untrackedNames);
/**
 * Maximum depth, greater than that of any project. It limits a walk's file descriptors, because a walk opens one folder per
 * level.
 */
const maxDepth = 64;
/** A walk is synchronous for speed. After this time, it yields to the event loop. */
const yieldAfterMs = 8;

/**
 * Walks a folder: parents before their contents, names in code-unit order. Never follows links or enters untracked folders
 * (`node_modules`, `.git` …). Skips entries that are deleted during the walk. Throws ENOENT if the folder does not exist.
 */
export async function* walkTree(
  workspace: string,
  from: readonly string[],
  options: { readonly recursive: boolean },
): AsyncGenerator<Found> {
  using folder = openFolder(workspace, from, { create: false, links: 'inside' });
  let yieldedAt = performance.now();
  for (const found of walkFolder(folder, from.length === 0 ? '' : `${from.join('/')}/`, options.recursive ? maxDepth : 0)) {
    yield found;
    if (performance.now() - yieldedAt < yieldAfterMs) continue;
    await yieldToEventLoop();
    yieldedAt = performance.now();
  }
}

function* walkFolder(folder: OpenFolder, prefix: string, depth: number): Generator<Found> {
  for (const name of readdirSync(folder.self).sort()) {
    if (untracked.has(name)) continue;
    const stats = lstatSync(folder.at(name), { bigint: true, throwIfNoEntry: false });
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
    // The folder was deleted or replaced or is unreadable, so its contents are unknown.
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'EACCES' || code === 'INVALID_PATH' || code === 'NOT_A_DIRECTORY') return null;
    throw error;
  }
}

/** Describes a file, folder or link. Returns `null` for types that a project cannot contain (devices, pipes, sockets). */
export function entryOf(
  path: string,
  stats: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'> & EntryNumbers,
): FileEntry | null {
  const type = typeOf(stats);
  if (type === null) return null;
  const isFile = type === 'file';
  return { path, type, sizeBytes: isFile ? Number(stats.size) : 0, executable: isFile && (Number(stats.mode) & 0o100) !== 0 };
}

function typeOf(stats: Pick<Stats, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): FileEntry['type'] | null {
  if (stats.isFile()) return 'file';
  if (stats.isDirectory()) return 'directory';
  return stats.isSymbolicLink() ? 'symlink' : null;
}

interface EntryNumbers {
  readonly size: number | bigint;
  readonly mode: number | bigint;
}
