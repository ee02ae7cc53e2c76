import type { SqliteProjectStore } from '../../../server/storage/project-store.ts';
import { httpFixture } from '../../fixtures/http.ts';
import { serveHttp } from '../../fixtures/http-server.ts';

/** Serves the studio's page over a real database and event stream, without an agent or sandboxes. */
export async function serveStudioPage(
  webDir: string,
): Promise<{ readonly port: number; readonly store: SqliteProjectStore } & AsyncDisposable> {
  const served = await serveHttp((hosts) => httpFixture({ hosts, webDir }));
  const { http, port } = served;
  return {
    port,
    store: http.stores.projects,
    async [Symbol.asyncDispose]() {
      http.closing.abort();
      await served[Symbol.asyncDispose]();
      http[Symbol.dispose]();
    },
  };
}
