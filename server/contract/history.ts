import { z } from 'zod';
import { checkpointIdSchema } from './ids.ts';
import { principalSchema } from './principal.ts';

/** Maximum number of file names per checkpoint in the list. A diff lists up to `diffedFiles`. */
export const listedFiles = 20;
/** Limit of file names in a diff. */
export const diffedFiles = 1000;
/** Limit of a single file's patch. */
export const maxPatchBytes = 512 * 1024;

export const changedFileSchema = z.object({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed']),
  previousPath: z.string().nullable(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

const maxTitleCharacters = 100;

const triggerTitles: Record<string, string> = {
  written: 'Files written',
  user_edit: 'Files edited by hand',
  todo_done: 'Todo done',
  preview: 'Preview',
  autosave: 'Autosave',
  data: 'Data changed',
  viewer_left: 'Autosave when the studio was closed',
  shutdown: 'Autosave when Koda stopped',
  idle: 'Autosave before the sandbox was suspended',
  before_destroy: 'Before the sandbox was removed',
  restart: 'Before the sandbox was restarted',
  run_ended: 'When the work ended early',
  before_restore: 'Before a restore',
  restore: 'Restored',
  before_branch: 'Before a branch',
  before_delete: 'Before the project was deleted',
  branch: 'Branched',
  import: 'Imported',
  manual: 'Saved by hand',
};

/** Returns the title of a checkpoint: one line of at most 100 characters, without control characters. */
export function checkpointTitle(trigger: string, text: string | null): string {
  const line = (text ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = [...(line === '' ? (triggerTitles[trigger] ?? trigger.replaceAll('_', ' ')) : line)];
  return characters.length <= maxTitleCharacters
    ? characters.join('')
    : `${characters.slice(0, maxTitleCharacters - 1).join('')}…`;
}

const restoredPrefix = 'Restored ';
const beforeRestorePrefix = 'Before restoring ';
const beforePrefix = 'what was there before ';
const quotedCharacters = 50;

type Titled = Pick<CheckpointEntry, 'trigger' | 'title'>;

export function restoreTitle(wanted: Titled): string {
  return checkpointTitle('restore', `${restoredPrefix}${filesOf(wanted)}`);
}

/** Returns the title of the checkpoint that a restore saves first. */
export function beforeRestoreTitle(wanted: Titled): string {
  return checkpointTitle('before_restore', `${beforeRestorePrefix}${filesOf(wanted)}`);
}

/**
 * Describes a checkpoint's content. A restore gets the title of its original, so that titles do not grow with each restore.
 */
function filesOf({ trigger, title }: Titled): string {
  if (trigger === 'restore' && title.startsWith(restoredPrefix)) return title.slice(restoredPrefix.length);
  if (trigger !== 'before_restore' || !title.startsWith(beforeRestorePrefix)) return quoted(title);
  const later = title.slice(beforeRestorePrefix.length);
  return later.startsWith(beforePrefix) ? later : `${beforePrefix}${later}`;
}

function quoted(title: string): string {
  const characters = [...title.replaceAll('“', '‘').replaceAll('”', '’')];
  return characters.length <= quotedCharacters
    ? `“${characters.join('')}”`
    : `“${characters.slice(0, quotedCharacters - 1).join('')}…”`;
}

export const checkpointEntrySchema = z.object({
  id: checkpointIdSchema,
  trigger: z.string(),
  /** One line: a name given by the user, or the action of the agent, the user or Koda. */
  title: z.string(),
  name: z.string().nullable(),
  /** For a restore: the checkpoint that was restored. */
  restoredFrom: checkpointIdSchema.nullable(),
  at: z.iso.datetime(),
  /** Who saved it. Missing from checkpoints of older versions. */
  by: principalSchema.optional(),
  /** Image from the newest render at that time. `null` if there was none or it has been deleted since. */
  thumbnailUrl: z.string().nullable(),
  changedFiles: z.int(),
  files: z.array(changedFileSchema).max(listedFiles),
});
export type CheckpointEntry = z.infer<typeof checkpointEntrySchema>;

export const historyQuerySchema = z.object({
  cursor: z.string().max(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(30),
});

const checkpointNameSchema = z.string().trim().min(1, 'Give the checkpoint a name.').max(80, 'At most 80 characters.');
export const checkpointRequestSchema = z.object({ name: checkpointNameSchema });

export const checkpointResponseSchema = z.object({ checkpoint: checkpointEntrySchema });
/** If the project's files already matched, `restored` is false and `checkpoint` is the newest one. */
export const restoreResponseSchema = z.object({ restored: z.boolean(), checkpoint: checkpointEntrySchema });

export const diffQuerySchema = z.object({
  /** Checkpoint to compare with. Defaults to the previous one. */
  against: checkpointIdSchema.optional(),
  path: z.string().min(1).max(1000).optional(),
});

export const fileDiffSchema = changedFileSchema.extend({
  /** If true, the line counts are `null`. */
  binary: z.boolean(),
  addedLines: z.int().nullable(),
  deletedLines: z.int().nullable(),
});
export type FileDiff = z.infer<typeof fileDiffSchema>;

export const diffResponseSchema = z.object({
  checkpointId: checkpointIdSchema,
  against: checkpointIdSchema.nullable(),
  changedFiles: z.int(),
  /** The first `diffedFiles` of them, or only the requested one. */
  files: z.array(fileDiffSchema).max(diffedFiles),
  /** Unified diff of the requested file. `null` without `path` and for binary files. */
  patch: z.string().nullable(),
  truncated: z.boolean(),
});
export type DiffResponse = z.infer<typeof diffResponseSchema>;

export const branchRequestSchema = z.object({
  checkpointId: checkpointIdSchema.optional(),
  name: z.string().trim().min(1).max(80).optional(),
});
export type BranchRequest = z.infer<typeof branchRequestSchema>;
