import { expect, it } from 'vitest';
import { placeOf, rhythmOf, timeText } from './texts.ts';

it('T10: names days near today in the time zone of the schedule', () => {
  const now = Date.parse('2026-11-26T22:30:00Z');
  expect(timeText('2026-11-26T23:30:00Z', 'Europe/Berlin', now)).toBe('Tomorrow, 00:30');
  expect(timeText('2026-11-26T23:00:00Z', 'Europe/Lisbon', now)).toBe('Today, 23:00');
  expect(timeText('2026-11-30T06:00:00Z', 'Europe/Berlin', now)).toBe('Mon 30 Nov, 07:00');
});

it('names the place of a time zone', () => {
  expect(placeOf('America/New_York')).toBe('New York time');
  expect(placeOf('UTC')).toBe('UTC time');
});

it('T10: finds the rhythm of the fields when a schedule is edited', () => {
  const of = ['0 17 * * *', '5 7 * * 1', '0 6 1 * *', '0 6 L * *', '0 7 * * 1-5', '*/5 * * * *', '0 6 1 1 *', '0 6 1 * 1'];
  expect(of.map(rhythmOf)).toEqual(['day', 'week', 'month', 'month', 'other', 'other', 'other', 'other']);
});
