import { expect, it } from 'vitest';
import { describeSlowest, readDurations } from './slowest-files.ts';

const vitestReport = {
  testResults: [
    { name: '/koda/test/integration/a.test.ts', startTime: 1_000, endTime: 3_500 },
    { name: '/koda/test/integration/b.test.ts', startTime: 1_000, endTime: 61_000 },
  ],
};
const spec = (duration: number) => ({ file: 'c.spec.ts', tests: [{ results: [{ duration }] }] });
const playwrightReport = { suites: [{ specs: [spec(1_000)], suites: [{ specs: [spec(4_000)] }] }] };

it('reads the duration of each file from reports by vitest and Playwright, and none from others', () => {
  expect(readDurations(vitestReport).map(({ seconds }) => seconds)).toEqual([2.5, 60]);
  expect(readDurations(playwrightReport)).toEqual([{ file: 'c.spec.ts', seconds: 5 }]);
  expect(readDurations({ checks: [] })).toEqual([]);
});

it('describes the longest files, the longest first', () => {
  const durations = [vitestReport, playwrightReport].flatMap(readDurations);
  expect(describeSlowest(durations, 2)).toEqual(['   60 s  integration/b.test.ts', '    5 s  c.spec.ts']);
});
