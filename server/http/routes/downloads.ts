import { open } from 'node:fs/promises';
import type { Context } from 'hono';
import { KodaError } from '#contract/errors.ts';
import { renderFiles } from '#contract/render.ts';
import { routes } from '#contract/routes.ts';
import { downloadName } from '../../renders/publish.ts';
import type { HttpApp, HttpDeps, HttpEnv } from '../deps.ts';
import { cutOnError, streamedBody } from '../edge/body.ts';
import { attachment } from '../edge/headers.ts';
import { described } from '../route.ts';
import { sendBytes } from '../streams/send-bytes.ts';

const contentTypes = new Map([
  ...Object.values(renderFiles).map(({ name, contentType }) => [name, contentType] as const),
  ['thumbnail.jpg', 'image/jpeg'],
]);

/** Serves renders and thumbnails, with ranges, ETags and `?download`, and streams running previews. */
export function registerDownloads(app: HttpApp, { renders, store }: Pick<HttpDeps, 'renders' | 'store'>): void {
  const live = described(routes.liveRender, 'A preview while it is being rendered', {
    description:
      'Fragmented MP4 (H.264) that starts with the first frame, follows the render and ends with the film. It ends early if the render fails. 404 unless the preview is running.',
  });
  app.openapi(live, async (c) => {
    const { id } = c.req.valid('param');
    const film = await renders.live(id, { signal: c.req.raw.signal });
    // The content comes from a sandbox, so its type is fixed and never detected.
    const headers = {
      'content-type': 'video/mp4',
      'cache-control': 'no-store',
      'accept-ranges': 'none',
      'x-accel-buffering': 'no',
    };
    return new Response(streamedBody(c, cutOnError(film, c.env.outgoing)), { headers });
  });

  const file = described(routes.renderFile, 'A finished render (video, GIF, zip of frames, image) or its thumbnail', {
    description: 'Supports range requests, ETag, If-Range and HEAD. `?download` makes the browser save the file.',
  });
  app.openapi(file, async (c) => {
    const { id, file: name } = c.req.valid('param');
    const contentType = contentTypes.get(name);
    const path = contentType === undefined ? null : await renders.filePath(id, name);
    if (contentType === undefined || path === null) throw noRenderedFile();
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

/** A render without its file: it has not finished, or has been deleted in the meantime. */
export const noRenderedFile = () =>
  new KodaError(
    'NOT_FOUND',
    'This file does not exist: the render has not finished, has failed or has been deleted. List the renders to see their state.',
    {
      recovery: 'list_renders',
    },
  );

/** Sends a local file. Size and ETag come from the opened handle. */
async function sendFile(c: Context<HttpEnv>, path: string, headers: Headers): Promise<Response> {
  const handle = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? noRenderedFile() : error;
  });
  let isStreaming = false;
  try {
    const stats = await handle.stat();
    // An id's content never changes, but the id may be deleted, so caches must revalidate.
    headers.set('cache-control', 'private, no-cache');
    return sendBytes(c, headers, {
      sizeBytes: stats.size,
      etag: `"${stats.size.toString(36)}-${Math.round(stats.mtimeMs).toString(36)}"`,
      modifiedAt: stats.mtime,
      open: (part) => {
        isStreaming = true;
        // The stream closes the handle when it ends or the client disconnects.
        return handle.createReadStream({ ...part, highWaterMark: 256 * 1024 });
      },
    });
  } finally {
    if (!isStreaming) await handle.close();
  }
}
