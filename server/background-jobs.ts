import { join } from 'node:path';
import type { Logger } from 'pino';
import { koda } from '#contract/principal.ts';
import type { GitCheckpointStore } from './history/git-store.ts';
import type { Config } from './lib/config.ts';
import type { Expiry } from './lib/expiry.ts';
import { startRecurring } from './lib/recurring.ts';
import type { ProjectService } from './projects/commands.ts';
import type { SandboxReporter } from './projects/sandbox-events.ts';
import type { BatchService } from './renders/batches.ts';
import type { RenderService } from './renders/service.ts';
import { DiskWatch } from './sandbox/disk-watch.ts';
import type { SandboxManager } from './sandbox/manager.ts';
import type { SandboxProvider } from './sandbox/sandbox.ts';
import type { ScheduleService } from './schedules/service.ts';
import type { Database } from './storage/database.ts';
import { ensureReserve } from './storage/durable-file.ts';
import type { ProjectStore } from './storage/projects.ts';
import { pruneCode } from './storage/prune-code.ts';
import { sweepRecordings } from './storage/recordings.ts';
import type { Stores } from './storage/stores.ts';

const reconcileIntervalMs = 60_000;
/** Shorter than the minute that schedules count in. */
const scheduleIntervalMs = 1_000;
const autosaveIntervalMs = 30_000;
const sweepIntervalMs = 60 * 60_000;
const cleanupTimeoutMs = 30_000;
/** git may have to write a large pack. */
const pruneTimeoutMs = 10 * 60_000;
/** Long enough for a page that reconnects. */
const codeRetentionMs = 3_600_000;
const recordingLimits = { maxAgeMs: 14 * 24 * 3_600_000, maxBytes: 1024 ** 3 };
/** A session ends after this time without activity. */
const sessionOpenMs = 24 * 3_600_000;
const sessionRetentionMs = 30 * 24 * 3_600_000;
/** How long a project's sandbox cache is kept after its last event. */
const cacheRetentionMs = 14 * 24 * 3_600_000;
/** A disk can fill at 1 GB per second, and freeing space means saving and removing sandboxes one by one. */
const diskWatchIntervalMs = 2_000;
const diskWatchTimeoutMs = 10 * 60_000;

interface BackgroundJobDeps {
  readonly config: Pick<Config, 'dataDir' | 'sandboxDiskBytes' | 'sandboxDiskReserveBytes'>;
  readonly store: ProjectStore;
  readonly manager: SandboxManager;
  readonly provider: SandboxProvider;
  readonly reporter: SandboxReporter;
  readonly checkpoints: GitCheckpointStore;
  readonly projects: ProjectService;
  readonly renders: RenderService;
  readonly batches: BatchService;
  readonly schedules: ScheduleService;
  readonly database: Database;
  readonly stores: Pick<Stores, 'assets' | 'disk' | 'sessionRecords'>;
  readonly expiry: Expiry;
  readonly log: Logger;
}

