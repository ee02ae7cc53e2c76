import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { workedMs } from './worked-time.ts';

const at = (seconds: number, type: string) => ({ type, at: new Date(seconds * 1000).toISOString() });

describe('time at work', () => {
  it('T17: leaves out the waits at gates', () => {
    expect(workedMs([at(0, 'run.started'), at(60, 'run.finished'), at(5_000, 'run.started'), at(5_030, 'run.finished')])).toBe(
      90_000,
    );
  });

  it('T17: of a run that was killed, what it did counts, and the time until the restart does not', () => {
    const marks = [
      at(0, 'run.started'),
      at(10, 'tool.started'),
      at(40, 'tool.finished'),
      at(9_000, 'run.started'),
      at(9_005, 'usage'),
    ];
    expect(workedMs(marks)).toBe(45_000);
    expect(workedMs(marks.slice(0, 3))).toBe(40_000);
    expect(workedMs([])).toBe(0);
  });

  it('T17: is never more than the time from the first start to the last mark', () => {
    const type = fc.constantFrom('run.started', 'run.finished', 'tool.started', 'tool.finished', 'usage');
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 1000 }), type)), (steps) => {
        let clock = 0;
        const marks = steps.map(([seconds, kind]) => {
          clock += seconds;
          return at(clock, kind);
        });
        const worked = workedMs(marks);
        expect(worked).toBeGreaterThanOrEqual(0);
        expect(worked).toBeLessThanOrEqual(clock * 1000);
      }),
    );
  });
});
