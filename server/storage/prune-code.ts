import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.ts';

/** Deleting them takes about 10 ms. */
const batchSize = 500;

/**
 * Deletes streamed code that is older than `before` (ISO 8601) and belongs to runs that have ended; the files themselves are in the
 * history. Works in short steps. Returns the number of deleted events. A page that missed some of them receives a snapshot instead.
 */
export async function pruneCode(
  database: Database,
  { before, signal }: { before: string; signal: AbortSignal },
): Promise<number> {
  const { sqlite } = database;
  const projectIds = sqlite.prepare<[], string>('SELECT id FROM projects ORDER BY id').pluck().all();
  const runStart = sqlite
    .prepare<[string], string | null>('SELECT min(started_at) FROM runs WHERE project_id = ? AND finished_at IS NULL')
    .pluck();
  // The literal type lets SQLite use the partial index.
  const remove = sqlite.prepare<[string, string]>(
    `DELETE FROM events WHERE rowid IN (SELECT rowid FROM events INDEXED BY events_code
      WHERE project_id = ? AND type = 'code.chunk' AND at < ? LIMIT ${batchSize})`,
  );
  let pruned = 0;
  for (const projectId of projectIds) {
    for (let isMore = true; isMore && !signal.aborted; ) {
      const startedAt = runStart.get(projectId) ?? before;
      const { changes } = database.write(() => remove.run(projectId, startedAt < before ? startedAt : before));
      pruned += changes;
      isMore = changes === batchSize;
      await sleep(isMore ? 10 : 0);
    }
  }
  return pruned;
}
