import { describe, expect, it } from 'vitest';
import { DiskWatch, type DiskWatchOptions } from './disk-watch.ts';
import type { DiskSpace } from './engine-disk.ts';

const { signal } = new AbortController();
const megabyte = 1024 ** 2;
const gigabyte = 1024 ** 3;

/** Simulates a 100 GB disk. `used` has the projects' sizes; `hidden` is space that no measurement detects. */
function disk(overrides: Partial<DiskWatchOptions> = {}) {
  const used = new Map<string, number>();
  const hidden = new Map<string, number>();
  const caches = new Map<string, number>();
  const log: string[] = [];
  const reasons = new Map<string, string>();
  const running = new Set<string>();
  const sum = (of: Map<string, number>) => [...of.values()].reduce((total, bytes) => total + bytes, 0);
  const watch = new DiskWatch({
    limitBytes: 10 * gigabyte,
    reserveBytes: 512 * megabyte,
    disk: async (): Promise<DiskSpace> => ({
      freeBytes: 100 * gigabyte - sum(used) - sum(hidden) - sum(caches),
      totalFiles: 1000,
      freeFiles: 900,
    }),
    sizes: async () => {
      log.push('measure');
      return [...used].map(([projectId, sizeBytes]) => ({ projectId, sizeBytes }));
    },
    running: async () => [...running],
    dropCaches: async () => {
      caches.clear();
    },
    save: async (projectId) => void log.push(`save ${projectId}`),
    stop: async (projectId) => {
      log.push(`stop ${projectId}`);
      for (const books of [used, hidden]) books.delete(projectId);
      running.delete(projectId);
    },
    onStop: (projectId, reason) => reasons.set(projectId, reason),
    onFailure: (error) => void log.push(`failed: ${error instanceof Error ? error.message : String(error)}`),
    ...overrides,
  });
  const take = (projectId: string, bytes: number, books = used) => {
    running.add(projectId);
    books.set(projectId, bytes);
  };
  return { watch, take, hidden, caches, log, reasons, running, round: (now = 0) => watch.check({ now, signal }) };
}

describe('X3: the disk that sandboxes share', () => {
  it('saves and stops a sandbox over its limit, reports the sizes, and leaves the others running', async () => {
    const { take, round, log, reasons, running } = disk();
    take('small', gigabyte);
    await round();
    take('large', 11 * gigabyte);
    await round(2_000);
    expect(log).toEqual(['measure', 'save large', 'stop large']);
    expect(reasons.get('large')).toBe('Its files use 11264 MB, more than the limit of 10240 MB (KODA_SANDBOX_DISK_MB).');
    expect([...running]).toEqual(['small']);
  });

  it('measures after the disk has lost space, and rarely otherwise', async () => {
    const { take, round, log } = disk();
    take('one', gigabyte);
    for (let now = 0; now < 60_000; now += 2_000) await round(now);
    expect(log).toEqual([]);
    take('one', 2.5 * gigabyte);
    await round(62_000);
    await round(64_000);
    expect(log).toEqual(['measure']);
    await round(64_000 + 300_000);
    expect(log).toEqual(['measure', 'measure']);
  });

  it('with low disk space stops sandboxes over the limit first, at once and unsaved, and no others if that suffices', async () => {
    const { take, round, log, running } = disk();
    take('innocent', 9 * gigabyte);
    take('greedy', 90.8 * gigabyte);
    await round();
    expect(log).toEqual(['measure', 'stop greedy']);
    expect([...running]).toEqual(['innocent']);
  });

  it('removes unused caches before it stops sandboxes', async () => {
    const { take, round, log, caches } = disk();
    take('innocent', 9 * gigabyte);
    caches.set('at rest', 90.8 * gigabyte);
    await round();
    expect(log).toEqual([]);
    expect(caches.size).toBe(0);
  });

  it('stops sandboxes one by one, each saved first, until unmeasured space is free again', async () => {
    const { take, round, hidden, log, reasons, running } = disk();
    take('first', 5 * gigabyte);
    take('second', gigabyte);
    take('hiding', 93.9 * gigabyte, hidden);
    await round();
    expect(log).toEqual(['measure', 'save first', 'stop first']);
    take('hiding', 98.9 * gigabyte, hidden);
    await round(2_000);
    expect(log.slice(3)).toEqual(['measure', 'save second', 'stop second']);
    take('hiding', 99.9 * gigabyte, hidden);
    await round(4_000);
    expect([...running]).toEqual([]);
    expect(reasons.get('hiding')).toContain("Docker's disk has 102 MB free");
  });

  it('continues if measuring, saving or stopping a sandbox fails', async () => {
    const { take, round, log } = disk({
      sizes: async () => Promise.reject(new Error('no answer')),
      save: async () => Promise.reject(new Error('the disk is full')),
      stop: async (projectId) => {
        log.push(`stop ${projectId}`);
        throw new Error('stuck');
      },
    });
    take('a', 60 * gigabyte);
    take('b', 39.9 * gigabyte);
    await round();
    expect(log.filter((line) => line.startsWith('stop'))).toEqual(['stop a', 'stop b']);
    expect(log).toContain('failed: no answer');
  });

  it('treats too few free inodes as low space, and an unreadable disk as having enough', async () => {
    const without = disk({ disk: async () => ({ freeBytes: 50 * gigabyte, totalFiles: 1000, freeFiles: 10 }) });
    without.take('a', 0);
    await without.round();
    expect(without.log).toEqual(['measure', 'save a', 'stop a']);
    const unlimited = disk({ disk: async () => ({ freeBytes: 50 * gigabyte, totalFiles: 0, freeFiles: 0 }) });
    unlimited.take('a', 0);
    await unlimited.round();
    expect(unlimited.log).toEqual([]);
    const unseen = disk({ disk: async () => null });
    unseen.take('a', 0);
    await unseen.round();
    expect(unseen.log).toEqual([]);
  });
});
