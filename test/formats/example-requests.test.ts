import { expect, it } from 'vitest';
import { planFilm } from '../../server/kinds/film/author/plan-film.ts';
import { formats } from '../../server/kinds/film/formats/catalogue.ts';
import requests from '../../web/src/kinds/film/home/example-requests.json' with { type: 'json' };
import { formatSentence } from '../../web/src/kinds/film/home/request-text.ts';

const hints = { style: null, aspect: null, durationSeconds: null };

it('A32: every format has an example request, which becomes a film of that format', () => {
  const planned = Object.entries(requests).map(([id, prompt]) => {
    const { film } = planFilm({ prompt, hints, answers: [], assets: [], seed: 1 });
    return [id, film.scenes.map(({ format }) => format)];
  });
  expect(Object.keys(requests).sort()).toEqual(formats.map(({ id }) => id).sort());
  expect(planned.filter(([id, used]) => !used?.includes(id as string))).toEqual([]);
});

it.each(formats.map(({ id, title }) => [id, title] as const))(
  'A32: the sentence of the home page leads to the format %s, and no scene shows it',
  (id, title) => {
    const prompt = `${Object.entries(requests).find(([name]) => name === id)?.[1]}\n\n${formatSentence(title)}`;
    const { film } = planFilm({ prompt, hints, answers: [], assets: [], seed: 1 });
    expect(film.scenes.map(({ format }) => format)).toContain(id);
    expect(JSON.stringify(film.scenes)).not.toMatch(/\bscene\./u);
  },
);
