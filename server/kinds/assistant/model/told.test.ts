import { expect, it } from 'vitest';
import { plain } from './told.ts';

it('V7: leaves out null fields, and tells times in the zone of their schedule', () => {
  const at = '2026-12-07T07:00:00.000Z';
  expect(plain({ times: [at], error: null, rows: [null, 1] }, 'Europe/Berlin')).toEqual({
    times: ['Mon 2026-12-07 08:00'],
    rows: [null, 1],
  });
  const schedules = [
    { time_zone: 'Asia/Tokyo', next_run: at },
    { time_zone: 'Nowhere/At all', next_run: at },
  ];
  expect(plain({ schedules }, null)).toEqual({
    schedules: [{ time_zone: 'Asia/Tokyo', next_run: 'Mon 2026-12-07 16:00' }, schedules[1]],
  });
});
