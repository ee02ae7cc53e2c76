import { routes } from '../contract/routes.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { requireSameOrigin } from './guard.ts';
import { described } from './route.ts';

/**
 * The settings of the installation. The address of a model server is where this server then sends requests, into its own
 * network, too, and reports parts of the answers. That is so for the operator's own address, as ANTHROPIC_BASE_URL has
 * always been: a model server beside Koda is the most usual one, so private addresses cannot be refused. While there are
 * no accounts, whoever reaches the port is the operator; for others no page of theirs gets here (origin and JSON are
 * checked for everything that changes state), no sandbox has a network, and no model has a tool that does it. Whoever opens
 * the port to people whom they do not trust decides the model in the environment: then both routes refuse every other
 * address.
 */
export function registerSettings(app: HttpApp, { hosts, settings }: Pick<HttpDeps, 'hosts' | 'settings'>): void {
  const { models } = settings;
  app.openapi(described(routes.settings, 'Which models are set and what this installation allows; no key is ever in it'), (c) => {
    requireSameOrigin(hosts, c);
    return c.json({ model: models.view(), limits: [...settings.limits] }, 200);
  });
  app.openapi(
    described(
      routes.saveModel,
      'Chooses the models, for every run that begins from now on; a key is written and never shown again',
    ),
    async (c) => c.json(await models.save(c.req.valid('json')), 200),
  );
  app.openapi(
    described(routes.removeModelKey, 'Forgets the key; without one that it needs, the built-in director works'),
    async (c) => c.json(await models.removeKey(), 200),
  );
  app.openapi(described(routes.testModel, 'Asks models for one word each as they would be set, and keeps nothing'), async (c) => {
    const checks = await models.check(c.req.valid('json'), { signal: c.req.raw.signal });
    return c.json({ models: checks }, 200);
  });
  app.openapi(described(routes.about, 'Versions of the studio and of what it runs on'), async (c) =>
    c.json(await settings.about({ signal: c.req.raw.signal }), 200),
  );
}

/** A check may cost a fraction of a cent, so it is a POST: no other web page can cause it. */
export function registerModels(app: HttpApp, deps: Pick<HttpDeps, 'checkModels'>): void {
  app.openapi(
    described(routes.checkModels, 'Asks the models for one word each: whether key, address and names are right'),
    async (c) => c.json({ models: await deps.checkModels({ signal: c.req.raw.signal }) }, 200),
  );
}
