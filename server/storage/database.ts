import { mkdirSync, readFileSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3';
import { z } from 'zod';
import { errorMessage, KodaError } from '#contract/errors.ts';
import { failpoint } from '../lib/failpoint.ts';
import { drizzle, migrate } from './drizzle.ts';
import { releaseReserve, storageFull } from './durable-file.ts';

type Orm = BetterSQLite3Database<Record<string, never>>;

export type Transaction = Parameters<Parameters<Orm['transaction']>[0]>[0];

/** The only connection. better-sqlite3 is synchronous, so `write` and `read` are atomic for the rest of the server. */
export interface Database {
  readonly dataDir: string;
  /** Connection for frequent queries with prepared statements. */
  readonly sqlite: BetterSqlite3.Database;
  /** Durable on return. Throws STORAGE_FULL, or NOT_FOUND if the row's project or run is missing; nothing changes then. */
  write<T>(work: (tx: Transaction) => T): T;
  /** Runs several reads on one snapshot. Throws SERVICE_UNAVAILABLE if the file is damaged. */
  read<T>(work: (tx: Transaction) => T): T;
  /** Whether every page was read at the start. A large file is checked while the server runs. */
  readonly isChecked: boolean;
  /** Returns pages of deleted rows to the disk, in steps so short that nobody waits for them. Returns the number of bytes. */
  shrink(options: { signal: AbortSignal }): Promise<number>;
  /** Runs work that deletes data. Until it ends, `write` may use the disk reserve if the disk is full. */
  freeing<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

const migrationsDir = join(import.meta.dirname, 'migrations');
const journalSchema = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })) });

