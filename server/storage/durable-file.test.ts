import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../../test/fixtures/storage.ts';
import { stageFile } from './durable-file.ts';

const signal = new AbortController().signal;

async function* pieces(...texts: string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text);
}

describe('durable file', () => {
  it('A22: a file appears under its name once it is complete, and replaces the old one', async () => {
    using folder = tempDir();
    const target = join(folder.path, 'a', 'b', 'file.txt');
    {
      await using staged = await stageFile(join(folder.path, 'a', 'b'), pieces('one ', 'two'), { maxBytes: 100, signal });
      expect(staged.sizeBytes).toBe(7);
      expect(existsSync(target)).toBe(false);
      await staged.publish('file.txt');
    }
    expect(readFileSync(target, 'utf8')).toBe('one two');
    writeFileSync(target, 'old');
    await using staged = await stageFile(join(folder.path, 'a', 'b'), pieces(), { maxBytes: 100, signal });
    await staged.publish('file.txt');
    expect(readFileSync(target, 'utf8')).toBe('');
    expect(readdirSync(join(folder.path, 'a', 'b'))).toEqual(['file.txt']);
  });

  it('A18: removes a file that is not published', async () => {
    using folder = tempDir();
    {
      await using staged = await stageFile(folder.path, pieces('x'), { maxBytes: 100, signal });
      expect(readdirSync(folder.path)).toHaveLength(1);
      expect(staged.sizeBytes).toBe(1);
    }
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('A25: rejects a stream over the limit without reading it all, and removes the file', async () => {
    using folder = tempDir();
    let read = 0;
    async function* endless() {
      for (;;) {
        read++;
        yield Buffer.alloc(1000);
        await delay(0);
      }
    }
    await expect(stageFile(folder.path, endless(), { maxBytes: 10_000, signal })).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect(read).toBeLessThan(100);
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('A25: abandons a stuck stream when the signal aborts', async () => {
    using folder = tempDir();
    const stop = new AbortController();
    async function* hanging() {
      yield Buffer.from('x');
      await delay(60_000, undefined, { ref: false });
    }
    setTimeout(() => stop.abort(), 20);
    await expect(stageFile(folder.path, hanging(), { maxBytes: 100, signal: stop.signal })).rejects.toMatchObject({
      code: 'CANCELLED',
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('A25: passes on a stream error and removes the file', async () => {
    using folder = tempDir();
    async function* broken() {
      yield Buffer.from('x');
      throw new Error('connection reset');
    }
    await expect(stageFile(folder.path, broken(), { maxBytes: 100, signal })).rejects.toThrow('connection reset');
    expect(readdirSync(folder.path)).toEqual([]);
  });
});
