import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { renderFiles } from '#contract/render.ts';
import type { RenderEvent } from '#contract/sandbox/answers.ts';
import type { SandboxHandlers } from '../app.ts';
import { sendStream } from '../http.ts';
import type { RenderJobs } from './jobs.ts';

export function renderHandlers(
  jobs: RenderJobs,
): Pick<SandboxHandlers, 'render' | 'renderVideo' | 'renderLive' | 'renderThumbnail' | 'deleteRender'> {
  return {
    render({ body: job }) {
      // Must throw before the stream starts, to return a plain error response.
      jobs.assertFree();
      return async (emit, signal) => {
        // A slow client receives only the newest event; the last one is always sent. A chain keeps the first failure, unlike a lock.
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
            // A disconnected client aborts the render through `signal`.
            sending.catch(() => undefined);
          },
          signal,
        );
        await sending;
      };
    },

    async renderVideo({ id }) {
      const { path, format, sizeBytes } = await jobs.video(id);
      const headers = { 'content-type': renderFiles[format].contentType, 'content-length': String(sizeBytes) };
      return sendStream(createReadStream(path), headers);
    },

    renderLive: ({ id, signal }) => sendStream(Readable.from(jobs.live(id, signal)), { 'content-type': 'video/mp4' }),

    async renderThumbnail({ id }) {
      const { path, sizeBytes } = await jobs.thumbnail(id);
      return sendStream(createReadStream(path), { 'content-type': 'image/jpeg', 'content-length': String(sizeBytes) });
    },

    deleteRender: async ({ id }) => ({ deleted: await jobs.delete(id) }),
  };
}
