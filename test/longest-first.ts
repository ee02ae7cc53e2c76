import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The integration tests that take a minute and more, the longest first. */
const longest = [
  'chaos',
  'agent-conversation',
  'render',
  'end-to-end',
  'sandbox-cache',
  'render-outputs',
  'recovery',
  'batch',
  'shells',
  'engine-death',
].map((name) => `test/integration/${name}.test.ts`);

/**
 * Begins with the longest files, so that no worker is left alone with one of them in the end. Vitest does that by
 * itself where it has run before; a fresh clone knows nothing but the sizes of the files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = longest.findIndex((name) => moduleId.endsWith(name));
      return index === -1 ? longest.length : index;
    };
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right));
  }
}
