import { DurableEventBus } from '../events/bus.ts';
import type { Database } from './database.ts';
import { createEventLog } from './event-log.ts';
import { SqliteProjectStore } from './project-store.ts';
import { SqliteRunStore } from './run-store.ts';

/** The stores over one database, with the bus that tells what they recorded. */
export function createStores(database: Database): { bus: DurableEventBus; projects: SqliteProjectStore; runs: SqliteRunStore } {
  const log = createEventLog(database);
  const bus = new DurableEventBus(log);
  return { bus, projects: new SqliteProjectStore({ database, log, announcer: bus }), runs: new SqliteRunStore(database) };
}
