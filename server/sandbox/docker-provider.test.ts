import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { tempDir } from '../../test/fixtures/storage.ts';
import { CircuitBreaker } from '../lib/circuit-breaker.ts';
import { DockerProvider } from './docker-provider.ts';
import type { Engine } from './engine.ts';
import { operatorLimits } from './sandbox.ts';

const signal = new AbortController().signal;

/** Engine without containers that rejects every start. */
const emptyEngine: Engine = {
  check: async () => ({ versions: { engine: '0', runc: null, kernel: null }, imageId: '' }),
  start: async () => {
    throw new KodaError('SERVICE_UNAVAILABLE', 'no free space');
  },
  inspect: async () => null,
  list: async () => [],
  seal: async () => undefined,
  remove: async () => undefined,
  disk: async () => null,
  sizes: async () => [],
  listCaches: async () => [],
  removeCache: async () => undefined,
};

function provider(socketsDir: string, instance: string, engine: Engine = emptyEngine) {
  const tokens = { tokenOf: () => 'token' };
  const breaker = new CircuitBreaker({ name: 'docker', label: 'Docker' });
  return new DockerProvider({
    engine,
    breaker,
    instance,
    tokens,
    socketsDir,
    memoryBytes: 4096 * 1024 ** 2,
    cpus: 2,
    diskBytes: 1,
    diskReserveBytes: 1,
  });
}

describe('DockerProvider', () => {
  it('X7: finds and removes the folder of a sandbox without a container, only in its own instance', async () => {
    using folder = tempDir();
    const [sandboxId, projectId] = [newId('sbx'), newId('prj')];
    // A server that crashes before it requests the container leaves this claim behind.
    const claims = join(folder.path, '.claims', 'one');
    mkdirSync(claims, { recursive: true });
    writeFileSync(join(claims, sandboxId), projectId);
    mkdirSync(join(folder.path, sandboxId));

    expect(await provider(folder.path, 'two').list({ signal })).toEqual([]);
    const own = provider(folder.path, 'one');
    expect(await own.list({ signal })).toEqual([{ id: sandboxId, projectId, running: false }]);
    await own.destroy(sandboxId);
    expect(existsSync(join(folder.path, sandboxId))).toBe(false);
    expect(await own.list({ signal })).toEqual([]);
  });

  it('A22: concurrent removals of a dead sandbox run once, and both callers get the result', async () => {
    using folder = tempDir();
    const sandboxId = newId('sbx');
    const sockets = join(folder.path, sandboxId);
    mkdirSync(sockets);
    for (let socket = 0; socket < 50; socket++) writeFileSync(join(sockets, `${socket}.sock`), '');
    let removals = 0;
    const own = provider(folder.path, 'one', {
      ...emptyEngine,
      remove: async () => {
        removals += 1;
      },
    });
    await Promise.all([own.destroy(sandboxId), own.destroy(sandboxId)]);
    expect(existsSync(sockets)).toBe(false);
    expect(removals).toBe(1);
    await own.destroy(sandboxId);
    expect(removals).toBe(2);
  });

  it('T15: a failing engine gets no start requests for a while, but cleanup continues', async () => {
    using folder = tempDir();
    let lists = 0;
    let removals = 0;
    const own = provider(folder.path, 'one', {
      ...emptyEngine,
      list: async () => {
        lists += 1;
        throw new KodaError('TIMEOUT', 'Docker is not responding.');
      },
      remove: async () => {
        removals += 1;
      },
    });
    for (let call = 0; call < 5; call++) await expect(own.find(newId('prj'), { signal })).rejects.toThrow('not respond');
    await expect(own.find(newId('prj'), { signal })).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    await expect(own.create(newId('prj'), { limits: operatorLimits, signal })).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    expect(lists).toBe(5);
    await own.destroy(newId('sbx'));
    expect(removals).toBeGreaterThan(0);
    await expect(own.list({ signal })).rejects.toThrow('not respond');
  });

  it('T15: an unavailable engine is retried continually, so that its return is noticed at once', async () => {
    using folder = tempDir();
    let isAway = true;
    const own = provider(folder.path, 'one', {
      ...emptyEngine,
      list: async () => {
        if (isAway) throw new KodaError('SERVICE_UNAVAILABLE', 'Docker is not running.', { recovery: 'start_docker' });
        return [];
      },
    });
    for (let call = 0; call < 20; call++) await expect(own.find(newId('prj'), { signal })).rejects.toThrow('not running');
    isAway = false;
    expect(await own.find(newId('prj'), { signal })).toBeNull();
  });

  it.each([
    [operatorLimits, { memoryBytes: 4096 * 1024 ** 2, cpus: 2 }],
    [
      { memoryMb: 512, cpus: 1 },
      { memoryBytes: 512 * 1024 ** 2, cpus: 1 },
    ],
    [
      { memoryMb: 64_000, cpus: 16 },
      { memoryBytes: 4096 * 1024 ** 2, cpus: 2 },
    ],
  ])('A26: a kind’s limits %j stay within the operator’s', async (limits, expected) => {
    using folder = tempDir();
    const started: unknown[] = [];
    const engine: Engine = {
      ...emptyEngine,
      start: async (spec) => {
        started.push(spec);
        throw new Error('enough');
      },
    };
    await expect(provider(folder.path, 'one', engine).create(newId('prj'), { limits, signal })).rejects.toThrow('enough');
    expect(started).toEqual([expect.objectContaining(expected)]);
  });

  it('a rejected start leaves no files', async () => {
    using folder = tempDir();
    await expect(provider(folder.path, 'one').create(newId('prj'), { limits: operatorLimits, signal })).rejects.toThrow(
      'no free space',
    );
    expect(readdirSync(join(folder.path, '.claims', 'one'))).toEqual([]);
    expect(readdirSync(folder.path)).toEqual(['.claims']);
  });
});
