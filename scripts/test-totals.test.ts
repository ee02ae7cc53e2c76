import { describe, expect, it } from 'vitest';
import { describeTotals, readTotals, sum, withExitCode } from './test-totals.ts';

const vitestReport = {
  numPassedTests: 3,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults: [{ status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] }],
};

describe('readTotals', () => {
  it('reads a vitest report; todo counts as skipped', () => {
    expect(readTotals(vitestReport)).toEqual({ passed: 3, failed: 1, skipped: 3 });
  });

  it('counts a test file that could not be loaded as a failure', () => {
    const report = { ...vitestReport, numFailedTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] };
    expect(readTotals(report).failed).toBe(1);
  });

  it('reads a Playwright report; flaky tests and errors outside tests are failures', () => {
    const report = { stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 }, errors: [{ message: 'global setup' }] };
    expect(readTotals(report)).toEqual({ passed: 4, failed: 3, skipped: 2 });
  });

  it('reads the report of the static checks', () => {
    const checks = [
      { name: 'types', passed: true },
      { name: 'lint', passed: false },
    ];
    expect(readTotals({ checks })).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('refuses what is no report', () => {
    expect(() => readTotals({ ok: true })).toThrow();
  });
});

describe('totals', () => {
  it('does not let a runner end badly with nothing failed', () => {
    const clean = { passed: 5, failed: 0, skipped: 0 };
    expect(withExitCode(clean, 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
    expect(withExitCode(clean, 0)).toEqual(clean);
    expect(withExitCode({ ...clean, failed: 2 }, 1).failed).toBe(2);
  });

  it('adds up and prints the last line', () => {
    const all = [
      { passed: 5, failed: 1, skipped: 0 },
      { passed: 2, failed: 0, skipped: 3 },
    ];
    expect(describeTotals(sum(all))).toBe('7 passed, 1 failed, 3 skipped');
  });
});
