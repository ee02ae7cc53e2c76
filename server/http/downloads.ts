import { open } from 'node:fs/promises';
import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { KodaError } from '../contract/errors.ts';
import { renderIdSchema } from '../contract/ids.ts';
import { liveFileName, renderFiles } from '../contract/render.ts';
import { downloadName } from '../renders/publish.ts';
import { orCut, streamedBody } from './body.ts';
import type { HttpApp, HttpDeps, HttpEnv } from './deps.ts';
import { attachment } from './headers.ts';
import { documented, parseRequest, renderParams } from './route.ts';
import { sendBytes } from './send-bytes.ts';

/** By name, everything that a render publishes for others. */
const contentTypes = new Map([
  ...Object.values(renderFiles).map(({ name, contentType }) => [name, contentType] as const),
  ['thumbnail.jpg', 'image/jpeg'],
]);

/**
 * Serves published renders and thumbnails: ranges for seeking, tags for caches, `?download` for saving. And previews
 * while they are made, to be watched as they grow.
 */
export function registerDownloads(app: HttpApp, { renders, store }: Pick<HttpDeps, 'renders' | 'store'>): void {
  app.get(`/storage/renders/:id/${liveFileName}`, async (c) => {
    const id = parseRequest(renderIdSchema, c.req.param('id'));
    const film = await renders.live(id, { signal: c.req.raw.signal });
    // The bytes come from a sandbox: what they are is said here, and nothing else is believed.
    const headers = {
      'content-type': 'video/mp4',
      'cache-control': 'no-store',
      'accept-ranges': 'none',
      'x-accel-buffering': 'no',
    };
    return new Response(streamedBody(c, orCut(film, c.env.outgoing)), { headers });
  });

  app.get('/storage/renders/:id/:file', async (c) => {
    const id = parseRequest(renderIdSchema, c.req.param('id'));
    const name = c.req.param('file');
    const contentType = contentTypes.get(name);
    const path = contentType === undefined ? null : await renders.filePath(id, name);
    if (contentType === undefined || path === null) throw missing();
    const headers = new Headers({ 'content-type': contentType });
    if (c.req.query('download') !== undefined) {
      const { projectId, settings } = await renders.get(id);
      const project = await store.get(projectId);
      const isFile = name === renderFiles[settings.format].name;
      const fileName = isFile ? downloadName(project.name, settings) : `${project.name}${name.slice(name.lastIndexOf('.'))}`;
      headers.set('content-disposition', attachment(fileName));
    }
    return await sendFile(c, path, headers);
  });

  app.openAPIRegistry.registerPath(
    documented({
      method: 'get',
      path: `/storage/renders/{id}/${liveFileName}`,
      summary: 'A preview while it is being rendered',
      description:
        'A fragmented MP4 (H.264) that grows: it begins with the first frame, follows the render, and ends with the film. It breaks off when the render does. 404 unless that preview is at work.',
      produces: 'video/mp4',
      request: { params: renderParams },
    }),
  );
  app.openAPIRegistry.registerPath(
    documented({
      method: 'get',
      path: '/storage/renders/{id}/{file}',
      summary: 'A finished render (video, GIF, zip of frames, picture) or its thumbnail',
      description:
        'Its type is that of the file. Range requests, ETag, If-Range and HEAD work. `?download` asks the browser to save it.',
      produces: 'application/octet-stream',
      request: {
        params: z.object({ id: renderIdSchema, file: z.enum([...contentTypes.keys()]) }),
        query: z.object({ download: z.string().optional() }),
      },
    }),
  );
}

const missing = () =>
  new KodaError('NOT_FOUND', 'This file is not there: the render has not ended, failed, or was deleted.', {
    recovery: 'list_renders',
  });

/** A file of this host. Its size and tag come from the opened handle. */
async function sendFile(c: Context<HttpEnv>, path: string, headers: Headers): Promise<Response> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? missing() : error;
  });
  let handedOver = false;
  try {
    const stats = await handle.stat();
    // The bytes under an id never change, but the id may be deleted: caches ask first.
    headers.set('cache-control', 'private, no-cache');
    return sendBytes(c, headers, {
      sizeBytes: stats.size,
      etag: `"${stats.size.toString(36)}-${Math.round(stats.mtimeMs).toString(36)}"`,
      modifiedAt: stats.mtime,
      open: (part) => {
        handedOver = true;
        // The stream closes the handle when it ends, and when the client goes away.
        return handle.createReadStream({ ...part, highWaterMark: 256 * 1024 });
      },
    });
  } finally {
    if (!handedOver) await handle.close();
  }
}
