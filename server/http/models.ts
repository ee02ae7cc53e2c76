import { routes } from '../contract/routes.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { described } from './route.ts';

/** A check may cost a fraction of a cent, so it is a POST: no other web page can cause it. */
export function registerModels(app: HttpApp, deps: Pick<HttpDeps, 'checkModels'>): void {
  app.openapi(
    described(routes.checkModels, 'Asks the models for one word each: whether key, address and names are right'),
    async (c) => c.json({ models: await deps.checkModels({ signal: c.req.raw.signal }) }, 200),
  );
}
