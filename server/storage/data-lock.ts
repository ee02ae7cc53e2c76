import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { errorMessage, KodaError } from '../contract/errors.ts';

/** A server that is being replaced may need a moment to go. */
const waitMs = 1_000;

/**
 * Makes this process the only one that works on a data folder, until it ends, however it ends, or `release` is called.
 * Two servers would each take the other's work in progress for what a crash left. The lock is SQLite's own on an empty
 * file: the kernel gives it up with the process, so nothing of a killed server stands in the way of the next.
 * Throws SERVICE_UNAVAILABLE with what to do.
 */
export function lockDataFolder(dataDir: string): { release(): void } {
  let file: BetterSqlite3.Database | null = null;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    const path = join(dataDir, 'koda.lock');
    const inode = () => statSync(path, { throwIfNoEntry: false })?.ino;
    file = new BetterSqlite3(path, { timeout: waitMs });
    const opened = inode();
    // Nothing is ever written: no journal beside it.
    file.pragma('journal_mode = MEMORY');
    file.exec('BEGIN EXCLUSIVE');
    // A restore may have put another folder in the place of the one whose lock this waited for.
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
    `Another Koda works on the data folder ${dataDir}. Stop it first (npm stop), or use a folder of its own (KODA_DATA_DIR).`,
    { recovery: 'stop_other_server', cause },
  );
}

function unusable(dataDir: string, cause: unknown): KodaError {
  return new KodaError(
    'SERVICE_UNAVAILABLE',
    `The data folder ${dataDir} cannot be used: ${errorMessage(cause)}. Check that it is there and writable.`,
    { recovery: 'check_data_folder', cause },
  );
}
