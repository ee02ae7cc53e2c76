import { stripVTControlCharacters } from 'node:util';
import { z } from 'zod';

export type Totals = { passed: number; failed: number; skipped: number };

/** A failed test and the first lines of its error. */
export type Failure = { test: string; message: string };

const vitestSchema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string().default(''),
      message: z.string().default(''),
      status: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string().default(''), failureMessages: z.array(z.string()).default([]) }),
      ),
    }),
  ),
});
/** Node of the suite tree in Playwright's report. */
type Suite = { file?: string | undefined; suites?: Suite[] | undefined; specs?: z.infer<typeof specSchema>[] | undefined };
const specSchema = z.object({
  title: z.string(),
  file: z.string(),
  ok: z.boolean(),
  tests: z.array(
    z.object({
      results: z.array(z.object({ status: z.string(), error: z.object({ message: z.string().optional() }).optional() })),
    }),
  ),
});
const suiteSchema: z.ZodType<Suite> = z.object({
  file: z.string().optional(),
  specs: z.array(specSchema).optional(),
  suites: z.lazy(() => z.array(suiteSchema)).optional(),
});
const playwrightSchema = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.object({ message: z.string().optional() })),
  suites: z.array(suiteSchema).default([]),
});
const checkSchema = z.object({ checks: z.array(z.object({ name: z.string(), passed: z.boolean() })) });

/**
 * Reads the totals from a JSON report by vitest, Playwright or scripts/check.sh. A test file that could not be loaded counts
 * as one failure, and so does a test that passed only on a retry. Throws ZodError if the report has another format.
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

/**
 * Returns a report's failed tests with the first lines of their messages, so that a long log ends with them. Throws ZodError
 * if the report has none of the three formats.
 */
export function readFailures(report: unknown): Failure[] {
  const vitest = vitestSchema.safeParse(report);
  if (vitest.success) return vitest.data.testResults.flatMap(failuresOfFile);
  const playwright = playwrightSchema.safeParse(report);
  if (playwright.success) {
    const { errors, suites } = playwright.data;
    return [
      ...errors.map(({ message = '' }) => ({ test: 'before the tests', message: firstLines(message) })),
      ...suites.flatMap(failuresOfSuite),
    ];
  }
  const { checks } = checkSchema.parse(report);
  return checks.filter((check) => !check.passed).map((check) => ({ test: check.name, message: '' }));
}

type VitestFile = z.infer<typeof vitestSchema>['testResults'][number];

function failuresOfFile({ name, message, status, assertionResults }: VitestFile): Failure[] {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length === 0) return status === 'failed' ? [{ test: name, message: firstLines(message) }] : [];
  return failed.map((test) => ({
    test: `${name} > ${test.fullName}`,
    message: firstLines(test.failureMessages.join('\n')),
  }));
}

function failuresOfSuite(suite: Suite): Failure[] {
  const own = (suite.specs ?? [])
    .filter((spec) => !spec.ok)
    .map((spec) => {
      const messages = spec.tests.flatMap((test) => test.results.map((result) => result.error?.message ?? ''));
      return { test: `${spec.file} > ${spec.title}`, message: firstLines(messages.filter(Boolean).join('\n')) };
    });
  return [...own, ...(suite.suites ?? []).flatMap(failuresOfSuite)];
}

/** Returns the first lines without terminal colours. A long diff would hide the other failures. */
function firstLines(message: string): string {
  return stripVTControlCharacters(message).split('\n').slice(0, 12).join('\n').slice(0, 1_500);
}

/** Adds a failure if a runner exited with an error although it reports no failed test. */
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
