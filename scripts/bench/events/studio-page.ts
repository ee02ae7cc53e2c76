import { pino } from 'pino';
import { createHostPolicy } from '../../../server/entry/http/hosts.ts';
import { closeServer, listen } from '../../../server/entry/http/listen.ts';
import { createPreviewProxy } from '../../../server/entry/http/preview-proxy.ts';
import { createStudioServer } from '../../../server/entry/http/server.ts';
import type { SqliteProjectStore } from '../../../server/storage/project-store.ts';
import { httpFixture } from '../../../test/fixtures/http.ts';

/** The studio's page on a port of its own, over a real database and event stream, without an agent and without sandboxes. */
export async function serveStudioPage(
  webDir: string,
): Promise<{ readonly port: number; readonly store: SqliteProjectStore } & AsyncDisposable> {
  let port = 0;
  const hosts = createHostPolicy({ port: () => port, allowedHosts: [], previewDomain: 'localhost' });
  const http = httpFixture({ hosts, webDir });
  const log = pino({ level: 'silent' });
  const store = http.stores.projects;
  const sessions = { wakePreview: async () => undefined };
  const previews = createPreviewProxy({ store, sessions, socketPath: () => null, hosts, log });
  const server = createStudioServer({ app: http.app, previews, hosts, log });
  port = await listen(server, { port: 0, host: '127.0.0.1' });
  return {
    port,
    store,
    async [Symbol.asyncDispose]() {
      http.closing.abort();
      await closeServer(server);
      http[Symbol.dispose]();
    },
  };
}
