import type { ProjectEvent } from '#contract/events.ts';
import { allowLasting, type PermissionUses, usedAgain } from '#contract/permission.ts';
import type { Plan, Todo } from '#contract/project.ts';
import type { Render } from '#contract/render.ts';
import { withPieces } from '#contract/surface/messages.ts';
import { deleteBatch, updateRowOf } from './batch-rows.ts';
import type { Transaction } from './database.ts';
import { and, desc, eq, sql } from './drizzle.ts';
import { shownColumns } from './project-rows.ts';
import type { RecordExtra } from './projects.ts';
import { approvals, batches, messages, modelUsage, plans, projects, renders, sessions, todos } from './schema.ts';

/** Applies an event in the transaction that appends it. An event type without a case is a type error. */
export function applyEvent(tx: Transaction, event: ProjectEvent, extra: RecordExtra): void {
  const { projectId } = event;
  const updateProject = (values: Partial<typeof projects.$inferInsert>) =>
    tx.update(projects).set(values).where(eq(projects.id, projectId)).run();
  const updateSession = (values: Partial<typeof sessions.$inferInsert>) =>
    tx.update(sessions).set(values).where(eq(sessions.projectId, projectId)).run();

  switch (event.type) {
    case 'project.phase':
      updateProject({ phase: event.phase, error: event.error });
      return;
    case 'project.updated':
      updateProject({ name: event.name, ...(event.hints && { hints: event.hints }) });
      return;
    case 'run.started':
      // Clears the thinking text of a run that ended in a crash.
      updateProject({ running: true, error: null, thinking: null });
      updateSession({ lastActivityAt: event.at });
      return;
    case 'run.finished':
      updateProject({ running: false, thinking: null });
      updateSession({ lastActivityAt: event.at });
      return;
    case 'plan.proposed':
      insertPlan(tx, projectId, event.plan);
      if (event.plan.accepted) updateProject(shownColumns(event.plan.chips ?? []));
      return;
    case 'approval.requested': {
      const { id, type, content, options, planId, at, surface, permission } = event.approval;
      // An approval without a tool call uses its own id.
      const callId = extra.callId ?? id;
      tx.insert(approvals)
        .values({ id, projectId, requestedSeq: event.seq, type, content, options, planId, callId, at, surface, permission })
        .run();
      return;
    }
    case 'approval.settled':
      settleApproval(tx, event);
      updateSession({ lastActivityAt: event.at });
      return;
    case 'permission.used':
      updateUses(tx, event, (before) => before && usedAgain(before, event.input, event.at));
      return;
    case 'permission.revoked':
      updateUses(tx, event, () => null);
      return;
    case 'todo.updated':
      replaceTodos(tx, projectId, event.todos);
      return;
    case 'thinking':
      updateProject({ thinking: event.text });
      return;
    case 'message.added':
      tx.insert(messages)
        .values({ ...event.message, projectId, seq: event.seq })
        .run();
      if (event.message.role === 'user') updateSession({ lastActivityAt: event.at });
      return;
    case 'surface.updated':
      updateSurface(tx, event);
      return;
    case 'message.delivered':
      tx.update(messages)
        .set({ queued: false })
        .where(and(eq(messages.projectId, projectId), eq(messages.id, event.messageId)))
        .run();
      return;
    case 'message.withdrawn':
      tx.delete(messages)
        .where(and(eq(messages.projectId, projectId), eq(messages.id, event.messageId)))
        .run();
      return;
    case 'sandbox.state':
      updateProject({ sandbox: event.state });
      updateSession({ status: event.state === 'stopped' ? 'suspended' : 'active' });
      return;
    case 'preview.ready':
      updateProject({ previewUrl: event.url, previewError: null });
      return;
    case 'preview.error':
      updateProject({ previewError: { message: event.message, log: event.log } });
      return;
    case 'preview.stopped':
      updateProject({ previewUrl: null, previewError: null });
      return;
    case 'render.queued':
    case 'render.complete':
    case 'render.failed':
      putRender(tx, event.render);
      updateRowOf(tx, event.render);
      return;
    case 'batch.updated': {
      const { id, state, reason, finishedAt } = event.batch;
      tx.update(batches).set({ state, reason, finishedAt }).where(eq(batches.id, id)).run();
      return;
    }
    case 'batch.removed':
      deleteBatch(tx, projectId, event.batchId);
      return;
    case 'render.progress':
      tx.update(renders)
        .set({ status: 'running', percent: event.percent, stage: event.stage })
        .where(and(eq(renders.projectId, projectId), eq(renders.id, event.renderId)))
        .run();
      return;
    case 'checkpoint.saved':
      updateSession({ lastCheckpointId: event.checkpointId });
      return;
    case 'usage':
      addUsage(tx, event);
      return;
    case 'error':
      updateProject({ error: { code: event.code, message: event.message, canRetry: event.canRetry } });
      return;
    case 'question.asked':
    case 'code.chunk':
    case 'file.written':
    case 'file.deleted':
    case 'tool.started':
    case 'tool.finished':
    case 'checkpoint.restored':
    case 'reset':
      return;
    default:
      event satisfies never;
  }
}

