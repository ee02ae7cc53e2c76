import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { hasCode, KodaError } from '../contract/errors.ts';
import {
  type BackupManifest,
  backupDatabaseName,
  backupFormat,
  backupHeaderSchema,
  backupManifestSchema,
  type VerifyReport,
} from '../contract/upkeep.ts';
import { ensureRepository } from '../history/repository.ts';
import { lockDataFolder } from '../storage/data-lock.ts';
import { dataPaths } from '../storage/data-paths.ts';
import { openDatabase, schemaVersion } from '../storage/database.ts';
import { isMissing, makeDirectory, sync } from '../storage/durable-file.ts';
import { type LaidFile, layOut, refused } from './archive-reader.ts';
import { verifyData } from './verify.ts';

interface Options {
  readonly dataDir: string;
  /** Whether a folder that is not empty may be moved aside. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (writtenBytes: number) => void;
}

interface Restored {
  readonly counts: BackupManifest['counts'];
  /** What was missing when the back-up was made. */
  readonly missing: readonly string[];
  /** Where the folder that was there before is now; null when there was nothing. */
  readonly movedTo: string | null;
  readonly report: VerifyReport;
}

/**
 * By how much the numbers of events jump: who has seen later events than the back-up's would take the next ones for
 * those it has. After a gap it starts over.
 */
const sequenceGap = 1_000_000;

/**
 * Puts a back-up (a tar, or one in gzip) in the place of the data folder, which no server may be using. Everything is
 * laid out and checked in a folder beside it, which then takes its name: an archive that is refused changes nothing.
 * Throws SERVICE_UNAVAILABLE when a server works on the folder, CONFLICT when it is not empty or somebody began to use it
 * meanwhile, BAD_REQUEST for what is no sound back-up, STORAGE_FULL, CANCELLED.
 */
export async function restoreBackup(source: AsyncIterable<Uint8Array>, options: Options): Promise<Restored> {
  const { dataDir, force } = options;
  // An empty folder has no server: the lock is the first thing that one makes.
  const isOccupied = (await namesIn(dataDir)).length > 0;
  if (!isOccupied) return await replaceFolder(source, { ...options, isOccupied });
  if (!force) {
    throw new KodaError(
      'CONFLICT',
      `The data folder ${dataDir} is not empty. Stop Koda, then use --force: what is there is moved aside, not deleted.`,
      { recovery: 'use_force' },
    );
  }
  const lock = lockDataFolder(dataDir);
  try {
    return await replaceFolder(source, { ...options, isOccupied });
  } finally {
    lock.release();
  }
}

