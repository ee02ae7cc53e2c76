import { z } from 'zod';

/** What one runner says of its tests. */
export type Totals = { passed: number; failed: number; skipped: number };

const vitestSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});
const playwrightSchema = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.unknown()),
});
const checkSchema = z.object({ checks: z.array(z.object({ name: z.string(), passed: z.boolean() })) });

/**
 * Reads the JSON report of vitest, Playwright or scripts/check.sh. A test file that could not even be loaded counts
 * as one failure, and so does a test that passed only when it was tried again. Throws when the report is none of them.
 */
export function readTotals(report: unknown): Totals {
  const vitest = vitestSchema.safeParse(report);
  if (vitest.success) {
    const broken = vitest.data.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
    ).length;
    return {
      passed: vitest.data.numPassedTests,
      failed: vitest.data.numFailedTests + broken,
      skipped: vitest.data.numPendingTests + vitest.data.numTodoTests,
    };
  }
  const playwright = playwrightSchema.safeParse(report);
  if (playwright.success) {
    const { expected, unexpected, flaky, skipped } = playwright.data.stats;
    return { passed: expected, failed: unexpected + flaky + playwright.data.errors.length, skipped };
  }
  const { checks } = checkSchema.parse(report);
  const passed = checks.filter((check) => check.passed).length;
  return { passed, failed: checks.length - passed, skipped: 0 };
}

/** A runner that ended badly without one failed test to show for it has failed all the same. */
export function withExitCode(totals: Totals, exitCode: number): Totals {
  return exitCode !== 0 && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
}

export function sum(all: readonly Totals[]): Totals {
  return all.reduce(
    (left, right) => ({
      passed: left.passed + right.passed,
      failed: left.failed + right.failed,
      skipped: left.skipped + right.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

export function describeTotals({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}
