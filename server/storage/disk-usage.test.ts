import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { tempDir } from '../../test/fixtures/storage.ts';
import { DiskUsage } from './disk-usage.ts';

const megabyte = 1024 * 1024;
const projectId = newId('prj');
const renderId = newId('rnd');

async function setUp(limits: { limitBytes?: number; reserveBytes?: number } = {}) {
  const folder = tempDir();
  const put = async (path: string, bytes: number) => {
    await mkdir(join(folder.path, path, '..'), { recursive: true });
    await writeFile(join(folder.path, path), Buffer.alloc(bytes, 1));
  };
  await put(`projects/${projectId}.git/objects/pack/one.pack`, megabyte);
  await put(`assets/${projectId}/ast_1`, 2 * megabyte);
  await put(`renders/${renderId}/video.mp4`, 3 * megabyte);
  await put(`renders/${newId('rnd')}/video.mp4`, 4 * megabyte);
  const usage = new DiskUsage({
    dataDir: folder.path,
    limitBytes: limits.limitBytes ?? null,
    reserveBytes: limits.reserveBytes ?? 0,
    rendersOf: async () => [{ id: renderId }],
  });
  return { usage, folder, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

/** Allows for the disk blocks that the folders themselves use. */
function near(bytes: number, expected: number): boolean {
  return bytes >= expected && bytes < expected + 100_000;
}

describe('disk usage', () => {
  it('measures history, uploads and renders of a project, and the total', async () => {
    using place = await setUp();
    const { historyBytes, assetBytes, renderBytes } = await place.usage.ofProject(projectId);
    expect([near(historyBytes, megabyte), near(assetBytes, 2 * megabyte), near(renderBytes, 3 * megabyte)]).toEqual([
      true,
      true,
      true,
    ]);
    expect(near(await place.usage.total(), 10 * megabyte)).toBe(true);
    expect(await place.usage.ofProject(newId('prj'))).toMatchObject({ historyBytes: 0, assetBytes: 0 });
  });

  it('returns the last total to frequent callers and recounts in the background', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      using place = await setUp();
      const first = await place.usage.recent();
      await rm(join(place.folder.path, 'renders', renderId), { recursive: true });
      vi.setSystemTime(Date.now() + 60_000);
      expect(await place.usage.recent()).toBe(first);
      expect(await place.usage.total()).toBeLessThan(first);
      expect(await place.usage.recent()).toBeLessThan(first);
    } finally {
      vi.useRealTimers();
    }
  });

  it('blocks new work over the limit, until something is deleted', async () => {
    using place = await setUp({ limitBytes: 9 * megabyte });
    await expect(place.usage.assertFreeSpace()).rejects.toMatchObject({
      code: 'STORAGE_FULL',
      message: expect.stringContaining('KODA_DISK_LIMIT_MB'),
    });
    expect(await place.usage.isLow()).toBe(true);
    await rm(join(place.folder.path, 'renders', renderId), { recursive: true });
    await expect(place.usage.assertFreeSpace()).resolves.toBeUndefined();
    expect(await place.usage.isLow()).toBe(false);
  });

  it('blocks new work when free space falls below the reserve', async () => {
    using place = await setUp({ reserveBytes: Number.MAX_SAFE_INTEGER });
    await expect(place.usage.assertFreeSpace()).rejects.toMatchObject({
      code: 'STORAGE_FULL',
      message: expect.stringContaining('KODA_DISK_RESERVE_MB'),
    });
  });
});
