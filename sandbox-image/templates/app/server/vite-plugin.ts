import { getRequestListener } from '@hono/node-server';
import type { Plugin } from 'vite';
import { createApi } from './api.ts';
import { Store } from './store.ts';

/** Serves the app's API in development. @param root folder of the app */
export function appServer(root: string): Plugin {
  return {
    name: 'koda:app-server',
    apply: 'serve',
    configureServer(server) {
      const store = new Store(root);
      const listener = getRequestListener(createApi(store, root).fetch, { overrideGlobalObjects: false });
      server.middlewares.use((request, response, next) => {
        if (/^\/(api|files)\//.test(request.url ?? '')) void listener(request, response);
        else next();
      });
      // A changed document changes the records. Pages are told, even if none asks.
      server.watcher.on('change', () => {
        store.refresh().catch((error: unknown) => server.config.logger.error(String(error)));
      });
    },
  };
}
