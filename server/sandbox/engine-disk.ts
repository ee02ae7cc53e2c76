import { statfs } from 'node:fs/promises';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { projectIdSchema } from '#contract/ids.ts';
import { megabytes } from '../lib/megabytes.ts';
import { isMissing } from '../storage/durable-file.ts';

export interface DiskSpace {
  readonly freeBytes: number;
  /** The file system's inode limit, or 0 if there is none. */
  readonly totalFiles: number;
  readonly freeFiles: number;
}

export interface ProjectSize {
  readonly projectId: string;
  readonly sizeBytes: number;
}

/** Fraction of free inodes below which creating files may soon fail. */
const minFreeFiles = 0.02;

/** Returns whether the engine's disk has less free space than the reserve. `false` if the disk cannot be read. */
export function isLow(disk: DiskSpace | null, reserveBytes: number): boolean {
  if (disk === null) return false;
  return disk.freeBytes < reserveBytes || disk.freeFiles < disk.totalFiles * minFreeFiles;
}

/** Throws STORAGE_FULL if there is no space for a new sandbox. */
export function assertEngineSpace(disk: DiskSpace | null, reserveBytes: number): void {
  if (disk === null || !isLow(disk, reserveBytes)) return;
  throw new KodaError(
    'STORAGE_FULL',
    `The sandbox was not created: ${describeFreeSpace(disk)}, less than the reserve of ${megabytes(reserveBytes)} MB (KODA_SANDBOX_DISK_RESERVE_MB). Your work is saved. Free up some space on Docker's disk, then try again.`,
    { recovery: 'free_engine_disk' },
  );
}

export function isEngineFull(error: unknown): boolean {
  return error instanceof KodaError && error.recovery === 'free_engine_disk';
}

export function describeFreeSpace({ freeBytes, freeFiles }: DiskSpace): string {
  return `Docker's disk has ${megabytes(freeBytes)} MB free, for ${freeFiles.toLocaleString('en')} more files`;
}

/** `statfs` type of a container's root (`linux/magic.h`). */
const overlayMagic = 0x794c7630;

/** Reads the engine's disk, from inside a container through its root. Returns `null` if this process can access neither. */
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

/** Validates the engine's `GET /system/df?type=volume`. */
export const volumeUseSchema = z.object({
  Volumes: z
    .array(
      z.object({
        Labels: z.record(z.string(), z.string()).nullish(),
        /** -1 if the engine does not know the size. */
        UsageData: z.object({ Size: z.number() }).nullish(),
      }),
    )
    .nullish(),
});

/** Returns the total size of each project's volumes in an instance, including workspaces and caches. */
export function sizesOf({ Volumes: volumes }: z.output<typeof volumeUseSchema>, instance: string): ProjectSize[] {
  const sizes = new Map<string, number>();
  for (const { Labels: labels, UsageData: use } of volumes ?? []) {
    if (labels?.['koda.instance'] !== instance) continue;
    const projectId = projectIdSchema.safeParse(labels['koda.project']);
    if (projectId.success) sizes.set(projectId.data, (sizes.get(projectId.data) ?? 0) + Math.max(0, use?.Size ?? 0));
  }
  return [...sizes].map(([projectId, sizeBytes]) => ({ projectId, sizeBytes }));
}
