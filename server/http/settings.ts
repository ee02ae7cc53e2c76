import { routes } from '#contract/routes.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { requireSameOrigin } from './guard.ts';
import { described } from './route.ts';

/**
 * Registers the installation's settings. The server sends requests to the configured model address, even within its own
 * network, and reports parts of the responses. Private addresses stay allowed, because local model servers are common.
 * Without accounts, anyone who can reach the port counts as the operator: origin and JSON checks keep other pages out,
 * sandboxes have no network, and models have no tool for it. An operator who opens the port to untrusted people sets the
 * model in the environment; both routes then reject other addresses.
 */
export function registerSettings(app: HttpApp, { hosts, settings }: Pick<HttpDeps, 'hosts' | 'settings'>): void {
  const { models } = settings;
  app.openapi(described(routes.settings, 'Selected models and limits of this installation, without keys'), (c) => {
    requireSameOrigin(hosts, c);
    return c.json({ model: models.view(), limits: [...settings.limits], automaticFinal: settings.automaticFinal }, 200);
  });
  app.openapi(described(routes.saveModel, 'Set the models for future runs; a stored key is never shown again'), async (c) =>
    c.json(await models.save(c.req.valid('json')), 200),
  );
  app.openapi(
    described(routes.removeModelKey, 'Remove the key; the built-in director is used if a model lacks its key'),
    async (c) => c.json(await models.removeKey(), 200),
  );
  app.openapi(described(routes.testModel, 'Test models with one-word requests, without saving the settings'), async (c) => {
    const checks = await models.check(c.req.valid('json'), { signal: c.req.raw.signal });
    return c.json({ models: checks }, 200);
  });
  app.openapi(described(routes.about, 'Versions of the studio and its platform'), async (c) =>
    c.json(await settings.about({ signal: c.req.raw.signal }), 200),
  );
}

/** Uses POST so that other web pages cannot trigger a check, which may cost money. */
export function registerModels(app: HttpApp, deps: Pick<HttpDeps, 'checkModels'>): void {
  app.openapi(described(routes.checkModels, 'Test key, address and names of the models with one-word requests'), async (c) =>
    c.json({ models: await deps.checkModels({ signal: c.req.raw.signal }) }, 200),
  );
}
