import type { BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { untrackedNames } from '../../../server/contract/sandboxd.ts';
import { errnoOf } from '../http.ts';
import { type OpenFolder, openFolder } from './workspace.ts';

/** One thing found in the workspace; `readLink` and reads go through its folder while it is open. */
export interface Found {
  readonly path: string;
  readonly stats: BigIntStats;
}

export interface WalkOptions {
  readonly recursive: boolean;
}

const untracked: ReadonlySet<string> = new Set(untrackedNames);
/** Deeper than any project, and not so deep that every level's open folder exhausts the file descriptors. */
const maxDepth = 64;

/**
 * Everything below a folder, parents before their contents, names in code-unit order, each exactly once.
 * Links are never followed and untracked names (`node_modules`, `.git` …) never entered. What vanishes
 * while the walk is under way is left out. Throws ENOENT when the folder itself is not there.
 */
export async function* walkTree(workspace: string, from: readonly string[], options: WalkOptions): AsyncGenerator<Found> {
  await using folder = await openFolder(workspace, from, { create: false, links: 'inside' });
  yield* walkFolder(folder, from.length === 0 ? '' : `${from.join('/')}/`, options, 0);
}

async function* walkFolder(folder: OpenFolder, prefix: string, options: WalkOptions, depth: number): AsyncGenerator<Found> {
  const names = (await readdir(folder.self)).filter((name) => !untracked.has(name)).sort();
  const found = await Promise.all(names.map(async (name) => ({ name, stats: await lstatOrNull(folder.at(name)) })));
  for (const { name, stats } of found) {
    if (!stats) continue;
    yield { path: `${prefix}${name}`, stats };
    if (!options.recursive || !stats.isDirectory() || depth >= maxDepth) continue;
    await using inner = await openChild(folder, name);
    if (inner) yield* walkFolder(inner, `${prefix}${name}/`, options, depth + 1);
  }
}

async function openChild(folder: OpenFolder, name: string): Promise<OpenFolder | null> {
  try {
    return await openFolder(folder.self, [name], { create: false, links: 'never' });
  } catch (error) {
    // Gone, replaced by something else, or closed to us: nothing in there can be told.
    const code = errnoOf(error);
    if (code === 'ENOENT' || code === 'EACCES' || code === 'INVALID_PATH' || code === 'NOT_A_DIRECTORY') return null;
    throw error;
  }
}

async function lstatOrNull(path: string): Promise<BigIntStats | null> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null;
    throw error;
  }
}
