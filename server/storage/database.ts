import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  /** Runs work that deletes data. Until it ends, `write` may use the disk reserve if the disk is full. */
  freeing<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}

const migrationsDir = join(import.meta.dirname, 'migrations');
const journalSchema = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })) });

/** Opens or creates `koda.db` and migrates it. Throws SERVICE_UNAVAILABLE if it is unusable, damaged or newer. */
export function openDatabase(dataDir: string): Database {
  const file = join(dataDir, 'koda.db');
  let sqlite: BetterSqlite3.Database;
  try {
    sqlite = prepared(dataDir, file);
  } catch (error) {
    if (!isFull(error)) throw unusable(file, error);
    // Without the database, nothing could be deleted to free space.
    releaseReserve(dataDir);
    try {
      sqlite = prepared(dataDir, file);
    } catch (again) {
      throw unusable(file, again);
    }
  }
  const orm = drizzle(sqlite);
  const write = <T>(work: (tx: Transaction) => T): T => orm.transaction(work, { behavior: 'immediate' });
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
        return orm.transaction(work, { behavior: 'deferred' });
      } catch (error) {
        throw explained(error, file);
      }
    },
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

function prepared(dataDir: string, file: string): BetterSqlite3.Database {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const sqlite = new BetterSqlite3(file);
  try {
    sqlite.pragma('busy_timeout = 5000');
    refuseNewerData(sqlite, file);
    refuseDamagedData(sqlite, file);
    sqlite.pragma('journal_mode = WAL');
    // FULL: an acknowledged transaction survives not only a process crash but also a power cut.
    sqlite.pragma('synchronous = FULL');
    applyMigrations(sqlite);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

function explained(error: unknown, file: string): unknown {
  if (isFull(error)) return storageFull(error);
  if (isDamaged(error)) return damaged(file, error);
  if (error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') {
    return new KodaError(
      'NOT_FOUND',
      'The change was not saved: its project or run no longer exists. It may have been deleted in the meantime.',
      {
        cause: error,
      },
    );
  }
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
const isDamaged = (error: unknown) => hasSqliteCode(error, 'SQLITE_CORRUPT', 'SQLITE_NOTADB');
const isReadOnly = (error: unknown) => hasSqliteCode(error, 'SQLITE_READONLY', 'SQLITE_CANTOPEN', 'EACCES', 'EPERM', 'EROFS');

/** Finds unreadable pages at startup rather than on first use. Reads about a gigabyte per second. */
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
  const newestKnown = schemaVersion();
  const migrated = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = '__drizzle_migrations'").get();
  if (migrated === undefined) return;
  const newestApplied = Number(sqlite.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() ?? 0);
  if (newestApplied <= newestKnown) return;
  throw new KodaError(
    'SERVICE_UNAVAILABLE',
    `The data folder was written by a newer version of Koda (${file}); this version would damage it. Start the newer version, or use another data folder (KODA_DATA_DIR).`,
    { recovery: 'update_koda' },
  );
}

function applyMigrations(sqlite: BetterSqlite3.Database): void {
  // Migrations may rebuild tables, which would cascade. SQLite ignores this setting inside a transaction.
  sqlite.pragma('foreign_keys = OFF');
  failpoint('database.before-migration');
  migrate(drizzle(sqlite), { migrationsFolder: migrationsDir });
  failpoint('database.after-migration');
  const broken = sqlite.pragma('foreign_key_check');
  if (Array.isArray(broken) && broken.length > 0) throw new Error(`${broken.length} rows refer to rows that do not exist`);
  sqlite.pragma('foreign_keys = ON');
}
