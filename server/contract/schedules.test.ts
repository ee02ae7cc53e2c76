import { expect, it } from 'vitest';
import { scheduleSourceSchema, whenText } from './schedules.ts';

it('T10: says usual times in words and others as they are written', () => {
  expect(whenText('0 17 * * *')).toBe('Every day at 17:00');
  expect(whenText('5 7 * * 1')).toBe('Mondays at 07:05');
  expect(whenText('0 8 * * mon')).toBe('Mondays at 08:00');
  expect(whenText('30 6 * * 1-5')).toBe('Every weekday at 06:30');
  expect(whenText('0 6 1 * *')).toBe('First of the month at 06:00');
  expect(whenText('0 6 30 * *')).toBe('Day 30 of the month at 06:00');
  expect(whenText('* * * * *')).toBe('Every minute');
  for (const cron of ['*/5 * * * *', '0 6 1 * 1', '0 6 1 1 *', '0 9-17 * * 1-5']) expect(whenText(cron)).toBe(cron);
});

it('T10: refuses what is no address, and one with a password', () => {
  const problemOf = (url: string) => scheduleSourceSchema.safeParse({ type: 'address', url }).error?.issues[0]?.message;
  expect(problemOf('hours')).toBe('Enter an address that starts with https://');
  expect(problemOf('https://ann:secret@sky.example/hours.csv')).toBe('Remove the user name and password.');
  expect(problemOf('https://sky.example/hours.csv')).toBeUndefined();
});
