import { z } from 'zod';

/** Points between two durable steps at which a test can kill the server, in execution order. */
export const failpointNames = [
  'database.before-migration',
  'database.after-migration',
  'start.after-listen',
  'start.after-recovery',
  'project.after-row',
  'event.before-commit',
  'event.after-commit',
  'request.before-remembered',
  'sandbox.after-folder',
  'sandbox.after-process',
  'sandbox.after-create',
  'sandbox.after-init',
  'sandbox.after-prepare',
  'sandbox.before-destroy',
  'sandbox.after-folder-moved',
  'file.after-write',
  'file.after-event',
  'repository.before-rename',
  'repository.after-rename',
  'checkpoint.before-import',
  'checkpoint.during-import',
  'checkpoint.after-import',
  'checkpoint.after-row',
  'checkpoint.after-branch',
  'checkpoint.before-prune',
  'checkpoint.after-prune',
  'checkpoint.before-repack',
  'checkpoint.after-repack',
  'restore.before-clear',
  'restore.during-import',
  'restore.after-import',
  'restore.after-event',
  'upload.after-staged',
  'upload.after-publish',
  'upload.after-row',
  'upload-delete.after-row',
  'render.after-video',
  'render.after-files',
  'render.after-old-removed',
  'render.after-publish',
  'render.after-row',
  'render-delete.after-row',
  'project-delete.before-row',
  'project-delete.after-row',
  'project-delete.after-sandbox',
  'project-delete.after-renders',
  'project-delete.after-assets',
  'project-delete.after-history-moved',
  'project-delete.after-history',
] as const;

export type Failpoint = (typeof failpointNames)[number];

interface Armed {
  readonly name: Failpoint;
  /** Number of the hit at which to kill the process, from 1. */
  readonly hit: number;
}

/** Parses `checkpoint.after-row` (first hit) or `checkpoint.after-row:3` (third hit). */
export const failpointSchema = z.string().transform((text, context): Armed => {
  const [, name, hit] = /^([^:]*)(?::([1-9]\d*))?$/.exec(text) ?? [];
  const known = failpointNames.find((candidate) => candidate === name);
  if (known !== undefined) return { name: known, hit: Number(hit ?? 1) };
  context.addIssue(`"${text}" is not a failpoint; server/lib/failpoint.ts lists them`);
  return z.NEVER;
});

let armed: Failpoint | null = null;
let hitsLeft = 0;

/** Call once at startup with the configured failpoint. Requests cannot arm failpoints. */
export function armFailpoint({ name, hit }: Armed): void {
  armed = name;
  hitsLeft = hit;
}

/** Kills this process with SIGKILL if this failpoint is armed (KODA_FAILPOINT). Otherwise costs one comparison. */
export function failpoint(name: Failpoint): void {
  if (name !== armed) return;
  hitsLeft -= 1;
  if (hitsLeft === 0) process.kill(process.pid, 'SIGKILL');
}
