// Fills Vite's cache of optimised packages (.koda/vite), so that a new project's dev server has nothing to build.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createServer } from 'vite';

const root = path.resolve(import.meta.dirname, '..');
const server = await createServer({ root, configFile: path.join(root, 'vite.config.ts'), configLoader: 'native', optimizeDeps: { force: true }, server: { middlewareMode: true, ws: false }, logLevel: 'warn' });
// Asking for the entry makes the server crawl the project and wait for the optimiser.
await server.environments.client.transformRequest('/src/main.tsx');
await server.environments.client.waitForRequestsIdle();
await server.environments.client.depsOptimizer?.scanProcessing;
await new Promise((resolve) => setTimeout(resolve, 500));
await server.close();
mkdirSync(path.join(root, '.koda/vite'), { recursive: true });
writeFileSync(path.join(root, '.koda/vite/moved.json'), JSON.stringify({ root }));
