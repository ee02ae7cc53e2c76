import { projectIdSchema } from '#contract/ids.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { parseRequest } from './route.ts';

/** Redirects previews to their own origin, because their untrusted code must not run on the studio's. */
export function registerProxyRedirect(app: HttpApp, { store, hosts }: Pick<HttpDeps, 'store' | 'hosts'>): void {
  app.get('/proxy/:id/*', async (c) => {
    const id = parseRequest(projectIdSchema, c.req.param('id'));
    const { previewLabel } = await store.get(id);
    const url = new URL(c.req.url);
    // Appended as text instead of resolved, so that a path like //host stays on the preview's origin.
    const rest = url.pathname.slice(`/proxy/${id}/`.length);
    return c.redirect(`${hosts.previewUrl(previewLabel)}${rest}${url.search}`, 302);
  });
}
