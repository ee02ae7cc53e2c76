import { describe, expect, it } from 'vitest';
import type { Film } from '../../../contract/film.ts';
import { planFilm } from '../plan/plan-film.ts';
import { noHints, parseBrief } from './parse-brief.ts';

const filmOf = (prompt: string): Film => planFilm(parseBrief(prompt, noHints), { seed: 3 });

/** Every subject of the film with where it stands, scenes apart: "cube-1 beside ball-1 | ball-1". */
const standing = (prompt: string): string =>
  filmOf(prompt)
    .scenes.map(({ subjects }) =>
      subjects
        .map(({ id, arranged }) =>
          arranged ? [id, arranged.relation, arranged.of ?? 'frame', ...(arranged.also ? [arranged.also] : [])].join(' ') : id,
        )
        .join(' | '),
    )
    .join(' > ');

describe('where things stand', () => {
  it.each([
    ['a red cube next to a blue ball', 'cube-1 beside ball-1 | ball-1'],
    ['A red cube, next to a blue ball', 'cube-1 beside ball-1 | ball-1'],
    ['a red cube beside the blue ball', 'cube-1 beside ball-1 | ball-1'],
    ['A red cube. Next to it a blue ball.', 'cube-1 | ball-1 beside cube-1'],
    ['a ball to the left of a cube', 'ball-1 left cube-1 | cube-1'],
    ['a ball on the right of a big cube', 'ball-1 right cube-1 | cube-1'],
    ['A red ball on the left and a blue cube on the right', 'ball-1 left frame | cube-1 right frame'],
    ['a ball above a cube', 'ball-1 above cube-1 | cube-1'],
    ['a cube under a star', 'cube-1 below star-1 | star-1'],
    ['a ball on top of a cube', 'ball-1 on cube-1 | cube-1'],
    ['a red ball on a blue cube', 'ball-1 on cube-1 | cube-1'],
    ['a star behind a ball', 'star-1 behind ball-1 | ball-1'],
    ['a ball in front of a cube', 'ball-1 front cube-1 | cube-1'],
    ['a heart between two stars', 'heart-1 between star-1 | star-1'],
    ['a heart between a star and a cube', 'heart-1 between star-1 cube-1 | star-1 | cube-1'],
    ['three balls around a cube', 'ball-1 around cube-1 | cube-1'],
    ['a heart surrounded by four balls', 'heart-1 | ball-1 around heart-1'],
    ['a ball inside a ring', 'ball-1 inside ring-1 | ring-1'],
    ['Behind a star is a ball', 'star-1 | ball-1 behind star-1'],
    ['ein roter Würfel neben einem blauen Ball', 'cube-1 beside ball-1 | ball-1'],
    ["un cube rouge à côté d'une balle bleue", 'cube-1 beside ball-1 | ball-1'],
    ['un cubo rojo al lado de una pelota azul', 'cube-1 beside ball-1 | ball-1'],
  ])('A4: “%s” is one scene', (prompt, expected) => {
    expect(standing(prompt)).toBe(expected);
  });

  it.each([
    ['a red cube, then a blue ball', 'cube-1 > ball-1'],
    ['a red cube followed by a blue ball', 'cube-1 > ball-1'],
    ['a red cube, next a blue ball', 'cube-1 > ball-1'],
    ['a red cube and a blue ball', 'cube-1 | ball-1'],
    ['a ball bounces over a cube', 'ball-1 | cube-1'],
    ['a red ball on a blue background', 'ball-1'],
    ['snow around a cube', 'snow-1 | cube-1'],
  ])('A4: “%s” arranges nothing', (prompt, expected) => {
    expect(standing(prompt)).toBe(expected);
  });

  it('A4: what stands by something stands, unless it was said to move, also in a later scene', () => {
    const motions = (prompt: string) => filmOf(prompt).scenes.map(({ subjects }) => subjects.map(({ motion }) => motion.type));
    expect(motions('a red cube next to a blue ball')).toEqual([['appear', 'appear']]);
    expect(motions('a spinning cube next to a blue ball')).toEqual([['spin', 'appear']]);
    expect(standing('a red cube next to a blue ball, then they bounce')).toBe(
      'cube-1 beside ball-1 | ball-1 > cube-2 beside ball-2 | ball-2',
    );
  });
});
