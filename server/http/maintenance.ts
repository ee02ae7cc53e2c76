import { KodaError } from '#contract/errors.ts';
import type { VerifyLine, VerifyProgress } from '#contract/maintenance.ts';
import { routes } from '#contract/routes.ts';
import { cutOnError, streamedBody } from './body.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { errorOfRequest } from './errors.ts';
import { requireSameOrigin } from './guard.ts';
import { attachment } from './headers.ts';
import { progressStream } from './progress-stream.ts';
import { described } from './route.ts';

type Deps = Pick<HttpDeps, 'maintenance' | 'hosts' | 'log' | 'heartbeatMs' | 'closing'>;

/** Registers backups and checks of the data folder. Both are expensive, so other web pages cannot trigger them. */
export function registerMaintenance(app: HttpApp, deps: Deps): void {
  const { maintenance, hosts, log } = deps;
  app.openapi(
    described(routes.verify, 'Check all stored data: database, histories, uploads, finished renders', {
      description:
        'One JSON object per line: the progress, repeated periodically, and finally the report or the error. Closing the connection cancels the check.',
      answer: 'Progress, then the report or the error',
    }),
    (c) => {
      requireSameOrigin(hosts, c);
      const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
      if (c.req.method === 'HEAD') return new Response(null, { headers });
      const lines = progressStream<VerifyLine>({
        work: async (report, signal) => {
          const onProgress = (progress: VerifyProgress): void => report({ type: 'progress', progress });
          return { type: 'report', report: await maintenance.verify({ signal, onProgress }) };
        },
        failure: (error) => {
          const known = deps.closing.aborted ? shuttingDown() : errorOfRequest(error, { c, log });
          return { type: 'error', ...known.toEnvelope() };
        },
        heartbeatMs: deps.heartbeatMs,
        signal: deps.closing,
      });
      return new Response(lines, { headers });
    },
  );
  app.openapi(
    described(routes.backup, 'Backup of all stored data as a tar, for `koda restore`', {
      description:
        'Created while the server keeps running, consistent as of the request. Its last file is a manifest with the hash of every other file. The connection closes early if the backup fails. `renders=false` omits finished renders.',
    }),
    async (c) => {
      requireSameOrigin(hosts, c);
      const { renders } = c.req.valid('query');
      const archive = await maintenance.backup({ renders: renders === 'true', signal: c.req.raw.signal });
      const headers = {
        'content-type': 'application/x-tar',
        'content-disposition': attachment(`koda-${new Date().toISOString().slice(0, 10)}.tar`),
        'cache-control': 'no-store',
      };
      return new Response(streamedBody(c, cutOnError(archive, c.env.outgoing)), { headers });
    },
  );
}

function shuttingDown(): KodaError {
  return new KodaError(
    'SERVICE_UNAVAILABLE',
    'The check was interrupted because the studio is shutting down. Start it, then check again.',
    {
      recovery: 'retry',
    },
  );
}
