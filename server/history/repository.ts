import { access, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '#contract/errors.ts';
import { failpoint } from '../lib/failpoint.ts';
import { makeDirectory, namesIn, sync, tempName } from '../storage/durable-file.ts';
import { git } from './git.ts';
import { ignoreFolder } from './ignored-paths.ts';

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
	# One pack per checkpoint: two files to sync, regardless of the number of changes.
	unpackLimit = 0
[gc]
	auto = 0
[repack]
	writeBitmaps = false
`;

/** Overrides a project's own .gitattributes, so that git neither converts nor omits files. */
const attributes = '* -text !eol -ident !filter !working-tree-encoding !export-ignore !export-subst\n';

/** Creates an empty bare repository, atomically. Does nothing if it exists. */
export async function ensureRepository(repository: string, options: { signal: AbortSignal }): Promise<void> {
  if (await exists(repository)) return;
  const folder = dirname(repository);
  await makeDirectory(folder);
  const draft = join(folder, tempName());
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
    failpoint('repository.before-rename');
    await rename(draft, repository);
    failpoint('repository.after-rename');
    await sync(folder);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

/**
 * Removes incomplete packs, locks and crash reports left behind by a killed git process. No other process may write at the
 * same time.
 */
export async function sweepRepository(repository: string): Promise<void> {
  const packs = join(repository, 'objects', 'pack');
  const names = await namesIn(packs);
  const indexed = new Set(names.filter((name) => name.endsWith('.idx')).map((name) => name.slice(0, -'.idx'.length)));
  for (const name of names) {
    const isTemp = name.startsWith('tmp_') || name.startsWith('.tmp-');
    // A pack is valid once it has an index. git's import writes the `.keep` file, which prevents repacking.
    const isIncomplete = name.endsWith('.keep') || (name.endsWith('.pack') && !indexed.has(name.slice(0, -'.pack'.length)));
    if (isTemp || isIncomplete) await rm(join(packs, name), { force: true });
  }
  for (const name of await namesIn(repository)) {
    const isStale = name === ignoreFolder || name.startsWith('fast_import_crash_') || name.endsWith('.lock');
    if (isStale) await rm(join(repository, name), { recursive: true, force: true });
  }
  for (const name of await namesIn(join(repository, 'refs'), { recursive: true })) {
    if (name.endsWith('.lock')) await rm(join(repository, 'refs', name), { force: true });
  }
}

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
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
