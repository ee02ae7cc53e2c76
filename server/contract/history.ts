import { z } from 'zod';
import { checkpointIdSchema } from './ids.ts';

/** How many files a list of checkpoints names for each; the diff names more. */
export const listedFiles = 20;
/** How many files one diff names. */
export const diffedFiles = 1000;
/** How much of one file's diff is sent. */
export const maxPatchBytes = 512 * 1024;

export const changedFileSchema = z.object({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted', 'renamed']),
  /** Where a renamed file was before. */
  previousPath: z.string().nullable(),
});
export type ChangedFile = z.infer<typeof changedFileSchema>;

const maxTitleCharacters = 100;

/** What made a checkpoint, where no more is known of it than that. */
const triggerTitles: Record<string, string> = {
  written: 'Files written',
  user_edit: 'Files edited by hand',
  todo_done: 'Todo done',
  preview: 'Preview',
  autosave: 'Autosave',
  viewer_left: 'Autosave when the studio was left',
  shutdown: 'Autosave when Koda stopped',
  idle: 'Autosave before the sandbox was suspended',
  before_destroy: 'Before the sandbox was removed',
  restart: 'Before the sandbox was started anew',
  run_ended: 'When the work ended early',
  before_restore: 'Before a restore',
  restore: 'Restored',
  before_branch: 'Before a branch',
  before_delete: 'Before the project was deleted',
  branch: 'Branched',
  import: 'Imported',
  manual: 'Kept by hand',
};

/** The title of a checkpoint: one line without control characters, 100 characters at most. */
export function checkpointTitle(trigger: string, said: string | null): string {
  const line = (said ?? '').replace(/[\s\p{Cc}]+/gu, ' ').trim();
  const characters = [...(line === '' ? (triggerTitles[trigger] ?? trigger.replaceAll('_', ' ')) : line)];
  return characters.length <= maxTitleCharacters
    ? characters.join('')
    : `${characters.slice(0, maxTitleCharacters - 1).join('')}…`;
}

const restoredWords = 'Restored ';
const beforeRestoreWords = 'Before restoring ';
const beforeWords = 'what was there before ';
const quotedCharacters = 50;

type Titled = Pick<CheckpointEntry, 'trigger' | 'title'>;

/** The title of a restore of this checkpoint. */
export function restoreTitle(wanted: Titled): string {
  return checkpointTitle('restore', `${restoredWords}${filesOf(wanted)}`);
}

/** The title of what was there before a restore of this checkpoint. */
export function beforeRestoreTitle(wanted: Titled): string {
  return checkpointTitle('before_restore', `${beforeRestoreWords}${filesOf(wanted)}`);
}

/** What a checkpoint holds. A restore has the files that it brought back, so titles don't grow with each restore of one. */
function filesOf({ trigger, title }: Titled): string {
  if (trigger === 'restore' && title.startsWith(restoredWords)) return title.slice(restoredWords.length);
  if (trigger !== 'before_restore' || !title.startsWith(beforeRestoreWords)) return quoted(title);
  const later = title.slice(beforeRestoreWords.length);
  return later.startsWith(beforeWords) ? later : `${beforeWords}${later}`;
}

function quoted(title: string): string {
  const characters = [...title.replaceAll('“', '‘').replaceAll('”', '’')];
  return characters.length <= quotedCharacters
    ? `“${characters.join('')}”`
    : `“${characters.slice(0, quotedCharacters - 1).join('')}…”`;
}

/** A checkpoint as the history shows it. */
export const checkpointEntrySchema = z.object({
  id: checkpointIdSchema,
  trigger: z.string(),
  /** What happened, in one line: the name, or what the agent, the user or Koda did. */
  title: z.string(),
  /** What the user called it. */
  name: z.string().nullable(),
  /** Of a restore: the checkpoint whose files it brought back. */
  restoredFrom: checkpointIdSchema.nullable(),
  at: z.iso.datetime(),
  /** A picture of the newest render that was there by then; null when there is none, also when it was deleted since. */
  thumbnailUrl: z.string().nullable(),
  /** How many files differ from the checkpoint before. */
  changedFiles: z.int(),
  /** The first of them. */
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
/** `restored` is false when the project's files were those already; `checkpoint` is the newest then. */
export const restoreResponseSchema = z.object({ restored: z.boolean(), checkpoint: checkpointEntrySchema });

export const diffQuerySchema = z.object({
  /** The checkpoint to compare with; without it the one before. */
  against: checkpointIdSchema.optional(),
  /** Only this file, with its lines. */
  path: z.string().min(1).max(1000).optional(),
});

export const fileDiffSchema = changedFileSchema.extend({
  /** No lines are compared then, and the numbers are null. */
  binary: z.boolean(),
  addedLines: z.int().nullable(),
  deletedLines: z.int().nullable(),
});
export type FileDiff = z.infer<typeof fileDiffSchema>;

export const diffResponseSchema = z.object({
  checkpointId: checkpointIdSchema,
  /** Null = the one before, or nothing at all when this is the first. */
  against: checkpointIdSchema.nullable(),
  changedFiles: z.int(),
  /** The first of them, or the one that was asked for. */
  files: z.array(fileDiffSchema).max(diffedFiles),
  /** The unified diff of the one file that was asked for; null without a path, and of a binary file. */
  patch: z.string().nullable(),
  /** The patch was cut off at its limit. */
  truncated: z.boolean(),
});
export type DiffResponse = z.infer<typeof diffResponseSchema>;

export const branchRequestSchema = z.object({
  /** Without it: the files as they are now. */
  checkpointId: checkpointIdSchema.optional(),
  name: z.string().trim().min(1).max(80).optional(),
});
export type BranchRequest = z.infer<typeof branchRequestSchema>;
