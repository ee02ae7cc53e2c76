import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest integration tests, slowest first. They take from two minutes down to 40 s. */
const longest = [
  'chaos',
  'agent-conversation',
  'engine-death',
  'shells',
  'film-document',
  'mcp',
  'render',
  'end-to-end',
  'render-outputs',
  'sandbox-cache',
  'backup',
  'event-streams',
  'recovery',
  'sandbox-archives',
  'browser-tools',
  'batch',
  'blocked-pages',
].map((name) => `test/integration/${name}.test.ts`);

/**
 * Starts with the slowest files, so that no worker is left alone with one at the end. Vitest does this itself after a first
 * run; a fresh clone has only the file sizes.
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
