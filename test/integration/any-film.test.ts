import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import jpeg from 'jpeg-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filmSchema } from '../../server/contract/film.ts';
import { differencesOf } from '../../server/tools/checks/film-facts.ts';
import { Drawing } from '../corpus/drawing.ts';
import { plannedFilm } from '../corpus/sentences.ts';

/** Sentences that are drawn; more in a longer run: `KODA_ANY_FILMS=200`. */
const films = Number(process.env['KODA_ANY_FILMS'] ?? 8);

const things = ['cat', 'two red balls', 'rocket', 'old man', 'three boxes', 'dragon', 'blue boat', 'tree', 'snail', 'lamp'];
const deeds = [
  'jumps',
  'falls asleep',
  'runs to the left',
  'pushes the ball',
  'eats an apple',
  'turns into a frog',
  'glows',
  'leaves',
];
const places = ['', ' at night', ' in a forest', ' on a table', ' by the sea while it rains', ' on the moon', ', cinematic'];
const story = fc
  .array(fc.tuple(fc.constantFrom(...things), fc.constantFrom(...deeds)), { minLength: 1, maxLength: 3 })
  .chain((beats) =>
    fc
      .tuple(
        fc.constantFrom(...places),
        fc.constantFrom('', ', title "Hello there"', ', then the number 40', ' one after the other'),
      )
      .map(([place, more]) => `${beats.map(([thing, deed]) => `a ${thing} ${deed}`).join(', then ')}${place}${more}`),
  );
const anySentence = fc.oneof(
  { weight: 4, arbitrary: story },
  { weight: 1, arbitrary: fc.string({ minLength: 1, maxLength: 60, unit: 'grapheme' }) },
);

let drawing: Drawing;
beforeAll(async () => {
  drawing = await Drawing.open();
}, 60_000);
afterAll(async () => {
  await drawing[Symbol.asyncDispose]();
});

describe('any sentence', () => {
  it('A4, A8, X3: gives a valid film whose code type-checks, draws without an error, and shows what its plan says', async () => {
    for (const sentence of fc.sample(anySentence, { numRuns: films, seed: 12 })) {
      const { film } = plannedFilm(sentence, 'a-001');
      expect(filmSchema.safeParse(film).success, sentence).toBe(true);
      await drawing.write(film);
      const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc');
      const { stdout } = await promisify(execFile)(tsc, [
        '--noEmit',
        '--project',
        join(drawing.workspace, 'tsconfig.json'),
      ]).catch((failed: { stdout: string }) => failed);
      expect(stdout, sentence).toBe('');
      const report = await drawing.look(film, 16, { contactSheet: false });
      expect(
        report.console.filter(({ level }) => level === 'error'),
        sentence,
      ).toEqual([]);
      expect(
        report.frames.slice(1, -1).filter(({ contrast }) => contrast < 0.02),
        sentence,
      ).toEqual([]);
      expect(differencesOf(film, report), sentence).toEqual([]);
    }
  }, 600_000);

  it('A3: the moon is seen in the sky that it rises in', async () => {
    const { film } = plannedFilm('the moon rises over the sea', 'a-001');
    await drawing.write(film);
    const { contactSheet } = await drawing.look(film, 12, { contactSheet: true });
    const { width, height, data } = jpeg.decode(Buffer.from(contactSheet ?? '', 'base64'));
    let yellow = 0;
    for (let at = 0; at < data.length; at += 4)
      if ((data[at] ?? 0) > 170 && (data[at + 1] ?? 0) > 140 && (data[at + 2] ?? 255) < 150) yellow += 1;
    expect(yellow / (width * height)).toBeGreaterThan(0.02);
  }, 60_000);

  it('A4: a simulated film has the same frames each time', async () => {
    const { film } = plannedFilm('a red ball knocks over a tower of five boxes', 'a-001');
    expect(film.scenes[0]?.meetings?.[0]?.verb).toBe('knock');
    await drawing.write(film);
    const [one, other] = [
      await drawing.look(film, 16, { contactSheet: false }),
      await drawing.look(film, 16, { contactSheet: false }),
    ];
    expect(one.frames.length).toBe(16);
    expect(other.frames.map(({ sha256 }) => sha256)).toEqual(one.frames.map(({ sha256 }) => sha256));
  }, 120_000);
});
