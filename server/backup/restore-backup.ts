import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { hasCode, KodaError } from '#contract/errors.ts';
import {
  type BackupManifest,
  backupDatabaseName,
  backupFormat,
  backupHeaderSchema,
  backupManifestSchema,
  type VerifyReport,
} from '#contract/maintenance.ts';
import { ensureRepository } from '../history/repository.ts';
import { lockDataFolder } from '../storage/data-lock.ts';
import { dataPaths } from '../storage/data-paths.ts';
import { openDatabase, schemaVersion } from '../storage/database.ts';
import { isMissing, makeDirectory, sync } from '../storage/durable-file.ts';
import { type ExtractedFile, extractArchive, invalidBackup } from './archive-reader.ts';
import { verifyData } from './verify.ts';

interface Options {
  readonly dataDir: string;
  /** Whether a non-empty folder may be moved aside. */
  readonly force: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (writtenBytes: number) => void;
}

interface Restored {
  readonly counts: BackupManifest['counts'];
  /** Files that were already missing when the backup was created. */
  readonly missing: readonly string[];
  /** New location of the previous folder, or `null` if there was none. */
  readonly movedTo: string | null;
  readonly report: VerifyReport;
}

/** Gap in sequence numbers after a restore. A client that has seen later events starts over instead of missing new ones. */
const sequenceGap = 1_000_000;

/**
 * Replaces the data folder of a stopped server with a backup (tar or gzipped tar). Extracts and validates everything in a folder
 * beside it, which it then renames, so a rejected archive changes nothing. Throws SERVICE_UNAVAILABLE if a server uses the
 * folder, CONFLICT if it is not empty or was put into use in the meantime, BAD_REQUEST for an invalid backup, STORAGE_FULL or
 * CANCELLED.
 */
export async function restoreBackup(source: AsyncIterable<Uint8Array>, options: Options): Promise<Restored> {
  const { dataDir, force } = options;
  // An empty folder has no server, because a server creates its lock file first.
  const isOccupied = (await namesIn(dataDir)).length > 0;
  if (!isOccupied) return await replaceFolder(source, { ...options, isOccupied });
  if (!force) {
    throw new KodaError(
      'CONFLICT',
      `The data folder ${dataDir} is not empty. Stop Koda, then use --force, which moves the existing folder aside without deleting it.`,
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
  const suffix = randomBytes(4).toString('hex');
  const staging = `${dataDir}.restoring-${suffix}`;
  await mkdir(staging, { mode: 0o700 });
  try {
    const { files, manifest } = await extractArchive(source, {
      folder: staging,
      signal,
      onProgress,
      onHeader: checkHeader,
      onHistory: (projectId) => ensureRepository(dataPaths(staging).repository(projectId), { signal }),
    });
    const { counts, missing } = checkManifest(manifest, files);
    const report = await migrateAndVerify(staging, signal);
    await syncFolders(staging);
    const movedTo = isOccupied ? `${dataDir}.before-restore-${suffix}` : null;
    await swapFolders({ staging, dataDir, movedTo });
    return { counts, missing, movedTo, report };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function checkHeader(bytes: Buffer): void {
  const parsed = backupHeaderSchema.safeParse(jsonOrNull(bytes));
  if (!parsed.success) throw invalidBackup('its header is invalid');
  const { format, schemaVersion: schema, kodaVersion } = parsed.data;
  if (format > backupFormat || schema > schemaVersion()) {
    throw invalidBackup(`it was created by a newer version of Koda (${kodaVersion}), which is needed to restore it`);
  }
}

function checkManifest(bytes: Buffer, files: ReadonlyMap<string, ExtractedFile>): BackupManifest {
  const parsed = backupManifestSchema.safeParse(jsonOrNull(bytes));
  if (!parsed.success) throw invalidBackup('its manifest is invalid');
  for (const { path, sizeBytes, sha256 } of parsed.data.files) {
    const file = files.get(path);
    if (file === undefined) throw invalidBackup(`“${path}” is missing`);
    if (file.sizeBytes !== sizeBytes || file.sha256 !== sha256)
      throw invalidBackup(`“${path}” is damaged: its content does not match its hash`);
  }
  const listed = new Set(parsed.data.files.map(({ path }) => path));
  for (const path of files.keys()) if (!listed.has(path)) throw invalidBackup(`“${path}” is not in its manifest`);
  if (!listed.has(backupDatabaseName)) throw invalidBackup('it has no database');
  return parsed.data;
}

/** Migrates the database to this version and verifies the restored data as a whole. */
async function migrateAndVerify(staging: string, signal: AbortSignal): Promise<VerifyReport> {
  const file = join(staging, backupDatabaseName);
  try {
    requirePlainDatabase(file);
    const database = openDatabase(staging);
    try {
      database.sqlite.prepare('UPDATE projects SET last_seq = last_seq + ?').run(sequenceGap);
      // A backup may bring back a revoked token, or one that a stranger has put into it.
      database.sqlite.prepare('DELETE FROM tokens').run();
      return await verifyData({ sqlite: database.sqlite, dataDir: staging, signal, onProgress: () => undefined });
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof KodaError && ['STORAGE_FULL', 'CANCELLED', 'BAD_REQUEST'].includes(error.code)) throw error;
    throw invalidBackup('its database cannot be used', error);
  }
}

/** Koda's databases contain only tables and indexes. Triggers and views would run untrusted code. */
function requirePlainDatabase(file: string): void {
  const sqlite = new BetterSqlite3(file, { readonly: true });
  try {
    const programs = sqlite.prepare("SELECT count(*) FROM sqlite_master WHERE type NOT IN ('table', 'index')").pluck().get();
    if (programs !== 0) throw invalidBackup('its database contains triggers or views');
  } finally {
    sqlite.close();
  }
}

async function swapFolders({
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
    // A server may have started while the folder did not exist.
    const isBack =
      movedTo === null ||
      (await rename(movedTo, dataDir).then(
        () => true,
        () => false,
      ));
    if (isBack && !hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw explained(error, dataDir);
    const outcome = isBack ? 'Nothing was changed.' : `The previous folder is in ${movedTo}.`;
    throw new KodaError(
      'CONFLICT',
      `The backup was not restored: another program started using ${dataDir} in the meantime. Stop Koda and try again. ${outcome}`,
      {
        recovery: 'stop_other_server',
        cause: error,
      },
    );
  }
  await sync(dirname(dataDir));
}

/** Explains errors caused by a data folder that is a mount point, which cannot be renamed. */
function explained(error: unknown, dataDir: string): unknown {
  if (!hasCode(error, 'EBUSY', 'EXDEV')) return error;
  return new KodaError(
    'CONFLICT',
    `${dataDir} cannot be replaced: it is a mount point. Restore to a folder inside it, and set KODA_DATA_DIR to that folder.`,
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
    throw new KodaError('BAD_REQUEST', `${folder} cannot be used as the data folder: ${basename(folder)} is not a folder.`, {
      recovery: 'check_data_folder',
      cause: error,
    });
  }
}

function jsonOrNull(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    // No schema here accepts `null`.
    return null;
  }
}
