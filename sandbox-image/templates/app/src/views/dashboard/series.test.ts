import { describe, expect, it } from 'vitest';
import type { Field } from '../../../model/document.ts';
import type { AppRecord, Values } from '../../../model/record.ts';
import { periodOf } from './periods.ts';
import {
  axisTicks,
  changeText,
  compare,
  groupsOf,
  groupsSentence,
  largestGroups,
  lineSentence,
  progressOf,
  seriesOf,
} from './series.ts';

const record = (values: Values): AppRecord => ({ id: 'order001', values, createdMs: 0, changedMs: 0 });
const count = (records: readonly AppRecord[]) => records.length;
const show = String;
const month = periodOf('month', '2026-11-25');

describe('seriesOf', () => {
  const records = ['2026-11-20', '2026-11-20', '2026-11-02', '2026-10-20', '2025-11-20'].map((day) => record({ day }));
  const points = seriesOf(records, 'day', 'day', month, count);

  it('has a point a day with the day of the month before, and leaves the future empty', () => {
    expect(points).toHaveLength(30);
    expect(points[19]).toMatchObject({ label: '20 Nov', value: 2, previous: 1 });
    expect(points[2]).toMatchObject({ value: 0, previous: 0 });
    expect(points[25]?.value).toBeNull();
  });

  it('says in one sentence what it shows', () => {
    expect(lineSentence(points, 3, 1, { period: month, show })).toBe(
      '3 in November, most on Friday 20 November with 2, 200 % more than in October.',
    );
    expect(lineSentence([], 0, 0, { period: month, show })).toBe('Nothing in November so far.');
  });
});

describe('groupsOf', () => {
  const state: Field = { id: 'state', name: 'State', type: 'choice', choices: [] };
  const records = [record({ state: 'sent' }), record({ state: 'sent' }), record({ state: 'packed' }), record({})];
  const groups = groupsOf(records, state, count, (id) => id.toUpperCase());

  it('counts by value, largest first, with those without a value', () => {
    expect(groups).toEqual([
      { value: 'sent', name: 'SENT', amount: 2 },
      { value: 'packed', name: 'PACKED', amount: 1 },
      { value: null, name: 'No state', amount: 1 },
    ]);
    expect(groupsSentence(groups, true, show)).toBe('SENT is the most with 2, 50 % of 4.');
    expect(groupsSentence([], true, show)).toBe('Nothing to show yet.');
  });

  it('counts records with several values for each', () => {
    const tags: Field = { id: 'tags', name: 'Tags', type: 'choices', choices: [] };
    expect(groupsOf([record({ tags: ['fast', 'sour'] }), record({ tags: ['fast'] })], tags, count, show)).toMatchObject([
      { value: 'fast', amount: 2 },
      { value: 'sour', amount: 1 },
    ]);
  });

  it('gathers what does not fit', () => {
    expect(largestGroups(groups, 3)).toEqual({ shown: groups, other: 0 });
    expect(largestGroups(groups, 2)).toEqual({ shown: [groups[0]], other: 2 });
  });
});

it('measures progress against a goal, or yes against all', () => {
  const done: Field = { id: 'done', name: 'Done', type: 'yesno' };
  const groups = groupsOf([record({ done: true }), record({}), record({}), record({ done: true })], done, count, show);
  expect(progressOf(groups, done, undefined)).toEqual({ reached: 2, goal: 4, share: 0.5 });
  expect(progressOf(groups, done, 1)).toMatchObject({ share: 1 });
  expect(progressOf([], done, undefined)).toEqual({ reached: 0, goal: 0, share: 0 });
});

it('compares, and knows what is bad', () => {
  expect(compare(112, 100, 'down')).toEqual({ direction: 'up', percent: 12, difference: 12, good: true });
  expect(compare(36, 38, 'down')).toMatchObject({ direction: 'down', good: false });
  expect(compare(36, 38, undefined)?.good).toBeNull();
  expect(compare(null, 38, undefined)).toBeNull();
  const text = (current: number, previous: number) => {
    const comparison = compare(current, previous, undefined);
    return comparison === null ? null : changeText(comparison, show);
  };
  expect([text(112, 100), text(88, 100), text(5, 5), text(5, 0)]).toEqual(['+12 %', '−12 %', 'no change', '+5']);
});

it('ends axes at round numbers', () => {
  expect(axisTicks(410)).toEqual([0, 150, 300, 450]);
  expect(axisTicks(2)).toEqual([0, 1, 2]);
  expect(axisTicks(96)).toEqual([0, 50, 100]);
  expect(axisTicks(0)).toEqual([0, 1]);
});
