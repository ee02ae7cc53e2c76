import { KodaError } from '#contract/errors.ts';
import { filmRoutes } from '#kinds/film/contract/routes.ts';
import type { HttpApp, HttpDeps } from '../../../http/deps.ts';
import { callerOf } from '../../../http/edge/access.ts';
import { untrustedContentPolicy } from '../../../http/edge/headers.ts';
import { described } from '../../../http/route.ts';
import type { Builder } from '../../../projects/author.ts';
import { assetsOf, builtInAuthor } from '../author/author.ts';
import { conversionsOf } from '../document/convert.ts';
import { feedbackReading } from '../document/read-feedback.ts';
import { describeFormats, naturalLengths } from '../formats/format-list.ts';
import { plannedFilm } from './planned-film.ts';
import { readWithoutBlocking } from './reading-thread.ts';
import type { SceneStills } from './scene-stills.ts';

interface Deps extends Pick<HttpDeps, 'store' | 'projects'> {
  readonly stills: Pick<SceneStills, 'read'>;
  /** Returns who answers the next message. */
  readonly author: () => Pick<Builder, 'kind'>;
}

export function registerFilm(app: HttpApp, { store, projects, stills, author }: Deps): void {
  app.openapi(
    described(filmRoutes.formats, 'Scene formats, with the JSON Schema of their fields and an example', {
      description: 'A scene of a film is a format with its fields, or code.',
    }),
    (c) => c.json(describeFormats(), 200),
  );
  app.openapi(
    described(filmRoutes.read, 'How Koda reads a request, and the film that follows', {
      description:
        'Stores nothing. To make exactly this film, create a project with the same text and the hints `film` and `corrections`. `corrections` and `choices` are positions in the text, and those outside it are ignored.',
    }),
    async (c) => c.json(await readWithoutBlocking(c.req.valid('json')), 200),
  );
  app.openapi(
    described(filmRoutes.document, 'A film’s document: its scenes as data', {
      description: '`unused` lists the words from the request that do not appear in any scene.',
    }),
    async (c) => {
      const { revision, film, unused } = plannedFilm(await store.state(c.req.valid('param').id));
      return c.json({ revision, film, unused, naturalSeconds: naturalLengths(film) }, 200);
    },
  );
  app.openapi(
    described(filmRoutes.editDocument, 'Edit a film’s document', {
      description:
        'Saves all edits or none. Each edit contains the value that it replaces (`was`). The response is CONFLICT if that value has changed in the meantime, and INVALID_TRANSITION with `wait` while Koda is writing the film.',
      answer: 'Saved; the files and the live preview follow',
    }),
    async (c) => {
      const plan = await projects.as(callerOf(c)).editDocument(c.req.valid('param').id, c.req.valid('json').edits);
      return c.json({ revision: plan.revision, film: plannedFilm({ plan }).film }, 200);
    },
  );
  app.openapi(
    described(filmRoutes.readFeedback, 'How Koda reads a message about a film, and what it would change', {
      description:
        'Stores nothing. The film changes as the response says if the same text is sent as feedback and nobody has edited the files of its scenes. If a language model answers messages, `changes` is null.',
    }),
    async (c) => {
      const state = await store.state(c.req.valid('param').id);
      const { film } = plannedFilm(state);
      if (author().kind !== builtInAuthor.kind) return c.json({ spans: [], changes: null, render: null }, 200);
      return c.json(feedbackReading(film, c.req.valid('json').text, { assets: assetsOf(state.assets) }), 200);
    },
  );
  app.openapi(
    described(filmRoutes.sceneFormats, 'A scene in every format, best fit first', {
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
    described(filmRoutes.sceneStill, 'A small JPEG of a scene, at a time at which it is complete', {
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
