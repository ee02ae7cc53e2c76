import { projectIdSchema } from '#contract/ids.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { requireSameOrigin } from '../edge/guard.ts';
import { parseRequest } from '../route.ts';

/**
 * Opens a preview as a page of its own: redirects to its origin, because untrusted code must not run on the studio's. Rejects
 * links from other websites, which could otherwise open a preview.
 */
export function registerProxyRedirect(
  app: HttpApp,
  { store, hosts, launches }: Pick<HttpDeps, 'store' | 'hosts' | 'launches'>,
): void {
  app.get('/proxy/:id/*', async (c) => {
    requireSameOrigin(hosts, c);
    const id = parseRequest(projectIdSchema, c.req.param('id'));
    const { previewLabel } = await store.get(id);
    const url = new URL(c.req.url);
    // Appended as text instead of resolved, so that a path like //host stays on the preview's origin.
    const rest = url.pathname.slice(`/proxy/${id}/`.length);
    return c.redirect(`${hosts.previewUrl(previewLabel)}${launches.issue(previewLabel)}/${rest}${url.search}`, 302);
  });
}