async function replaceFolder(
  source: AsyncIterable<Uint8Array>,
  { dataDir, isOccupied, signal, onProgress }: Omit<Options, 'force'> & { isOccupied: boolean },
): Promise<Restored> {
  await makeDirectory(dirname(dataDir));
  const mark = randomBytes(4).toString('hex');
  const staging = `${dataDir}.restoring-${mark}`;
  await mkdir(staging, { mode: 0o700 });
  try {
    const { files, manifest } = await layOut(source, {
      folder: staging,
      signal,
      onProgress,
      onHeader: checkHeader,
      onHistory: (projectId) => ensureRepository(dataPaths(staging).repository(projectId), { signal }),
    });
    const { counts, missing } = checkManifest(manifest, files);
    const report = await settle(staging, signal);
    await syncFolders(staging);
    const movedTo = isOccupied ? `${dataDir}.before-restore-${mark}` : null;
    await takePlace({ staging, dataDir, movedTo });
    return { counts, missing, movedTo, report };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function checkHeader(bytes: Buffer): void {
  const parsed = backupHeaderSchema.safeParse(jsonOrNull(bytes));
  if (!parsed.success) throw refused('its first file does not describe it');
  const { format, schemaVersion: schema, kodaVersion } = parsed.data;
  if (format > backupFormat || schema > schemaVersion()) {
    throw refused(`it was made by a newer version of Koda (${kodaVersion}); restore it with that one`);
  }
}

/** What is there must be exactly what the manifest lists. */
function checkManifest(bytes: Buffer, files: ReadonlyMap<string, LaidFile>): BackupManifest {
  const parsed = backupManifestSchema.safeParse(jsonOrNull(bytes));
  if (!parsed.success) throw refused('its manifest cannot be read');
  for (const { path, sizeBytes, sha256 } of parsed.data.files) {
    const laid = files.get(path);
    if (laid === undefined) throw refused(`“${path}” is missing from it`);
    if (laid.sizeBytes !== sizeBytes || laid.sha256 !== sha256) throw refused(`“${path}” is damaged: its hash is wrong`);
  }
  const listed = new Set(parsed.data.files.map(({ path }) => path));
  for (const path of files.keys()) if (!listed.has(path)) throw refused(`“${path}” is not in its manifest`);
  if (!listed.has(backupDatabaseName)) throw refused('it has no database');
  return parsed.data;
}

/** Brings the database to this version, and looks at everything once more as a whole. */
async function settle(staging: string, signal: AbortSignal): Promise<VerifyReport> {
  const file = join(staging, backupDatabaseName);
  try {
    requirePlainDatabase(file);
    const database = openDatabase(staging);
    try {
      database.sqlite.prepare('UPDATE projects SET last_seq = last_seq + ?').run(sequenceGap);
      return await verifyData({ sqlite: database.sqlite, dataDir: staging, signal, onProgress: () => undefined });
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof KodaError && ['STORAGE_FULL', 'CANCELLED', 'BAD_REQUEST'].includes(error.code)) throw error;
    throw refused('its database cannot be used', error);
  }
}

/** Koda's own has tables and indexes alone; triggers and views would be somebody else's program. */
function requirePlainDatabase(file: string): void {
  const sqlite = new BetterSqlite3(file, { readonly: true });
  try {
    const programs = sqlite.prepare("SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index')").pluck().get();
    if (programs !== 0) throw refused('its database holds programs');
  } finally {
    sqlite.close();
  }
}

async function takePlace({
  staging,
  dataDir,
  movedTo,
}: {
  staging: string;
  dataDir: string;
  movedTo: string | null;
}): Promise<void> {
  try {
    if (movedTo !== null) await rename(dataDir, movedTo);
  } catch (error) {
    throw explained(error, dataDir);
  }
  try {
    await rename(staging, dataDir);
  } catch (error) {
    // A server may have begun there, in the moment when the place was free.
    const isBack =
      movedTo === null ||
      (await rename(movedTo, dataDir).then(
        () => true,
        () => false,
      ));
    if (isBack && !hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw explained(error, dataDir);
    const kept = isBack ? 'Nothing was changed.' : `What was there before is in ${movedTo}.`;
    throw new KodaError('CONFLICT', `Something else began to use ${dataDir} meanwhile. Stop Koda and try again. ${kept}`, {
      recovery: 'stop_other_server',
      cause: error,
    });
  }
  await sync(dirname(dataDir));
}

/** A file system that is mounted at the folder cannot be put aside. */
function explained(error: unknown, dataDir: string): unknown {
  if (!hasCode(error, 'EBUSY', 'EXDEV')) return error;
  return new KodaError(
    'CONFLICT',
    `${dataDir} is a file system of its own and cannot be replaced. Restore to a folder inside it, and name that one with KODA_DATA_DIR.`,
    { recovery: 'name_data_folder', cause: error },
  );
}

async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  }
  await sync(folder);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw new KodaError('BAD_REQUEST', `${folder} cannot be used as the data folder: ${basename(folder)} is no folder.`, {
      recovery: 'check_data_folder',
      cause: error,
    });
  }
}

function jsonOrNull(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // No schema of ours takes null.
    return null;
  }
}
