import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import BetterSqlite3 from 'better-sqlite3';
import { hasCode, KodaError } from '#contract/errors.ts';
import {
  type BackupHeader,
  type BackupManifest,
  backupDatabaseName,
  backupFormat,
  backupHeaderName,
  backupManifestName,
} from '#contract/maintenance.ts';
import { type DataPaths, dataPaths } from '../storage/data-paths.ts';
import { type Database, schemaVersion } from '../storage/database.ts';
import type { DiskUsage } from '../storage/disk-usage.ts';
import { isMissing, storageFull } from '../storage/durable-file.ts';
import { isBackupPath, isObjectFile, isRefFile } from './archive-paths.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { DataRows } from './data-rows.ts';

const tempPrefix = '.backup-';

interface Options {
  readonly database: Database;
  readonly disk: Pick<DiskUsage, 'reserve'>;
  readonly kodaVersion: string;
  /** Whether to include finished renders and their rows. */
  readonly renders: boolean;
  readonly signal: AbortSignal;
  /** Called once the snapshot is removed. */
  readonly onEnd: () => void;
}

/** Creates backups, one at a time: each holds a copy of the database, for as long as its reader takes. */
export class Backups {
  readonly #parts: Omit<Options, 'renders' | 'signal' | 'onEnd'>;
  #isRunning = false;

  constructor(parts: Omit<Options, 'renders' | 'signal' | 'onEnd'>) {
    this.#parts = parts;
  }

  /** Throws STORAGE_FULL, or CONFLICT while another backup is running. */
  async create(options: Pick<Options, 'renders' | 'signal'>): Promise<Readable> {
    if (this.#isRunning) {
      throw new KodaError(
        'CONFLICT',
        'Another backup is running. Wait until it is complete, or cancel it by closing its connection, then try again.',
        { recovery: 'wait' },
      );
    }
    this.#isRunning = true;
    const onEnd = (): void => {
      this.#isRunning = false;
    };
    try {
      return await createBackup({ ...this.#parts, ...options, onEnd });
    } catch (error) {
      onEnd();
      throw error;
    }
  }
}

/**
 * Streams a consistent backup of all durable data as a tar while the server keeps running. It snapshots the database first
 * (SQLite online backup), then adds the files that the snapshot references. Data deleted in the meantime is removed from the
 * snapshot, so it never references a missing file. Closing the stream deletes the snapshot. Throws STORAGE_FULL if the disk has
 * no space for it.
 */
async function createBackup({ database, disk, kodaVersion, renders, signal, onEnd }: Options): Promise<Readable> {
  const ticket = await disk.reserve({ projectId: null, bytes: copyBytes(database), saving: true });
  const folder = await mkdtemp(join(database.dataDir, tempPrefix)).catch((error: unknown) => {
    ticket[Symbol.dispose]();
    throw error;
  });
  const copyPath = join(folder, backupDatabaseName);
  const discard = async (): Promise<void> => {
    ticket[Symbol.dispose]();
    await rm(folder, { recursive: true, force: true });
  };
  let copy: BetterSqlite3.Database;
  try {
    await database.sqlite.backup(copyPath);
    copy = new BetterSqlite3(copyPath);
    // Makes the snapshot a single file, without a WAL beside it.
    copy.pragma('journal_mode = DELETE');
    copy.pragma('foreign_keys = ON');
    if (!renders) copy.prepare("DELETE FROM renders WHERE status = 'complete'").run();
  } catch (error) {
    await discard();
    throw hasCode(error, 'SQLITE_FULL', 'ENOSPC') ? storageFull(error) : error;
  }
  const header: BackupHeader = {
    format: backupFormat,
    kodaVersion,
    schemaVersion: schemaVersion(),
    createdAt: new Date().toISOString(),
    renders,
  };
  const stopped = new AbortController();
  const writer = new ArchiveWriter(AbortSignal.any([signal, stopped.signal]));
  const { output } = writer;
  output.once('close', () => stopped.abort());
  void new BackupJob({ writer, copy, live: new DataRows(database.sqlite), paths: dataPaths(database.dataDir) })
    .run(header, copyPath)
    .then(() => writer.end())
    .catch((error: unknown) => writer.fail(error))
    .finally(() => copy.close())
    .then(discard)
    // The next start removes the remaining files.
    .catch(() => undefined)
    .then(onEnd);
  return output;
}

/** Only the database is copied; other files are streamed. Removing rows from the copy needs a journal of up to the same size. */
function copyBytes({ sqlite }: Database): number {
  const [pages, pageBytes] = [sqlite.pragma('page_count', { simple: true }), sqlite.pragma('page_size', { simple: true })];
  return 2 * Number(pages) * Number(pageBytes);
}

/** Removes snapshots left behind by a crashed server. Call at startup. */
export async function removeStaleBackups(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(tempPrefix)) await rm(join(dataDir, name), { recursive: true, force: true });
  }
}

