import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sync } from './durable-file.ts';

/** Enough for the log of a transaction that deletes a large project. */
const reserveBytes = 4 * 1024 * 1024;
/** The reserve is taken only from a disk that has this much besides: it must not be what fills it. */
const marginBytes = 8 * 1024 * 1024;

const reservePath = (dataDir: string): string => join(dataDir, 'reserve');

/**
 * Keeps some space of the disk occupied, so that there is room to delete something when nothing else has any: a
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
