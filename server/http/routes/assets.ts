import { routes } from '#contract/routes.ts';
import { failpoint } from '../../lib/failpoint.ts';
import { placeAsset } from '../../projects/workspace.ts';
import type { HttpApp, HttpDeps } from '../deps.ts';
import { untrustedContentPolicy } from '../edge/headers.ts';
import { createOnce, idempotent } from '../edge/idempotency.ts';
import { described } from '../route.ts';
import { sendBytes } from '../streams/send-bytes.ts';
import { receiveUpload, uploadSlots } from './upload.ts';

type Deps = Pick<HttpDeps, 'assets' | 'store' | 'sandboxes' | 'disk' | 'idempotency'>;

export function registerAssets(app: HttpApp, { assets, store, sandboxes, disk, idempotency }: Deps): void {
  const slots = uploadSlots('uploads', 8);
  const upload = described(routes.uploadAsset, 'Upload an image, an audio file or a font', {
    description: 'One file: as multipart form data, or as the body with its percent-encoded name in X-Filename.',
  });
  app.openapi({ ...upload, middleware: idempotent(idempotency, { fingerprint: 'head' }) }, async (c) => {
    const { id } = c.req.valid('param');
    await store.get(id);
    await disk.assertFreeSpace(id);
    const { signal } = c.req.raw;
    const asset = await createOnce(c, 'ast', {
      find: async (assetId) => (await assets.read(id, assetId)).asset,
      make: (assetId) => receiveUpload(c, slots, (upload) => assets.add(id, { ...upload, id: assetId, signal })),
    });
    failpoint('upload.after-row');
    const sandbox = await sandboxes.find(id, { signal });
    // A new sandbox receives all uploads at creation.
    if (sandbox !== null) await placeAsset({ assets }, sandbox, id, asset, { signal });
    return c.json(asset, 201);
  });

  app.openapi(described(routes.assets, 'A project’s uploads'), async (c) =>
    c.json({ items: await assets.list(c.req.valid('param').id) }, 200),
  );

  const bytes = described(routes.asset, 'An upload’s content', {
    description: 'Sent with the detected type, and never runs active content. Supports range requests, ETag, If-Range and HEAD.',
  });
  app.openapi(bytes, async (c) => {
    const { id, aid } = c.req.valid('param');
    const { asset, open } = await assets.read(id, aid);
    const headers = new Headers({
      'content-type': asset.mime,
      'content-security-policy': untrustedContentPolicy,
      'cache-control': 'private, max-age=31536000, immutable',
    });
    // The content of an id never changes, so the id is the ETag.
    return sendBytes(c, headers, { sizeBytes: asset.sizeBytes, etag: `"${aid}"`, modifiedAt: new Date(asset.at), open });
  });

  app.openapi(described(routes.deleteAsset, 'Delete an upload'), async (c) => {
    const { id, aid } = c.req.valid('param');
    const asset = (await assets.list(id)).find((candidate) => candidate.id === aid);
    await assets.remove(id, aid);
    const { signal } = c.req.raw;
    const sandbox = await sandboxes.find(id, { signal });
    if (sandbox !== null && asset !== undefined) await sandbox.deleteFile(asset.path, { signal });
    return c.json({ deleted: true as const }, 200);
  });
}