/** Opens or creates `koda.db` and migrates it. Throws SERVICE_UNAVAILABLE if it is unusable, damaged or newer. */
export function openDatabase(dataDir: string): Database {
  const file = join(dataDir, 'koda.db');
  let prepared: { readonly sqlite: BetterSqlite3.Database; readonly isChecked: boolean };
  try {
    prepared = prepare(dataDir, file);
  } catch (error) {
    if (!isFull(error)) throw unusable(file, error);
    // Without the database, nothing could be deleted to free space.
    releaseReserve(dataDir);
    try {
      prepared = prepare(dataDir, file);
    } catch (again) {
      throw unusable(file, again);
    }
  }
  const { sqlite, isChecked } = prepared;
  const orm = drizzle(sqlite);
  const write = <T>(work: (tx: Transaction) => T): T => orm.transaction(work, { behavior: 'immediate' });
  const read = <T>(work: (tx: Transaction) => T): T => orm.transaction(work, { behavior: 'deferred' });
  let deletes = 0;
  return {
    dataDir,
    sqlite,
    write: (work) => {
      try {
        return write(work);
      } catch (error) {
        if (deletes === 0 || !isFull(error)) throw explained(error, file);
      }
      try {
        return withMoreSpace({ sqlite, dataDir }, () => write(work));
      } catch (error) {
        throw explained(error, file);
      }
    },
    read: (work) => {
      try {
        return read(work);
      } catch (error) {
        if (!isBusy(error)) throw explained(error, file);
      }
      try {
        return read(work);
      } catch (error) {
        throw explained(error, file);
      }
    },
    isChecked,
    shrink: (options) => shrink(sqlite, options),
    freeing: async (work) => {
      deletes++;
      try {
        return await work();
      } finally {
        deletes--;
      }
    },
    close: () => {
      if (!sqlite.open) return;
      try {
        sqlite.pragma('wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // The WAL stays and is applied at the next start. A shutdown should not check the file.
        if (!isFull(error) && !isDamaged(error)) throw error;
      } finally {
        sqlite.close();
      }
    },
  };
}

/**
 * Retries a transaction on a full disk, first after restarting the WAL, then using the reserve. Synchronous, so no call
 * interferes.
 */
function withMoreSpace<T>({ sqlite, dataDir }: { sqlite: BetterSqlite3.Database; dataDir: string }, attempt: () => T): T {
  try {
    // Lets the WAL reuse the space that it already occupies.
    sqlite.pragma('wal_checkpoint(RESTART)');
    return attempt();
  } catch (error) {
    if (!isFull(error)) throw error;
    releaseReserve(dataDir);
    return attempt();
  }
}

/** Rows that were deleted leave free pages. This many stay for new rows. */
const keptFreePages = 256;
const maxStepMs = 20;

async function shrink(sqlite: BetterSqlite3.Database, { signal }: { signal: AbortSignal }): Promise<number> {
  const freePages = () => Number(sqlite.pragma('freelist_count', { simple: true }));
  const before = freePages();
  let left = before;
  for (let pages = 64; left > keptFreePages && !signal.aborted; ) {
    const startedAt = performance.now();
    // `exec`, because `pragma` would end after the first page.
    sqlite.exec(`PRAGMA incremental_vacuum(${Math.min(pages, left - keptFreePages)})`);
    const tookMs = performance.now() - startedAt;
    pages = tookMs > maxStepMs / 4 ? Math.max(16, Math.floor(pages / 2)) : Math.min(1024, pages * 2);
    const remaining = freePages();
    // A database without incremental vacuum keeps its pages.
    if (remaining === left) break;
    left = remaining;
    await sleep(maxStepMs / 2);
  }
  // The file itself gets shorter once the WAL has been applied to it.
  if (left < before) sqlite.pragma('wal_checkpoint(PASSIVE)');
  return (before - left) * Number(sqlite.pragma('page_size', { simple: true }));
}

/** At the start nobody waits for this thread. Later, somebody's shell on the file must not stop it for long. */
const busyMs = { atStart: 5000, later: 250 };
/** Reading this many bytes takes less than half a second. */
const maxCheckedBytes = 64 * 1024 * 1024;

function prepare(dataDir: string, file: string): { sqlite: BetterSqlite3.Database; isChecked: boolean } {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const sqlite = new BetterSqlite3(file, { timeout: busyMs.atStart });
  try {
    // A damaged or foreign file can then neither call functions through its schema nor lead SQLite out of a page.
    sqlite.pragma('trusted_schema = OFF');
    sqlite.pragma('cell_size_check = ON');
    if (sizeOf(sqlite) === 0) sqlite.pragma('auto_vacuum = INCREMENTAL');
    refuseNewerData(sqlite, file);
    const isChecked = sizeOf(sqlite) <= maxCheckedBytes;
    if (isChecked) refuseDamagedData(sqlite, file);
    sqlite.pragma('journal_mode = WAL');
    // FULL: an acknowledged transaction survives not only a process crash but also a power cut.
    sqlite.pragma('synchronous = FULL');
    // Otherwise, one large transaction leaves a large WAL for good.
    sqlite.pragma('journal_size_limit = 16777216');
    applyMigrations(sqlite);
    convertOldFile(sqlite, dataDir);
    sqlite.pragma(`busy_timeout = ${busyMs.later}`);
    return { sqlite, isChecked };
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function sizeOf(sqlite: BetterSqlite3.Database): number {
  return Number(sqlite.pragma('page_count', { simple: true })) * Number(sqlite.pragma('page_size', { simple: true }));
}

/** Lets a file of an older version shrink. A kill in the meantime leaves it as it was, and the next start tries again. */
function convertOldFile(sqlite: BetterSqlite3.Database, dataDir: string): void {
  if (sqlite.pragma('auto_vacuum', { simple: true }) !== 0) return;
  const { bavail, bsize } = statfsSync(dataDir);
  // SQLite writes a copy to a temp file and then to the WAL.
  if (bavail * bsize < 3 * sizeOf(sqlite)) return;
  try {
    sqlite.pragma('auto_vacuum = INCREMENTAL');
    sqlite.exec('VACUUM');
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
  } catch (error) {
    // The folder of temp files may be on another disk.
    if (!isFull(error)) throw error;
  }
}

function explained(error: unknown, file: string): unknown {
  if (isFull(error)) return storageFull(error);
  if (isDamaged(error)) return damaged(file, error);
  if (isBusy(error)) {
    return new KodaError(
      'SERVICE_UNAVAILABLE',
      `The database ${file} is in use by another program, so nothing was changed. Close that program, for example a SQLite shell, then try again.`,
      { recovery: 'retry', cause: error },
    );
  }
  if (error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') {
    return new KodaError(
      'NOT_FOUND',
      'The change was not saved: its project or run no longer exists. It may have been deleted in the meantime.',
      {
        cause: error,
      },
    );
  }
  if (error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
    return new KodaError('CONFLICT', 'The change was not saved: its id is taken, maybe by something deleted.', { cause: error });
  return error;
}

function unusable(file: string, error: unknown): KodaError {
  if (error instanceof KodaError) return error;
  if (isFull(error)) return storageFull(error);
  if (isDamaged(error)) return damaged(file, error);
  if (isReadOnly(error)) {
    return new KodaError(
      'SERVICE_UNAVAILABLE',
      `The data folder ${dirname(file)} is not writable: it is read-only or belongs to another user (${errorMessage(error)}). Make it writable for the user that runs Koda, or choose another folder with KODA_DATA_DIR.`,
      { recovery: 'check_data_folder', cause: error },
    );
  }
  return new KodaError(
    'SERVICE_UNAVAILABLE',
    `The database ${file} cannot be opened: ${errorMessage(error)}. Check that the data folder is writable and the file is not damaged.`,
    { recovery: 'check_data_folder', cause: error },
  );
}

function damaged(file: string, cause: unknown): KodaError {
  return new KodaError(
    'SERVICE_UNAVAILABLE',
    `The database ${file} is damaged (${errorMessage(cause)}). Stop Koda, copy the data folder, and restore a backup: koda restore <file>.`,
    { recovery: 'restore_backup', cause },
  );
}

/** SQLite's codes are hierarchical: `SQLITE_CORRUPT`, `SQLITE_CORRUPT_INDEX`. */
function hasSqliteCode(error: unknown, ...codes: readonly string[]): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  const { code } = error;
  return typeof code === 'string' && codes.some((known) => code === known || code.startsWith(`${known}_`));
}

const isFull = (error: unknown) => hasSqliteCode(error, 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT');
const isBusy = (error: unknown) => hasSqliteCode(error, 'SQLITE_BUSY', 'SQLITE_LOCKED');
const isDamaged = (error: unknown) => hasSqliteCode(error, 'SQLITE_CORRUPT', 'SQLITE_NOTADB');
const isReadOnly = (error: unknown) => hasSqliteCode(error, 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'EACCES', 'EPERM', 'EROFS');

/** Finds unreadable pages at startup rather than on first use. */
function refuseDamagedData(sqlite: BetterSqlite3.Database, file: string): void {
  const result = String(sqlite.pragma('quick_check(1)', { simple: true }));
  if (result !== 'ok') throw damaged(file, new Error(result.replace(/\s+/g, ' ')));
}

/** Returns the time of the newest migration in this version, in milliseconds. */
export function schemaVersion(): number {
  const journal = journalSchema.parse(JSON.parse(readFileSync(join(migrationsDir, 'meta', '_journal.json'), 'utf8')));
  return Math.max(...journal.entries.map((entry) => entry.when));
}

/** This version might misread data that a newer one has migrated, so it leaves the folder untouched. */
function refuseNewerData(sqlite: BetterSqlite3.Database, file: string): void {
  if (newestMigration(sqlite) <= schemaVersion()) return;
  throw new KodaError(
    'SERVICE_UNAVAILABLE',
    `The data folder was written by a newer version of Koda (${file}); this version would damage it. Start the newer version, or use another data folder (KODA_DATA_DIR).`,
    { recovery: 'update_koda' },
  );
}

/** Returns the time of the newest migration in the file, or 0 if it has none. */
function newestMigration(sqlite: BetterSqlite3.Database): number {
  const migrated = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '__drizzle_migrations'").get();
  if (migrated === undefined) return 0;
  return Number(sqlite.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() ?? 0);
}

function applyMigrations(sqlite: BetterSqlite3.Database): void {
  // Migrations may rebuild tables, which would cascade. SQLite ignores this setting inside a transaction.
  sqlite.pragma('foreign_keys = OFF');
  const before = newestMigration(sqlite);
  failpoint('database.before-migration');
  migrate(drizzle(sqlite), { migrationsFolder: migrationsDir });
  failpoint('database.after-migration');
  // Reads every row, so it does not run at every start.
  const broken = newestMigration(sqlite) === before ? [] : sqlite.pragma('foreign_key_check');
  if (Array.isArray(broken) && broken.length > 0) throw new Error(`${broken.length} rows refer to rows that do not exist`);
  sqlite.pragma('foreign_keys = ON');
}
