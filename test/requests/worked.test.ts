import { describe, expect, it } from 'vitest';
import { planFilm } from '../../server/kinds/film/author/plan-film.ts';
import { formatOf } from '../../server/kinds/film/formats/catalogue.ts';
import type { Request } from './facts.ts';
import { meets } from './facts.ts';
import misses from './misses.json' with { type: 'json' };
import worked from './worked.json' with { type: 'json' };

const requests = worked as unknown as readonly Request[];

describe('the worked requests, read without a correction', () => {
  it.each(requests.map((request) => [request.id, request] as const))(
    'A33: %s has all facts but its known misses',
    (id, { request, facts }) => {
      const { film } = planFilm({
        prompt: request,
        hints: { style: null, aspect: null, durationSeconds: null },
        answers: [],
        assets: [],
        seed: 1,
      });
      for (const { format, props } of film.scenes) expect(formatOf(format)?.props.safeParse(props).success).toBe(true);
      const missed = facts.filter((fact) => meets(film, fact) === false).map((fact) => JSON.stringify(fact));
      expect(missed).toEqual((misses as Readonly<Record<string, readonly string[]>>)[id] ?? []);
    },
  );
});
