import { KodaError } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import { conversionsOf } from '../kinds/film/convert.ts';
import { describeFormats, naturalLengths, unusedWords } from '../kinds/film/format-list.ts';
import type { HttpApp, HttpDeps } from './deps.ts';
import { untrustedContentPolicy } from './headers.ts';
import { plannedFilm } from './planned-film.ts';
import { described } from './route.ts';

type Deps = Pick<HttpDeps, 'store' | 'projects' | 'stills'>;

export function registerFilm(app: HttpApp, { store, projects, stills }: Deps): void {
  app.openapi(
    described(routes.formats, 'Scene formats, with the JSON Schema of their fields and an example', {
      description: 'A scene of a film is a format with its fields, or code.',
    }),
    (c) => c.json(describeFormats(), 200),
  );
  app.openapi(
    described(routes.document, 'A film’s document: its scenes as data', {
      description: '`unused` lists the words from the request that do not appear in any scene.',
    }),
    async (c) => {
      const state = await store.state(c.req.valid('param').id);
      const { revision, film } = plannedFilm(state);
      const unused = unusedWords(state.project.prompt, film);
      return c.json({ revision, film, unused, naturalSeconds: naturalLengths(film) }, 200);
    },
  );
  app.openapi(
    described(routes.editDocument, 'Edit a film’s document', {
      description:
        'Saves all edits or none. Each edit contains the value that it replaces (`was`). The response is CONFLICT if that value has changed in the meantime, and INVALID_TRANSITION with `wait` while Koda is writing the film.',
      answer: 'Saved; the files and the live preview follow',
    }),
    async (c) => {
      const plan = await projects.editDocument(c.req.valid('param').id, c.req.valid('json').edits);
      return c.json({ revision: plan.revision, film: plannedFilm({ plan }).film }, 200);
    },
  );
  app.openapi(
    described(routes.sceneFormats, 'A scene in every format, best fit first', {
      description: '`lost` lists texts that a format has no place for. `reason` says why a format cannot hold the scene.',
    }),
    async (c) => {
      const { id, sceneId } = c.req.valid('param');
      const { film } = plannedFilm(await store.state(id));
      const scene = film.scenes.find((one) => one.id === sceneId);
      if (scene === undefined)
        throw new KodaError('NOT_FOUND', `There is no scene “${sceneId}” in this film.`, { recovery: 'list_scenes' });
      if ('code' in scene)
        throw new KodaError(
          'INVALID_TRANSITION',
          `The scene “${sceneId}” is written in code, so it has no fields to carry over. To use a format, start from the format’s example.`,
          { recovery: 'list_formats' },
        );
      return c.json(conversionsOf(scene, film.language), 200);
    },
  );
  app.openapi(
    described(routes.sceneStill, 'A small JPEG of a scene, at a time at which it is complete', {
      description:
        '`key` identifies what the scene shows; if that has changed, the response is CONFLICT. While Koda writes, a render runs or the live preview is not ready, it is SERVICE_UNAVAILABLE with `retry`.',
    }),
    async (c) => {
      const { id, sceneId } = c.req.valid('param');
      const still = await stills.read(id, sceneId, c.req.valid('query').key, { signal: c.req.raw.signal });
      return new Response(new Uint8Array(still), {
        headers: {
          'content-type': 'image/jpeg',
          'content-security-policy': untrustedContentPolicy,
          'cache-control': 'private, max-age=3600, immutable',
        },
      });
    },
  );
}
