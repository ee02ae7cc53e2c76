import { createHash } from 'node:crypto';
import { access, constants, mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errnoOf } from './http.ts';
import { withTimeLimit } from './time-limit.ts';

/** Longer means that the cache was filled on purpose; then it is not used. */
const openTimeoutMs = 10_000;
/** Below the cache: `frames`, in it one folder a key, in each its pictures. */
const layout = ['directory', 'directory', 'file'] as const;

export interface CacheOptions {
  /** Outlives the sandbox; null = there is no such place. */
  readonly configured: string | null;
  readonly workspace: string;
  /** The templates, whose packages decide what pages look like. */
  readonly templatesDir: string;
  /** Takes one line, why the configured place is not used. */
  readonly warn: (line: string) => void;
}

/**
 * Path of the folder for what may be deleted at any time. In the configured place, each version of the daemon
 * and the packages has a folder of its own, and what is of another version is removed; so is whatever the
 * programs of an earlier sandbox left there that is not in order. Where that place cannot be used, it is a
 * folder of the workspace. Never rejects.
 */
export async function openCache({ configured, workspace, templatesDir, warn }: CacheOptions): Promise<string> {
  const own = join(workspace, '.koda');
  if (configured === null) return own;
  try {
    return await withTimeLimit(prepare(configured, templatesDir), openTimeoutMs, () => new Error('cleaning it takes too long'));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    warn(`The cache ${configured} cannot be used (${why}), so nothing will outlive this sandbox.`);
    return own;
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

/** Removes what is not of its level's kind: a link could lead anywhere, and a pipe would be read for ever. */
async function prune(folder: string, [kind, ...below]: readonly ('directory' | 'file')[]): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const inOrder = kind === 'directory' ? entry.isDirectory() : entry.isFile();
    if (!inOrder) await rm(path, { recursive: true, force: true });
    else if (below.length > 0) await prune(path, below);
  }
}

/** A hash of the daemon's code and the templates' packages: what others of them have made may look different now. */
async function softwareVersion(templatesDir: string): Promise<string> {
  const templates = (await readdir(templatesDir)).sort();
  const installed = templates.map((name) => join(templatesDir, name, 'node_modules/.package-lock.json'));
  const hash = createHash('sha256');
  for (const path of [...(await daemonFiles()), ...installed]) hash.update(await contentOf(path)).update('\0');
  return hash.digest('hex').slice(0, 32);
}

/** In the image the daemon is one file; in development it is this folder. */
async function daemonFiles(): Promise<string[]> {
  const { filename, dirname } = import.meta;
  if (!filename.endsWith('.ts')) return [filename];
  const names = await readdir(dirname, { recursive: true });
  return names
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(dirname, name));
}

/** Empty when there is no such file: a template may do without packages. */
async function contentOf(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
