import type { EventBody, ProjectEvent } from '#contract/events.ts';
import { upgradedEvent } from '#contract/older-plan.ts';
import type { Database } from './database.ts';

interface EventRow {
  readonly seq: number;
  readonly at: string;
  readonly body: string;
}

export interface EventLog {
  /** Must be called inside the transaction that applies the event. */
  append(event: ProjectEvent): void;
  /** Returns events after `afterSeq`, oldest first: up to about `maxBytes` of JSON, but at least one if there is one. */
  read(projectId: string, afterSeq: number, maxBytes: number): Promise<ProjectEvent[]>;
}

export function createEventLog(database: Database): EventLog {
  const insert = database.sqlite.prepare('INSERT INTO events (project_id, seq, type, at, body) VALUES (?, ?, ?, ?, ?)');
  const select = database.sqlite.prepare<[string, number], EventRow>(
    'SELECT seq, at, body FROM events WHERE project_id = ? AND seq > ? ORDER BY seq',
  );
  return {
    append(event) {
      const { seq, projectId, at, ...body } = event;
      insert.run(projectId, seq, body.type, at, JSON.stringify(body));
    },
    async read(projectId, afterSeq, maxBytes) {
      const events: ProjectEvent[] = [];
      let bytes = 0;
      for (const row of select.iterate(projectId, afterSeq)) {
        // Not validated: only `append` writes these rows, from a value of this type.
        const body = upgradedEvent(JSON.parse(row.body) as EventBody);
        events.push({ seq: row.seq, projectId, at: row.at, ...body });
        bytes += row.body.length;
        if (bytes >= maxBytes) break;
      }
      return events;
    },
  };
}
