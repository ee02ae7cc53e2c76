import type { Context } from 'hono';
import { KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import type { HttpApp, HttpDeps, HttpEnv } from '../deps.ts';
import { cutOnError, streamedBody } from '../edge/body.ts';
import { attachment } from '../edge/headers.ts';
import { described } from '../route.ts';

export function registerArchives(app: HttpApp, { history, store }: Pick<HttpDeps, 'history' | 'store'>): void {
  const send = async (c: Context<HttpEnv>, projectId: string, checkpointId: string): Promise<Response> => {
    const { name } = await store.get(projectId);
    const zip = await history.archive(projectId, checkpointId, { signal: c.req.raw.signal });
    return new Response(streamedBody(c, cutOnError(zip, c.env.outgoing)), {
      headers: {
        'content-type': 'application/zip',
        'content-disposition': attachment(`${name}.zip`),
        'cache-control': 'no-store',
      },
    });
  };

  const description = 'Contains all files unchanged. POST /api/projects/import accepts it.';
  app.openapi(described(routes.checkpointArchive, 'A checkpoint’s files as a zip', { description }), async (c) => {
    const { id, cid } = c.req.valid('param');
    return await send(c, id, cid);
  });
  app.openapi(described(routes.archive, 'The newest checkpoint’s files as a zip', { description }), async (c) => {
    const { id } = c.req.valid('param');
    const newest = await history.newest(id, { signal: c.req.raw.signal });
    if (newest !== null) return await send(c, id, newest.id);
    throw new KodaError('NOT_FOUND', 'The project has no files yet. Try again after its first checkpoint.', { recovery: 'wait' });
  });
}
