import { describe, expect, it } from 'vitest';
import { bucketLabel, bucketsOf, bucketTitle, firstPeriod, periodOf, spanText, stepFor } from './periods.ts';

describe('periodOf', () => {
  it('compares a month so far with the same days of the month before', () => {
    const period = periodOf('month', '2026-11-25');
    expect(period.whole).toEqual({ from: '2026-11-01', to: '2026-11-30' });
    expect(period.current).toEqual({ from: '2026-11-01', to: '2026-11-25' });
    expect(period.previous).toEqual({ from: '2026-10-01', to: '2026-10-25' });
    expect(period.previousWhole).toEqual({ from: '2026-10-01', to: '2026-10-31' });
    expect([period.name, period.previousName]).toEqual(['November', 'October']);
  });

  it('ends at the last day of a shorter month', () => {
    expect(periodOf('month', '2027-03-31').previous).toEqual({ from: '2027-02-01', to: '2027-02-28' });
  });

  it('takes the last 7 days, 3 months and the year', () => {
    expect(periodOf('week', '2026-11-25').previous).toEqual({ from: '2026-11-12', to: '2026-11-18' });
    expect(periodOf('quarter', '2026-11-25')).toMatchObject({
      whole: { from: '2026-09-01', to: '2026-11-30' },
      previous: { from: '2026-06-01', to: '2026-08-25' },
      previousName: 'June to August',
    });
    expect(periodOf('year', '2026-11-25')).toMatchObject({
      current: { from: '2026-01-01', to: '2026-11-25' },
      previous: { from: '2025-01-01', to: '2025-11-25' },
      previousName: '2025',
    });
  });
});

it('names spans', () => {
  expect(spanText({ from: '2026-11-01', to: '2026-11-25' })).toBe('1 – 25 November 2026');
  expect(spanText({ from: '2026-09-01', to: '2026-11-25' })).toBe('1 September – 25 November 2026');
  expect(spanText({ from: '2025-12-29', to: '2026-01-04' })).toBe('29 December 2025 – 4 January 2026');
  expect(spanText({ from: '2026-11-25', to: '2026-11-25' })).toBe('25 November 2026');
});

it('divides a span by days, weeks from Monday and months', () => {
  const november = { from: '2026-11-01', to: '2026-11-30' };
  expect(bucketsOf(november, 'day')).toHaveLength(30);
  expect(bucketsOf(november, 'week').slice(0, 2)).toEqual([
    { from: '2026-11-01', to: '2026-11-01' },
    { from: '2026-11-02', to: '2026-11-08' },
  ]);
  expect(bucketsOf({ from: '2026-11-20', to: '2027-01-10' }, 'month')).toHaveLength(3);
  expect(stepFor(november)).toBe('day');
  expect(stepFor({ from: '2026-01-01', to: '2026-12-31' })).toBe('month');
  expect(bucketTitle({ from: '2026-11-20', to: '2026-11-20' }, 'day')).toBe('Friday 20 November');
  expect(bucketLabel({ from: '2026-11-20', to: '2026-11-30' }, 'month')).toBe('Nov');
});

describe('firstPeriod', () => {
  const on = (day: string | null) => ({ id: 'aaaaaaaa', values: { day }, createdMs: 0, changedMs: 0 });
  it.each([
    [['2026-11-03', '2025-01-01'], 'month'],
    [['2026-02-03', null], 'year'],
    [['2025-02-03'], 'all'],
    [[], 'all'],
  ] as const)('of records on %j is %s', (days, expected) => {
    expect(firstPeriod(days.map(on), 'day', '2026-11-25')).toBe(expected);
  });
});
