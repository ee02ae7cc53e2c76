import { expect, it } from 'vitest';
import { formatMoment } from '../../../server/contract/format.ts';
import { parseMoments } from './moments.ts';

it('X4: the moment of a branch is told apart from the words around it', () => {
  const text = 'Branched from “Ball” as it was on 2026-11-22T14:40:05.678Z.';
  expect(parseMoments(text).map((part) => [part.kind, part.text])).toEqual([
    ['plain', 'Branched from “Ball” as it was on '],
    ['moment', '2026-11-22T14:40:05.678Z'],
    ['plain', '.'],
  ]);
});

it('X4: what is no moment stays as written', () => {
  for (const text of ['', 'Imported from ball-2026-11-22.zip.', '2026-99-99T99:99:99Z', '2026-11-22T14:40']) {
    expect(parseMoments(text).every(({ kind }) => kind === 'plain')).toBe(true);
    expect(
      parseMoments(text)
        .map((part) => part.text)
        .join(''),
    ).toBe(text);
  }
});

it('X4: a moment is shown as a date and a time of day', () => {
  const local = new Date(2026, 10, 22, 14, 40, 5).toISOString();
  expect(formatMoment(local)).toBe('22 Nov 2026, 14:40');
});
