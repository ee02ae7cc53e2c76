import type { EventBody } from '../contract/events.ts';
import { maxSnapshotCalls, type ToolCall, withToolEvent } from '../contract/tool-calls.ts';
import type { Transaction } from './database.ts';
import { and, desc, eq, gt, inArray } from './drizzle.ts';
import { events } from './schema.ts';

type ToolEvent = EventBody & { type: 'tool.started' | 'tool.finished' };

/** Each call has a beginning and an end; one that waits for the user begins twice. */
const maxEvents = 3 * maxSnapshotCalls;
/** So many events back they are looked for: each is read, and a snapshot must not wait for a very long history. */
const maxScanned = 20_000;

/** The last tool calls of a project whose last event is `lastSeq`, oldest first, as the events tell of them. */
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
