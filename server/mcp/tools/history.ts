import { z } from 'zod';
import { type CheckpointEntry, diffResponseSchema } from '#contract/history.ts';
import { checkpointIdSchema } from '#contract/ids.ts';
import { defineProjectTool, type McpTool } from '../tool.ts';

const checkpointSchema = z.object({
  checkpoint_id: z.string(),
  title: z.string(),
  at: z.string(),
  by: z.string().nullable().describe('the person or program that saved it; null if Koda did, or if it is unknown'),
  changed_files: z.int(),
});

function checkpointOf({ id, title, at, by, changedFiles }: CheckpointEntry): z.output<typeof checkpointSchema> {
  return {
    checkpoint_id: id,
    title,
    at,
    by: by === undefined || by.type === 'koda' ? null : by.name,
    changed_files: changedFiles,
  };
}

const listCheckpoints = defineProjectTool({
  name: 'list_checkpoints',
  title: 'List checkpoints',
  description: 'Lists the saved states of the project’s files, newest first. Every change makes one.',
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({ cursor: z.string().max(200).optional(), limit: z.int().min(1).max(100).default(30) }),
  output: z.object({ checkpoints: z.array(checkpointSchema), next_cursor: z.string().nullable() }),
  async run(id, { cursor, limit }, { studio, signal }) {
    const { items, nextCursor } = await studio.history.list(id, { cursor: cursor ?? null, limit, signal });
    return { output: { checkpoints: items.map(checkpointOf), next_cursor: nextCursor } };
  },
});

const diff = defineProjectTool({
  name: 'diff',
  title: 'Show what changed',
  description:
    'Lists the files that a checkpoint changed, compared with the one before it or with against. With path, returns the changed lines of one file.',
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true },
  input: z.object({
    checkpoint_id: checkpointIdSchema,
    against: checkpointIdSchema.optional(),
    path: z.string().min(1).max(1000).optional(),
  }),
  output: diffResponseSchema,
  async run(id, { checkpoint_id: checkpointId, against = null, path = null }, { studio, signal }) {
    return { output: await studio.history.diff(id, checkpointId, { against, path, signal }) };
  },
});

const restore = defineProjectTool({
  name: 'restore',
  title: 'Restore a checkpoint',
  description:
    'Restores the files and the plan of a checkpoint. Saves the current files first, so that it can be undone. Not possible while Koda works.',
  scope: 'write',
  hints: { readOnly: false, destructive: true, idempotent: true },
  input: z.object({ checkpoint_id: checkpointIdSchema }),
  output: z.object({ restored: z.boolean(), checkpoint: checkpointSchema }),
  async run(id, { checkpoint_id: wanted }, { studio, signal }) {
    const { restored, checkpointId } = await studio.commands.history.restore(id, wanted);
    return { output: { restored, checkpoint: checkpointOf(await studio.history.entry(id, checkpointId, { signal })) } };
  },
});

export const historyTools: readonly McpTool[] = [listCheckpoints, diff, restore];
