import { describe, expect, it } from 'vitest';
import { describeTotals, readFailures, readTotals, sum, withExitCode } from './test-totals.ts';

const vitestReport = {
  numPassedTests: 3,
  numFailedTests: 1,
  numPendingTests: 2,
  numTodoTests: 1,
  testResults: [{ status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] }],
};

describe('readTotals', () => {
  it('counts todo tests of vitest as skipped', () => {
    expect(readTotals(vitestReport)).toEqual({ passed: 3, failed: 1, skipped: 3 });
  });

  it('counts a test file that could not be loaded as a failure', () => {
    const report = { ...vitestReport, numFailedTests: 0, testResults: [{ status: 'failed', assertionResults: [] }] };
    expect(readTotals(report).failed).toBe(1);
  });

  it('counts flaky tests and errors outside tests of Playwright as failures', () => {
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

  it('throws for an unknown report', () => {
    expect(() => readTotals({ ok: true })).toThrow();
  });
});

describe('readFailures', () => {
  it('returns the failed tests of vitest, and a file that could not be loaded', () => {
    const testResults = [
      {
        name: 'a.test.ts',
        status: 'failed',
        assertionResults: [
          { status: 'passed', fullName: 'adds', failureMessages: [] },
          { status: 'failed', fullName: 'takes away', failureMessages: ['\u001b[31mexpected 1 to be 2\u001b[0m'] },
        ],
      },
      { name: 'b.test.ts', message: 'Cannot find module', status: 'failed', assertionResults: [] },
      { name: 'c.test.ts', status: 'passed', assertionResults: [{ status: 'passed' }] },
    ];
    expect(readFailures({ ...vitestReport, testResults })).toEqual([
      { test: 'a.test.ts > takes away', message: 'expected 1 to be 2' },
      { test: 'b.test.ts', message: 'Cannot find module' },
    ]);
  });

  it('returns the failed tests of Playwright at any depth, and errors outside tests', () => {
    const spec = (title: string, ok: boolean) => ({
      title,
      file: 'home.spec.ts',
      ok,
      tests: [{ results: [ok ? { status: 'passed' } : { status: 'failed', error: { message: 'not visible' } }] }],
    });
    const report = {
      stats: { expected: 1, unexpected: 1, flaky: 0, skipped: 0 },
      errors: [{ message: 'global setup' }],
      suites: [{ file: 'home.spec.ts', specs: [spec('opens', true)], suites: [{ specs: [spec('closes', false)] }] }],
    };
    expect(readFailures(report)).toEqual([
      { test: 'before the tests', message: 'global setup' },
      { test: 'home.spec.ts > closes', message: 'not visible' },
    ]);
  });

  it('returns the failed checks, and the first lines of a long message', () => {
    expect(readFailures({ checks: [{ name: 'lint', passed: false }] })).toEqual([{ test: 'lint', message: '' }]);
    const failureMessages = [Array.from({ length: 100 }, (_, line) => `line ${line}`).join('\n')];
    const long = { name: 'a', status: 'failed', assertionResults: [{ status: 'failed', fullName: 'b', failureMessages }] };
    const [failure] = readFailures({ ...vitestReport, testResults: [long] });
    expect(failure?.message.split('\n')).toHaveLength(12);
  });
});

describe('totals', () => {
  it('adds a failure for a runner that exits with an error and reports none', () => {
    const clean = { passed: 5, failed: 0, skipped: 0 };
    expect(withExitCode(clean, 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
    expect(withExitCode(clean, 0)).toEqual(clean);
    expect(withExitCode({ ...clean, failed: 2 }, 1).failed).toBe(2);
  });

  it('prints the sum of all runners', () => {
    const all = [
      { passed: 5, failed: 1, skipped: 0 },
      { passed: 2, failed: 0, skipped: 3 },
    ];
    expect(describeTotals(sum(all))).toBe('7 passed, 1 failed, 3 skipped');
  });
});
