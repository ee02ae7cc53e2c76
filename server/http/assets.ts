import { z } from '@hono/zod-openapi';
import { assetIdSchema } from '../contract/ids.ts';
import { assetSchema } from '../contract/project.ts';
import { failpoint } from '../lib/failpoint.ts';
import { placeAsset } from '../projects/workspace.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { untrustedContentPolicy } from './headers.ts';
import { idempotent, madeOnce } from './idempotency.ts';
import { answer, defineRoute, documented, failure, parseRequest, projectParams } from './route.ts';
import { sendBytes } from './send-bytes.ts';
import { receiveUpload } from './upload.ts';

const assetParams = projectParams.extend({ aid: assetIdSchema });

const list = defineRoute({
  method: 'get',
  path: '/api/projects/{id}/assets',
  summary: 'The uploads of a project',
  request: { params: projectParams },
  responses: { ...answer(200, 'All of them', z.object({ items: z.array(assetSchema) })), ...failure },
});
const remove = defineRoute({
  method: 'delete',
  path: '/api/projects/{id}/assets/{aid}',
  summary: 'Delete an upload',
  request: { params: assetParams },
  responses: { ...answer(200, 'It is gone', z.object({ deleted: z.literal(true) })), ...failure },
});

type Deps = Pick<HttpDeps, 'assets' | 'store' | 'sandboxes' | 'disk' | 'idempotency'>;

/** Uploads of a project: images, audio and fonts (A25). */
export function registerAssets(app: HttpApp, { assets, store, sandboxes, disk, idempotency }: Deps): void {
  app.post('/api/projects/:id/assets', idempotent(idempotency, { fingerprint: 'head' }), async (c) => {
    const { id } = parseRequest(projectParams, c.req.param());
    await store.get(id);
    await disk.assertRoom();
    const { signal } = c.req.raw;
    const asset = await madeOnce(c, 'ast', {
      find: async (made) => (await assets.read(id, made)).asset,
      make: (made) => receiveUpload(c, (upload) => assets.add(id, { ...upload, id: made, signal })),
    });
    failpoint('upload.after-row');
    const sandbox = await sandboxes.find(id, { signal });
    // A sandbox that is not running gets the uploads when it is made.
    if (sandbox !== null) await placeAsset({ assets }, sandbox, id, asset, { signal });
    return c.json(asset, 201);
  });

  app.openapi(list, async (c) => c.json({ items: await assets.list(c.req.valid('param').id) }, 200));

  app.get('/api/projects/:id/assets/:aid', async (c) => {
    const { id, aid } = parseRequest(assetParams, c.req.param());
    const { asset, open } = await assets.read(id, aid);
    const headers = new Headers({
      'content-type': asset.mime,
      'content-security-policy': untrustedContentPolicy,
      'cache-control': 'private, max-age=31536000, immutable',
    });
    // The bytes under an id never change, so the id is their tag.
    return sendBytes(c, headers, { sizeBytes: asset.sizeBytes, etag: `"${aid}"`, modifiedAt: new Date(asset.at), open });
  });

  app.openapi(remove, async (c) => {
    const { id, aid } = c.req.valid('param');
    const asset = (await assets.list(id)).find((candidate) => candidate.id === aid);
    await assets.remove(id, aid);
    const { signal } = c.req.raw;
    const sandbox = await sandboxes.find(id, { signal });
    if (sandbox !== null && asset !== undefined) await sandbox.deleteFile(asset.path, { signal });
    return c.json({ deleted: true as const }, 200);
  });

  app.openAPIRegistry.registerPath({
    method: 'post',
    path: '/api/projects/{id}/assets',
    summary: 'Upload an image, a sound or a font',
    description: 'One file: as multipart form data, or as the body with its percent-encoded name in X-Filename.',
    request: {
      params: projectParams,
      body: {
        content: {
          'multipart/form-data': { schema: z.object({ file: z.string() }) },
          'application/octet-stream': { schema: z.string() },
        },
      },
    },
    responses: { ...answer(201, 'The upload', assetSchema), ...failure },
  });
  app.openAPIRegistry.registerPath(
    documented({
      method: 'get',
      path: '/api/projects/{id}/assets/{aid}',
      summary: 'The bytes of an upload',
      description: 'With the type that was sniffed; nothing in it runs. Range requests, ETag, If-Range and HEAD work.',
      produces: 'application/octet-stream',
      request: { params: assetParams },
    }),
  );
}
