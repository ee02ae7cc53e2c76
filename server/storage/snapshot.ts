import type { ProjectSnapshot } from '../contract/api.ts';
import type { EventBody } from '../contract/events.ts';
import type { Message, Plan } from '../contract/project.ts';
import { maxSnapshotCalls, type ToolCall, withToolEvent } from '../contract/tool-calls.ts';
import type { Transaction } from './database.ts';
import { and, asc, desc, eq, gt, inArray, lte } from './drizzle.ts';
import { toMessage } from './project-rows.ts';
import type { ProjectState } from './projects.ts';
import { approvals, events, messages } from './schema.ts';

/** What a client may see of a project: without the hints, the preview's secret label and the agent's call ids. */
export function toSnapshot(state: ProjectState, tools: readonly ToolCall[]): ProjectSnapshot {
  const { hints: _, previewLabel: __, ...project } = state.project;
  return {
    project,
    plan: state.plan,
    todos: [...state.todos],
    messages: [...state.messages],
    approval: state.approval === null ? null : withoutCallId(state.approval),
    assets: [...state.assets],
    renders: [...state.renders],
    tools: [...tools],
    usage: state.usage,
    seq: state.seq,
  };
}

function withoutCallId(approval: NonNullable<ProjectState['approval']>): ProjectSnapshot['approval'] {
  const { callId: _, ...visible } = approval;
  return visible;
}

/** The plan of a project right after one of its events; null when none was proposed until then. */
export function selectPlanAt(tx: Transaction, projectId: string, seq: number): Plan | null {
  const row = tx
    .select({ body: events.body })
    .from(events)
    .where(and(eq(events.projectId, projectId), eq(events.type, 'plan.proposed'), lte(events.seq, seq)))
    .orderBy(desc(events.seq))
    .limit(1)
    .get();
  if (row === undefined) return null;
  // Written by the event log alone, from a value of this type.
  const { plan } = JSON.parse(row.body) as EventBody & { type: 'plan.proposed' };
  const answers = tx
    .select({ response: approvals.response })
    .from(approvals)
    .where(and(eq(approvals.projectId, projectId), eq(approvals.planId, plan.id), lte(approvals.settledSeq, seq)))
    .all();
  return { ...plan, accepted: plan.accepted || answers.some(({ response }) => response?.outcome === 'accepted') };
}

/** What had been said in a project until one of its events, oldest first. */
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

/** Each call has a beginning and an end; one that waits for the user begins twice. */
const maxEvents = 3 * maxSnapshotCalls;
/** So many events back they are looked for: each is read, and a snapshot must not wait for a very long history. */
const maxScanned = 20_000;

/** The last tool calls of a project whose last event is `lastSeq`, oldest first, as the events record them. */
export function selectRecentCalls(tx: Transaction, projectId: string, lastSeq: number): ToolCall[] {
  const rows = tx
    .select({ at: events.at, body: events.body })
    .from(events)
    .where(
      and(
        eq(events.projectId, projectId),
        gt(events.seq, lastSeq - maxScanned),
        inArray(events.type, ['tool.started', 'tool.finished']),
      ),
    )
    .orderBy(desc(events.seq))
    .limit(maxEvents)
    .all();
  return rows.reduceRight<ToolCall[]>((calls, { at, body }) => {
    // Written by the event log alone, from a value of this type.
    const event = JSON.parse(body) as ToolEvent;
    return withToolEvent(calls, { ...event, at }, maxSnapshotCalls);
  }, []);
}
