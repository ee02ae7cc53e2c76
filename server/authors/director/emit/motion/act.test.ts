import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { filmText, type Motion } from '../../../../contract/film.ts';
import { noHints, parseBrief } from '../../brief/parse-brief.ts';
import { planFilm } from '../../plan/plan-film.ts';
import { programOf, programs } from '../../programs.ts';
import { emitAll } from '../emit.ts';

const filmFor = (prompt: string) => planFilm(parseBrief(prompt, noHints), { seed: 7 });
const acts = (prompt: string) =>
  filmFor(prompt).scenes.flatMap(({ subjects }) =>
    subjects.map(({ motion }) => (motion.type === 'act' ? `${motion.program}/${motion.verb}` : motion.type)),
  );

/** The same film with other motions. */
function withMotion(prompt: string, motion: Motion) {
  const film = filmFor(prompt);
  return {
    ...film,
    scenes: film.scenes.map((scene) => ({ ...scene, subjects: scene.subjects.map((one) => ({ ...one, motion })) })),
  };
}
const numbersIn = (code: string): number[] =>
  [...code.matchAll(/at\(([^)]*)\)/g)].flatMap(([, args = '']) => args.split(',').slice(0, 2).map(Number));

describe('acts', () => {
  it('A4: with meetings and motions there are 120 programs at least, each of which differs from all others', () => {
    const all = Object.values(programs).map((program) => JSON.stringify(program));
    expect(new Set(all).size).toBe(all.length);
    expect(all.length).toBeGreaterThanOrEqual(110);
  });

  it.each([
    ['a dog walks', ['walk/walk']],
    ['a horse gallops', ['gallop/gallop']],
    ['the candle goes out', ['switch-off/go out']],
    ['an ice cream melts', ['melt/melt']],
    ['a bell rings', ['ring/ring']],
    ['the tower topples', ['topple/topple']],
    ['a squirrel scampers', ['run/scamper']],
    ['ein Hund läuft', ['walk/walk']],
    ['eine Blume blüht', ['bloom/bloom']],
    ['un chat dort', ['sleep/sleep']],
    ['un perro ladra', ['bark/bark']],
  ])('A4, X1: “%s”', (prompt, expected) => {
    expect(acts(prompt)).toEqual(expected);
  });

  it.each(['draw a red ball', 'show a cube', 'a ball in 3 steps', 'the look of a star'])(
    'A4: no act where none is meant: “%s”',
    (prompt) => {
      expect(filmFor(prompt).scenes.flatMap(({ subjects }) => subjects.filter(({ motion }) => motion.type === 'act'))).toEqual(
        [],
      );
    },
  );

  it.each(['playful', 'smooth', 'cinematic'])(
    'A3, A4: every program gives code that parses, with finite keys in order (%s)',
    (style) => {
      for (const program of Object.keys(programs)) {
        for (const prompt of [`a dog, ${style}`, `three cubes, ${style}`]) {
          const direction = program.length % 2 === 0 ? 'left' : 'right';
          const film = withMotion(prompt, { type: 'act', program, verb: 'do', direction });
          expect(() => filmText(film)).not.toThrow();
          for (const { path, content } of emitAll(film).filter(({ path }) => path.startsWith('src/scenes/'))) {
            expect(parseSync(path, content).errors, `${program} ${prompt}`).toEqual([]);
            for (const value of numbersIn(content))
              expect(Number.isFinite(value), `${program}: ${content.slice(0, 400)}`).toBe(true);
          }
        }
      }
    },
  );

  it('A4: what somebody else chose stays bounded: a program that is not known, a hundred times, twelve a second', () => {
    const film = withMotion('a dog for 600 seconds', { type: 'act', program: 'no-such-thing', verb: 'do', times: 100, rate: 12 });
    expect(emitAll(film).reduce((sum, { content }) => sum + content.length, 0)).toBeLessThan(400_000);
    expect(programOf('no-such-thing')).toBe(programs.hover);
  });
});
