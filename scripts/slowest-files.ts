import { z } from 'zod';

/** Time that a test file took. */
export type FileDuration = { file: string; seconds: number };

const vitestSchema = z.object({
  testResults: z.array(z.object({ name: z.string(), startTime: z.number(), endTime: z.number() })),
});
const specSchema = z.object({
  file: z.string(),
  tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })),
});
/** Node of the suite tree in Playwright's report. */
type Suite = { suites?: Suite[] | undefined; specs?: z.infer<typeof specSchema>[] | undefined };
const suiteSchema: z.ZodType<Suite> = z.object({
  specs: z.array(specSchema).optional(),
  suites: z.lazy(() => z.array(suiteSchema)).optional(),
});
const playwrightSchema = z.object({ suites: z.array(suiteSchema) });

/** Reads the duration of each file from a JSON report by vitest or Playwright. Other reports have none. */
export function readDurations(report: unknown): FileDuration[] {
  const vitest = vitestSchema.safeParse(report);
  if (vitest.success)
    return vitest.data.testResults.map(({ name, startTime, endTime }) => ({ file: name, seconds: (endTime - startTime) / 1000 }));
  const playwright = playwrightSchema.safeParse(report);
  return playwright.success ? playwright.data.suites.flatMap(durationsOfSuite) : [];
}

/** Adds up the tests of each file. Playwright reports no times of files. */
function durationsOfSuite(suite: Suite): FileDuration[] {
  const seconds = new Map<string, number>();
  for (const { file, tests } of specsOf(suite)) {
    const all = tests.flatMap(({ results }) => results.map(({ duration }) => duration));
    seconds.set(file, (seconds.get(file) ?? 0) + all.reduce((sum, one) => sum + one, 0) / 1000);
  }
  return [...seconds].map(([file, sum]) => ({ file, seconds: sum }));
}

function specsOf({ specs = [], suites = [] }: Suite): z.infer<typeof specSchema>[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** Returns a line for each of the longest files, the longest first. */
export function describeSlowest(durations: readonly FileDuration[], count: number): string[] {
  return durations
    .toSorted((left, right) => right.seconds - left.seconds)
    .slice(0, count)
    .map(({ file, seconds }) => `${seconds.toFixed(0).padStart(5)} s  ${file.replace(/^.*\/(?=[^/]+\/[^/]+$)/, '')}`);
}
