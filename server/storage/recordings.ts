import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing, namesIn } from './durable-file.ts';

interface Limits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
  /** Time since 1970. */
  readonly nowMs: number;
}

/** Deletes recorded model traffic that is too old, and then the oldest until the rest is small enough. Returns the number of files. */
export async function sweepRecordings(folder: string, { maxAgeMs, maxBytes, nowMs }: Limits): Promise<number> {
  let bytes = 0;
  let removed = 0;
  // The names start with the time, so the newest comes first.
  const names = (await namesIn(folder))
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .toReversed();
  for (const name of names) {
    const path = join(folder, name);
    try {
      const { size, mtimeMs } = await stat(path);
      bytes += size;
      if (bytes <= maxBytes && nowMs - mtimeMs <= maxAgeMs) continue;
      await rm(path);
      removed += 1;
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return removed;
}
