import { routes } from '../contract/routes.ts';
import { failpoint } from '../lib/failpoint.ts';
import { placeAsset } from '../projects/workspace.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { untrustedContentPolicy } from './headers.ts';
import { idempotent, madeOnce } from './idempotency.ts';
import { described } from './route.ts';
import { sendBytes } from './send-bytes.ts';
import { receiveUpload } from './upload.ts';

type Deps = Pick<HttpDeps, 'assets' | 'store' | 'sandboxes' | 'disk' | 'idempotency'>;

/** Uploads of a project: images, audio and fonts (A25). */
export function registerAssets(app: HttpApp, { assets, store, sandboxes, disk, idempotency }: Deps): void {
  const upload = described(routes.uploadAsset, 'Upload an image, a sound or a font', {
    description: 'One file: as multipart form data, or as the body with its percent-encoded name in X-Filename.',
  });
  app.openapi({ ...upload, middleware: idempotent(idempotency, { fingerprint: 'head' }) }, async (c) => {
    const { id } = c.req.valid('param');
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

  app.openapi(described(routes.assets, 'The uploads of a project'), async (c) =>
    c.json({ items: await assets.list(c.req.valid('param').id) }, 200),
  );

  const bytes = described(routes.asset, 'The bytes of an upload', {
    description: 'With the type that was sniffed; nothing in it runs. Range requests, ETag, If-Range and HEAD work.',
  });
  app.openapi(bytes, async (c) => {
    const { id, aid } = c.req.valid('param');
    const { asset, open } = await assets.read(id, aid);
    const headers = new Headers({
      'content-type': asset.mime,
      'content-security-policy': untrustedContentPolicy,
      'cache-control': 'private, max-age=31536000, immutable',
    });
    // The bytes under an id never change, so the id is their tag.
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
