import { KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { described } from '../route.ts';

export function registerHealth(app: HttpApp, deps: Pick<HttpDeps, 'health' | 'ready'>): void {
  app.openapi(described(routes.health, 'Health of the model, the sandboxes and the disk'), async (c) =>
    c.json(await deps.health(), 200),
  );
  app.openapi(described(routes.ready, 'Whether the server accepts new work'), (c) => {
    if (!deps.ready())
      throw new KodaError('SERVICE_UNAVAILABLE', 'The server is starting or stopping. Try again in a few seconds.', {
        recovery: 'retry',
      });
    return c.json({ ready: true as const }, 200);
  });
}
