import { KodaError } from '#contract/errors.ts';
import type { VerifyLine, VerifyProgress } from '#contract/maintenance.ts';
import { routes } from '#contract/routes.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { cutOnError, streamedBody } from '../edge/body.ts';
import { errorOfRequest } from '../edge/errors.ts';
import { attachment } from '../edge/headers.ts';
import { described } from '../route.ts';
import { linesResponse } from '../streams/progress-stream.ts';

type Deps = Pick<HttpDeps, 'maintenance' | 'log' | 'heartbeatMs' | 'closing'>;

/** Registers backups and checks of the data folder. Both are expensive, hence POST, which other web pages cannot send. */
export function registerMaintenance(app: HttpApp, deps: Deps): void {
  const { maintenance, log } = deps;
  app.openapi(
    described(routes.verify, 'Check all stored data: database, histories, uploads, finished renders', {
      description:
        'One JSON object per line: the progress, repeated periodically, and finally the report or the error. Closing the connection cancels the check.',
      answer: 'Progress, then the report or the error',
    }),
    (c) =>
      linesResponse<VerifyLine>({
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
      }),
  );
  app.openapi(
    described(routes.backup, 'Backup of all stored data as a tar, for `koda restore`', {
      description:
        'Created while the server keeps running, consistent as of the request. Its last file is a manifest with the hash of every other file. The connection closes early if the backup fails, or if the client reads less than 64 KiB/s for a minute. One backup runs at a time; another is refused with CONFLICT. `renders=false` omits finished renders.',
    }),
    async (c) => {
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
