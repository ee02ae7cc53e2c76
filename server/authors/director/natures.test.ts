import { expect, it } from 'vitest';
import { noHints, parseBrief } from './brief/parse-brief.ts';
import { homeOf, natureOf, proportions } from './natures.ts';
import { planFilm } from './plan/plan-film.ts';

const placeOf = (prompt: string) => planFilm(parseBrief(prompt, noHints), { seed: 2 }).scenes[0]?.place?.name;

it.each([
  ['a whale swims', 'underwater'],
  ['a camel walks', 'desert'],
  ['a penguin hops', 'snow'],
  ['a red ball bounces', undefined],
  ['a camel in a city', 'city'],
  ['a camel on a blue background', undefined],
])('A3: where nobody says where it plays, things are at home: “%s” %s', (prompt, place) => {
  expect(placeOf(prompt)).toBe(place);
});

it('A3: a mouse is smaller than a house, and nothing is a dot', () => {
  const [mouse, house] = proportions([natureOf('mouse'), natureOf('house')]);
  expect(house).toBe(1);
  expect(mouse).toBeLessThan(0.6);
  expect(mouse).toBeGreaterThan(0.3);
  expect(proportions([natureOf('mouse')])).toEqual([1]);
});

it('A3: the largest thing says where it is, unless another lives nowhere else', () => {
  const at = (metres: number, home: 'sea' | 'meadow' | 'desert', elsewhere: boolean) => ({ metres, home, elsewhere });
  expect(homeOf([at(1, 'meadow', true), at(5, 'desert', true)])).toBe('desert');
  expect(homeOf([at(1, 'sea', false), at(2, 'meadow', true)])).toBe('sea');
  expect(homeOf([])).toBeNull();
});
