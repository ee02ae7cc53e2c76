import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode, KodaError } from '#contract/errors.ts';

/** Complete file on disk without its final name. Disposing removes it unless it was published. */
export interface StagedFile extends AsyncDisposable {
  readonly path: string;
  readonly sizeBytes: number;
  /** Renames the file within its folder, replacing an existing one. Durable on return. */
  publish(name: string): Promise<void>;
}

/** Distinguishes this process's temp files from those of a crashed one. */
const processTag = randomBytes(4).toString('hex');

export function tempName(): string {
  return `.incoming-${processTag}-${randomBytes(8).toString('hex')}`;
}

/**
 * Returns whether a temp file belongs to an earlier process. Only valid in folders that no other running process writes to.
 */
export function isStaleTempFile(name: string): boolean {
  return name.startsWith('.incoming-') && !name.startsWith(`.incoming-${processTag}-`);
}

/** Writes a synced temp file. Throws TOO_LARGE beyond `maxBytes`, STORAGE_FULL or CANCELLED, after removing it. */
export async function stageFile(
  folder: string,
  content: AsyncIterable<Uint8Array>,
  options: { maxBytes: number; signal: AbortSignal },
): Promise<StagedFile> {
  const path = join(folder, tempName());
  const discard = () => rm(path, { force: true });
  try {
    await makeDirectory(folder);
    const sizeBytes = await writeAndSync(path, content, options);
    return {
      path,
      sizeBytes,
      publish: async (name) => {
        await rename(path, join(folder, name));
        await sync(folder);
      },
      [Symbol.asyncDispose]: discard,
    };
  } catch (error) {
    await discard();
    if (options.signal.aborted) throw new KodaError('CANCELLED', 'Writing the file was cancelled.', { cause: error });
    throw hasCode(error, 'ENOSPC', 'EDQUOT') ? storageFull(error) : error;
  }
}

/** Syncs a file's content, or a folder's created, renamed and deleted entries. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR');
}

export async function makeDirectory(folder: string): Promise<void> {
  const firstMade = await mkdir(folder, { recursive: true });
  if (firstMade === undefined) return;
  for (let made = folder; ; made = dirname(made)) {
    await sync(dirname(made));
    if (made === firstMade) return;
  }
}

async function writeAndSync(
  path: string,
  content: AsyncIterable<Uint8Array>,
  { maxBytes, signal }: { maxBytes: number; signal: AbortSignal },
): Promise<number> {
  const chunks = content[Symbol.asyncIterator]();
  const handle = await open(path, 'wx');
  let done = false;
  try {
    let sizeBytes = 0;
    for (;;) {
      const next = await unlessAborted(chunks.next(), signal);
      if (next.done === true) break;
      sizeBytes += next.value.byteLength;
      if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
      await handle.writeFile(next.value);
    }
    done = true;
    await handle.sync();
    return sizeBytes;
  } finally {
    await handle.close();
    // Not awaited after an abort, because a stuck source never returns.
    if (!done) await unlessAborted(Promise.resolve(chunks.return?.()), signal);
  }
}

/** Rejects with the signal's reason on abort, because some sources ignore their signal. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

export function tooLarge(maxBytes: number): KodaError {
  return new KodaError(
    'TOO_LARGE',
    `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB, the limit for its type. Upload a smaller one.`,
    {
      details: { maxBytes },
      recovery: 'use_smaller_file',
    },
  );
}

/** Lists the names in a folder, or relative paths if `recursive`. Returns an empty array if the folder does not exist. */
export async function namesIn(folder: string, options: { recursive: boolean } = { recursive: false }): Promise<string[]> {
  try {
    return await readdir(folder, options);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export function storageFull(cause: unknown): KodaError {
  return new KodaError(
    'STORAGE_FULL',
    'The disk that holds the data folder is full, so nothing was saved. Free up some space and try again.',
    {
      recovery: 'free_disk_space',
      cause,
    },
  );
}

/** Large enough for the WAL of a transaction that deletes a large project. */
const reserveBytes = 4 * 1024 * 1024;
/** The reserve must not fill the disk itself, so this much space must be free besides. */
const marginBytes = 8 * 1024 * 1024;

const reservePath = (dataDir: string): string => join(dataDir, 'reserve');

/**
 * Creates the disk reserve, which is released when a delete on a full disk needs space for SQLite's WAL. Call periodically.
 */
export async function ensureReserve(dataDir: string): Promise<void> {
  const path = reservePath(dataDir);
  const existing = await stat(path).catch(() => null);
  if (existing?.size === reserveBytes) return;
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < reserveBytes + marginBytes) return;
  const tempPath = `${path}.new`;
  try {
    // The content is random, because some file systems store zeros without using space.
    await writeFile(tempPath, randomBytes(reserveBytes));
    await sync(tempPath);
    await rename(tempPath, path);
  } finally {
    await rm(tempPath, { force: true });
  }
}

export function releaseReserve(dataDir: string): void {
  rmSync(reservePath(dataDir), { force: true });
}
