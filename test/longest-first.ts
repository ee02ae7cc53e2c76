import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The integration tests that take the longest, from four minutes down to 40 s. */
const longest = [
  'agent-conversation',
  'chaos',
  'film-document',
  'render',
  'end-to-end',
  'render-outputs',
  'sandbox-cache',
  'shells',
  'backup',
  'engine-death',
  'event-streams',
  'recovery',
  'sandbox-archives',
  'browser-tools',
  'batch',
  'blocked-pages',
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
