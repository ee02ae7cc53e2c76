import { describe, expect, it } from 'vitest';
import { noHints, parseBrief } from './parse-brief.ts';

const cast = (prompt: string) =>
  parseBrief(prompt, noHints).clauses.flatMap(({ subjects }) =>
    subjects.map(({ ref, count, formation }) => [ref.kind === 'figure' ? ref.noun : ref.kind, count, formation]),
  );

describe('formations', () => {
  it.each([
    ['a row of five candles', ['candle', 5, 'row']],
    ['a stack of pancakes', ['pancake', 4, 'column']],
    ['three cats in a circle', ['cat', 3, 'circle']],
    ['ten red balls fall into a pile', ['ball', 10, 'pile']],
    ['two pyramids of cups', ['cup', 12, 'pyramid']],
    ['a pair of shoes', ['shoe', 2, null]],
    ['a flock of birds flies', ['bird', 5, null]],
    ['eine Reihe Kerzen', ['candle', 5, 'row']],
    ['fünf Katzen im Kreis', ['cat', 5, 'circle']],
    ['une pile de livres', ['book', 6, 'pile']],
    ['una fila de velas', ['candle', 5, 'row']],
  ])('“%s”', (prompt, expected) => {
    expect(cast(prompt)).toEqual([expected]);
  });

  it.each([
    ['a circle', ['shape', null, null]],
    ['a pyramid turns', ['shape', null, null]],
    ['a ball bounces three times in a row', ['ball', null, null]],
  ])('“%s” has none', (prompt, expected) => {
    expect(cast(prompt)).toEqual([expected]);
  });
});
