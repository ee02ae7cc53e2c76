import { randomBytes } from 'node:crypto';
import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isMissing, makeDirectory, sync } from '../storage/durable-file.ts';
import { git } from './git.ts';

const settings = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	# A commit is on disk before its row is written.
	fsync = all
	fsyncMethod = fsync
	# Larger files are streamed instead of held in memory.
	bigFileThreshold = 16m
[fastimport]
	# One pack a checkpoint: two files to sync, however many changed.
	unpackLimit = 0
[gc]
	auto = 0
[repack]
	writeBitmaps = false
`;

/**
 * Attributes decide what git archives and how it converts it, and a project may bring a .gitattributes of its own.
 * These come before it: files leave the repository byte by byte as they came.
 */
const attributes = '* -text !eol -ident !filter !working-tree-encoding !export-ignore !export-subst\n';

/** Makes an empty bare repository; does nothing when it is there. Seen complete or not at all. */
export async function ensureRepository(repository: string, options: { signal: AbortSignal }): Promise<void> {
  if (await exists(repository)) return;
  const folder = dirname(repository);
  await makeDirectory(folder);
  const draft = join(folder, `.new-${basename(repository)}-${randomBytes(6).toString('hex')}`);
  try {
    await mkdir(draft);
    await git(['init', '--quiet', '--bare', '--template=', '--initial-branch=main'], {
      repository: draft,
      ...options,
      input: null,
    });
    await mkdir(join(draft, 'info'), { recursive: true });
    await writeFile(join(draft, 'config'), settings);
    await writeFile(join(draft, 'info', 'attributes'), attributes);
    await syncTree(draft);
    await rename(draft, repository);
    await sync(folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/** Removes what a killed git leaves: half-written packs and crash reports. Nothing else may run on the repository meanwhile. */
export async function sweepRepository(repository: string): Promise<void> {
  const packs = join(repository, 'objects', 'pack');
  for (const name of await namesIn(packs)) if (name.startsWith('tmp_')) await rm(join(packs, name), { force: true });
  for (const name of await namesIn(repository))
    if (name.startsWith('fast_import_crash_')) await rm(join(repository, name), { force: true });
}

/** Packs in the repository, each from one checkpoint or from joining some. */
export async function countPacks(repository: string): Promise<number> {
  const names = await readdir(join(repository, 'objects', 'pack'));
  return names.filter((name) => name.endsWith('.pack')).length;
}

async function syncTree(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    await (entry.isDirectory() ? syncTree(path) : sync(path));
  }
  await sync(folder);
}

export async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    throw error;
  }
}

/** Nothing where there is no folder: a damaged repository is told by git, not by whoever tidies up. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
