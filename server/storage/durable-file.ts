import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode, KodaError } from '../contract/errors.ts';

/** A file that is complete and on disk, but not yet seen under its name. Disposing it removes it unless it was published. */
export interface StagedFile extends AsyncDisposable {
  readonly path: string;
  readonly sizeBytes: number;
  /** Gives it its name in the same folder (replacing what was there); durable when it returns. */
  publish(name: string): Promise<void>;
}

/** Of this process: what is half made under another mark was left by a process that died. */
const processMark = randomBytes(4).toString('hex');

/** The name of something that is being made, until it gets its own by a rename. */
export function draftName(): string {
  return `.incoming-${processMark}-${randomBytes(8).toString('hex')}`;
}

/** True for a draft of a process that is gone. Only in a folder that no other living process writes to. */
export function isAbandonedDraft(name: string): boolean {
  return name.startsWith('.incoming-') && !name.startsWith(`.incoming-${processMark}-`);
}

/**
 * Writes a stream to a temporary file in `folder` (made when missing) and fsyncs it. What is written this way is
 * either there completely or not at all, whatever dies when.
 * Throws TOO_LARGE beyond `maxBytes`, STORAGE_FULL, CANCELLED; nothing stays behind then.
 */
export async function stageFile(
  folder: string,
  content: AsyncIterable<Uint8Array>,
  options: { maxBytes: number; signal: AbortSignal },
): Promise<StagedFile> {
  const path = join(folder, draftName());
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
    throw isOutOfSpace(error) ? storageFull(error) : error;
  }
}

/** Makes durable what a file holds, or what was created, renamed or deleted in a folder. */
export async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** True for the errors of a path that leads to nothing. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR');
}

/** True for the errors of a full disk or quota. */
function isOutOfSpace(error: unknown): boolean {
  return hasCode(error, 'ENOSPC', 'EDQUOT');
}

/** Makes a folder and those above it durable; does nothing when it is there. */
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
    // A source that hangs would never answer this: after an abort nothing waits for it.
    if (!done) await unlessAborted(Promise.resolve(chunks.return?.()), signal);
  }
}

/** The promise, or an AbortError as soon as the signal fires: some sources hang without ever noticing a signal. */
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

/** The error for an upload over its limit. */
export function tooLarge(maxBytes: number): KodaError {
  return new KodaError(
    'TOO_LARGE',
    `The file is larger than the ${Math.floor(maxBytes / 1024 / 1024)} MB that are allowed for its type.`,
    {
      details: { maxBytes },
      recovery: 'use_smaller_file',
    },
  );
}

/** Names of what is in a folder (or paths within it); none when there is no folder of that name. */
export async function namesIn(folder: string, options: { recursive: boolean } = { recursive: false }): Promise<string[]> {
  try {
    return await readdir(folder, options);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** The error for a full disk, whatever wrote to it. */
export function storageFull(cause: unknown): KodaError {
  return new KodaError(
    'STORAGE_FULL',
    'The disk of the data folder is full, so nothing was saved. Free some space and try again.',
    {
      recovery: 'free_disk_space',
      cause,
    },
  );
}

/** Enough for the log of a transaction that deletes a large project. */
const reserveBytes = 4 * 1024 * 1024;
/** The reserve is taken only from a disk that has this much besides: it must not be what fills it. */
const marginBytes = 8 * 1024 * 1024;

const reservePath = (dataDir: string): string => join(dataDir, 'reserve');

/**
 * Keeps some space of the disk occupied, so that something can be deleted when the disk is full: a
 * delete has to be written to the database's log first. For the start, and regularly, for it may have been given up.
 */
export async function keepReserve(dataDir: string): Promise<void> {
  const path = reservePath(dataDir);
  const kept = await stat(path).catch(() => null);
  if (kept?.size === reserveBytes) return;
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize < reserveBytes + marginBytes) return;
  const draft = `${path}.new`;
  try {
    // Random: some file systems store zeros in no space.
    await writeFile(draft, randomBytes(reserveBytes));
    await sync(draft);
    await rename(draft, path);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Gives the reserved space back to the disk. */
export function releaseReserve(dataDir: string): void {
  rmSync(reservePath(dataDir), { force: true });
}
