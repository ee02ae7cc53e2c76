import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { errorMessage } from '#contract/errors.ts';
import { projectIdSchema, renderIdSchema } from '#contract/ids.ts';
import { isMissing } from './durable-file.ts';

/** Paths within the data folder. Ids come from requests, so each is validated before it becomes part of a host path. */
export interface DataPaths {
  readonly allAssets: string;
  readonly allRepositories: string;
  assets(projectId: string): string;
  repository(projectId: string): string;
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

/** Koda's own entries in the data folder. Others are not touched. */
const folders = new Set(['assets', 'projects', 'recordings', 'renders']);
const files = new Set([
  'expired.json',
  'expired.json.new',
  'koda.db',
  'koda.db-shm',
  'koda.db-wal',
  'koda.lock',
  'local-key',
  'local-key.new',
  'session-key',
  'session-key.new',
  'mcp-servers.json',
  'mcp-servers.json.new',
  'mcp.json',
  'models.json',
  'models.json.new',
  'reserve',
  'sandbox.key',
]);

/** Makes new files of this process and its children private by default. Has no effect in worker threads. */
export function setPrivateUmask(): void {
  process.umask(0o077);
}

/** Restricts the top level to its owner, which protects everything below it. Returns a sentence for each failure. */
export function restrictDataFolder(dataDir: string): readonly string[] {
  const problems: string[] = [];
  const close = (path: string, mode: number): void => {
    try {
      chmodSync(path, mode);
    } catch (error) {
      // SQLite creates and removes files at any time.
      if (!isMissing(error)) problems.push(`Other users of this machine may be able to read ${path}: ${errorMessage(error)}`);
    }
  };
  close(dataDir, 0o700);
  for (const entry of readdirSync(dataDir, { withFileTypes: true })) {
    // Links are skipped, because they may lead out of the folder.
    if (entry.isDirectory() && folders.has(entry.name)) close(join(dataDir, entry.name), 0o700);
    if (entry.isFile() && files.has(entry.name)) close(join(dataDir, entry.name), 0o600);
  }
  return problems;
}