/** Starts the server's periodic jobs: cleanup, saving, monitoring. Stop each one before its dependencies. */
export function startBackgroundJobs(deps: BackgroundJobDeps): readonly { stop(): Promise<void> }[] {
  const { store, manager, checkpoints, projects, renders, database, expiry, log } = deps;
  const { assets, disk, sessionRecords } = deps.stores;
  const { freeing } = database;
  const { dataDir } = deps.config;
  const watch = createDiskWatch(deps);
  return [
    startRecurring({
      name: 'reserving disk space for deletes',
      work: () => ensureReserve(dataDir),
      intervalMs: reconcileIntervalMs,
      timeoutMs: cleanupTimeoutMs,
      log,
    }),
    startRecurring({
      name: 'cleanup of orphaned sandboxes and caches',
      work: async (signal) => {
        const removed = await manager.reconcile(new Set(await store.listIds({ changedSince: null })), { signal });
        if (removed > 0) log.info({ removed }, 'removed orphaned sandboxes');
        if (expiry.isPaused()) return;
        const changedSince = new Date(Date.now() - cacheRetentionMs).toISOString();
        const caches = await manager.sweepCaches(new Set(await store.listIds({ changedSince })), { signal });
        if (caches > 0) log.info({ caches }, 'removed caches of deleted or inactive projects');
      },
      intervalMs: reconcileIntervalMs,
      timeoutMs: cleanupTimeoutMs,
      log,
    }),
    startRecurring({
      name: 'autosave',
      work: (signal) => projects.autosave({ signal }),
      intervalMs: autosaveIntervalMs,
      timeoutMs: cleanupTimeoutMs,
      log,
    }),
    startRecurring({
      name: 'cleanup after crashes',
      work: async () => {
        const removed = (await assets.sweep()) + (await checkpoints.sweep());
        if (removed > 0) log.info({ removed }, 'removed orphaned uploads and histories');
        // Resumes pending work whose start could not be recorded, for example because the disk was full.
        await projects.recover();
        await deps.batches.resumeAll();
      },
      intervalMs: reconcileIntervalMs,
      timeoutMs: cleanupTimeoutMs,
      log,
    }),
    startRecurring({
      name: 'removal of deleted projects',
      work: async (signal) => {
        const removed = await freeing(() =>
          projects.removeExpired({ nowMs: Date.now(), confirmed: (ids) => expiry.confirmed('prj_', ids) }),
        );
        if (removed > 0) log.info({ removed }, 'permanently removed deleted projects');
        await freeing(() =>
          projects.removeWhileLow(async () => {
            if (signal.aborted || !(await disk.isLow())) return false;
            // Removing a project leaves free pages in the database file.
            await database.shrink({ signal });
            return await disk.isLow();
          }),
        );
      },
      intervalMs: reconcileIntervalMs,
      timeoutMs: cleanupTimeoutMs,
      log,
    }),
    startRecurring({
      name: 'suspension of idle sandboxes',
      work: async (signal) => {
        const suspended = await projects.suspendIdle({ signal });
        if (suspended > 0) log.info({ suspended }, 'suspended idle sandboxes');
      },
      intervalMs: reconcileIntervalMs,
      timeoutMs: cleanupTimeoutMs,
      log,
    }),
    startRecurring({
      name: 'cleanup of old sessions',
      work: async () => {
        if (expiry.isPaused()) return;
        const ago = (ms: number) => new Date(Date.now() - ms).toISOString();
        await sessionRecords.closeIdle(ago(sessionOpenMs));
        const removed = await sessionRecords.removeClosed(ago(sessionRetentionMs));
        if (removed > 0) log.info({ removed }, 'removed transcripts of closed sessions');
      },
      intervalMs: sweepIntervalMs,
      timeoutMs: cleanupTimeoutMs,
      log,
    }),
    startRecurring({
      name: 'cleanup of streamed code, recordings and unreferenced git objects',
      work: async (signal) => {
        const before = new Date(Date.now() - codeRetentionMs).toISOString();
        const events = await pruneCode(database, { before, signal });
        const freedBytes = await database.shrink({ signal });
        const recordings = await sweepRecordings(join(dataDir, 'recordings'), { ...recordingLimits, nowMs: Date.now() });
        if (events + freedBytes + recordings > 0) log.info({ events, freedBytes, recordings }, 'removed old data');
        const pruned = await checkpoints.pruneNext({ signal });
        if (pruned !== null) log.debug({ projectId: pruned }, 'packed a history without its unreferenced objects');
      },
      intervalMs: sweepIntervalMs,
      timeoutMs: pruneTimeoutMs,
      log,
    }),
    startRecurring({
      name: 'cleanup of old renders',
      work: () => freeing(() => renders.sweep({ nowMs: Date.now(), confirmed: (ids) => expiry.confirmed('rnd_', ids) })),
      intervalMs: reconcileIntervalMs,
      timeoutMs: cleanupTimeoutMs,
      log,
    }),
    startRecurring({
      name: 'starting scheduled runs',
      work: async () => deps.schedules.tick(),
      intervalMs: scheduleIntervalMs,
      timeoutMs: cleanupTimeoutMs,
      log,
    }),
    startRecurring({
      name: 'monitoring of the sandbox disk',
      work: (signal) => watch.check({ now: performance.now(), signal }),
      intervalMs: diskWatchIntervalMs,
      timeoutMs: diskWatchTimeoutMs,
      log,
    }),
  ];
}

function createDiskWatch({ config, manager, provider, reporter, checkpoints, log }: BackgroundJobDeps): DiskWatch {
  return new DiskWatch({
    limitBytes: config.sandboxDiskBytes,
    reserveBytes: config.sandboxDiskReserveBytes,
    disk: (options) => provider.disk(options),
    sizes: (options) => provider.sizes(options),
    running: (options) => manager.list(options),
    async dropCaches(options) {
      await manager.sweepCaches(new Set(), options);
    },
    async save(projectId, options) {
      await checkpoints.save(projectId, 'autosave', { ...options, by: koda('schedule') });
    },
    async stop(projectId) {
      await manager.destroy(projectId);
      await manager.removeCache(projectId);
    },
    onStop: reporter.onDiskStop,
    onFailure: (error, projectId) => log.warn({ err: error, projectId }, 'failed to free sandbox disk space'),
  });
}
