import { describe, expect, it } from 'vitest';
import { type Film, filmText } from '../../../contract/film.ts';
import { noHints, parseBrief } from '../brief/parse-brief.ts';
import { planFilm } from '../plan/plan-film.ts';
import { applyFeedback } from './apply-feedback.ts';

const filmOf = (prompt: string): Film => planFilm(parseBrief(prompt, noHints), { seed: 7 });

/** Scene 1: a ball. Scene 2: a cube under "Hi". */
const film = filmOf("a red ball bounces, then a blue cube spins under the title 'Hi'");
const rainy = filmOf('three stars twinkle over a house in the rain at night');

const shown = ({ scenes }: Film): string =>
  scenes
    .map(({ place, speed, subjects, texts }) =>
      [
        ...(place === undefined ? [] : [`${place.time}${place.weather === undefined ? '' : ` ${place.weather}`}`]),
        ...(speed === 1 ? [] : [`x${speed}`]),
        ...subjects.map(
          ({ id, color, motion, arranged }) =>
            `${id} ${color} ${motion.type}${arranged === undefined ? '' : ` ${arranged.relation} ${arranged.of}`}`,
        ),
        ...texts.map(({ text }) => `“${text}”`),
      ].join(', '),
    )
    .join(' | ');

const told = (from: Film, say: string): string => {
  const { film: changed, understood } = applyFeedback(from, say);
  expect(() => filmText(changed)).not.toThrow();
  return understood ? shown(changed) : 'not understood';
};

describe('feedback is read as a prompt is, in each language', () => {
  it.each([
    ['the second one', 'ball-1 #ff0000 bounce | x0.75, cube-1 #0000ff spin, “Hi”'],
    ['from the left', 'ball-1 #ff0000 act | cube-1 #0000ff spin, “Hi”'],
    ['beside it', 'ball-1 #ff0000 bounce, cat-1 #d3883e appear beside ball-1 | cube-1 #0000ff spin, “Hi”'],
    ['behind one of the film', 'ball-1 #ff0000 bounce, dog-1 #f3ad61 appear behind ball-1 | cube-1 #0000ff spin, “Hi”'],
    ['at night', 'night, ball-1 #ff0000 bounce | night, cube-1 #0000ff spin, “Hi”'],
    ['a colour', 'ball-1 #0000ff bounce | cube-1 #0000ff spin, “Hi”'],
    ['a text', 'ball-1 #ff0000 bounce | cube-1 #0000ff spin, “HELLO”'],
    ['rain', 'day rain, ball-1 #ff0000 bounce | day rain, cube-1 #0000ff spin, “Hi”'],
  ])('Feedback: %s', (what, expected) => {
    for (const say of said[what] ?? []) expect([say, told(film, say)]).toEqual([say, expected]);
  });

  it('Feedback: more of what is there, and what is undone', () => {
    const stars = ['two more stars', 'zwei Sterne mehr', 'deux étoiles de plus', 'dos estrellas más'];
    for (const say of stars) expect(applyFeedback(rainy, say).film.scenes[0]?.subjects[0], say).toMatchObject({ count: 5 });
    for (const say of ['undo the rain', 'mach den Regen rückgängig', 'annule la pluie', 'deshaz la lluvia', 'no rain'])
      expect(applyFeedback(rainy, say).film.scenes[0]?.place, say).toEqual({ name: 'meadow', time: 'night' });
  });

  it('Feedback: a noun of the film means its thing, and no place to play in', () => {
    expect(told(rainy, 'put a dog on the house')).toContain('dog-1 #f3ad61 appear on house-1');
    expect(told(rainy, 'put the stars below the house')).toContain('below house-1');
  });

  it('Feedback: nobody stands by somebody who stands by them', () => {
    const { film: turned } = applyFeedback(rainy, 'the house should be left of the stars');
    expect(turned.scenes[0]?.subjects.map(({ arranged }) => arranged?.relation)).toEqual([undefined, 'left']);
  });
});

const said: Readonly<Record<string, readonly string[]>> = {
  'the second one': [
    'the second one should be slower',
    'das zweite soll langsamer sein',
    'le deuxième doit être plus lent',
    'el segundo debe ser más lento',
  ],
  'from the left': [
    'let it fall from the left',
    'lass ihn von links fallen',
    'fais-le tomber de la gauche',
    'que caiga desde la izquierda',
  ],
  'beside it': ['put a cat beside it', 'setze eine Katze daneben', 'mets un chat à côté', 'pon un gato al lado'],
  'behind one of the film': [
    'put a dog behind the ball',
    'setze einen Hund hinter den Ball',
    'mets un chien derrière la balle',
    'pon un perro detrás de la pelota',
  ],
  'at night': ['at night instead', 'lieber nachts', 'plutôt la nuit', 'mejor de noche'],
  'a colour': ['make the ball blue', 'mach den Ball blau', 'rends la balle bleue', 'pon la pelota azul'],
  'a text': [
    'the title should say HELLO',
    'der Titel soll HELLO heißen',
    'le titre doit dire HELLO',
    'el título debe decir HELLO',
  ],
  rain: ['make it rain', 'lass es regnen', 'fais pleuvoir', 'haz que llueva'],
};
