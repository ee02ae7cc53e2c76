import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { z } from 'zod';
import { errorMessage, KodaError } from '../contract/errors.ts';
import { failpoint } from '../failpoint.ts';
import { storageFull } from './storage-full.ts';

type Orm = BetterSQLite3Database<Record<string, never>>;

/** What a query runs on: the database itself, or a transaction on it. */
export type Transaction = Parameters<Parameters<Orm['transaction']>[0]>[0];

/**
 * The one connection of this process. better-sqlite3 is synchronous: between two `await`s nobody else
 * writes, so whatever happens inside `write` or `read` is one step for the rest of the server.
 */
export interface Database {
  /** The folder that holds the database and everything else that lasts. */
  readonly dataDir: string;
  /** For prepared statements of hot paths. */
  readonly sqlite: BetterSqlite3.Database;
  /**
   * One transaction, on disk (fsync of the log) when it returns. Throws STORAGE_FULL when there is no room and
   * NOT_FOUND when the project or run that a row belongs to is gone; then nothing changed.
   */
  write<T>(work: (tx: Transaction) => T): T;
  /** Several reads of one moment. */
  read<T>(work: (tx: Transaction) => T): T;
  /** Moves the log into the main file and closes. */
  close(): void;
}

const migrationsDir = join(import.meta.dirname, 'migrations');
const journalSchema = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })) });

/**
 * Opens `koda.db` in the data folder, creates it when missing and brings it to the newest schema.
 * Throws SERVICE_UNAVAILABLE with what to do when the folder cannot be used or belongs to a newer version.
 */
export function openDatabase(dataDir: string): Database {
  const file = join(dataDir, 'koda.db');
  const sqlite = openFile(dataDir, file);
  try {
    sqlite.pragma('busy_timeout = 5000');
    sqlite.pragma('journal_mode = WAL');
    // FULL: an acknowledged transaction survives a power cut, not only a crash of the process.
    sqlite.pragma('synchronous = FULL');
    refuseNewerData(sqlite, file);
    applyMigrations(sqlite);
  } catch (error) {
    sqlite.close();
    throw unusable(file, error);
  }
  const orm = drizzle(sqlite);
  return {
    dataDir,
    sqlite,
    write: (work) => {
      try {
        return orm.transaction(work, { behavior: 'immediate' });
      } catch (error) {
        throw explained(error);
      }
    },
    read: (work) => orm.transaction(work, { behavior: 'deferred' }),
    close: () => {
      if (!sqlite.open) return;
      sqlite.pragma('wal_checkpoint(TRUNCATE)');
      sqlite.close();
    },
  };
}

function explained(error: unknown): unknown {
  if (isFull(error)) return storageFull(error);
  if (error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_CONSTRAINT_FOREIGNKEY') {
    return new KodaError('NOT_FOUND', 'What this belongs to is gone: its project may have been deleted meanwhile.', {
      cause: error,
    });
  }
  return error;
}

function openFile(dataDir: string, file: string): BetterSqlite3.Database {
  try {
    mkdirSync(dataDir, { recursive: true });
    return new BetterSqlite3(file);
  } catch (error) {
    throw unusable(file, error);
  }
}

function unusable(file: string, error: unknown): KodaError {
  if (error instanceof KodaError) return error;
  if (isFull(error)) return storageFull(error);
  return new KodaError(
    'SERVICE_UNAVAILABLE',
    `The database ${file} cannot be opened: ${errorMessage(error)}. Check that the data folder is writable and the file is not damaged.`,
    { recovery: 'check_data_folder', cause: error },
  );
}

function isFull(error: unknown): boolean {
  return error instanceof BetterSqlite3.SqliteError && (error.code === 'SQLITE_FULL' || error.code === 'SQLITE_IOERR_SHMSIZE');
}

/** A folder that a newer version has migrated may hold what this version would misread: it is left untouched. */
function refuseNewerData(sqlite: BetterSqlite3.Database, file: string): void {
  const journal = journalSchema.parse(JSON.parse(readFileSync(join(migrationsDir, 'meta', '_journal.json'), 'utf8')));
  const newestKnown = Math.max(...journal.entries.map((entry) => entry.when));
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
  // Migrations may rebuild tables, which would cascade; SQLite cannot switch this inside their transaction.
  sqlite.pragma('foreign_keys = OFF');
  failpoint('database.before-migration');
  migrate(drizzle(sqlite), { migrationsFolder: migrationsDir });
  failpoint('database.after-migration');
  const broken = sqlite.pragma('foreign_key_check');
  if (Array.isArray(broken) && broken.length > 0) throw new Error(`${broken.length} rows refer to rows that do not exist`);
  sqlite.pragma('foreign_keys = ON');
}
