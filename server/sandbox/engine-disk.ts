import { statfs } from 'node:fs/promises';
import { z } from 'zod';
import { KodaError } from '../contract/errors.ts';
import { projectIdSchema } from '../contract/ids.ts';
import { megabytes } from '../lib/megabytes.ts';
import { isMissing } from '../storage/durable-file.ts';

/** What is free on the disk of the container engine. */
export interface DiskSpace {
  readonly freeBytes: number;
  /** Files that there may be and that may still be made; 0 in all where the file system has no such limit. */
  readonly totalFiles: number;
  readonly freeFiles: number;
}

/** What the engine counts of a project's volumes. */
export interface ProjectSize {
  readonly projectId: string;
  readonly sizeBytes: number;
}

/** A share of the files that a disk can hold; with fewer left, creating any may soon fail. */
const minFreeFiles = 0.02;

/** Whether the engine's disk has less free space than must stay free. A disk that cannot be read counts as having enough. */
export function isShort(disk: DiskSpace | null, reserveBytes: number): boolean {
  if (disk === null) return false;
  return disk.freeBytes < reserveBytes || disk.freeFiles < disk.totalFiles * minFreeFiles;
}

/** Call it before a sandbox is created. Throws STORAGE_FULL. */
export function assertEngineSpace(disk: DiskSpace | null, reserveBytes: number): void {
  if (disk === null || !isShort(disk, reserveBytes)) return;
  throw new KodaError(
    'STORAGE_FULL',
    `No sandbox can be created: ${spaceInWords(disk)}, and ${megabytes(reserveBytes)} MB are kept free (KODA_SANDBOX_DISK_RESERVE_MB). What was made so far is kept. Free some space there, then try again.`,
    { recovery: 'free_engine_disk' },
  );
}

export function isEngineFull(error: unknown): boolean {
  return error instanceof KodaError && error.recovery === 'free_engine_disk';
}

/** How much is left, as a part of a sentence. */
export function spaceInWords({ freeBytes, freeFiles }: DiskSpace): string {
  return `Docker's disk has ${megabytes(freeBytes)} MB free, for ${freeFiles.toLocaleString('en')} more files`;
}

/** What `statfs` says of a container's root (`linux/magic.h`). */
const overlayMagic = 0x794c7630;

/**
 * What is free on the disk of the container engine, which keeps its files below `engineRoot`. From inside a container, too:
 * its root lies on that disk and has its numbers. Null when neither can be seen from here.
 */
export async function engineDiskSpace(engineRoot: string): Promise<DiskSpace | null> {
  for (const path of ['/', engineRoot]) {
    try {
      const { type, bavail, bsize, files, ffree } = await statfs(path);
      if (path === '/' && type !== overlayMagic) continue;
      return { freeBytes: bavail * bsize, totalFiles: files, freeFiles: ffree };
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }
  return null;
}

/** What is read of the engine's `GET /system/df?type=volume`. */
export const volumeUseSchema = z.object({
  Volumes: z
    .array(
      z.object({
        Labels: z.record(z.string(), z.string()).nullish(),
        /** Size is -1 where the engine does not know it. */
        UsageData: z.object({ Size: z.number() }).nullish(),
      }),
    )
    .nullish(),
});

/** What the volumes of each project of an instance hold, workspaces and caches together. Pure. */
export function sizesOf({ Volumes: volumes }: z.output<typeof volumeUseSchema>, instance: string): ProjectSize[] {
  const sizes = new Map<string, number>();
  for (const { Labels: labels, UsageData: use } of volumes ?? []) {
    if (labels?.['koda.instance'] !== instance) continue;
    const projectId = projectIdSchema.safeParse(labels['koda.project']);
    if (projectId.success) sizes.set(projectId.data, (sizes.get(projectId.data) ?? 0) + Math.max(0, use?.Size ?? 0));
  }
  return [...sizes].map(([projectId, sizeBytes]) => ({ projectId, sizeBytes }));
}
