import { expect, test } from 'vitest';
import { contenderNames } from './contenders/contender.ts';
import { fastest, setupsOfRound } from './plan.ts';

test('runs every peer with both settings in the first round, and Koda and the naive way with one', () => {
  const names = setupsOfRound(contenderNames, 'same', 0, () => null).map(({ contender, variant }) => `${contender} ${variant}`);
  expect(names).toEqual([
    'ours tuned',
    'naive tuned',
    'remotion documented',
    'remotion tuned',
    'hyperframes documented',
    'hyperframes tuned',
  ]);
});

test('runs a peer with its faster setting in later rounds', () => {
  const speeds: Record<string, number> = {
    'remotion documented': 4,
    'remotion tuned': 3,
    'hyperframes documented': 1,
    'hyperframes tuned': 2,
  };
  const setups = setupsOfRound(
    ['ours', 'remotion', 'hyperframes'],
    'same',
    1,
    ({ contender, variant }) => speeds[`${contender} ${variant}`] ?? null,
  );
  expect(setups).toEqual([
    { contender: 'ours', variant: 'tuned' },
    { contender: 'remotion', variant: 'documented' },
    { contender: 'hyperframes', variant: 'tuned' },
  ]);
});

test('prefers a setting that did not fail', () => {
  const failed = { contender: 'remotion', variant: 'documented' } as const;
  const slow = { contender: 'remotion', variant: 'tuned' } as const;
  expect(fastest([failed, slow], (setup) => (setup === slow ? 0.1 : null))).toBe(slow);
});

test('runs a peer only with its documented setting as shipped', () => {
  const setups = setupsOfRound(['ours', 'remotion'], 'shipped', 0, () => null);
  expect(setups).toEqual([
    { contender: 'ours', variant: 'tuned' },
    { contender: 'remotion', variant: 'documented' },
  ]);
});
