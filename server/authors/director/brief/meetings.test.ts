import { expect, it } from 'vitest';
import { noHints, parseBrief } from './parse-brief.ts';

const nameOf = (ref: { kind: string; shape?: string; noun?: string }): string => ref.noun ?? ref.shape ?? ref.kind;

/** `who verb whom`, one for each meeting; `;` between scenes. */
function met(prompt: string): string {
  return parseBrief(prompt, noHints)
    .clauses.map(({ meetings }) =>
      meetings
        .map(
          ({ verb, who, whom, to, effect }) =>
            `${who.map(({ ref }) => nameOf(ref)).join('+')} ${verb} ${whom === null ? '' : nameOf(whom.ref)}${
              to === null ? '' : ` to ${nameOf(to.ref)}`
            }${effect === undefined ? '' : ` ~${effect}`}`,
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
  ['a boy opens a door', 'boy do door ~open'],
  ['the sun melts a snowman', 'sun do snowman ~melt'],
  ['a bird builds a nest', 'bird do nest ~sprout'],
  ['a cat flies a plane', 'cat ride plane ~fly'],
  ['a mouse steals the cheese', 'mouse carry cheese'],
  ['the cheese is stolen by a mouse', 'mouse carry cheese'],
  ['a girl gives her dog a bone', 'girl carry bone to dog'],
  ['a monkey throws a banana into a box', 'monkey throw banana to cube'],
  ['a fox sneaks behind a tree', 'fox past tree ~behind'],
  ['coins rain into a piggy bank', 'coin into piggy bank'],
  ['a rabbit pops out of a hat', 'rabbit out-of hat'],
  ['a frog turns into a prince', 'frog become prince'],
  ['a wizard turns a frog into a prince', 'frog become prince, wizard do frog ~wobble'],
  ['a cat hugs a dog and a bird watches them', 'cat embrace dog; bird watch dog'],
  ['an octopus juggles six balls', 'octopus juggle ball'],
])('A4: any verb with an object is a meeting: “%s” is %s', (prompt, expected) => {
  expect(met(prompt)).toBe(expected);
});

it.each(['revenue grew by 25% this year', 'a cat sings in the rain', 'a title slides in', 'a ball bounces on a table'])(
  'A4: without an object nobody is met: “%s”',
  (prompt) => {
    expect(met(prompt).replaceAll(/[; ]/g, '')).toBe('');
  },
);

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
