import { expect, it } from 'vitest';
import { noHints, parseBrief } from './parse-brief.ts';

const nameOf = (ref: { kind: string; shape?: string }): string => ref.shape ?? ref.kind;

/** `who verb whom`, one for each meeting; `;` between scenes. */
function met(prompt: string): string {
  return parseBrief(prompt, noHints)
    .clauses.map(({ meetings }) =>
      meetings
        .map(
          ({ verb, who, whom }) =>
            `${who.map(({ ref }) => nameOf(ref)).join('+')} ${verb} ${whom === null ? '' : nameOf(whom.ref)}`,
        )
        .join(', '),
    )
    .join('; ');
}

it.each([
  ['a ball hits a cube', 'ball hit cube'],
  ['A red ball rolls in and knocks over ten blue cubes', 'ball knock cube'],
  ['a star and a heart chase a ball', 'star+heart chase ball'],
  ['a ball is chased by a cube', 'cube chase ball'],
  ['two red balls collide', 'ball collide ball'],
  ['a ball and a cube collide', 'ball collide cube'],
  ['a heart and a star swap places', 'heart swap star'],
  ['a cube jumps over a small ball, playful', 'cube jump-over ball'],
  ['a ball lands on top of a cube', 'ball land-on cube'],
  ['a ball bounces off a pyramid', 'ball bounce-off pyramid'],
  ['the ball pushes the cube, then the cube pushes the ball', 'ball push cube; cube push ball'],
  ['a star eats a diamond', 'star eat diamond'],
  ['ein roter Ball schiebt einen blauen Würfel', 'ball push cube'],
  ['ein Stern jagt ein Herz', 'star chase heart'],
  ['une balle pousse un cube', 'ball push cube'],
  ['une étoile poursuit un coeur', 'star chase heart'],
  ['una pelota empuja un cubo', 'ball push cube'],
  ['un corazón persigue una estrella', 'heart chase star'],
])('A4, X1: “%s” is %s', (prompt, expected) => {
  expect(met(prompt)).toBe(expected);
});

it.each([
  ['a ball jumps three times', 'jump'],
  ['a ball lands', 'drop'],
  ['a ball bounces off', 'bounce'],
])('A4: alone it is a motion: “%s”', (prompt, motion) => {
  expect(met(prompt)).toBe('');
  expect(parseBrief(prompt, noHints).clauses[0]?.subjects[0]?.motion?.type).toBe(motion);
});

it('A4: what cannot be done to anybody is reported as not read', () => {
  expect(parseBrief('a ball hugs', noHints).unknownWords).toEqual(['hugs']);
  expect(parseBrief('no ball hits the cube', noHints).clauses.flatMap(({ meetings }) => meetings)).toEqual([]);
});
