import { readFileSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { ProjectEvent } from '#contract/events.ts';
import { koda } from '#contract/principal.ts';
import { maxAssetBytes } from '#contract/uploads.ts';
import { agUiRoutes } from '#kinds/assistant/contract/ag-ui.ts';
import { Access, localPerson } from './access/access.ts';
import { createLocalKey } from './access/local-key.ts';
import { sessionKeyIn } from './access/session-key.ts';
import { hostGateway, isLocalConnection } from './access/this-computer.ts';
import { startBackgroundJobs } from './background-jobs.ts';
import { Backups, removeStaleBackups } from './backup/create-backup.ts';
import { PageCheck } from './backup/page-check.ts';
import { verifyData } from './backup/verify.ts';
import { deviationsOf } from './controls.ts';
import { GitClones } from './history/clones.ts';
import { GitCheckpointStore } from './history/git-store.ts';
import { GitHistory } from './history/history.ts';
import { GitProjectCreator } from './history/project-creation.ts';
import { createHttpApp } from './http/app.ts';
import { createHostPolicy } from './http/edge/hosts.ts';
import { PreviewLaunches } from './http/preview/launches.ts';
import { createPreviewProxy } from './http/preview/proxy.ts';
import { createHealthReport } from './http/routes/health-report.ts';
import { closeServer, createStudioServer, listen } from './http/server.ts';
import { AppData } from './kinds/app/data/app-data.ts';
import { registerApp } from './kinds/app/http.ts';
import { appKind } from './kinds/app/kind.ts';
import { appMcp } from './kinds/app/mcp.ts';
import { registerAgUi } from './kinds/assistant/ag-ui/http.ts';
import { registerAssistant } from './kinds/assistant/http.ts';
import { assistantKind } from './kinds/assistant/kind.ts';
import { studioFor } from './kinds/assistant/studio.ts';
import { cycleKind } from './kinds/cycle/kind.ts';
import { registerFilm } from './kinds/film/http/film.ts';
import { SceneStills } from './kinds/film/http/scene-stills.ts';
import { filmKind } from './kinds/film/kind.ts';
import { filmMcp } from './kinds/film/mcp.ts';
import { CircuitBreaker } from './lib/circuit-breaker.ts';
import type { Config } from './lib/config.ts';
import { Expiry, sightingsSchema, systemClock } from './lib/expiry.ts';
import { failpoint } from './lib/failpoint.ts';
import { outboundFetch } from './lib/outbound-fetch.ts';
import { startWatchdog, watchdogLimits } from './lib/watchdog.ts';
import { limitsOf } from './limits.ts';
import { responseLimits } from './llm/models/response-timeouts.ts';
import { type ModelPlace, ModelServerFinder, usualPlaces } from './llm/servers/find-servers.ts';
import { createModelSet, type ModelSetOptions } from './llm/settings/model-set.ts';
import { ModelSettings } from './llm/settings/model-settings.ts';
import { storedModelsSchema } from './llm/settings/stored.ts';
import { authorize } from './projects/calls.ts';
import { createProjectService } from './projects/commands.ts';
import type { Kind } from './projects/kind.ts';
import { newMessage } from './projects/phases.ts';
import { renewPreviewAddresses } from './projects/preview-starter.ts';
import { clearSandboxWaits, createSandboxReporter } from './projects/sandbox-events.ts';
import { openWorkspace } from './projects/workspace.ts';
import { BatchService } from './renders/batches.ts';
import { type RenderSlots, type SandboxStatus, slotsFor } from './renders/queue-policy.ts';
import { RenderService } from './renders/service.ts';
import { sandboxesFor } from './sandbox/admission.ts';
import { knownHolesAsOf } from './sandbox/known-holes.ts';
import { SandboxManager } from './sandbox/manager.ts';
import { createProvider } from './sandbox/providers.ts';
import type { SandboxProvider } from './sandbox/sandbox.ts';
import { KnownToolVersions } from './sandbox/tool-versions.ts';
import { ScheduleService } from './schedules/service.ts';
import { lockDataFolder } from './storage/data-lock.ts';
import { restrictDataFolder } from './storage/data-paths.ts';
import { openDatabase } from './storage/database.ts';
import { createIdempotencyStore } from './storage/idempotency.ts';
import { SecretFile } from './storage/secret-file.ts';
import { createStores } from './storage/stores.ts';
import { upgradePlans } from './storage/upgrade-plans.ts';
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

function sandboxStatus(manager: SandboxManager, projectId: string): SandboxStatus {
  if (manager.isWaiting(projectId)) return 'waiting';
  return manager.current(projectId) === null ? 'stopped' : 'running';
}

async function logSandboxState(provider: SandboxProvider, { log, signal }: { log: Logger; signal: AbortSignal }): Promise<void> {
  const { available, detail, warnings } = await provider.check({ signal });
  if (!available) log.warn({ detail }, 'sandboxes cannot be created');
  for (const warning of warnings) log.warn({ warning, asOf: knownHolesAsOf }, 'known vulnerability below the sandboxes');
}

/**
 * Starts the server. This composition root is the only file that names adapters. Tests bring kinds beside the
 * product's, and places for model servers. Rejects with a message for the operator.
 */
export async function startStudio(
  config: Config,
  log: Logger,
  { moreKinds = [], modelPlaces = usualPlaces() }: { moreKinds?: readonly Kind[]; modelPlaces?: readonly ModelPlace[] } = {},
): Promise<Studio> {
  const { version } = z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const dockerBreaker = new CircuitBreaker({ name: 'docker', label: 'Docker' });
  const resilience: ModelSetOptions['resilience'] = {
    limits: { ...responseLimits, idleTimeoutMs: config.modelSilenceMs },
    random: Math.random,
    onWait: async ({ projectId }, { text }) => {
      if (projectId !== null) await store.record(projectId, [{ type: 'thinking', text }], { by: koda('run') });
    },
    onResume: async ({ projectId }) => {
      if (projectId !== null) await store.record(projectId, [{ type: 'thinking', text: null }], { by: koda('run') });
    },
    onWarning: async ({ projectId }, text) => {
      log.warn({ projectId }, text);
      const message = newMessage('system', text);
      if (projectId !== null) await store.record(projectId, [{ type: 'message.added', message }], { by: koda('run') });
    },
  };
  const animation = {
    ...filmKind,
    limits: { ...filmKind.limits, ...config.runLimits },
    ...(!config.automaticFinal && { output: { ...filmKind.output, onAccept: null } }),
  };
  const ownTools = availableTools(config);
  const cycle = { ...cycleKind, limits: { ...cycleKind.limits, ...config.runLimits } };
  const webApp = { ...appKind, limits: { ...appKind.limits, ...config.runLimits } };
  const assistantBase = assistantKind((projectId) => actingStudio(projectId));
  const assistant = { ...assistantBase, limits: { ...assistantBase.limits, ...config.runLimits } };
  const kinds = new Map<string, Kind>([animation, webApp, cycle, assistant, ...moreKinds].map((kind) => [kind.id, kind]));
  const toolsOf = (kind: Kind) => {
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
  // Starts here, because converting a large database of an older version blocks the thread.
  const watchdog = startWatchdog({
    ...watchdogLimits,
    onError: (error) => log.error({ err: error }, 'the watchdog has ended, so a hung server will not be restarted'),
  });
  const stores = createStores(database, {
    limitBytes: config.diskLimitBytes,
    projectLimitBytes: config.projectDiskBytes,
    reserveBytes: config.diskReserveBytes,
  });
  // May use the disk's reserve, because users can only free space on a server that has started.
  await database.freeing(() => upgradePlans(database, kinds.values()));
  const models = await ModelSettings.open({
    defaultKind: filmKind,
    environment: config.models,
    file: new SecretFile(join(config.dataDir, 'models.json'), storedModelsSchema),
    make: (settings) =>
      createModelSet(settings, {
        ...{ resilience, recordingFolder: join(config.dataDir, 'recordings') },
        // An address in the environment is the operator's own.
        fetch: outboundFetch({ privateAddresses: config.models.connection === null ? config.privateAddresses : 'allow' }),
      }),
    finder: new ModelServerFinder(
      config.privateAddresses === 'allow' ? modelPlaces : [],
      outboundFetch({ privateAddresses: config.privateAddresses }),
    ),
    log,
  });
  const mcpServers = await McpServers.open({
    file: new SecretFile(join(config.dataDir, 'mcp-servers.json'), storedServersSchema),
    listed: listedServers,
    hasSearchServer: config.searxngUrl !== null,
    version,
    timeouts: { connectMs: 15_000, callMs: 60_000 },
    privateAddresses: config.privateAddresses,
    log,
  });
  const { projects: store, bus, assets, disk } = stores;
  const flush = (): void => store.flush();
  process.on('exit', flush);
  const onEvent = (observe: (event: ProjectEvent) => void): void =>
    bus.observe(observe, (error, { projectId, type }) => log.error({ err: error, projectId, type }, 'failed to handle event'));
  let port = config.port;
  const hosts = createHostPolicy({ ...config, port: () => port });

  const provider = createProvider(config, { dockerBreaker });
  const reporter = createSandboxReporter({ store, previewUrl: (project) => hosts.previewUrl(project.previewLabel), log });
  const maxSandboxes = config.sandboxes ?? sandboxesFor(totalmem());
  const manager = new SandboxManager({
    provider,
    ...reporter,
    maxSandboxes,
    suspendIdle: (options) => projects.suspendLeastUsed(options),
    onWaiting(projectId, ahead) {
      reporter.onWaiting(projectId, ahead);
      renders.fillSlots();
    },
    healthIntervalMs: sandboxHealthIntervalMs,
    engineTimeoutMs,
    log,
  });
  const checkpoints = new GitCheckpointStore({
    dataDir: config.dataDir,
    sandboxOf: async (projectId) => manager.current(projectId),
    ledger: stores.checkpointLedger,
    disk,
  });
  const workspace = { store, sandboxes: manager, checkpoints, assets, kinds };
  const slots = renderSlots(config);
  const renders = new RenderService({
    store: stores.renders,
    emit: async (projectId, by, ...bodies) => {
      await store.record(projectId, bodies, { by });
    },
    acquire: async (projectId, options) => (await openWorkspace(workspace, projectId, options)).sandbox,
    sandboxOf: (projectId) => sandboxStatus(manager, projectId),
    folder: join(config.dataDir, 'renders'),
    disk,
    workers: config.renderWorkers,
    preparesFinals: config.automaticFinal,
    slots,
    onError: (renderId, error) => log.error({ err: error, renderId }, 'render failed because of a bug in Koda'),
  });
  const batches = new BatchService({
    store: stores.batches,
    renders,
    queue: async (render, by) => {
      await store.record(render.projectId, [{ type: 'render.queued', render }], { by });
    },
    renderable: (projectId) => projects.renderable(projectId),
    assertFreeSpace: (projectId) => disk.assertFreeSpace(projectId),
    onError: (batchId, error) => log.error({ err: error, batchId }, 'failed to continue a batch of renders'),
  });
  onEvent((event) => {
    if (event.type === 'render.complete' || event.type === 'render.failed') batches.renderEnded(event.render);
  });
  const outside = outboundFetch({ privateAddresses: 'refuse' });
  // What the operator lists may be inside the network.
  const listed = outboundFetch({ privateAddresses: 'allow' });
  const schedules = new ScheduleService({
    store: stores.schedules,
    batches,
    batchOf: (batchId) => (stores.batches.find(batchId) === null ? null : stores.batches.detail(batchId)),
    render: (renderId) => renders.get(renderId),
    fileOf: (renderId, name) => renders.filePath(renderId, name),
    async assertRenderable(projectId, request) {
      renders.prepare(projectId, { ...request, kind: 'final' }, await projects.renderable(projectId));
    },
    fetchAddresses: config.fetchAddresses,
    fetch: listed,
    tools: {
      check: (call, options) => mcpServers.assertCallable(call, options),
      call: (call, options) => mcpServers.callUnattended(call, options),
    },
    places: {
      exports: join(config.dataDir, 'exports'),
      folders: config.deliveryFolders,
      webhooks: config.webhookAddresses,
      fetch: outside,
      fetchListed: listed,
    },
    now: () => Date.now(),
    onError: (id, error) => log.error({ err: error, id }, 'failed to continue a schedule'),
  });
  onEvent((event) => {
    if (event.type === 'batch.updated') schedules.batchChanged(event.batch.id);
  });
  const creator = new GitProjectCreator({ dataDir: config.dataDir, ledger: stores.checkpointLedger, disk });
  const projects = createProjectService({
    ...workspace,
    runs: stores.runs,
    disk,
    creator,
    renders,
    author: (kind, requests) => models.authorOf(kind, requests),
    toolsOf,
    authorize,
    agentPermissions: config.agentPermissions,
    previewUrl: (project) => hosts.previewUrl(project.previewLabel),
    onEvent,
    log,
  });

  const actingStudio = studioFor({
    ...{ store, bus, projects, renders, schedules, disk, kinds, freeing: database.freeing },
    // Without accounts, every project belongs to the one person.
    personOf: () => localPerson,
  });

  const stills = new SceneStills({ ...workspace, isRendering: () => renders.isRendering() });
  onEvent(({ type }) => {
    if (type === 'render.queued') stills.yieldToRender();
  });

  const pages = new PageCheck(database, log);
  const backups = new Backups({ database, disk, kodaVersion: version });

  const deviations = deviationsOf(config);
  const health = createHealthReport({
    version,
    model: () => models.author(),
    provider,
    circuits: () =>
      [models.circuit(), config.sandbox === 'docker' ? dockerBreaker.report() : null].filter((circuit) => circuit !== null),
    dataDir: config.dataDir,
    usedDiskBytes: () => disk.recent(),
    diskLimitBytes: config.diskLimitBytes,
    deviations,
    database: () => pages.state,
  });
  const toolVersions = new KnownToolVersions(() => manager.any());

  const gateway = hostGateway({ publishedOn: config.publishedOn, routes: () => readFileSync('/proc/net/route', 'utf8') });
  const access = new Access({
    tokens: stores.tokens,
    gateway,
    localKey: createLocalKey(config.dataDir),
    sessionKey: sessionKeyIn(config.dataDir),
    accessToken: config.accessToken,
    log,
  });

  const expiry = await Expiry.open({
    clock: systemClock,
    file: new SecretFile(join(config.dataDir, 'expired.json'), sightingsSchema),
    log,
  });

  const socketPath = (projectId: string) => manager.current(projectId)?.previewSocketPath ?? null;
  const appData = new AppData({ store, projects, socketPath });

  let ready = false;
  const closing = new AbortController();
  const launches = new PreviewLaunches(hosts);
  const app = createHttpApp({
    hosts,
    launches,
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
    batches,
    schedules,
    kinds,
    doors: [
      {
        registerRoutes: (filmApp) => registerFilm(filmApp, { store, projects, stills, author: () => models.author() }),
        mcp: filmMcp,
      },
      {
        registerRoutes: (webAppRoutes) => registerApp(webAppRoutes, { store, projects, data: appData }),
        mcp: appMcp(appData),
      },
      {
        registerRoutes: (assistantApp, streams) => {
          registerAssistant(assistantApp, { store, projects, tools: () => toolsOf(assistant) });
          registerAgUi(assistantApp, { store, projects, bus, streams });
        },
        startsWork: [agUiRoutes.agent],
      },
    ],
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
      backup: (options) => backups.create(options),
      verify: (options) => verifyData({ sqlite: database.sqlite, dataDir: config.dataDir, ...options }),
    },
    // Not retried, because a check reports the current state.
    checkModels: (options) => models.check(options),
    settings: {
      models,
      mcpServers,
      automaticFinal: config.automaticFinal,
      limits: limitsOf({
        config,
        run: animation.limits,
        sandboxes: maxSandboxes,
        renders: slots.heavy,
        uploadBytes: maxAssetBytes,
      }),
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
    socketPath,
    hosts,
    launches,
    log,
  });
  const server = createStudioServer({
    app,
    previews,
    hosts,
    isLocal: (address) => isLocalConnection(address, gateway),
    log,
  });
  try {
    port = await listen(server, config);
  } catch (error) {
    await watchdog.stop();
    database.close();
    dataLock.release();
    throw error;
  }
  await removeStaleBackups(config.dataDir);
  failpoint('start.after-listen');
  await clearSandboxWaits(store);
  await renders.resume();
  await projects.recover();
  await renewPreviewAddresses(store, ({ previewLabel }) => hosts.previewUrl(previewLabel));
  await batches.resumeAll();
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
    batches,
    schedules,
    database,
    expiry,
    stores,
    log,
  });
  ready = true;
  const url = hosts.studioUrl();
  log.info({ url, version, model: models.author().name, sandbox: provider.kind }, `Koda is running at ${url}`);
  for (const deviation of deviations) log.warn(deviation);
  // Not awaited, because a stuck engine must not delay the start. A check never rejects.
  void logSandboxState(provider, { log, signal: closing.signal });
  void pages.run({ signal: closing.signal });

  return {
    url: hosts.localUrl(),
    async stop() {
      ready = false;
      await Promise.all(jobs.map((job) => job.stop()));
      await projects.shutdown();
      await schedules.close();
      await batches.close();
      await renders.close();
      await mcpServers.close();
      closing.abort();
      previews.close();
      await closeServer(server);
      // Containers outlive the server and are found again. Child processes would be orphans.
      await manager.close({ destroySandboxes: provider.kind === 'process' });
      process.off('exit', flush);
      flush();
      database.close();
      dataLock.release();
      await watchdog.stop();
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
