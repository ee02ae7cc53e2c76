import type { EventBody, ProjectEvent } from '#contract/events.ts';
import type { Principal } from '#contract/principal.ts';
import type { Database } from './database.ts';

interface EventRow {
  readonly seq: number;
  readonly at: string;
  readonly body: string;
  readonly by: string | null;
}

/** Returns who caused a stored event, or `null` if a version recorded it that did not know. */
export const principalIn = (stored: string | null): Principal | null => (stored === null ? null : JSON.parse(stored));

export interface EventLog {
  /** Must be called inside the transaction that applies the event. */
  append(event: ProjectEvent): void;
  /** Returns events after `afterSeq`, oldest first: up to about `maxBytes` of JSON, but at least one if there is one. */
  read(projectId: string, afterSeq: number, maxBytes: number): Promise<ProjectEvent[]>;
}

export function createEventLog(database: Database): EventLog {
  const insert = database.sqlite.prepare('INSERT INTO events (project_id, seq, type, at, body, by) VALUES (?, ?, ?, ?, ?, ?)');
  const select = database.sqlite.prepare<[string, number], EventRow>(
    'SELECT seq, at, body, by FROM events WHERE project_id = ? AND seq > ? ORDER BY seq',
  );
  return {
    append(event) {
      const { seq, projectId, at, by = null, ...body } = event;
      insert.run(projectId, seq, body.type, at, JSON.stringify(body), by && JSON.stringify(by));
    },
    async read(projectId, afterSeq, maxBytes) {
      const events: ProjectEvent[] = [];
      let bytes = 0;
      for (const row of select.iterate(projectId, afterSeq)) {
        // Not validated: only `append` writes these rows, from a value of this type.
        const body = JSON.parse(row.body) as EventBody;
        const by = principalIn(row.by);
        events.push({ seq: row.seq, projectId, at: row.at, ...(by && { by }), ...body });
        bytes += row.body.length;
        if (bytes >= maxBytes) break;
      }
      return events;
    },
  };
}
