import { modelChecksSchema } from '../contract/api.ts';
import { aboutSchema, modelSettingsRequestSchema, modelSettingsSchema, settingsSchema } from '../contract/settings.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { requireSameOrigin } from './guard.ts';
import { answer, defineRoute, failure, jsonBody } from './route.ts';

const read = defineRoute({
  method: 'get',
  path: '/api/settings',
  summary: 'Which models are set and what this installation allows; no key is ever in it',
  responses: { ...answer(200, 'The settings', settingsSchema), ...failure },
});
const saveModel = defineRoute({
  method: 'put',
  path: '/api/settings/model',
  summary: 'Chooses the models, for every run that begins from now on; a key is written and never shown again',
  request: { body: jsonBody(modelSettingsRequestSchema) },
  responses: { ...answer(200, 'What is set now', modelSettingsSchema), ...failure },
});
const removeKey = defineRoute({
  method: 'delete',
  path: '/api/settings/model/key',
  summary: 'Forgets the key; without one that it needs, the built-in director works',
  responses: { ...answer(200, 'What is set now', modelSettingsSchema), ...failure },
});
const testModel = defineRoute({
  method: 'post',
  path: '/api/settings/model/test',
  summary: 'Asks models for one word each as they would be set, and keeps nothing',
  request: { body: jsonBody(modelSettingsRequestSchema) },
  responses: { ...answer(200, 'What they answered', modelChecksSchema), ...failure },
});
const about = defineRoute({
  method: 'get',
  path: '/api/about',
  summary: 'Versions of the studio and of what it runs on',
  responses: { ...answer(200, 'Versions', aboutSchema), ...failure },
});

/**
 * The settings of the installation. The address of a model server is where this server then sends requests, into its own
 * network, too, and parts of the answers are told. That is so for the operator's own address, as ANTHROPIC_BASE_URL has
 * always been: a model server beside Koda is the most usual one, so private addresses cannot be refused. While there are
 * no accounts, whoever reaches the port is the operator; for others no page of theirs gets here (origin and JSON are
 * checked for everything that changes state), no sandbox has a network, and no model has a tool that does it. Who opens
 * the port to people whom they do not trust decides the model in the environment: then both routes refuse every other
 * address.
 */
export function registerSettings(app: HttpApp, { hosts, settings }: Pick<HttpDeps, 'hosts' | 'settings'>): void {
  const { models } = settings;
  app.openapi(read, (c) => {
    requireSameOrigin(hosts, c);
    return c.json({ model: models.view(), limits: [...settings.limits] }, 200);
  });
  app.openapi(saveModel, async (c) => c.json(await models.save(c.req.valid('json')), 200));
  app.openapi(removeKey, async (c) => c.json(await models.removeKey(), 200));
  app.openapi(testModel, async (c) => {
    const checks = await models.check(c.req.valid('json'), { signal: c.req.raw.signal });
    return c.json({ models: checks }, 200);
  });
  app.openapi(about, async (c) => c.json(await settings.about({ signal: c.req.raw.signal }), 200));
}
