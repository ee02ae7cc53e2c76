import { OpenAPIHono } from '@hono/zod-openapi';
import { newId } from '#contract/ids.ts';
import { registerTokens } from './access.ts';
import { registerArchives } from './archives.ts';
import { registerAssets } from './assets.ts';
import { limitJson } from './body.ts';
import { registerCheckpoints } from './checkpoints.ts';
import { registerClones } from './clones.ts';
import { registerCommands } from './commands.ts';
import type { HttpApp, HttpDeps, HttpEnv } from './deps.ts';
import { registerDocs } from './docs.ts';
import { registerDownloads } from './downloads.ts';
import { notFound, onError, validationError } from './errors.ts';
import { registerEvents } from './events.ts';
import { registerFiles } from './files.ts';
import { registerFilm } from './film.ts';
import { changeGuard, hasByteBody, hostGuard } from './guard.ts';
import { securityHeaders } from './headers.ts';
import { registerHealth } from './health.ts';
import { registerMaintenance } from './maintenance.ts';
import { registerMcp } from './mcp.ts';
import { registerMcpServers } from './mcp-servers.ts';
import { registerProjectCreation } from './project-creation.ts';
import { registerProjects } from './projects.ts';
import { registerProxyRedirect } from './proxy-redirect.ts';
import { registerRenders } from './renders.ts';
import { registerSandbox } from './sandbox.ts';
import { registerModels, registerSettings } from './settings.ts';
import { registerShells } from './shells.ts';
import { registerStudio } from './studio.ts';
import { registerTools } from './tools.ts';

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
  app.use('/api/*', async (c, next) => {
    if (!hasByteBody(c.req)) limitJson(c);
    await next();
  });
  app.use('/api/*', (c, next) => (c.req.method === 'DELETE' ? deps.freeing(next) : next()));

  registerHealth(app, deps);
  registerModels(app, deps);
  registerSettings(app, deps);
  registerMcpServers(app, deps);
  registerTokens(app, deps);
  registerProjects(app, deps);
  registerProjectCreation(app, deps);
  registerCommands(app, deps);
  registerEvents(app, deps);
  registerFilm(app, deps);
  registerTools(app, deps);
  registerFiles(app, deps);
  registerCheckpoints(app, deps);
  registerArchives(app, deps);
  registerClones(app, deps);
  registerRenders(app, deps);
  registerAssets(app, deps);
  registerSandbox(app, deps);
  registerShells(app, deps);
  registerDownloads(app, deps);
  registerProxyRedirect(app, deps);
  registerMaintenance(app, deps);
  registerDocs(app, deps);
  registerMcp(app, deps);
  const handleUnknown = notFound(app);
  registerStudio(app, deps);
  app.notFound(handleUnknown);
  return app;
}
