import { expect, it } from 'vitest';
import { formats } from '../../server/kinds/film/catalogue.ts';
import { planFilm } from '../../server/kinds/film/plan-film.ts';
import requests from './example-requests.json' with { type: 'json' };

it('A32: every format has an example request, which becomes a film of that format', () => {
  const planned = Object.entries(requests).map(([id, prompt]) => {
    const hints = { style: null, aspect: null, durationSeconds: null };
    const { film } = planFilm({ prompt, hints, answers: [], assets: [], seed: 1 });
    return [id, film.scenes.map(({ format }) => format)];
  });
  expect(Object.keys(requests).sort()).toEqual(formats.map(({ id }) => id).sort());
  expect(planned.filter(([id, used]) => !used?.includes(id as string))).toEqual([]);
});
