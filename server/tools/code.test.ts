import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { retryPolicies } from '#contract/retry.ts';
import { toolContextOver } from '../../test/fixtures/tool-context.ts';
import { responseLimits } from '../llm/models/response-timeouts.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { generateCode } from './code.ts';

/**
 * Runs `generate_code` on files whose declared and actual sizes differ. Returns what was read and what the generator
 * received.
 */
function setUp(files: readonly { path: string; told: number; sent: number }[]) {
  const read: string[] = [];
  const shown: { path: string; content: string }[] = [];
  const sandbox = {
    listFiles: async () => ({
      files: files.map(({ path, told }) => ({ path, type: 'file', sizeBytes: told })),
      complete: true,
    }),
    readFile: async (path: string) => {
      read.push(path);
      return Readable.from([Buffer.alloc(files.find((file) => file.path === path)?.sent ?? 0, 'x')]);
    },
  } as unknown as Sandbox;
  const context = toolContextOver(sandbox, {
    async generate(_task, given) {
      shown.push(...(await given()));
      return { files: [], deleted: [], summary: 'Nothing to do' };
    },
  });
  return { read, shown, run: () => generateCode.call({ task: 'modify_existing', files: ['src/a.ts'], change: 'x' }, context) };
}

describe('the code generator', () => {
  it('T14: allows time for all attempts at a response', () => {
    for (const { attempts, maxDelayMs } of Object.values(retryPolicies))
      expect(generateCode.timeoutMs).toBeGreaterThanOrEqual(attempts * (responseLimits.totalTimeoutMs + maxDelayMs));
  });
});

describe('files for the code generator', () => {
  it('A7: includes as many files as fit, and smaller ones after one that is too large', async () => {
    const { shown, run } = setUp([
      { path: 'src/a.ts', told: 100_000, sent: 100_000 },
      { path: 'src/large.ts', told: 350_000, sent: 350_000 },
      { path: 'src/b.css', told: 200_000, sent: 200_000 },
      { path: 'src/picture.png', told: 10, sent: 10 },
    ]);
    expect(await run()).toMatchObject({ status: 'completed' });
    expect(shown.map(({ path, content }) => [path, content.length])).toEqual([
      ['src/a.ts', 100_000],
      ['src/b.css', 200_000],
    ]);
  });

  it.each([
    ['send much', 150_000, 3],
    ['have long names', 0, 101],
  ])('A7: counts the received bytes if a sandbox lists empty files that %s', async (_what, sent, atMost) => {
    const { read, run } = setUp(
      Array.from({ length: 5_000 }, (_, index) => ({
        path: `src/${String(index).padStart(3_990, 'x')}.ts`,
        told: 0,
        sent,
      })),
    );
    await run();
    expect(read.length).toBeGreaterThan(0);
    expect(read.length).toBeLessThanOrEqual(atMost);
  });
});
