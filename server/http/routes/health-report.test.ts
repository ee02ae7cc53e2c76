import { tmpdir } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import { type HealthResponse, healthResponseSchema } from '#contract/api.ts';
import type { SandboxProvider } from '../../sandbox/sandbox.ts';
import { createHealthReport } from './health-report.ts';

const model = { kind: 'director', name: 'built in', canRepair: false };
let used = 10;
let circuits: HealthResponse['circuits'] = [];
const report = (check: SandboxProvider['check']) =>
  createHealthReport({
    version: '1.2.3',
    model: () => model,
    provider: { kind: 'docker', check },
    circuits: () => circuits,
    dataDir: tmpdir(),
    usedDiskBytes: async () => used,
    diskLimitBytes: 1000,
    deviations: [],
    database: () => 'ok',
  });

describe('health', () => {
  it('reports the state of each part, and caches the engine check', async () => {
    const check = vi.fn(async () => ({ available: true, detail: null, warnings: [] }));
    const health = report(check);
    const [first] = await Promise.all([health(), health(), health()]);
    expect(healthResponseSchema.parse(first)).toMatchObject({
      version: '1.2.3',
      model,
      sandbox: { kind: 'docker', available: true },
    });
    expect(first?.freeDiskBytes).toBeGreaterThan(0);
    expect(check).toHaveBeenCalledTimes(1);
  });

  it('H4: leaves the warnings about the engine to the log', async () => {
    const health = await report(async () => ({ available: true, detail: null, warnings: ['CVE-1'] }))();
    expect(JSON.stringify(health)).not.toContain('CVE-1');
  });

  it('is degraded if the data exceeds its limit', async () => {
    used = 1001;
    expect(await report(async () => ({ available: true, detail: null, warnings: [] }))()).toMatchObject({
      status: 'degraded',
      usedDiskBytes: 1001,
      diskLimitBytes: 1000,
    });
    used = 10;
  });

  it('T15: reports circuit breakers, and is degraded while one is open', async () => {
    circuits = [{ name: 'model', state: 'open', retryAt: '2026-01-01T00:00:00.000Z' }];
    const open = await report(async () => ({ available: true, detail: null, warnings: [] }))();
    expect(healthResponseSchema.parse(open)).toMatchObject({ status: 'degraded', circuits });
    circuits = [{ name: 'model', state: 'closed', retryAt: null }];
    expect(await report(async () => ({ available: true, detail: null, warnings: [] }))()).toMatchObject({
      status: 'ok',
      circuits,
    });
  });

  it('reports a stuck engine without waiting for it', async () => {
    vi.useFakeTimers();
    const answer = report(() => new Promise(() => undefined))();
    await vi.advanceTimersByTimeAsync(5000);
    vi.useRealTimers();
    expect(await answer).toMatchObject({
      status: 'degraded',
      sandbox: { available: false, detail: expect.stringMatching(/did not respond/) },
    });
  });

  it('reports a failing or missing engine instead of throwing', async () => {
    expect(await report(() => Promise.reject(new Error('no engine')))()).toMatchObject({
      status: 'degraded',
      sandbox: { available: false, detail: 'no engine' },
    });
  });
});
