import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodeStream } from './generate.ts';

const fileLists = fc.array(
  fc.record({ path: fc.stringMatching(/^src\/[a-z]{1,8}\.ts$/), content: fc.string({ maxLength: 3000, unit: 'grapheme' }) }),
  { minLength: 1, maxLength: 5 },
);

describe('code stream', () => {
  it('A7: the chunks form the files, each at its offset, however the response is split', async () => {
    await fc.assert(
      fc.asyncProperty(fileLists, fc.integer({ min: 1, max: 400 }), async (files, fragmentLength) => {
        const json = JSON.stringify({ files, summary: 'x' });
        const chunks: { path: string; text: string; offset: number }[] = [];
        const stream = new CodeStream(async (path, text, offset) => {
          chunks.push({ path, text, offset });
        });
        for (let end = fragmentLength; end < json.length; end += fragmentLength) await stream.push(json.slice(0, end));
        await stream.finish(json);
        const remaining = [...chunks];
        for (const file of files) {
          let text = '';
          while (text.length < file.content.length) {
            const index = remaining.findIndex((chunk) => chunk.path === file.path && chunk.offset === text.length);
            expect(index).toBeGreaterThanOrEqual(0);
            text += remaining.splice(index, 1)[0]?.text ?? '';
          }
          expect(text).toBe(file.content);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('A7: streams text while the response is still being written', async () => {
    const json = JSON.stringify({ files: [{ path: 'src/a.ts', content: 'x'.repeat(5000) }], summary: '' });
    const offsets: number[] = [];
    const stream = new CodeStream(async (_path, _text, offset) => {
      offsets.push(offset);
    });
    await stream.push(json.slice(0, 1000));
    await stream.push(json.slice(0, 3000));
    expect(offsets.length).toBe(2);
  });

  it('A7: parses a long response in linear time', async () => {
    const json = JSON.stringify({ files: [{ path: 'src/a.ts', content: 'x'.repeat(500_000) }], summary: '' });
    let text = '';
    let chunks = 0;
    const stream = new CodeStream(async (_path, more, offset) => {
      expect(offset).toBe(text.length);
      text += more;
      chunks += 1;
    });
    for (let end = 500; end < json.length; end += 500) await stream.push(json.slice(0, end));
    await stream.finish(json);
    expect(text).toBe('x'.repeat(500_000));
    // One chunk per parse: about twenty at the beginning, then one for each 5 % of growth.
    expect(chunks).toBeGreaterThan(50);
    expect(chunks).toBeLessThan(150);
  });
});
