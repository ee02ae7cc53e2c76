import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { tempDir } from '../../test/fixtures/storage.ts';
import { type DiskLimits, DiskUsage } from './disk-usage.ts';

const megabyte = 1024 * 1024;
const projectId = newId('prj');
const renderId = newId('rnd');

async function setUp(limits: Partial<DiskLimits> = {}) {
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
    projectLimitBytes: limits.projectLimitBytes ?? null,
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
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      using place = await setUp();
      const first = await place.usage.recent();
      await rm(join(place.folder.path, 'renders', renderId), { recursive: true });
      vi.advanceTimersByTime(60_000);
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

  it('H8: a write of known size is refused as a whole, over the project’s limit and the data folder’s', async () => {
    using place = await setUp({ projectLimitBytes: 20 * megabyte, limitBytes: 29 * megabyte });
    const { usage } = place;
    // The project uses 6 MB.
    await expect(usage.reserve({ projectId, bytes: 32 * 1024 * megabyte })).rejects.toMatchObject({
      code: 'STORAGE_FULL',
      message: expect.stringContaining('KODA_PROJECT_DISK_MB'),
    });
    const other = newId('prj');
    using first = await usage.reserve({ projectId: other, bytes: 16 * megabyte });
    await expect(usage.reserve({ projectId, bytes: 4 * megabyte })).rejects.toMatchObject({
      message: expect.stringContaining('KODA_DISK_LIMIT_MB'),
    });
    first[Symbol.dispose]();
    using again = await usage.reserve({ projectId, bytes: 4 * megabyte });
    await expect(again.take(4 * megabyte)).resolves.toBeUndefined();
    // Unknown sizes grow in steps, and every step is checked.
    await expect(again.take(1)).resolves.toBeUndefined();
    await expect(again.take(9 * megabyte)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  });

  it('H8: tickets that are open at the same time never get the same space', async () => {
    using place = await setUp({ limitBytes: 45 * megabyte });
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, () => place.usage.reserve({ projectId: newId('prj'), bytes: 10 * megabyte })),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const result of results) if (result.status === 'fulfilled') result.value[Symbol.dispose]();
    await expect(place.usage.assertFreeSpace()).resolves.toBeUndefined();
  });

  it('H8: a small save needs no free space, and a large one leaves half of the reserve', async () => {
    const { bavail, bsize } = await statfs(tmpdir());
    using place = await setUp({ reserveBytes: bavail * bsize * 4 });
    using save = await place.usage.reserve({ projectId, saving: true });
    await expect(save.take(4 * megabyte)).resolves.toBeUndefined();
    await expect(save.take(8 * megabyte)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    using roomy = await setUp({ reserveBytes: bavail * bsize + 100 * megabyte });
    await expect(roomy.usage.assertFreeSpace()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    using large = await roomy.usage.reserve({ projectId, saving: true });
    await expect(large.take(64 * megabyte)).resolves.toBeUndefined();
  });
});
