import { existsSync } from 'node:fs';
import path from 'node:path';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { createApi } from './api.ts';
import { Store } from './store.ts';

const root = path.resolve(import.meta.dirname, '..');
const port = Number(process.env['PORT'] ?? 3000);
const hostname = process.env['HOST'] ?? '127.0.0.1';
const dist = path.join(root, 'dist');

if (!existsSync(path.join(dist, 'index.html'))) {
  console.log('Building the pages. This is only needed once.');
  const { build } = await import('vite');
  await build({ root, configFile: path.join(root, 'vite.config.ts'), configLoader: 'native', logLevel: 'warn' });
}

const store = new Store(root);
try {
  await store.refresh();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
if (store.problem) console.warn(store.problem.message);

const app = createApi(store, root);
app.get('/assets/*', serveStatic({ root: dist }));
// Every other address is one of the page's own.
app.get('*', serveStatic({ root: dist, path: 'index.html' }));
const server = serve({ fetch: app.fetch, port, hostname }, () => console.log(`The app is at http://${hostname}:${port}`));

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    server.close();
    void store.close().then(() => process.exit(0));
  });
}
