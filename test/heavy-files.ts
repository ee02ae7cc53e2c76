import { BaseSequencer, type TestSpecification } from 'vitest/node';

const inFolder = (name: string) => `test/integration/${name}.test.ts`;

/** Files that keep two cores busy for more than 40 s, the longest first. They run one after the other, beside all others. */
export const heavyFiles = [
  'chaos',
  'agent-conversation',
  'planted-faults',
  'render',
  'mcp',
  'shells',
  'sandbox-cache',
  'end-to-end',
  'render-outputs',
  'render-preset',
  'generated-assets',
  'render-shape',
  'engine-death',
  'film-document',
  'mcp-hostile',
].map(inFolder);

/** Other files that take more than 25 s, the longest first. */
const longFiles = [
  'scale',
  'model-formats',
  'hostile-answers',
  'film-edits',
  'walk',
  'render-cache',
  'checkpoint',
  'sandbox-processes',
  'sandbox-docker',
  'cycle-hostile',
  'cycle-failures',
  'cycle-kill',
  'prompts',
  'apply-code',
  'automatic-final',
  'inspect',
  'backup',
  'admission',
  'batch',
  'hostile-sandboxes',
  'browser-tools',
  'bad-data',
  'image-layers',
  'render-order',
  'storage',
  'mcp-client',
  'sandbox-archives',
  'event-streams',
  'recovery',
  'render-live',
].map(inFolder);

const order = [...heavyFiles, ...longFiles];

function rankOf({ moduleId }: TestSpecification): number {
  const rank = order.findIndex((name) => moduleId.endsWith(name));
  return rank === -1 ? order.length : rank;
}

/** Starts with the longest file, so that none is left for the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((left, right) => rankOf(left) - rankOf(right));
  }
}
