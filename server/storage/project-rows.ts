import { KodaError } from '#contract/errors.ts';
import type { Approval, Asset, Chip, Message, ModelUsage, Plan, Todo } from '#contract/project.ts';
import { aspectSchema, type Render } from '#contract/render.ts';
import type { Transaction } from './database.ts';
import { and, asc, desc, eq, isNull } from './drizzle.ts';
import type { ProjectRecord, ProjectState } from './projects.ts';
import { approvals, assets, messages, modelUsage, plans, projects, renders, todos } from './schema.ts';

export type ProjectRow = typeof projects.$inferSelect;

export function projectNotFound(projectId: string): KodaError {
  return new KodaError(
    'NOT_FOUND',
    `There is no project ${projectId}. It may have been deleted. List the projects to see which exist.`,
    {
      recovery: 'list_projects',
    },
  );
}

/** Throws NOT_FOUND, also for a deleted project that can still be restored. */
export function selectProject(tx: Transaction, projectId: string): ProjectRow {
  const row = tx
    .select()
    .from(projects)
    .where(and(eq(projects.id, projectId), isNull(projects.deletedAt)))
    .get();
  if (row === undefined) throw projectNotFound(projectId);
  return row;
}

/** Returns the columns for what a project shows of its result. */
export function shownColumns(chips: readonly Chip[]): Pick<ProjectRow, 'chips' | 'style' | 'aspect'> {
  const labelOf = (id: string) => chips.find((chip) => chip.id === id)?.label ?? null;
  return { chips: [...chips], style: labelOf('style'), aspect: aspectSchema.safeParse(labelOf('aspect')).data ?? null };
}

export function toProjectRecord(row: ProjectRow): ProjectRecord {
  const { lastSeq: _, deletedAt: __, ...record } = row;
  return record;
}

/** Reads everything about a project. Call inside a transaction. Throws NOT_FOUND. */
export function selectState(tx: Transaction, projectId: string): ProjectState {
  const row = selectProject(tx, projectId);
  const requested = tx
    .select()
    .from(approvals)
    .where(eq(approvals.projectId, projectId))
    .orderBy(asc(approvals.requestedSeq))
    .all();
  const pending = requested.findLast((row) => row.response === null);
  const settled = requested
    .flatMap((row) =>
      row.response === null
        ? []
        : [{ approval: toApproval(row), callId: row.callId, response: row.response, seq: row.settledSeq ?? 0 }],
    )
    .sort((a, b) => a.seq - b.seq)
    .map(({ approval, callId, response }) => ({ approval, callId, response }));
  return {
    project: toProjectRecord(row),
    plan: selectPlan(tx, projectId),
    todos: selectTodos(tx, projectId),
    messages: selectMessages(tx, projectId),
    approval: pending === undefined ? null : { ...toApproval(pending), callId: pending.callId },
    settled,
    permissions: requested.flatMap(({ id, permission, uses }) => {
      if (permission === null || uses === null) return [];
      const { server, tool, digest, input } = permission;
      return [{ server, tool, digest, input, approvalId: id, uses }];
    }),
    assets: selectAssets(tx, projectId),
    renders: selectRenders(tx, projectId),
    usage: selectUsage(tx, projectId),
    seq: row.lastSeq,
  };
}

export function selectAssets(tx: Transaction, projectId: string): Asset[] {
  return tx
    .select()
    .from(assets)
    .where(eq(assets.projectId, projectId))
    .orderBy(asc(assets.at), asc(assets.id))
    .all()
    .map(toAsset);
}

export function toAsset(row: typeof assets.$inferSelect): Asset {
  const { projectId: _, file: __, sha256: ___, ...asset } = row;
  return { ...asset, path: `public/assets/${row.name}` };
}

export function selectRenders(tx: Transaction, projectId: string): Render[] {
  return tx
    .select()
    .from(renders)
    .where(eq(renders.projectId, projectId))
    .orderBy(desc(renders.createdAt), desc(renders.id))
    .all();
}

function selectUsage(tx: Transaction, projectId: string): ModelUsage {
  const row = tx.select().from(modelUsage).where(eq(modelUsage.projectId, projectId)).get();
  if (row === undefined) return { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 };
  const { projectId: _, ...usage } = row;
  return usage;
}

function selectPlan(tx: Transaction, projectId: string): Plan | null {
  const row = tx.select().from(plans).where(eq(plans.projectId, projectId)).orderBy(desc(plans.revision)).limit(1).get();
  if (row === undefined) return null;
  return { ...row.draft, id: row.id, revision: row.revision, accepted: row.accepted };
}

function selectTodos(tx: Transaction, projectId: string): Todo[] {
  const rows = tx.select().from(todos).where(eq(todos.projectId, projectId)).orderBy(asc(todos.position)).all();
  return rows.map(({ id, title, key, status, attempts }) => ({ id, title, key, status, attempts }));
}

function selectMessages(tx: Transaction, projectId: string): Message[] {
  const rows = tx.select().from(messages).where(eq(messages.projectId, projectId)).orderBy(asc(messages.seq)).all();
  return rows.map(toMessage);
}

export function toMessage({ id, role, content, queued, at, surface }: typeof messages.$inferSelect): Message {
  return { id, role, content, queued, at, ...(surface === null ? {} : { surface }) };
}

function toApproval(row: typeof approvals.$inferSelect): Approval {
  const { id, type, content, options, planId, at, surface, permission } = row;
  return { id, type, content, options, planId, at, ...(surface && { surface }), ...(permission && { permission }) };
}
