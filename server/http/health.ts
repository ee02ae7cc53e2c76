import { healthResponseSchema } from '../contract/api.ts';
import { KodaError } from '../contract/errors.ts';
import { readyResponseSchema } from '../contract/http.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { answer, defineRoute, failure } from './route.ts';

const health = defineRoute({
  method: 'get',
  path: '/api/health',
  summary: 'Whether the parts work: model, sandboxes, disk',
  responses: { ...answer(200, 'How it stands', healthResponseSchema), ...failure },
});
const ready = defineRoute({
  method: 'get',
  path: '/api/ready',
  summary: 'Whether new work is taken',
  responses: { ...answer(200, 'It is', readyResponseSchema), ...failure },
});

export function registerHealth(app: HttpApp, deps: Pick<HttpDeps, 'health' | 'ready'>): void {
  app.openapi(health, async (c) => c.json(await deps.health(), 200));
  app.openapi(ready, (c) => {
    if (!deps.ready())
      throw new KodaError('SERVICE_UNAVAILABLE', 'The server is starting or stopping. Try again in a moment.', {
        recovery: 'retry',
      });
    return c.json({ ready: true as const }, 200);
  });
}
