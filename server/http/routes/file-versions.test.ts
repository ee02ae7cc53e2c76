import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { currentTag } from './file-versions.ts';

const { signal } = new AbortController();

function sandboxWith(pieces: AsyncIterable<Buffer> | Iterable<Buffer>) {
  return { readFile: async () => Readable.from(pieces, { objectMode: false }) };
}

it("a file's ETag is a hash of its content", async () => {
  const tag = await currentTag(sandboxWith([Buffer.from('ab'), Buffer.from('c')]), 'a', { signal, maxBytes: 3 });
  expect(tag).toBe(`"${createHash('sha256').update('abc').digest('base64url')}"`);
});

it('X3: stops reading an endless file, and gives it a random ETag', async () => {
  let pieces = 0;
  const endless = async function* () {
    for (;;) {
      pieces += 1;
      yield Buffer.alloc(1024);
    }
  };
  const options = { signal, maxBytes: 1024 * 1024 };
  const first = await currentTag(sandboxWith(endless()), 'a', options);
  expect(pieces).toBeLessThan(2000);
  expect(await currentTag(sandboxWith(endless()), 'a', options)).not.toBe(first);
});
