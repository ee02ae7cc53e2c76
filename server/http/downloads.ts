import { open } from 'node:fs/promises';
import type { Context } from 'hono';
import { KodaError } from '../contract/errors.ts';
import { renderFiles } from '../contract/render.ts';
import { routes } from '../contract/routes.ts';
import { downloadName } from '../renders/publish.ts';
import { orCut, streamedBody } from './body.ts';
import type { HttpApp, HttpDeps, HttpEnv } from './deps.ts';
import { attachment } from './headers.ts';
import { described } from './route.ts';
import { sendBytes } from './send-bytes.ts';

/** Every file that a render publishes, by name. */
const contentTypes = new Map([
  ...Object.values(renderFiles).map(({ name, contentType }) => [name, contentType] as const),
  ['thumbnail.jpg', 'image/jpeg'],
]);

/**
 * Serves published renders and thumbnails: ranges for seeking, tags for caches, `?download` for saving. And previews
 * while they are made, to be watched as they grow.
 */
export function registerDownloads(app: HttpApp, { renders, store }: Pick<HttpDeps, 'renders' | 'store'>): void {
  const live = described(routes.liveRender, 'A preview while it is being rendered', {
    description:
      'A fragmented MP4 (H.264) that grows: it begins with the first frame, follows the render, and ends with the film. It breaks off when the render does. 404 unless that preview is at work.',
  });
  app.openapi(live, async (c) => {
    const { id } = c.req.valid('param');
    const film = await renders.live(id, { signal: c.req.raw.signal });
    // The bytes come from a sandbox, so the content type is fixed here and never sniffed.
    const headers = {
      'content-type': 'video/mp4',
      'cache-control': 'no-store',
      'accept-ranges': 'none',
      'x-accel-buffering': 'no',
    };
    return new Response(streamedBody(c, orCut(film, c.env.outgoing)), { headers });
  });

  const file = described(routes.renderFile, 'A finished render (video, GIF, zip of frames, picture) or its thumbnail', {
    description:
      'Its type is that of the file. Range requests, ETag, If-Range and HEAD work. `?download` asks the browser to save it.',
  });
  app.openapi(file, async (c) => {
    const { id, file: name } = c.req.valid('param');
    const contentType = contentTypes.get(name);
    const path = contentType === undefined ? null : await renders.filePath(id, name);
    if (contentType === undefined || path === null) throw missing();
    const headers = new Headers({ 'content-type': contentType });
    if (c.req.valid('query').download !== undefined) {
      const { projectId, settings } = await renders.get(id);
      const project = await store.get(projectId);
      const isFile = name === renderFiles[settings.format].name;
      const fileName = isFile ? downloadName(project.name, settings) : `${project.name}${name.slice(name.lastIndexOf('.'))}`;
      headers.set('content-disposition', attachment(fileName));
    }
    return await sendFile(c, path, headers);
  });
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
