import { describe, expect, it } from 'vitest';
import type { HealthResponse } from '#contract/api.ts';
import { healthFacts, startNotice } from './health-line.tsx';

const gigabyte = 1024 ** 3;
const well: HealthResponse = {
  status: 'ok',
  version: '1.2.3',
  model: { kind: 'director', name: 'director', canRepair: false },
  sandbox: { kind: 'docker', available: true, detail: null },
  circuits: [{ name: 'docker', state: 'closed', retryAt: null }],
  database: 'ok',
  freeDiskBytes: 50 * gigabyte,
  usedDiskBytes: 2 * gigabyte,
  diskLimitBytes: null,
  deviations: [],
};
const factsOf = (changes: Partial<HealthResponse>) => {
  const [model, sandbox, disk] = healthFacts({ ...well, ...changes }, (iso) => iso.slice(11, 16));
  return { model, sandbox, disk };
};

describe('studio status', () => {
  it('gives no advice while everything works', () => {
    const facts = Object.values(factsOf({}));
    expect(facts.map((fact) => [fact?.isWell, fact?.advice])).toEqual([
      [true, null],
      [true, null],
      [true, null],
    ]);
  });

  it('T15: shows an open circuit with the time of its next attempt', () => {
    const { model, sandbox } = factsOf({
      status: 'degraded',
      circuits: [{ name: 'model', state: 'open', retryAt: '2026-01-01T12:04:30.000Z' }],
    });
    expect(model).toMatchObject({ isWell: false, advice: expect.stringContaining('12:04') });
    expect(sandbox?.isWell).toBe(true);
    const half = factsOf({ circuits: [{ name: 'model', state: 'half-open', retryAt: null }] });
    expect(half.model?.isWell).toBe(true);
    const docker = factsOf({ circuits: [{ name: 'docker', state: 'open', retryAt: null }] });
    expect(docker.sandbox).toMatchObject({ isWell: false, advice: expect.stringContaining('restart') });
  });

  it('reports why sandboxes cannot start', () => {
    const sandbox = { kind: 'docker', available: false, detail: 'No socket.' };
    expect(factsOf({ sandbox }).sandbox).toMatchObject({ isWell: false, advice: expect.stringMatching(/^No socket\. .*Docker/) });
  });

  it('H8: says how to replace a damaged database, and nothing while a large one is being checked', () => {
    expect(factsOf({ database: 'damaged' }).disk).toMatchObject({
      isWell: false,
      advice: expect.stringContaining('koda restore'),
    });
    expect(factsOf({ database: 'checking' }).disk).toMatchObject({ isWell: true, advice: null });
  });

  it('suggests what to delete if disk space is low', () => {
    expect(factsOf({ freeDiskBytes: gigabyte }).disk).toMatchObject({ isWell: false, advice: expect.stringContaining('Delete') });
    const limited = factsOf({ diskLimitBytes: 4 * gigabyte }).disk;
    expect(limited).toMatchObject({ isWell: true, share: 0.5, detail: '2.1 GB of 4.3 GB used by projects' });
    const over = factsOf({ diskLimitBytes: gigabyte }).disk;
    expect(over).toMatchObject({ isWell: false, share: 1, advice: expect.stringContaining('KODA_DISK_LIMIT_MB') });
  });

  it('says why nothing can start, and warns if disk space is low', () => {
    const noticeFor = (changes: Partial<HealthResponse>) =>
      startNotice({ data: { ...well, ...changes }, isError: false, errorUpdateCount: 0 });
    expect(noticeFor({})).toBeNull();
    expect(noticeFor({ freeDiskBytes: gigabyte / 2 })).toMatchObject({
      block: null,
      text: expect.stringContaining('Little disk'),
    });
    expect(noticeFor({ diskLimitBytes: gigabyte })).toMatchObject({ block: 'Disk limit reached' });
    expect(startNotice({ data: well, isError: true, errorUpdateCount: 1 })).toMatchObject({ block: 'Server not responding' });
    // A retry of the first request.
    expect(startNotice({ data: undefined, isError: false, errorUpdateCount: 1 })).toMatchObject({
      block: 'Server not responding',
    });
    expect(startNotice({ data: undefined, isError: false, errorUpdateCount: 0 })).toBeNull();
  });
});
