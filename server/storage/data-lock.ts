import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { errorMessage, KodaError } from '#contract/errors.ts';

/** A server that is being replaced may need this long to exit. */
const waitMs = 1_000;

/**
 * Gives this process exclusive use of a data folder until it exits or calls `release`. Two servers would each delete the
 * other's unfinished work as the remains of a crash. The lock is SQLite's lock on an empty file, which the kernel releases
 * with the process, so a killed server never blocks the next one. Throws SERVICE_UNAVAILABLE, with advice.
 */
export function lockDataFolder(dataDir: string): { release(): void } {
  let file: BetterSqlite3.Database | null = null;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const path = join(dataDir, 'koda.lock');
    const inode = () => statSync(path, { throwIfNoEntry: false })?.ino;
    file = new BetterSqlite3(path, { timeout: waitMs });
    const opened = inode();
    // Nothing is ever written to the file, so it needs no journal.
    file.pragma('journal_mode = MEMORY');
    file.exec('BEGIN EXCLUSIVE');
    // During the wait, a restore may have replaced the folder and with it the lock file.
    if (inode() !== opened) throw inUse(dataDir, null);
  } catch (error) {
    file?.close();
    if (error instanceof KodaError) throw error;
    const taken = error instanceof BetterSqlite3.SqliteError && error.code === 'SQLITE_BUSY';
    throw taken ? inUse(dataDir, error) : unusable(dataDir, error);
  }
  const held = file;
  return { release: () => void held.close() };
}

function inUse(dataDir: string, cause: unknown): KodaError {
  return new KodaError(
    'SERVICE_UNAVAILABLE',
    `Another Koda server is using the data folder ${dataDir}. Stop it first (npm stop), or use a different folder (KODA_DATA_DIR).`,
    { recovery: 'stop_other_server', cause },
  );
}

function unusable(dataDir: string, cause: unknown): KodaError {
  return new KodaError(
    'SERVICE_UNAVAILABLE',
    `The data folder ${dataDir} cannot be used: ${errorMessage(cause)}. Check that it exists and is writable.`,
    { recovery: 'check_data_folder', cause },
  );
}