interface JobParts {
  readonly writer: ArchiveWriter;
  readonly copy: BetterSqlite3.Database;
  readonly live: DataRows;
  readonly paths: DataPaths;
}

class BackupJob {
  readonly #parts: JobParts;
  readonly #rows: DataRows;
  readonly #missing: string[] = [];

  constructor(parts: JobParts) {
    this.#parts = parts;
    this.#rows = new DataRows(parts.copy);
  }

  async run(header: BackupHeader, copyPath: string): Promise<void> {
    const { writer, copy } = this.#parts;
    await writer.addBytes(backupHeaderName, json(header));
    for (const projectId of this.#rows.projects()) await this.#history(projectId);
    await this.#assets();
    await this.#renders();
    this.#forgetDeletedProjects();
    const counts: BackupManifest['counts'] = {
      projects: this.#rows.projects().length,
      checkpoints: this.#rows.projects().reduce((sum, id) => sum + this.#rows.checkpoints(id).length, 0),
      assets: this.#rows.assets().length,
      renders: this.#rows.finishedRenders().length,
    };
    copy.close();
    await writer.addFile(backupDatabaseName, copyPath);
    const manifest: BackupManifest = { counts, files: [...writer.files], missing: this.#missing };
    await writer.addBytes(backupManifestName, json(manifest));
  }

  async #history(projectId: string): Promise<void> {
    const { writer, paths } = this.#parts;
    const repository = paths.repository(projectId);
    const name = (path: string) => `projects/${projectId}.git/${path}`;
    // References are read before objects, so that the objects they point to exist.
    const refs = new Map<string, Buffer>();
    for (const path of await filesBelow(repository, ['packed-refs', 'refs'])) {
      const content = isRefFile(path) ? await readIfExists(join(repository, path)) : null;
      if (content !== null) refs.set(path, content);
    }
    const taken = new Set<string>();
    // A repack writes a new pack before it deletes the old ones. If a file has disappeared, the folder must be listed again.
    for (let hasLost = true; hasLost; ) {
      hasLost = false;
      for (const path of await filesBelow(repository, ['objects'])) {
        if (!isObjectFile(path) || taken.has(path)) continue;
        if (await writer.addFile(name(path), join(repository, path))) taken.add(path);
        else hasLost = true;
      }
    }
    for (const [path, content] of refs) await writer.addBytes(name(path), content);
    if (taken.size === 0 && this.#rows.checkpoints(projectId).length > 0) this.#missing.push(`projects/${projectId}.git`);
  }

  async #assets(): Promise<void> {
    const { writer, paths, copy, live } = this.#parts;
    for (const { id, projectId, file } of this.#rows.assets()) {
      const name = `assets/${projectId}/${file}`;
      if (await writer.addFile(name, join(paths.assets(projectId), file))) continue;
      if (live.hasAsset(id)) this.#missing.push(name);
      else copy.prepare('DELETE FROM assets WHERE id = ?').run(id);
    }
  }

  async #renders(): Promise<void> {
    const { writer, paths, copy, live } = this.#parts;
    for (const { id, file } of this.#rows.finishedRenders()) {
      const folder = paths.render(id);
      const names = await filesBelow(folder, ['.']);
      let exists = false;
      for (const name of names) {
        const path = `renders/${id}/${name}`;
        if (isBackupPath(path) && (await writer.addFile(path, join(folder, name))) && name === file) exists = true;
      }
      if (exists) continue;
      if (live.hasRender(id)) this.#missing.push(`renders/${id}/${file}`);
      else copy.prepare('DELETE FROM renders WHERE id = ?').run(id);
    }
  }

  /** Removes projects deleted since the snapshot, because their files may be incomplete. */
  #forgetDeletedProjects(): void {
    const { copy, live } = this.#parts;
    for (const projectId of this.#rows.projects()) {
      if (live.hasProject(projectId)) continue;
      copy.prepare('DELETE FROM projects WHERE id = ?').run(projectId);
      const ofProject = (path: string) => path.includes(projectId);
      for (const path of this.#missing.filter(ofProject)) this.#missing.splice(this.#missing.indexOf(path), 1);
    }
  }
}

/** Lists files below some of a folder's entries: relative paths with `/`, sorted. Missing entries are skipped. */
async function filesBelow(folder: string, entries: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const visit = async (path: string): Promise<void> => {
    try {
      for (const entry of await readdir(join(folder, path), { withFileTypes: true })) {
        const inner = path === '.' ? entry.name : `${path}/${entry.name}`;
        if (entry.isDirectory()) await visit(inner);
        else if (entry.isFile()) found.push(inner);
      }
    } catch (error) {
      if (hasCode(error, 'ENOTDIR')) found.push(path);
      else if (!isMissing(error)) throw error;
    }
  };
  for (const entry of entries) await visit(entry);
  return found.toSorted();
}

async function readIfExists(path: string): Promise<Buffer | null> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function json(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`);
}
