import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context } from 'hono';
import type { HttpApp, HttpDeps, HttpEnv } from '../deps.ts';
import { htmlPage } from './page.ts';

/** Paths that never belong to the page. Unknown ones are errors instead of the start page. */
const machinePath = /^\/(api|storage|proxy|git|mcp|metrics|docs|\.well-known)(\/|$)/;

/** Serves the built studio page: files as they are, and the start page for every other path. */
export function registerStudio(app: HttpApp, { webDir, hosts: { basePath } }: Pick<HttpDeps, 'webDir' | 'hosts'>): void {
  const page = serveStatic({ root: webDir, path: 'index.html', precompressed: true });
  const pageUnderBase = async (c: Context<HttpEnv>) => {
    const html = await readFile(join(webDir, 'index.html'), 'utf8');
    return c.html(html.replace('<base href="/" />', `<base href="${basePath}/" />`));
  };
  // Uses the compressed copies of the build for clients that accept them.
  const files = serveStatic({ root: webDir, precompressed: true });

  app.get('/*', async (c, next) => {
    if (machinePath.test(c.req.path)) return await next();
    if (!existsSync(join(webDir, 'index.html'))) {
      const body = `<h1>The studio page is not built yet</h1><p>Run <code>npm start</code>, or <code>npx vite build --config web/vite.config.ts</code>, then reload. The API works without it: see <a href="${basePath}/docs">/docs</a>.</p>`;
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
    const start = basePath === '' ? await page(c, next) : await pageUnderBase(c);
    start?.headers.set('cache-control', 'no-cache');
    return start;
  });
}
