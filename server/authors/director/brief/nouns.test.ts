import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filmText } from '../../../contract/film.ts';
import { drawingOf } from '../drawings.ts';
import { emitAll } from '../emit/emit.ts';
import { applyFeedback } from '../feedback/apply-feedback.ts';
import { planFilm } from '../plan/plan-film.ts';
import { noHints, parseBrief } from './parse-brief.ts';
import { languages } from './sense.ts';

/** Nouns and what they stand for. */
const entriesOf = (table: string): string[][] =>
  readFileSync(`${import.meta.dirname}/nouns/${table}.txt`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t'));
const drawingsOf = (table: string): string[] =>
  entriesOf(table).flatMap(([, value = '']) => (value.startsWith('#') ? [] : value.replace('*', '')));
const filmFor = (prompt: string) => planFilm(parseBrief(prompt, noHints), { seed: 7 });
/** `3 cat`, one for each figure. */
const figuresIn = (prompt: string) =>
  filmFor(prompt).scenes.flatMap(({ subjects }) =>
    subjects.flatMap((subject) => (subject.kind === 'figure' ? [`${subject.count} ${subject.drawing}`] : [])),
  );

describe('things by name', () => {
  it('A4, X1: every noun of the table has its drawing', () => {
    for (const drawing of new Set([...languages, 'others'].flatMap(drawingsOf))) {
      const { svg, color } = drawingOf(drawing);
      expect(svg, drawing).toMatch(/^<(?:g|path|defs|circle|ellipse|rect)/);
      expect(color, drawing).toMatch(/^#[0-9a-f]{6}$/);
    }
  });

  it.each([
    ['a dog runs', ['1 dog']],
    ['two dogs and a cat', ['2 dog', '1 cat']],
    ['three apples bounce', ['3 red-apple']],
    ['a Christmas tree with falling snow', ['1 christmas-tree']],
    ['the children jump', ['3 child']],
    ['ein Hund und zwei Katzen', ['1 dog', '2 cat']],
    ['un chat et un poisson', ['1 cat', '1 fish']],
    ['un perro salta', ['1 dog']],
  ])('A4, X1: “%s”', (prompt, expected) => {
    expect(figuresIn(prompt)).toEqual(expected);
  });

  it.each([
    ['a spaniel', '1 dog', 'A spaniel is drawn as a dog.'],
    ['two gnus', '2 bison', 'A gnu is drawn as a bison.'],
    ['a plumber', '1 person', 'A plumber is drawn as a person.'],
  ])('A4: the nearest relative stands in, and is named: “%s”', (prompt, expected, note) => {
    expect(figuresIn(prompt)).toEqual([expected]);
    expect(parseBrief(prompt, noHints).notes).toContain(note);
  });

  it('A4: a noun is told from a verb by where it stands', () => {
    expect(figuresIn('presents under a tree')).toEqual(['3 wrapped-gift', '1 deciduous-tree']);
    expect(figuresIn('works offline, saves time')).toEqual([]);
    expect(figuresIn('10 000 customers')).toEqual([]);
  });

  it.each([
    'a red ball bounces',
    'a pink heart beats',
    'the logo spins fast',
    'play it slow',
    'a logo for Northwind Coffee',
    'growth chart: Jan 10%, Feb 25%',
  ])('A4: no figure where another word is meant: “%s”', (prompt) => {
    expect(figuresIn(prompt)).toEqual([]);
  });

  it('A9: feedback finds a figure by its noun, and adds another', () => {
    const film = filmFor('a dog jumps');
    expect(applyFeedback(film, 'make the dog blue', []).film.scenes[0]?.subjects[0]?.color).toBe('#0000ff');
    const more = applyFeedback(film, 'add a cat', []).film.scenes.flatMap(({ subjects }) => subjects.map(({ id }) => id));
    expect(more).toContain('cat-1');
  });

  it('A4, X1: any noun of any language gives a film whose document is valid and whose code has its drawing', () => {
    const any = fc
      .constantFrom(...languages)
      .chain((language) => fc.constantFrom(...entriesOf(language).map(([noun = '']) => noun)));
    fc.assert(
      fc.property(any, (noun) => {
        const film = filmFor(`${noun}, playful`);
        expect(() => filmText(film)).not.toThrow();
        const files = new Map(emitAll(film).map(({ path, content }) => [path, content]));
        for (const { subjects } of film.scenes)
          for (const subject of subjects)
            if (subject.kind === 'figure') expect(files.get('src/drawings.ts')).toContain(`'${subject.drawing}': {`);
      }),
      { numRuns: 120 },
    );
  });
});