function insertPlan(tx: Transaction, projectId: string, plan: Plan): void {
  const { id, revision, accepted, ...draft } = plan;
  tx.insert(plans)
    .values({ projectId, revision, id, accepted, draft })
    .onConflictDoUpdate({ target: [plans.projectId, plans.revision], set: { id, accepted, draft } })
    .run();
}

/** Skips invalid updates. Their sender has received an error. */
function updateSurface(tx: Transaction, event: ProjectEvent & { type: 'surface.updated' }): void {
  const row = and(eq(messages.projectId, event.projectId), eq(messages.id, event.messageId));
  const before = tx.select().from(messages).where(row).get()?.surface ?? null;
  const after = before === null ? null : withPieces(before, event.messages);
  if (after?.ok) tx.update(messages).set({ surface: after.value }).where(row).run();
}

function settleApproval(tx: Transaction, event: ProjectEvent & { type: 'approval.settled' }): void {
  const { projectId } = event;
  const approval = tx
    .update(approvals)
    .set({ response: event.response, settledSeq: event.seq })
    .where(and(eq(approvals.projectId, projectId), eq(approvals.id, event.approvalId)))
    .returning()
    .get();
  const { permission = null } = approval ?? {};
  if (permission !== null && event.response.outcome === 'option' && event.response.optionId === allowLasting)
    updateUses(tx, event, () => usedAgain(null, permission.input, event.at));
  if (approval?.planId == null || event.response.outcome !== 'accepted') return;
  const plan = tx
    .select()
    .from(plans)
    .where(and(eq(plans.projectId, projectId), eq(plans.id, approval.planId)))
    .orderBy(desc(plans.revision))
    .limit(1)
    .get();
  if (plan === undefined) return;
  tx.update(plans)
    .set({ accepted: true })
    .where(and(eq(plans.projectId, projectId), eq(plans.revision, plan.revision)))
    .run();
  tx.update(projects)
    .set(shownColumns(plan.draft.chips ?? []))
    .where(eq(projects.id, projectId))
    .run();
}

function updateUses(
  tx: Transaction,
  { projectId, approvalId }: { projectId: string; approvalId: string },
  next: (before: PermissionUses | null) => PermissionUses | null,
): void {
  const row = and(eq(approvals.projectId, projectId), eq(approvals.id, approvalId));
  const before = tx.select().from(approvals).where(row).get()?.uses ?? null;
  tx.update(approvals)
    .set({ uses: next(before) })
    .where(row)
    .run();
}

function replaceTodos(tx: Transaction, projectId: string, list: readonly Todo[]): void {
  tx.delete(todos).where(eq(todos.projectId, projectId)).run();
  if (list.length === 0) return;
  tx.insert(todos)
    .values(list.map((todo, position) => ({ ...todo, projectId, position })))
    .run();
}

function addUsage(tx: Transaction, event: ProjectEvent & { type: 'usage' }): void {
  const { projectId, inputTokens, cachedInputTokens, outputTokens, costUsd } = event;
  tx.insert(modelUsage)
    .values({ projectId, inputTokens, cachedInputTokens, outputTokens, costUsd })
    .onConflictDoUpdate({
      target: modelUsage.projectId,
      set: {
        inputTokens: sql`${modelUsage.inputTokens} + ${inputTokens}`,
        cachedInputTokens: sql`${modelUsage.cachedInputTokens} + ${cachedInputTokens}`,
        outputTokens: sql`${modelUsage.outputTokens} + ${outputTokens}`,
        costUsd: sql`${modelUsage.costUsd} + ${costUsd}`,
      },
    })
    .run();
}

function putRender(tx: Transaction, render: Render): void {
  const { id, ...values } = render;
  tx.insert(renders).values(render).onConflictDoUpdate({ target: renders.id, set: values }).run();
}
