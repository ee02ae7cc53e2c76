import { expect, it } from 'vitest';
import { timeText } from './texts.ts';

it('T10: names days near today in the time zone of the schedule', () => {
  const now = Date.parse('2026-11-26T22:30:00Z');
  expect(timeText('2026-11-26T23:30:00Z', 'Europe/Berlin', now)).toBe('Tomorrow, 00:30');
  expect(timeText('2026-11-26T23:00:00Z', 'Europe/Lisbon', now)).toBe('Today, 23:00');
  expect(timeText('2026-11-30T06:00:00Z', 'Europe/Berlin', now)).toBe('Mon 30 Nov, 07:00');
});
