import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import { maxAssetBytes } from '#contract/uploads.ts';
import { Access } from './access/access.ts';
import { hostGateway } from './access/this-computer.ts';
import { allProjects, startBackgroundJobs } from './background-jobs.ts';
import { createBackup, removeStaleBackups } from './backup/create-backup.ts';
import { verifyData } from './backup/verify.ts';
import { GitClones } from './history/clones.ts';
import { GitCheckpointStore } from './history/git-store.ts';
import { GitHistory } from './history/history.ts';
import { GitProjectCreator } from './history/project-creation.ts';
import { createHttpApp } from './http/app.ts';
import { createHealthReport } from './http/health-report.ts';
import { createHostPolicy } from './http/hosts.ts';
import { closeServer, listen } from './http/listen.ts';
import { createPreviewProxy } from './http/preview-proxy.ts';
import { SceneStills } from './http/scene-stills.ts';
import { createStudioServer } from './http/server.ts';
import { cycleKind } from './kinds/cycle/kind.ts';
import { builtInAuthor } from './kinds/film/author.ts';
import { filmKind } from './kinds/film/kind.ts';
import type { KindDefinition } from './kinds/kind.ts';
import { CircuitBreaker } from './lib/circuit-breaker.ts';
import type { Config } from './lib/config.ts';
import { failpoint } from './lib/failpoint.ts';
import { limitsOf } from './limits.ts';
import { responseLimits } from './llm/models/response-timeouts.ts';
import { createModelSet, type ModelSetOptions } from './llm/settings/model-set.ts';
import { ModelSettings } from './llm/settings/model-settings.ts';
import { storedModelsSchema } from './llm/settings/stored.ts';
import { authorize } from './projects/authorize.ts';
import { createProjectService } from './projects/commands.ts';
import { renewPreviewAddresses } from './projects/preview-starter.ts';
import { createSandboxReporter } from './projects/sandbox-events.ts';
import { openWorkspace } from './projects/workspace.ts';
import { type RenderSlots, slotsFor } from './renders/queue-policy.ts';
import { RenderService } from './renders/service.ts';
import { SandboxManager } from './sandbox/manager.ts';
import { createProvider } from './sandbox/providers.ts';
import { KnownToolVersions } from './sandbox/tool-versions.ts';
import { lockDataFolder } from './storage/data-lock.ts';
import { restrictDataFolder } from './storage/data-paths.ts';
import { openDatabase } from './storage/database.ts';
import { DiskUsage } from './storage/disk-usage.ts';
import { createIdempotencyStore } from './storage/idempotency.ts';
import { SecretFile } from './storage/secret-file.ts';
import { createStores } from './storage/stores.ts';
import { availableTools } from './tools/catalogue.ts';
import { readServerFile } from './tools/outside/server-file.ts';
import { McpServers, storedServersSchema } from './tools/outside/servers.ts';
import { ToolRegistry } from './tools/tool.ts';

export interface Studio {
  readonly url: string;
  /** Stops services in reverse startup order. Unfinished work resumes at the next start. */
  stop(): Promise<void>;
}

const root = join(import.meta.dirname, '..');
const heartbeatMs = 10_000;
const sandboxHealthIntervalMs = 5_000;
/** Longer than a Docker restart, shorter than the timeout of any call that needs a sandbox. */
const engineTimeoutMs = 45_000;

/** Returns the configured number of parallel renders, or the machine's capacity. */
function renderSlots({ renders, sandboxCpus, sandboxMemoryBytes }: Config): RenderSlots {
  const machine = { processors: availableParallelism(), memoryBytes: totalmem() };
  const slots = slotsFor(machine, { cpus: sandboxCpus, memoryBytes: sandboxMemoryBytes });
  return { ...slots, heavy: renders ?? slots.heavy };
}

