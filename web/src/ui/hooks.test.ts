import { expect, it } from 'vitest';
import { followsEnd } from './hooks.ts';

const at = (scrollTop: number, scrollHeight = 1000) => ({ scrollTop, scrollHeight, clientHeight: 200 });

it.each([
  ['it stands at the end', true, at(800), 800, true],
  ['it grew before it was scrolled', true, at(800, 2000), 800, true],
  ['its reader went up', true, at(700), 800, false],
  ['its reader went up a little', true, at(790), 800, true],
  ['its reader goes down, above the end', false, at(500), 400, false],
  ['its reader came to the end', false, at(800), 400, true],
])('a growing list: %s', (_, following, scroller, lastTop, next) => {
  expect(followsEnd(following, scroller, lastTop)).toBe(next);
});
