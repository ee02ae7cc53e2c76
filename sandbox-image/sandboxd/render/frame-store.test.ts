import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FrameStore, isWhole } from './frame-store.ts';

const jpeg = (size: number, fill = 7) =>
  Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(size - 4, fill), Buffer.from([0xff, 0xd9])]);

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'koda-frames-'));
});
afterEach(() => rm(root, { recursive: true }));

describe('FrameStore', () => {
  it('X6: returns stored frames, and null for others', async () => {
    const store = new FrameStore(root, 1000);
    await store.evict(new Set());
    expect(await store.put('a', 33_333, jpeg(100), null)).toBe(true);
    expect(await store.get('a', 33_333)).toEqual(jpeg(100));
    expect(await store.get('a', 66_667)).toBeNull();
    expect(await store.get('b', 33_333)).toBeNull();
    expect([...(await store.timestamps('a'))]).toEqual([33_333]);
  });

  it('stores an unchanged frame once', async () => {
    const store = new FrameStore(root, 250);
    await store.evict(new Set());
    await store.put('a', 0, jpeg(100), null);
    for (let timestamp = 1; timestamp < 50; timestamp++) expect(await store.put('a', timestamp, jpeg(100), 0)).toBe(true);
    expect((await store.timestamps('a')).size).toBe(50);
    // A new measurement counts the shared file only once.
    const later = new FrameStore(root, 250);
    await later.evict(new Set());
    expect(await later.put('a', 99, jpeg(100), null)).toBe(true);
  });

  it('stops at its limit, and evicts the least recently used keys that are not in use', async () => {
    const store = new FrameStore(root, 300);
    await store.evict(new Set());
    for (const key of ['old', 'kept', 'new']) await store.put(key, 0, jpeg(100), null);
    expect(await store.put('more', 0, jpeg(100), null)).toBe(false);
    for (const [key, second] of [
      ['old', 2],
      ['kept', 1],
      ['new', 3],
    ] as const)
      await utimes(join(root, key), second, second);
    const later = new FrameStore(root, 300);
    await later.evict(new Set(['kept']));
    expect((await readdir(root)).sort()).toEqual(['kept']);
    expect(await later.put('more', 0, jpeg(100), null)).toBe(true);
  });

  it('treats a truncated frame as missing', async () => {
    const store = new FrameStore(root, 1000);
    await store.evict(new Set());
    await store.put('a', 0, jpeg(100), null);
    await writeFile(join(root, 'a', '0'), jpeg(100).subarray(0, 60));
    expect(await store.get('a', 0)).toBeNull();
    await writeFile(join(root, 'a', '0'), '');
    expect(await store.get('a', 0)).toBeNull();
  });

  it('A18: stops storing on a full disk without an error', async () => {
    const store = new FrameStore(root, 1000);
    await store.evict(new Set());
    await mkdir(join(root, 'a'));
    await symlink('/dev/full', join(root, 'a', '0.partial'));
    expect(await store.put('a', 0, jpeg(100), null)).toBe(false);
    expect(await store.put('a', 1, jpeg(100), null)).toBe(false);
    expect(await readdir(join(root, 'a'))).toEqual([]);
  });

  it('deletes a key with its frames and notes', async () => {
    const store = new FrameStore(root, 1000);
    await store.putNote('a', 'info', 'text');
    expect(await store.note('a', 'info')).toBe('text');
    await store.delete('a');
    expect(await store.note('a', 'info')).toBeNull();
    expect((await store.timestamps('a')).size).toBe(0);
  });
});

describe('isWhole', () => {
  it('accepts only images with a start and an end', () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    expect(isWhole(png)).toBe(true);
    expect(isWhole(png.subarray(0, -3))).toBe(false);
    expect(isWhole(jpeg(50))).toBe(true);
    expect(isWhole(Buffer.alloc(50))).toBe(false);
  });
});
