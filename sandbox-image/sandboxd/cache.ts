import { createHash } from 'node:crypto';
import { access, constants, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from './http.ts';
import { currentSlowness } from './slowness.ts';
import { withTimeLimit } from './time-limit.ts';

/** Time limit for checking the cache. Only a maliciously filled cache takes longer, and is not used then. */
const openTimeoutMs = 10_000;
/** Kinds of entries expected at each level: `frames`, a folder per key, and its images. */
const layout = ['directory', 'directory', 'file'] as const;

export interface CacheOptions {
  /** Folder that outlives the sandbox; `null` if there is none. */
  readonly configured: string | null;
  readonly workspace: string;
  /** Folder with the templates' packages, which affect how pages render. */
  readonly templatesDir: string;
  /** Receives one line if the configured folder cannot be used. */
  readonly warn: (line: string) => void;
}

/**
 * Returns the folder for disposable data. The configured folder has one subfolder per version of the daemon and packages;
 * other versions and entries of the wrong kind are deleted. Falls back to the workspace. Never rejects.
 */
export async function openCache({ configured, workspace, templatesDir, warn }: CacheOptions): Promise<string> {
  const workspaceCache = join(workspace, '.koda');
  if (configured === null) return workspaceCache;
  try {
    return await withTimeLimit(
      prepare(configured, templatesDir),
      openTimeoutMs * currentSlowness(),
      () => new Error('cleaning it up takes too long'),
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    warn(`The cache ${configured} cannot be used (${reason}), so nothing is cached beyond this sandbox.`);
    return workspaceCache;
  }
}

async function prepare(root: string, templatesDir: string): Promise<string> {
  const version = await softwareVersion(templatesDir);
  const folder = join(root, version);
  await mkdir(root, { recursive: true });
  for (const entry of await readdir(root, { withFileTypes: true })) {
    if (entry.name !== version || !entry.isDirectory()) await rm(join(root, entry.name), { recursive: true, force: true });
  }
  await mkdir(folder, { recursive: true });
  await access(folder, constants.W_OK | constants.X_OK);
  await prune(folder, layout);
  return folder;
}

/** Deletes entries of the wrong kind, because a link could point anywhere, and reading a pipe would block forever. */
async function prune(folder: string, [kind, ...deeper]: readonly ('directory' | 'file')[]): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const isExpected = kind === 'directory' ? entry.isDirectory() : entry.isFile();
    if (!isExpected) await rm(path, { recursive: true, force: true });
    else if (deeper.length > 0) await prune(path, deeper);
  }
}

/** Hashes the daemon's code and the templates' packages, because other versions may render differently. */
async function softwareVersion(templatesDir: string): Promise<string> {
  const templates = (await readdir(templatesDir)).sort();
  const installed = templates.map((name) => join(templatesDir, name, 'node_modules/.package-lock.json'));
  const hash = createHash('sha256');
  for (const path of [...(await daemonFiles()), ...installed]) hash.update(await contentOf(path)).update('\0');
  return hash.digest('hex').slice(0, 32);
}

async function daemonFiles(): Promise<string[]> {
  const { filename, dirname } = import.meta;
  if (!filename.endsWith('.ts')) return [filename];
  const names = await readdir(dirname, { recursive: true });
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(dirname, name));
}

async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
