import { modelChecksSchema } from '../contract/api.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { answer, defineRoute, failure } from './route.ts';

const check = defineRoute({
  method: 'post',
  path: '/api/models/check',
  summary: 'Asks the models for one word each: whether key, address and names are right',
  responses: { ...answer(200, 'What they answered', modelChecksSchema), ...failure },
});

/** A check may cost a fraction of a cent, so it is a POST: no other web page can cause it. */
export function registerModels(app: HttpApp, deps: Pick<HttpDeps, 'checkModels'>): void {
  app.openapi(check, async (c) => c.json({ models: await deps.checkModels({ signal: c.req.raw.signal }) }, 200));
}
