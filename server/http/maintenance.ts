import { KodaError } from '../contract/errors.ts';
import { routes } from '../contract/routes.ts';
import type { VerifyLine, VerifyProgress } from '../contract/upkeep.ts';
import { orCut, streamedBody } from './body.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { errorOfRequest } from './errors.ts';
import { requireSameOrigin } from './guard.ts';
import { attachment } from './headers.ts';
import { progressStream } from './progress-stream.ts';
import { described } from './route.ts';

type Deps = Pick<HttpDeps, 'upkeep' | 'hosts' | 'log' | 'heartbeatMs' | 'closing'>;

/** Back-up and check of the data folder. Both read a lot, so no other web page may ask for them. */
export function registerUpkeep(app: HttpApp, deps: Deps): void {
  const { upkeep, hosts, log } = deps;
  app.openapi(
    described(routes.verify, 'Whether everything that is kept is whole: database, histories, uploads, finished renders', {
      description:
        'One JSON object a line: how far the check is, repeated now and then, and as the last line what was looked at and what was found, or why the check failed. Closing the connection cancels it.',
      answer: 'Progress, then the report or the error',
    }),
    (c) => {
      requireSameOrigin(hosts, c);
      const headers = { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };
      if (c.req.method === 'HEAD') return new Response(null, { headers });
      const lines = progressStream<VerifyLine>({
        work: async (report, signal) => {
          const onProgress = (progress: VerifyProgress): void => report({ type: 'progress', progress });
          return { type: 'report', report: await upkeep.verify({ signal, onProgress }) };
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
    described(routes.backup, 'Everything that is kept, as a tar that `koda restore` takes', {
      description:
        'Made while the server works, consistent as of the moment of the request. Its last file is a manifest with the hash of every other one; the connection breaks off when the back-up fails. `renders=false` leaves the finished renders out.',
    }),
    async (c) => {
      requireSameOrigin(hosts, c);
      const { renders } = c.req.valid('query');
      const archive = await upkeep.backup({ renders: renders === 'true', signal: c.req.raw.signal });
      const headers = {
        'content-type': 'application/x-tar',
        'content-disposition': attachment(`koda-${new Date().toISOString().slice(0, 10)}.tar`),
        'cache-control': 'no-store',
      };
      return new Response(streamedBody(c, orCut(archive, c.env.outgoing)), { headers });
    },
  );
}

function shuttingDown(): KodaError {
  return new KodaError('SERVICE_UNAVAILABLE', 'The studio was stopped during the check. Start it, then check again.', {
    recovery: 'retry',
  });
}
