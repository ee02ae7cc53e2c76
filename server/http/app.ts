import { OpenAPIHono } from '@hono/zod-openapi';
import { newId } from '#contract/ids.ts';
import { validationError } from '../lib/validation-error.ts';
import type { HttpApp, HttpDeps, HttpEnv } from './deps.ts';
import { accessGuard, registerSession, registerTokens, TokenGuesses } from './edge/access.ts';
import { limitJson } from './edge/body.ts';
import { notFound, onError } from './edge/errors.ts';
import { changeGuard, hasByteBody, hostGuard } from './edge/guard.ts';
import { securityHeaders } from './edge/headers.ts';
import { limitWork } from './edge/rate-limit.ts';
import { registerStudio } from './edge/studio.ts';
import { registerProxyRedirect } from './preview/redirect.ts';
import { registerArchives } from './routes/archives.ts';
import { registerAssets } from './routes/assets.ts';
import { registerBatches } from './routes/batches.ts';
import { registerCheckpoints } from './routes/checkpoints.ts';
import { registerClones } from './routes/clones.ts';
import { registerCommands } from './routes/commands.ts';
import { registerDocs } from './routes/docs.ts';
import { registerDownloads } from './routes/downloads.ts';
import { registerEvents } from './routes/events.ts';
import { registerFiles } from './routes/files.ts';
import { registerHealth } from './routes/health.ts';
import { registerMaintenance } from './routes/maintenance.ts';
import { registerMcp } from './routes/mcp.ts';
import { registerMcpServers } from './routes/mcp-servers.ts';
import { registerProjectCreation, registerProjects } from './routes/projects.ts';
import { registerRenders } from './routes/renders.ts';
import { registerSandbox } from './routes/sandbox.ts';
import { registerSchedules } from './routes/schedules.ts';
import { registerModels, registerSettings } from './routes/settings.ts';
import { registerShells } from './routes/shells.ts';
import { registerTools } from './routes/tools.ts';
import { EventStreams } from './streams/event-streams.ts';

/** Creates the studio's HTTP application: API, event streams, videos and page. Tests call its `request()` without a port. */
export function createHttpApp(deps: HttpDeps): HttpApp {
  const app: HttpApp = new OpenAPIHono<HttpEnv>({
    defaultHook: (result) => {
      if (!result.success) throw validationError(result.error);
    },
  });
  app.onError(onError(deps.log));

  app.use(async (c, next) => {
    const requestId = newId('req');
    c.set('requestId', requestId);
    const startedAt = performance.now();
    await next();
    c.header('x-request-id', requestId);
    const durationMs = Math.round(performance.now() - startedAt);
    deps.log.debug({ requestId, method: c.req.method, path: c.req.path, status: c.res.status, durationMs }, 'request');
  });
  app.use(securityHeaders(deps.hosts));
  app.use(hostGuard(deps.hosts));
  app.use(changeGuard(deps.hosts));
  const guesses = new TokenGuesses();
  app.use(accessGuard({ ...deps, guesses }));
  app.use('/api/*', limitWork(deps.doors.flatMap(({ startsWork }) => startsWork ?? [])));
  app.use('/api/*', async (c, next) => {
    if (!hasByteBody(c.req)) limitJson(c);
    await next();
  });
  app.use('/api/*', (c, next) => (c.req.method === 'DELETE' ? deps.freeing(next) : next()));

  registerSession(app, { ...deps, guesses });
  registerHealth(app, deps);
  registerModels(app, deps);
  registerSettings(app, deps);
  registerMcpServers(app, deps);
  registerTokens(app, deps);
  registerProjects(app, deps);
  registerProjectCreation(app, deps);
  registerCommands(app, deps);
  const streams = new EventStreams(deps);
  registerEvents(app, { ...deps, streams });
  for (const door of deps.doors) door.registerRoutes(app, streams);
  registerTools(app, deps);
  registerFiles(app, deps);
  registerCheckpoints(app, deps);
  registerArchives(app, deps);
  registerClones(app, deps);
  registerRenders(app, deps);
  registerBatches(app, deps);
  registerSchedules(app, deps);
  registerAssets(app, deps);
  registerSandbox(app, deps);
  registerShells(app, deps);
  registerDownloads(app, deps);
  registerProxyRedirect(app, deps);
  registerMaintenance(app, deps);
  registerDocs(app, deps);
  registerMcp(app, { ...deps, guesses });
  const handleUnknown = notFound(app);
  registerStudio(app, deps);
  app.notFound(handleUnknown);
  return app;
}
