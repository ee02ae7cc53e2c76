import type { ProjectSnapshot } from '#contract/api.ts';
import type { Batch } from '#contract/batch.ts';
import type { EventBody } from '#contract/events.ts';
import type { Message, Plan } from '#contract/project.ts';
import { maxSnapshotCalls, type ToolCall, withToolEvent } from '#contract/tool-calls.ts';
import type { Transaction } from './database.ts';
import { and, asc, desc, eq, inArray, lte } from './drizzle.ts';
import { eventsOf } from './event-kinds.ts';
import { toMessage } from './project-rows.ts';
import type { ProjectState } from './projects.ts';
import { approvals, events, messages } from './schema.ts';

/** Returns the client's view of a project, without hints, the secret preview label and tool call ids. */
export function toSnapshot(
  state: ProjectState,
  { tools, batches }: { tools: readonly ToolCall[]; batches: readonly Batch[] },
): ProjectSnapshot {
  const { hints: _, previewLabel: __, owner: ___, ...project } = state.project;
  return {
    project,
    plan: state.plan,
    todos: [...state.todos],
    messages: [...state.messages],
    approval: state.approval === null ? null : withoutCallId(state.approval),
    permissions: [...state.permissions],
    assets: [...state.assets],
    renders: [...state.renders],
    batches: [...batches],
    tools: [...tools],
    usage: state.usage,
    seq: state.seq,
  };
}

function withoutCallId(approval: NonNullable<ProjectState['approval']>): ProjectSnapshot['approval'] {
  const { callId: _, ...visible } = approval;
  return visible;
}

/** Returns the plan as it was right after an event, or `null` if none had been proposed. */
export function selectPlanAt(tx: Transaction, projectId: string, seq: number): Plan | null {
  const row = tx
    .select({ body: events.body })
    .from(events)
    .where(and(eq(events.projectId, projectId), eventsOf.plans, lte(events.seq, seq)))
    .orderBy(desc(events.seq))
    .limit(1)
    .get();
  if (row === undefined) return null;
  // Written only by the event log, from a value of this type.
  const { plan } = JSON.parse(row.body) as EventBody & { type: 'plan.proposed' };
  const answers = tx
    .select({ response: approvals.response })
    .from(approvals)
    .where(and(eq(approvals.projectId, projectId), eq(approvals.planId, plan.id), lte(approvals.settledSeq, seq)))
    .all();
  return { ...plan, accepted: plan.accepted || answers.some(({ response }) => response?.outcome === 'accepted') };
}

export function selectMessagesAt(tx: Transaction, projectId: string, seq: number): Message[] {
  return tx
    .select()
    .from(messages)
    .where(and(eq(messages.projectId, projectId), lte(messages.seq, seq)))
    .orderBy(asc(messages.seq))
    .all()
    .map(toMessage);
}

type ToolEvent = EventBody & { type: 'tool.started' | 'tool.finished' };

/** Each call has a start and an end event. A call that waits for the user starts twice. */
const maxEvents = 3 * maxSnapshotCalls;

/** Returns a project's last tool calls, oldest first. */
export function selectRecentCalls(tx: Transaction, projectId: string): ToolCall[] {
  const rows = tx
    .select({ at: events.at, body: events.body })
    .from(events)
    .where(and(eq(events.projectId, projectId), eventsOf.activity, inArray(events.type, ['tool.started', 'tool.finished'])))
    .orderBy(desc(events.seq))
    .limit(maxEvents)
    .all();
  return rows.reduceRight<ToolCall[]>((calls, { at, body }) => {
    // Written only by the event log, from a value of this type.
    const event = JSON.parse(body) as ToolEvent;
    return withToolEvent(calls, { ...event, at }, maxSnapshotCalls);
  }, []);
}
