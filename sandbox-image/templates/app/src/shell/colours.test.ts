import { expect, test } from 'vitest';
import { contrast, readable, soft } from './colours.ts';

test('a colour is moved until it can be read, and no further', () => {
  expect(contrast('#ffffff', '#000000')).toBeCloseTo(21);
  expect(readable('#1c3faa', '#ffffff')).toBe('#1c3faa');
  const yellow = readable('#ffd400', '#ffffff');
  expect(contrast(yellow, '#ffffff')).toBeGreaterThanOrEqual(4.5);
  expect(contrast(yellow, '#ffffff')).toBeLessThan(4.8);
  expect(contrast(readable('#102040', '#14171e'), '#14171e')).toBeGreaterThanOrEqual(4.5);
});

test('text in the colour can be read on the quiet ground of the colour', () => {
  for (const colour of ['#ffd400', '#1c3faa', '#c2185b', '#00a884', '#808080']) {
    expect(contrast(readable(colour, soft(colour, false)), soft(colour, false))).toBeGreaterThanOrEqual(4.5);
    expect(contrast(readable(colour, soft(colour, true)), soft(colour, true))).toBeGreaterThanOrEqual(4.5);
  }
});
