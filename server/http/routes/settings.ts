import type { ModelTest, ModelTestLine } from '#contract/model-servers.ts';
import { routes } from '#contract/routes.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { errorOfRequest } from '../edge/errors.ts';
import { requireSameOrigin } from '../edge/guard.ts';
import { described } from '../route.ts';
import { linesResponse } from '../streams/progress-stream.ts';

type Deps = Pick<HttpDeps, 'hosts' | 'settings' | 'log' | 'heartbeatMs' | 'closing'>;

/**
 * Registers the installation's settings. The server sends requests to the configured model address, even within its own
 * network, and reports errors of the model's API. Private addresses are allowed, because local model servers are common, unless
 * the operator refuses them (`KODA_PRIVATE_ADDRESSES`).
 * Without accounts, anyone who can reach the port counts as the operator: origin and JSON checks keep other pages out,
 * sandboxes have no network, and models have no tool for it. An operator who opens the port to untrusted people sets the
 * model in the environment; both routes then reject other addresses.
 */
export function registerSettings(app: HttpApp, { hosts, settings, log, heartbeatMs, closing }: Deps): void {
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
  app.openapi(
    described(routes.testModel, 'Measure what a model is good for, without saving the settings', {
      description:
        'One JSON object per line: the progress, repeated periodically, and finally the report or the error. Closing the connection cancels the test. Anthropic’s service gets two or three short requests; a server of one’s own also gets long ones, pictures and a speed test.',
      answer: 'Progress, then the report or the error',
    }),
    (c) => {
      // Errors in the settings are thrown before the response starts.
      const measure = models.prepareTest(c.req.valid('json'));
      return linesResponse<ModelTestLine>({
        work: async (report, signal) => {
          const onProgress = (test: ModelTest): void => report({ type: 'progress', test });
          return { type: 'report', test: await measure({ signal, report: onProgress }) };
        },
        failure: (error) => ({ type: 'error', ...errorOfRequest(error, { c, log }).toEnvelope() }),
        heartbeatMs,
        signal: closing,
      });
    },
  );
  app.openapi(
    described(routes.modelServers, 'Model servers that answer at their usual ports on this computer', {
      description:
        'Koda looks at 127.0.0.1, and at host.docker.internal if it runs in a container, for 800 ms, and at most every two seconds. A port without a server has no address.',
    }),
    async (c) => {
      requireSameOrigin(hosts, c);
      return c.json({ servers: await models.findServers() }, 200);
    },
  );
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
