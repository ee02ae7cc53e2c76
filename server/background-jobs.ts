import type { Logger } from 'pino';
import type { GitCheckpointStore } from './history/git-store.ts';
import type { Config } from './lib/config.ts';
import { startRecurring } from './lib/recurring.ts';
import type { ProjectService } from './projects/commands.ts';
import type { SandboxReporter } from './projects/sandbox-events.ts';
import type { RenderService } from './renders/service.ts';
import { DiskWatch } from './sandbox/disk-watch.ts';
import type { SandboxManager } from './sandbox/manager.ts';
import type { SandboxProvider } from './sandbox/sandbox.ts';
import type { Database } from './storage/database.ts';
import type { DiskUsage } from './storage/disk-usage.ts';
import { ensureReserve } from './storage/durable-file.ts';
import type { ProjectRecord, ProjectStore } from './storage/projects.ts';
import type { Stores } from './storage/stores.ts';

const reconcileIntervalMs = 60_000;
const autosaveIntervalMs = 30_000;
const sweepIntervalMs = 60 * 60_000;
const cleanupTimeoutMs = 30_000;
/** A session ends after this time without activity (A23, A24). */
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
  readonly disk: DiskUsage;
  readonly freeing: Database['freeing'];
  readonly stores: Pick<Stores, 'assets' | 'sessionRecords'>;
  readonly log: Logger;
}

/** Starts the server's periodic jobs: cleanup, saving, monitoring. Stop each one before its dependencies. */
export function startBackgroundJobs(deps: BackgroundJobDeps): readonly { stop(): Promise<void> }[] {
  const { store, manager, checkpoints, projects, renders, disk, freeing, log } = deps;
  const { assets, sessionRecords } = deps.stores;
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
        const projects = await allProjects(store);
        const removed = await manager.reconcile(new Set(projects.map(({ id }) => id)), { signal });
        if (removed > 0) log.info({ removed }, 'removed orphaned sandboxes');
        const recent = projects.filter(({ updatedAt }) => Date.parse(updatedAt) > Date.now() - cacheRetentionMs);
        const caches = await manager.sweepCaches(new Set(recent.map(({ id }) => id)), { signal });
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
      },
      intervalMs: reconcileIntervalMs,
      timeoutMs: cleanupTimeoutMs,
      log,
    }),
    startRecurring({
      name: 'removal of deleted projects',
      work: async () => {
        const all = await disk.isLow();
        const removed = await freeing(() => projects.removeExpired({ nowMs: Date.now(), all }));
        if (removed > 0) log.info({ removed }, 'permanently removed deleted projects');
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
      name: 'cleanup of old renders',
      work: () => freeing(() => renders.sweep()),
      intervalMs: reconcileIntervalMs,
      timeoutMs: cleanupTimeoutMs,
      log,
    }),
    startRecurring({
      name: 'monitoring of the sandbox disk',
      work: (signal) => watch.check({ now: Date.now(), signal }),
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
      await checkpoints.save(projectId, 'autosave', options);
    },
    async stop(projectId) {
      await manager.destroy(projectId);
      await manager.removeCache(projectId);
    },
    onStop: reporter.onDiskStop,
    onFailure: (error, projectId) => log.warn({ err: error, projectId }, 'failed to free sandbox disk space'),
  });
}

export async function allProjects(store: ProjectStore): Promise<readonly ProjectRecord[]> {
  const projects: ProjectRecord[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<ProjectStore['list']>> = await store.list({ cursor, limit: 100, search: null });
    projects.push(...page.items);
    if (page.nextCursor === null) return projects;
    cursor = page.nextCursor;
  }
}
