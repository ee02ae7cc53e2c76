import { DurableEventBus } from '../events/bus.ts';
import { FileAssetStore } from './asset-store.ts';
import { BatchStore } from './batch-store.ts';
import { CheckpointLedger } from './checkpoint-ledger.ts';
import type { Database } from './database.ts';
import { type DiskLimits, DiskUsage, noDiskLimits } from './disk-usage.ts';
import { createEventLog } from './event-log.ts';
import { SqliteProjectStore } from './project-store.ts';
import { SqliteRenderStore } from './render-store.ts';
import { RunStore } from './run-store.ts';
import { ScheduleStore } from './schedule-store.ts';
import { SessionRecords } from './session-records.ts';
import { TokenStore } from './token-store.ts';

export interface Stores {
  readonly bus: DurableEventBus;
  readonly projects: SqliteProjectStore;
  readonly runs: RunStore;
  readonly renders: SqliteRenderStore;
  readonly batches: BatchStore;
  readonly schedules: ScheduleStore;
  readonly assets: FileAssetStore;
  readonly disk: DiskUsage;
  readonly checkpointLedger: CheckpointLedger;
  readonly sessionRecords: SessionRecords;
  readonly tokens: TokenStore;
}

export function createStores(database: Database, limits: DiskLimits = noDiskLimits): Stores {
  const log = createEventLog(database);
  const bus = new DurableEventBus(log);
  const projects = new SqliteProjectStore({ database, log, announcer: bus });
  const renders = new SqliteRenderStore(database);
  const disk = new DiskUsage({ ...limits, dataDir: database.dataDir, rendersOf: (projectId) => renders.idsOf(projectId) });
  return {
    bus,
    projects,
    runs: new RunStore(database),
    renders,
    batches: new BatchStore(database, projects),
    schedules: new ScheduleStore(database),
    assets: new FileAssetStore(database, disk),
    disk,
    checkpointLedger: new CheckpointLedger({ database, projects }),
    sessionRecords: new SessionRecords(database),
    tokens: new TokenStore(database),
  };
}
