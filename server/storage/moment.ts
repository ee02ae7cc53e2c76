import type { EventBody } from '../contract/events.ts';
import type { Message, Plan } from '../contract/project.ts';
import type { Transaction } from './database.ts';
import { and, asc, desc, eq, lte } from './drizzle.ts';
import { approvals, events, messages } from './schema.ts';

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
    .map(({ id, role, content, queued, at }) => ({ id, role, content, queued, at }));
}
