import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '../contract/errors.ts';
import { projectIdSchema, renderIdSchema } from '../contract/ids.ts';
import { isMissing } from './durable-file.ts';

/**
 * Where things are under the data folder. Ids come from requests: each is checked to be an id before it becomes
 * part of a path of the host, so that no other string ever does.
 */
export interface DataPaths {
  /** Holds the folders of all uploads, one a project. */
  readonly allAssets: string;
  /** Holds the repositories of all projects. */
  readonly allRepositories: string;
  /** Folder of a project's uploads. */
  assets(projectId: string): string;
  /** Bare repository with a project's history. */
  repository(projectId: string): string;
  /** Folder of a render's files. */
  render(renderId: string): string;
}

export function dataPaths(dataDir: string): DataPaths {
  const allAssets = join(dataDir, 'assets');
  const allRepositories = join(dataDir, 'projects');
  return {
    allAssets,
    allRepositories,
    assets: (projectId) => join(allAssets, projectIdSchema.parse(projectId)),
    repository: (projectId) => join(allRepositories, `${projectIdSchema.parse(projectId)}.git`),
    render: (renderId) => join(dataDir, 'renders', renderIdSchema.parse(renderId)),
  };
}

/** What Koda keeps directly in its data folder; nothing else there is touched. */
const folders = new Set(['assets', 'projects', 'recordings', 'renders']);
const files = new Set([
  'koda.db',
  'koda.db-shm',
  'koda.db-wal',
  'koda.lock',
  'models.json',
  'models.json.new',
  'reserve',
  'sandbox.key',
]);

/** Whatever this process and its children make from now on is for its user alone, unless they say otherwise. Not in threads. */
export function keepNewFilesPrivate(): void {
  process.umask(0o077);
}

/**
 * Closes a data folder to all users but its owner, also one from before that was done: prompts, films and keys are in it.
 * What is deeper inside lies behind closed folders. Returns why not, in sentences, where a file system does not let it.
 */
export function closeDataFolder(dataDir: string): readonly string[] {
  const problems: string[] = [];
  const close = (path: string, mode: number): void => {
    try {
      chmodSync(path, mode);
    } catch (error) {
      // Files of SQLite come and go.
      if (!isMissing(error)) problems.push(`Others on this machine may be able to read ${path}: ${errorMessage(error)}`);
    }
  };
  close(dataDir, 0o700);
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    // Never what a link leads to.
    if (entry.isDirectory() && folders.has(entry.name)) close(join(dataDir, entry.name), 0o700);
    if (entry.isFile() && files.has(entry.name)) close(join(dataDir, entry.name), 0o600);
  }
  return problems;
}
