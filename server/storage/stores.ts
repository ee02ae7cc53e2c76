import { DurableEventBus } from '../events/bus.ts';
import { FileAssetStore } from './asset-store.ts';
import { CheckpointLedger } from './checkpoint-ledger.ts';
import type { Database } from './database.ts';
import { createEventLog } from './event-log.ts';
import { SqliteProjectStore } from './project-store.ts';
import { SqliteRenderStore } from './render-store.ts';
import { SqliteRunStore } from './run-store.ts';
import { SessionRecords } from './session-records.ts';
import { SqliteTokenStore } from './token-store.ts';

export interface Stores {
  readonly bus: DurableEventBus;
  readonly projects: SqliteProjectStore;
  readonly runs: SqliteRunStore;
  readonly renders: SqliteRenderStore;
  readonly assets: FileAssetStore;
  readonly checkpointLedger: CheckpointLedger;
  readonly sessionRecords: SessionRecords;
  readonly tokens: SqliteTokenStore;
}

export function createStores(database: Database): Stores {
  const log = createEventLog(database);
  const bus = new DurableEventBus(log);
  const projects = new SqliteProjectStore({ database, log, announcer: bus });
  return {
    bus,
    projects,
    runs: new SqliteRunStore(database),
    renders: new SqliteRenderStore(database),
    assets: new FileAssetStore(database),
    checkpointLedger: new CheckpointLedger({ database, projects }),
    sessionRecords: new SessionRecords(database),
    tokens: new SqliteTokenStore(database),
  };
}
