import { BaseSequencer, type TestSpecification } from 'vitest/node';

const inFolder = (name: string) => `test/integration/${name}.test.ts`;

/** Files that keep two cores busy for more than 40 s, the longest first. They run one after the other, beside all others. */
export const heavyFiles = [
  'chaos',
  'agent-conversation',
  'planted-faults',
  'render-outputs',
  'render',
  'end-to-end',
  'sandbox-cache',
  'render-direct',
  'shells',
  'mcp',
  'render-shape',
  'generated-assets',
  'render-preset',
  'engine-death',
].map(inFolder);

/** Other files that take more than 25 s, the longest first. */
const longFiles = [
  'schedules',
  'film-document',
  'walk',
  'apply-code',
  'batch',
  'backup',
  'admission',
  'model-formats',
  'film-edits',
  'recovery',
  'sandbox-archives',
  'storage',
  'scenes-apart',
  'cycle-input',
  'bad-data',
  'inspect',
  'event-streams',
  'mcp-permission',
  'sandbox-processes',
  'browser-tools',
  'mcp-hostile',
  'hostile-answers',
  'sandbox-docker',
  'app-doors',
  'automatic-final',
  'prompts',
  'inspect-layout',
  'cycle-failures',
  'mcp-client',
  'mcp-properties',
  'app-store',
  'hostile-sandboxes',
  'import',
  'scale',
  'render-cache',
  'history-studio',
  'blocked-pages',
  'sandbox-protocol',
  'cycle-hostile',
  'render-order',
  'cycle-kill',
  'model-faults',
  'render-bad-pages',
  'user-shells',
  'cycle',
  'clone',
  'dev',
  'self-check',
  'chat-service',
  'file-tools',
  'render-canvas',
  'app-model',
  'app-project',
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
