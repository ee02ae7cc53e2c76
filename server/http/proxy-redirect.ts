import { projectIdSchema } from '../contract/ids.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { parseRequest } from './route.ts';

/**
 * The path form of a preview's address. The preview itself is never served here: it is code of a model, and on
 * the studio's origin it would own the API, the storage and the service workers.
 */
export function registerProxyRedirect(app: HttpApp, { store, hosts }: Pick<HttpDeps, 'store' | 'hosts'>): void {
  app.get('/proxy/:id/*', async (c) => {
    const id = parseRequest(projectIdSchema, c.req.param('id'));
    const { previewLabel } = await store.get(id);
    const url = new URL(c.req.url);
    // Appended as text, not resolved: a path like //host must stay on the preview's origin.
    const rest = url.pathname.slice(`/proxy/${id}/`.length);
    return c.redirect(`${hosts.previewUrl(previewLabel)}${rest}${url.search}`, 302);
  });
}
