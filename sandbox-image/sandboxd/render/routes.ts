import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { Hono } from 'hono';
import { renderFiles } from '../../../server/contract/render.ts';
import { type RenderEvent, renderJobSchema } from '../../../server/contract/sandboxd.ts';
import { invalidRequest, ndjson, readJson, sendStream } from '../http.ts';
import type { RenderJobs } from './jobs.ts';

/** POST /render, GET /render/:id/video, GET /render/:id/thumbnail, DELETE /render/:id. */
export function renderRoutes(jobs: RenderJobs): Hono {
  const routes = new Hono();

  routes.post('/render', async (c) => {
    const job = await readJson(c, renderJobSchema);
    // Before the stream begins, so that it is a plain refusal.
    jobs.assertFree();
    return ndjson<RenderEvent>(async (emit, signal) => {
      // Only the newest event is of interest to a reader that is slow; the end is always told.
      let sending: Promise<void> = Promise.resolve();
      let newest: RenderEvent | null = null;
      const send = async (): Promise<void> => {
        const event = newest;
        newest = null;
        if (event) await emit(event);
      };
      await jobs.run(
        job,
        (event) => {
          newest = event;
          sending = sending.then(send);
          // A client that is gone ends the render by `signal`; there is nobody to tell of it.
          sending.catch(() => undefined);
        },
        signal,
      );
      await sending;
    });
  });

  routes.get('/render/:id/video', async (c) => {
    const { path, format, sizeBytes } = await jobs.video(renderId(c.req.param('id')));
    const headers = { 'content-type': renderFiles[format].contentType, 'content-length': String(sizeBytes) };
    return sendStream(createReadStream(path), headers);
  });

  routes.get('/render/:id/live', (c) => {
    const film = jobs.live(renderId(c.req.param('id')), c.req.raw.signal);
    return sendStream(Readable.from(film), { 'content-type': 'video/mp4' });
  });

  routes.get('/render/:id/thumbnail', async (c) => {
    const { path, sizeBytes } = await jobs.thumbnail(renderId(c.req.param('id')));
    return sendStream(createReadStream(path), { 'content-type': 'image/jpeg', 'content-length': String(sizeBytes) });
  });

  routes.delete('/render/:id', async (c) => Response.json({ deleted: await jobs.delete(renderId(c.req.param('id'))) }));

  return routes;
}

/** An id becomes part of a path, so nothing but the contract's own form may be one. */
function renderId(id: string): string {
  const parsed = renderJobSchema.shape.id.safeParse(id);
  if (!parsed.success) throw invalidRequest('That is not the id of a render.');
  return parsed.data;
}
