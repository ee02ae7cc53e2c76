import { z } from 'zod';

/**
 * The steps at which a server can be made to die, in the order in which they are passed. Each stands between two
 * durable steps, where a crash leaves the first done and the second not.
 */
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

/** Where to die. */
interface Armed {
  readonly name: Failpoint;
  /** At which of its passages: 1 is the first. */
  readonly passage: number;
}

/** `checkpoint.after-row` is a failpoint's first passage, `checkpoint.after-row:3` its third. */
export const failpointSchema = z.string().transform((text, context): Armed => {
  const [, name, passage] = /^([^:]*)(?::([1-9]\d*))?$/.exec(text) ?? [];
  const known = failpointNames.find((candidate) => candidate === name);
  if (known !== undefined) return { name: known, passage: Number(passage ?? 1) };
  context.addIssue(`"${text}" is not a failpoint; server/failpoint.ts lists them`);
  return z.NEVER;
});

let armed: Failpoint | null = null;
let passagesLeft = 0;

/** Called once, at the start, with what the configuration says; no request can reach it. */
export function armFailpoint({ name, passage }: Armed): void {
  armed = name;
  passagesLeft = passage;
}

/** Ends this process as `kill -9` does when this failpoint is armed (KODA_FAILPOINT); otherwise nothing but a comparison. */
export function failpoint(name: Failpoint): void {
  if (name !== armed) return;
  passagesLeft -= 1;
  if (passagesLeft === 0) process.kill(process.pid, 'SIGKILL');
}
