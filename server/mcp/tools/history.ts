import { z } from 'zod';
import { type CheckpointEntry, diffResponseSchema } from '#contract/history.ts';
import { checkpointIdSchema } from '#contract/ids.ts';
import { routes } from '#contract/routes.ts';
import { defineProjectTool, type McpTool } from '../tool.ts';

const checkpointSchema = z.object({
  checkpoint_id: z.string(),
  title: z.string(),
  at: z.string(),
  changed_files: z.int(),
});

function checkpointOf({ id, title, at, changedFiles }: CheckpointEntry): z.output<typeof checkpointSchema> {
  return { checkpoint_id: id, title, at, changed_files: changedFiles };
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
    const query = { limit, ...(cursor && { cursor }) };
    const { items, nextCursor } = await studio.call(routes.checkpoints, { id, query }, { signal });
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
  async run(id, { checkpoint_id: cid, against, path }, { studio, signal }) {
    const query = { ...(against && { against }), ...(path && { path }) };
    return { output: await studio.call(routes.checkpointDiff, { id, cid, query }, { signal }) };
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
  async run(id, { checkpoint_id: cid }, { studio, signal }) {
    const { restored, checkpoint } = await studio.call(routes.restoreCheckpoint, { id, cid }, { signal });
    return { output: { restored, checkpoint: checkpointOf(checkpoint) } };
  },
});

export const historyTools: readonly McpTool[] = [listCheckpoints, diff, restore];