/** Starts the server. This composition root is the only file that names adapters. Rejects with a message for the operator. */
export async function startStudio(config: Config, log: Logger): Promise<Studio> {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const dockerBreaker = new CircuitBreaker({ name: 'docker', label: 'Docker' });
  const resilience: ModelSetOptions['resilience'] = {
    limits: { ...responseLimits, idleTimeoutMs: config.modelSilenceMs },
    random: Math.random,
    onWait: async ({ projectId }, { text }) => {
      if (projectId !== null) await store.record(projectId, [{ type: 'thinking', text }]);
    },
    onResume: async ({ projectId }) => {
      if (projectId !== null) await store.record(projectId, [{ type: 'thinking', text: null }]);
    },
  };
  const animation = {
    ...filmKind,
    limits: { ...filmKind.limits, ...config.runLimits },
    finalRender: config.automaticFinal ? filmKind.finalRender : null,
  };
  const ownTools = availableTools(config);
  const cycle = { ...cycleKind, limits: { ...cycleKind.limits, ...config.runLimits } };
  const kinds = new Map([animation, cycle].map((kind) => [kind.id, kind]));
  const toolsOf = (kind: KindDefinition) => {
    const own = [...ownTools, ...kind.ownTools].filter((tool) => kind.tools.includes(tool.name));
    // Only kinds that search get tools outside Koda. A coding cycle has nobody who gives permission.
    const outside = kind.tools.includes('search') ? mcpServers.tools() : [];
    return new ToolRegistry([...own, ...outside]);
  };
  const mcpServersFile = config.mcpServersFile ?? join(config.dataDir, 'mcp.json');
  const listedServers = await readServerFile(mcpServersFile, { mustExist: config.mcpServersFile !== null });

  const dataLock = lockDataFolder(config.dataDir);
  for (const problem of restrictDataFolder(config.dataDir)) log.warn(problem);
  const database = openOrRelease(() => openDatabase(config.dataDir), dataLock);
  const stores = createStores(database);
  const models = await ModelSettings.open({
    builtIn: builtInAuthor,
    environment: config.models,
    file: new SecretFile(join(config.dataDir, 'models.json'), storedModelsSchema),
    make: (settings) => createModelSet(settings, { resilience, recordingFolder: join(config.dataDir, 'recordings') }),
    log,
  });
  const mcpServers = await McpServers.open({
    file: new SecretFile(join(config.dataDir, 'mcp-servers.json'), storedServersSchema),
    listed: listedServers,
    hasSearchServer: config.searxngUrl !== null,
    version,
    timeouts: { connectMs: 15_000, callMs: 60_000 },
    log,
  });
  const { projects: store, bus, assets } = stores;
  let port = config.port;
  const hosts = createHostPolicy({ port: () => port, allowedHosts: config.allowedHosts, previewDomain: config.previewDomain });

  const provider = createProvider(config, { dockerBreaker });
  const reporter = createSandboxReporter({ store, previewUrl: (project) => hosts.previewUrl(project.previewLabel), log });
  const manager = new SandboxManager({
    provider,
    ...reporter,
    healthIntervalMs: sandboxHealthIntervalMs,
    engineTimeoutMs,
  });
  const checkpoints = new GitCheckpointStore({
    dataDir: config.dataDir,
    sandboxOf: async (projectId) => manager.current(projectId),
    ledger: stores.checkpointLedger,
  });
  const workspace = { store, sandboxes: manager, checkpoints, assets, kinds };
  const slots = renderSlots(config);
  const renders = new RenderService({
    store: stores.renders,
    emit: async (projectId, ...bodies) => {
      await store.record(projectId, bodies);
    },
    acquire: async (projectId, signal) => (await openWorkspace(workspace, projectId, { signal })).sandbox,
    folder: join(config.dataDir, 'renders'),
    workers: config.renderWorkers,
    slots,
    onError: (renderId, error) => log.error({ err: error, renderId }, 'render failed because of a bug in Koda'),
  });
  const creator = new GitProjectCreator({ dataDir: config.dataDir, ledger: stores.checkpointLedger });
  const projects = createProjectService({
    ...workspace,
    runs: stores.runs,
    creator,
    renders,
    author: (kind) => models.authorOf(kind),
    toolsOf,
    authorize,
    agentPermissions: config.agentPermissions,
    previewUrl: (project) => hosts.previewUrl(project.previewLabel),
    onEvent: (listener) => bus.observe(listener),
    log,
  });

  const stills = new SceneStills({ ...workspace, isRendering: () => renders.isRendering() });
  bus.observe(({ type }) => {
    if (type === 'render.queued') stills.yieldToRender();
  });

  const disk = new DiskUsage({
    dataDir: config.dataDir,
    limitBytes: config.diskLimitBytes,
    reserveBytes: config.diskReserveBytes,
    rendersOf: (projectId) => renders.list(projectId),
  });

  const health = createHealthReport({
    version,
    model: () => models.author(),
    provider,
    circuits: () =>
      [models.circuit(), config.sandbox === 'docker' ? dockerBreaker.report() : null].filter((circuit) => circuit !== null),
    dataDir: config.dataDir,
    usedDiskBytes: () => disk.recent(),
    diskLimitBytes: config.diskLimitBytes,
  });
  const toolVersions = new KnownToolVersions(() => manager.any());

  const access = new Access({
    tokens: stores.tokens,
    gateway: hostGateway({ publishedOn: config.publishedOn, routes: () => readFileSync('/proc/net/route', 'utf8') }),
    log,
  });

  let ready = false;
  const closing = new AbortController();
  const app = createHttpApp({
    hosts,
    log,
    access,
    store,
    projects,
    bus,
    assets,
    checkpoints,
    history: new GitHistory({ dataDir: config.dataDir, ledger: stores.checkpointLedger }),
    clones: new GitClones({ dataDir: config.dataDir, publish: (projectId, options) => checkpoints.publish(projectId, options) }),
    renders,
    stills,
    sandboxes: {
      find: async (projectId) => manager.current(projectId),
      projectOf: (sandboxId) => manager.projectOf(sandboxId),
      async restart(projectId, options) {
        await checkpoints.save(projectId, 'restart', options);
        await manager.destroy(projectId);
        await projects.ensurePreview(projectId);
      },
      async remove(projectId, options) {
        await checkpoints.save(projectId, 'before_destroy', options);
        await manager.destroy(projectId);
      },
    },
    idempotency: createIdempotencyStore(database.sqlite),
    disk,
    freeing: database.freeing,
    maintenance: {
      backup: (options) => createBackup({ database, kodaVersion: version, ...options }),
      verify: (options) => verifyData({ sqlite: database.sqlite, dataDir: config.dataDir, ...options }),
    },
    // Not retried, because a check reports the current state.
    checkModels: (options) => models.check(null, options),
    settings: {
      models,
      mcpServers,
      automaticFinal: config.automaticFinal,
      limits: limitsOf({ config, run: animation.limits, renders: slots.heavy, uploadBytes: maxAssetBytes }),
      about: async (options) => ({
        version,
        node: process.versions.node,
        engine: (await health()).sandbox.detail,
        ...(await toolVersions.read(options)),
      }),
    },
    health,
    ready: () => ready,
    version,
    webDir: join(root, 'dist', 'web'),
    heartbeatMs,
    closing: closing.signal,
  });
  const previews = createPreviewProxy({
    store,
    projects,
    socketPath: (projectId) => manager.current(projectId)?.previewSocketPath ?? null,
    hosts,
    log,
  });
  const server = createStudioServer({ app, previews, hosts, log });
  try {
    port = await listen(server, config);
  } catch (error) {
    database.close();
    dataLock.release();
    throw error;
  }
  await removeStaleBackups(config.dataDir);
  failpoint('start.after-listen');
  await renders.resume();
  await projects.recover();
  await renewPreviewAddresses(store, await allProjects(store), ({ previewLabel }) => hosts.previewUrl(previewLabel));
  failpoint('start.after-recovery');
  const jobs = startBackgroundJobs({
    config,
    store,
    manager,
    provider,
    reporter,
    checkpoints,
    projects,
    renders,
    disk,
    freeing: database.freeing,
    stores,
    log,
  });
  ready = true;
  const url = hosts.studioOrigin();
  log.info({ url, version, model: models.author().name, sandbox: provider.kind }, `Koda is running at ${url}`);

  return {
    url,
    async stop() {
      ready = false;
      await Promise.all(jobs.map((job) => job.stop()));
      await projects.shutdown();
      await renders.close();
      await mcpServers.close();
      closing.abort();
      previews.close();
      await closeServer(server);
      // Containers outlive the server and are found again. Child processes would be orphans.
      await manager.close({ destroySandboxes: provider.kind === 'process' });
      database.close();
      dataLock.release();
    },
  };
}

function openOrRelease<T>(open: () => T, lock: { release(): void }): T {
  try {
    return open();
  } catch (error) {
    lock.release();
    throw error;
  }
}
