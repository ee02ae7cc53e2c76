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

const rank = ({ moduleId }: TestSpecification): number => {
  const index = longest.findIndex((name) => moduleId.endsWith(name));
  return index === -1 ? longest.length : index;
};

/**
 * Begins with the longest files, so that no worker is left alone with one of them in the end. Vitest does that by
 * itself where it has run before; a fresh clone knows nothing but the sizes of the files.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right));
  }

  /**
   * Deals the files out to the shards, the longest first. The order depends on names alone: shards run at different
   * times, and must agree on who has which file.
   */
  override async shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { shard } = this.ctx.config;
    if (shard === undefined) return files;
    const inOrder = files.toSorted((left, right) => rank(left) - rank(right) || (left.moduleId < right.moduleId ? -1 : 1));
    return inOrder.filter((_, place) => place % shard.count === shard.index - 1);
  }
}
