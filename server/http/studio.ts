import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { HttpApp, HttpDeps } from './deps.ts';
import { htmlPage } from './page.ts';

/** Paths that never belong to the page. Unknown ones are errors instead of the start page. */
const machinePath = /^\/(api|storage|proxy|git|mcp|metrics|docs|\.well-known)(\/|$)/;

/** Serves the built studio page: files as they are, and the start page for every other path. */
export function registerStudio(app: HttpApp, { webDir }: Pick<HttpDeps, 'webDir'>): void {
  const page = serveStatic({ root: webDir, path: 'index.html', precompressed: true });
  // Uses the compressed copies of the build for clients that accept them.
  const files = serveStatic({ root: webDir, precompressed: true });

  app.get('/*', async (c, next) => {
    if (machinePath.test(c.req.path)) return await next();
    if (!existsSync(join(webDir, 'index.html'))) {
      const body = `<h1>The studio page is not built yet</h1><p>Run <code>npm start</code>, or <code>npx vite build --config web/vite.config.ts</code>, then reload. The API works without it: see <a href="/docs">/docs</a>.</p>`;
      return c.html(htmlPage('Koda', body), 503);
    }
    const isHashed = c.req.path.startsWith('/assets/');
    const file = c.req.path === '/' ? undefined : await files(c, () => Promise.resolve());
    if (file !== undefined) {
      file.headers.set('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      return file;
    }
    // Returning the start page instead of a missing script would cause a misleading error in the browser.
    if (isHashed) return await next();
    const start = await page(c, next);
    start?.headers.set('cache-control', 'no-cache');
    return start;
  });
}
