import { expect, it } from 'vitest';
import { timeText, whenText } from './texts.ts';

it('T10: says usual times in words and others as they are written', () => {
  expect(whenText('0 17 * * *')).toBe('Every day at 17:00');
  expect(whenText('5 7 * * 1')).toBe('Mondays at 07:05');
  expect(whenText('0 6 1 * *')).toBe('First of the month at 06:00');
  expect(whenText('0 6 30 * *')).toBe('Day 30 of the month at 06:00');
  expect(whenText('* * * * *')).toBe('Every minute');
  for (const cron of ['*/5 * * * *', '0 6 1 * 1', '0 6 1 1 *', '0 9-17 * * 1-5']) expect(whenText(cron)).toBe(cron);
});

it('T10: names days near today in the time zone of the schedule', () => {
  const now = Date.parse('2026-11-26T22:30:00Z');
  expect(timeText('2026-11-26T23:30:00Z', 'Europe/Berlin', now)).toBe('Tomorrow, 00:30');
  expect(timeText('2026-11-26T23:00:00Z', 'Europe/Lisbon', now)).toBe('Today, 23:00');
  expect(timeText('2026-11-30T06:00:00Z', 'Europe/Berlin', now)).toBe('Mon 30 Nov, 07:00');
});
