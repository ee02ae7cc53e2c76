import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ApplyRequest } from '#contract/sandbox/answers.ts';
import { toolContextOver } from '../../test/fixtures/tool-context.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { editFile } from './files.ts';

function setUp(content: string) {
  const file = { text: content };
  const sandbox = {
    readFile: async () => Readable.from([Buffer.from(file.text)]),
    applyFiles: async ({ changes: [change] }: ApplyRequest) => {
      file.text = change?.content ?? '';
      return { applied: true, written: [{ path: 'src/a.ts', sizeBytes: file.text.length }], deleted: [] };
    },
  } as unknown as Sandbox;
  const context = toolContextOver(sandbox);
  const edit = (...edits: { find: string; replace: string; all?: boolean }[]) =>
    editFile.call({ path: 'src/a.ts', edits }, context);
  return { file, edit };
}

describe('file_edit', () => {
  it('T3: replaces the found text as often as requested', async () => {
    const { file, edit } = setUp('a b a $& é');
    const answer = await edit({ find: 'a', replace: '$&', all: true }, { find: 'é', replace: 'e' });
    expect(answer).toMatchObject({ status: 'completed', output: { edits_applied: 2 } });
    expect(file.text).toBe('$& b $& $& e');
  });

  it.each([
    ['one edit', [{ find: 'x', replace: 'y'.repeat(100), all: true }], 'Edit 1 would make src/a.ts 20000000 bytes'],
    [
      'several together, in bytes',
      [
        { find: 'x', replace: 'zz', all: true },
        { find: 'z', replace: '€'.repeat(10), all: true },
      ],
      'Edit 2 would make src/a.ts 12000000 bytes',
    ],
  ])('T3: does not let %s grow a file beyond the readable size', async (_what, edits, words) => {
    const { file, edit } = setUp('x'.repeat(200_000));
    expect(await edit(...edits)).toMatchObject({ status: 'error', code: 'TOO_LARGE', message: expect.stringContaining(words) });
    expect(file.text.length).toBe(200_000);
  });
});
