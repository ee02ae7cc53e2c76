import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempDir } from '../../test/fixtures/storage.ts';
import { KodaError } from '../contract/errors.ts';
import { newId } from '../contract/ids.ts';
import { CircuitBreaker } from '../lib/circuit-breaker.ts';
import { DockerProvider } from './docker-provider.ts';
import type { Engine } from './engine.ts';

const signal = new AbortController().signal;

/** An engine without containers, which refuses to start one. */
const emptyEngine: Engine = {
  check: async () => ({ engineVersion: '0', imageId: '' }),
  start: async () => {
    throw new KodaError('SERVICE_UNAVAILABLE', 'no room');
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
    memoryBytes: 1,
    cpus: 1,
    diskBytes: 1,
    diskReserveBytes: 1,
  });
}

describe('sandboxes as containers', () => {
  it('X7: the folder of a sandbox that never got its container is found, by its own instance alone, and goes', async () => {
    using folder = tempDir();
    const [sandboxId, projectId] = [newId('sbx'), newId('prj')];
    // What a server leaves that dies before it has asked the engine for the container.
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

  it('A22: two who find the same sandbox dead remove it once, and both hear of the end', async () => {
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

  it('T15: an engine that fails is not asked for a sandbox for a while, but clean-up goes on', async () => {
    using folder = tempDir();
    let lists = 0;
    let removals = 0;
    const own = provider(folder.path, 'one', {
      ...emptyEngine,
      list: async () => {
        lists += 1;
        throw new KodaError('TIMEOUT', 'Docker does not answer.');
      },
      remove: async () => {
        removals += 1;
      },
    });
    for (let call = 0; call < 5; call++) await expect(own.find(newId('prj'), { signal })).rejects.toThrow('not answer');
    await expect(own.find(newId('prj'), { signal })).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    await expect(own.create(newId('prj'), { signal })).rejects.toMatchObject({ code: 'CIRCUIT_OPEN' });
    expect(lists).toBe(5);
    await own.destroy(newId('sbx'));
    expect(removals).toBeGreaterThan(0);
    await expect(own.list({ signal })).rejects.toThrow('not answer');
  });

  it('T15: an engine that is away may be asked again and again, so that its return is noticed at once', async () => {
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

  it('a start that the engine refuses leaves nothing', async () => {
    using folder = tempDir();
    await expect(provider(folder.path, 'one').create(newId('prj'), { signal })).rejects.toThrow('no room');
    expect(readdirSync(join(folder.path, '.claims', 'one'))).toEqual([]);
    expect(readdirSync(folder.path)).toEqual(['.claims']);
  });
});
