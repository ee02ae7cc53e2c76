import { statfs } from 'node:fs/promises';
import { z } from 'zod';
import { projectIdSchema } from '../contract/ids.ts';
import { isMissing } from '../storage/durable-file.ts';
import type { DiskRoom, ProjectSize } from './engine-room.ts';

/** What `statfs` says of a container's root (`linux/magic.h`). */
const overlayMagic = 0x794c7630;

/**
 * What is free on the disk of the container engine, which keeps its files below `engineRoot`. From inside a container, too:
 * its root lies on that disk and has its numbers. Null when neither can be seen from here.
 */
export async function roomOnEngineDisk(engineRoot: string): Promise<DiskRoom | null> {
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
