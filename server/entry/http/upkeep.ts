import { z } from '@hono/zod-openapi';
import { verifyReportSchema } from '../../contract/upkeep.ts';
import { orCut, streamedBody } from './body.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { requireSameOrigin } from './guard.ts';
import { attachment } from './headers.ts';
import { answer, defineRoute, documented, failure, parseRequest } from './route.ts';

const querySchema = z.object({ renders: z.enum(['true', 'false']).default('true') });

const verify = defineRoute({
  method: 'get',
  path: '/api/verify',
  summary: 'Whether everything that is kept is whole: database, histories, uploads, finished renders',
  responses: { ...answer(200, 'What was looked at and what was found', verifyReportSchema), ...failure },
});

/** Back-up and check of the data folder. Both read a lot, so no other web page may ask for them. */
export function registerUpkeep(app: HttpApp, { upkeep, hosts }: Pick<HttpDeps, 'upkeep' | 'hosts'>): void {
  app.openapi(verify, async (c) => {
    requireSameOrigin(hosts, c);
    return c.json(await upkeep.verify({ signal: c.req.raw.signal }), 200);
  });

  app.get('/api/backup', async (c) => {
    requireSameOrigin(hosts, c);
    const { renders } = parseRequest(querySchema, { renders: c.req.query('renders') });
    const archive = await upkeep.backup({ renders: renders === 'true', signal: c.req.raw.signal });
    const headers = {
      'content-type': 'application/x-tar',
      'content-disposition': attachment(`koda-${new Date().toISOString().slice(0, 10)}.tar`),
      'cache-control': 'no-store',
    };
    return new Response(streamedBody(c, orCut(archive, c.env.outgoing)), { headers });
  });
  app.openAPIRegistry.registerPath(
    documented({
      method: 'get',
      path: '/api/backup',
      summary: 'Everything that is kept, as a tar that `koda restore` takes',
      description:
        'Made while the server works, consistent as of the moment of the request. Its last file is a manifest with the hash of every other one; the connection breaks off when the back-up fails. `renders=false` leaves the finished renders out.',
      produces: 'application/x-tar',
      request: { query: querySchema },
    }),
  );
}
