import { type RunnerTestCase, TestRunner } from 'vitest';
import { whileProgress } from './fixtures/progress.ts';

/** Runs each test as long as there is progress. */
export default class PatientRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test);
    await whileProgress(`the end of the test “${test.name}”`, async () => await run());
  }
}
