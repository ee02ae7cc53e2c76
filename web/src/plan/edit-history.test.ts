import { expect, it } from 'vitest';
import { begin, commit, redo, undo } from './edit-history.ts';

const abc = commit(commit(begin('a'), 'b'), 'c');

it('A5: steps are taken back and done again in their order', () => {
  expect(undo(abc).present).toBe('b');
  expect(undo(undo(abc)).present).toBe('a');
  expect(undo(undo(undo(abc))).present).toBe('a');
  expect(redo(undo(abc))).toEqual(abc);
  expect(redo(abc)).toBe(abc);
});

it('A5: what was taken back is gone once something else is done', () => {
  const other = commit(undo(abc), 'd');
  expect([other.past, other.present, other.future]).toEqual([['a', 'b'], 'd', []]);
});

it('A5: no change is no step, and a key that is held down is one', () => {
  expect(commit(abc, 'c')).toBe(abc);
  const held = commit(commit(abc, 'd', { join: true }), 'e', { join: true });
  expect([held.present, undo(held).present]).toEqual(['e', 'b']);
});

it('A5: the last 200 steps can be taken back', () => {
  const long = Array.from({ length: 300 }, (_, index) => index).reduce((history, step) => commit(history, step), begin(-1));
  expect(long.past).toHaveLength(200);
});
