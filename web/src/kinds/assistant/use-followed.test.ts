import { expect, it } from 'vitest';
import { ApiError } from '../../api/client.ts';
import { changeAfter, noChange, standingOf } from './use-followed.ts';

const error = (code: 'NOT_FOUND' | 'NETWORK', status: number) => new ApiError(code, 'A reason.', { status, recovery: null });

it('V7: a deleted project says only that it is deleted, and one that cannot be loaded says why', () => {
  const deleted = { known: null, isDeleted: true, problem: null };
  expect(standingOf({ view: null, loadError: error('NOT_FOUND', 404) })).toEqual(deleted);
  expect(standingOf({ view: null, loadError: error('NETWORK', 0) })).toMatchObject({ isDeleted: false, problem: 'A reason.' });
});

const named = (projectId: string, label: string | null) => ({ projectId, name: projectId.toUpperCase(), label });

it('V7: announces a change of state once, and neither the first state nor the same one', () => {
  const opening = changeAfter(noChange, [named('a', null)]);
  expect(opening).toBe(noChange);
  const first = changeAfter(opening, [named('a', 'Working'), named('b', null)]);
  expect(first.said).toBe('');
  expect(changeAfter(first, [named('a', 'Working'), named('b', null)])).toBe(first);
  const second = changeAfter(first, [named('a', 'Finished'), named('b', 'Working')]);
  expect(second.said).toBe('“A”: Finished');
  expect(changeAfter(second, [named('a', 'Finished'), named('b', 'Working')])).toBe(second);
  expect(changeAfter(second, [named('a', 'Finished'), named('b', 'Plan to review')]).said).toBe('“B”: Plan to review');
});

it('V7: forgets the states when another turn begins', () => {
  const before = changeAfter(noChange, [named('a', 'Finished')]);
  expect(changeAfter(before, [])).toBe(noChange);
});
