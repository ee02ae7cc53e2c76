import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { protocolVersion } from '#contract/sandbox/answers.ts';
import { sandboxesFor } from './admission.ts';
import { type AcquireOptions, SandboxManager, type SandboxManagerOptions } from './manager.ts';
import {
  type CallOptions,
  operatorLimits,
  type Priority,
  type Sandbox,
  SandboxdError,
  type SandboxProvider,
  type SandboxSummary,
} from './sandbox.ts';

class FakeSandbox {
  readonly previewSocketPath = '/nowhere';
  readonly id: string;
  readonly projectId: string;
  readonly files = new Set<string>();
  alive = true;
  oomKills = 0;
  previewRevision = 0;

  constructor(id: string, projectId: string) {
    this.id = id;
    this.projectId = projectId;
  }

  async health(): Promise<object> {
    if (!this.alive) throw new KodaError('SANDBOX_DEAD', 'gone');
    return { version: protocolVersion, uptimeMs: 1, workspaceReady: true, memoryBytes: 1, oomKills: this.oomKills };
  }

  async watchPreview({ revision, signal }: CallOptions & { revision: number }): Promise<object> {
    while (revision === this.previewRevision) await delay(5, undefined, { signal });
    return {
      state: this.previewRevision % 2 === 1 ? 'running' : 'failed',
      port: null,
      log: '',
      problems: [],
      revision: this.previewRevision,
    };
  }

  async init(): Promise<boolean> {
    return true;
  }

  async statFile(path: string): Promise<void> {
    if (!this.files.has(path)) throw new SandboxdError('FILE_NOT_FOUND', 'missing', {});
  }

  async writeFile(path: string): Promise<void> {
    this.files.add(path);
  }
}

class FakeProvider implements SandboxProvider {
  readonly kind = 'process';
  readonly sandboxes = new Map<string, FakeSandbox>();
  readonly caches = new Set<string>();
  readonly stubborn = new Set<string>();
  created = 0;
  createMs = 0;
  absences = 0;

  async check(): ReturnType<SandboxProvider['check']> {
    return { available: true, detail: null, warnings: [] };
  }

  async create(projectId: string, { signal }: CallOptions): Promise<Sandbox> {
    await delay(this.createMs);
    if (signal.aborted) throw new KodaError('CANCELLED', 'cancelled');
    return this.add(`sbx_${++this.created}`, projectId) as unknown as Sandbox;
  }

  add(id: string, projectId: string): FakeSandbox {
    const sandbox = new FakeSandbox(id, projectId);
    this.sandboxes.set(id, sandbox);
    return sandbox;
  }

  async find(projectId: string): Promise<Sandbox | null> {
    if (this.absences-- > 0) throw new KodaError('SERVICE_UNAVAILABLE', 'Docker is not running.', { recovery: 'start_docker' });
    return ([...this.sandboxes.values()].find((known) => known.projectId === projectId && known.alive) ??
      null) as unknown as Sandbox | null;
  }

  async list(): Promise<SandboxSummary[]> {
    return [...this.sandboxes.values()].map(({ id, projectId, alive }) => ({ id, projectId, running: alive }));
  }

  async diagnose(): Promise<string> {
    return 'It ran out of memory.';
  }

  async destroy(id: string): Promise<void> {
    if (this.stubborn.has(id)) throw Object.assign(new Error('name too long'), { code: 'ENAMETOOLONG' });
    this.sandboxes.delete(id);
  }

  async disk(): Promise<null> {
    return null;
  }

  async sizes(): Promise<[]> {
    return [];
  }

  async listCaches(): Promise<string[]> {
    return [...this.caches];
  }

  async removeCache(projectId: string): Promise<void> {
    this.caches.delete(projectId);
  }
}

const { signal } = new AbortController();
const unlimited = {
  maxSandboxes: Number.POSITIVE_INFINITY,
  suspendIdle: async () => false,
  onWaiting: () => undefined,
  log: pino({ level: 'silent' }),
};
const managers: SandboxManager[] = [];
afterEach(async () => {
  for (const manager of managers.splice(0)) await manager.close({ destroySandboxes: true });
});

function setUp({ engineTimeoutMs = 0 } = {}) {
  const provider = new FakeProvider();
  const reported = {
    states: [] as string[],
    exits: [] as string[],
    memoryKills: [] as number[],
    previews: [] as string[],
    absences: [] as string[],
  };
  const manager = new SandboxManager({
    provider,
    ...unlimited,
    onState: (_, state) => reported.states.push(state),
    onUnexpectedExit: (_, reason) => reported.exits.push(reason),
    onMemoryKill: (_, kills) => reported.memoryKills.push(kills),
    onPreview: (_, { state }) => reported.previews.push(state),
    onEngineUnavailable: (_, reason) => reported.absences.push(reason),
    healthIntervalMs: 10,
    engineTimeoutMs,
  });
  managers.push(manager);
  const prepare = vi.fn(async () => undefined);
  const acquire = (options: Partial<{ signal: AbortSignal; prepare: () => Promise<undefined> }> = {}) =>
    manager.acquire('prj_a', { template: 'animation', limits: operatorLimits, priority: 'person', prepare, signal, ...options });
  return { provider, manager, reported, prepare, acquire };
}

describe('SandboxManager', () => {
  it('A13: concurrent calls share one sandbox, and its states are reported', async () => {
    const { provider, acquire, prepare, reported, manager } = setUp();
    provider.createMs = 20;
    const [first, second] = await Promise.all([acquire(), acquire()]);
    const third = await acquire();
    expect([first.sandbox.id, second.sandbox.id, third.sandbox.id]).toEqual(['sbx_1', 'sbx_1', 'sbx_1']);
    expect([first.fresh, third.fresh]).toEqual([true, false]);
    expect(prepare).toHaveBeenCalledTimes(1);
    expect(manager.current('prj_a')?.id).toBe('sbx_1');
    expect(reported.states).toEqual(['created', 'ready']);
  });

  it('A22: replaces a sandbox whose preparation was interrupted, and reuses a complete one', async () => {
    const { provider, acquire, prepare } = setUp();
    provider.add('sbx_half', 'prj_a');
    expect((await acquire()).sandbox.id).toBe('sbx_1');
    expect([...provider.sandboxes.keys()]).toEqual(['sbx_1']);
    const restarted = new SandboxManager({
      provider,
      ...unlimited,
      onState: () => undefined,
      onUnexpectedExit: () => undefined,
      onMemoryKill: () => undefined,
      onPreview: () => undefined,
      onEngineUnavailable: () => undefined,
      healthIntervalMs: 10,
      engineTimeoutMs: 0,
    });
    managers.push(restarted);
    expect(
      await restarted.acquire('prj_a', { template: 'animation', limits: operatorLimits, priority: 'person', prepare, signal }),
    ).toMatchObject({
      fresh: false,
      sandbox: { id: 'sbx_1' },
    });
    expect(prepare).toHaveBeenCalledTimes(1);
  });

  it('A22: destroys the sandbox if its preparation fails', async () => {
    const { provider, acquire, reported, manager } = setUp();
    await expect(acquire({ prepare: () => Promise.reject(new Error('no checkpoint')) })).rejects.toThrow('no checkpoint');
    expect(provider.sandboxes.size).toBe(0);
    expect(manager.current('prj_a')).toBeNull();
    expect(reported.states).toEqual(['created', 'stopped']);
  });

  it('A22: reports an unexpected exit with its reason, and creates a new sandbox for the next call', async () => {
    const { provider, acquire, reported } = setUp();
    await acquire();
    for (const sandbox of provider.sandboxes.values()) sandbox.alive = false;
    await vi.waitFor(() => expect(reported.exits).toEqual(['It ran out of memory.']));
    expect((await acquire()).sandbox.id).toBe('sbx_2');
    expect(reported.states).toEqual(['created', 'ready', 'stopped', 'created', 'ready']);
    expect([...provider.sandboxes.keys()]).toEqual(['sbx_2']);
  });

  it('G12: reports each change of the dev server, and of a server that ran before', async () => {
    const { provider, acquire, reported } = setUp();
    await acquire();
    const [sandbox] = provider.sandboxes.values();
    if (sandbox === undefined) throw new Error('There is no sandbox.');
    sandbox.previewRevision = 1;
    await vi.waitFor(() => expect(reported.previews).toEqual(['running']));
    sandbox.previewRevision = 2;
    await vi.waitFor(() => expect(reported.previews).toEqual(['running', 'failed']));
  });

  it('A22: a dead sandbox that cannot be removed does not affect later calls', async () => {
    const { provider, acquire, reported } = setUp();
    await acquire();
    provider.stubborn.add('sbx_1');
    for (const sandbox of provider.sandboxes.values()) sandbox.alive = false;
    // An unhandled rejection would end the server, and fails this test run.
    await vi.waitFor(() => expect(reported.exits).toHaveLength(1));
    expect((await acquire()).sandbox.id).toBe('sbx_2');
    provider.stubborn.clear();
  });

  it('A22: calls wait for an unavailable engine, which is reported once', async () => {
    const { provider, acquire, reported } = setUp({ engineTimeoutMs: 60_000 });
    provider.absences = 2;
    expect((await acquire()).sandbox.id).toBe('sbx_1');
    expect(reported.absences).toEqual(['Docker is not running.']);
  });

  it('A22: fails with the engine error if the engine stays unavailable', async () => {
    const impatient = setUp();
    impatient.provider.absences = Number.POSITIVE_INFINITY;
    await expect(impatient.acquire()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', recovery: 'start_docker' });
    const patient = setUp({ engineTimeoutMs: 60_000 });
    patient.provider.absences = Number.POSITIVE_INFINITY;
    const stop = new AbortController();
    const waiting = patient.acquire({ signal: stop.signal });
    await vi.waitFor(() => expect(patient.reported.absences).toHaveLength(1));
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', recovery: 'start_docker' });
  });

  it('detects an exit between two health checks on the next call', async () => {
    const { provider, manager, prepare } = setUp();
    const slow = new SandboxManager({
      provider,
      ...unlimited,
      onState: () => undefined,
      onUnexpectedExit: () => undefined,
      onMemoryKill: () => undefined,
      onPreview: () => undefined,
      onEngineUnavailable: () => undefined,
      healthIntervalMs: 60_000,
      engineTimeoutMs: 0,
    });
    managers.push(slow, manager);
    await slow.acquire('prj_a', { template: 'animation', limits: operatorLimits, priority: 'person', prepare, signal });
    for (const sandbox of provider.sandboxes.values()) sandbox.alive = false;
    expect(
      (await slow.acquire('prj_a', { template: 'animation', limits: operatorLimits, priority: 'person', prepare, signal }))
        .sandbox.id,
    ).toBe('sbx_2');
  });

  it('reports each memory kill that the sandbox survived once', async () => {
    const { provider, acquire, reported } = setUp();
    await acquire();
    await delay(30);
    for (const sandbox of provider.sandboxes.values()) sandbox.oomKills = 2;
    await vi.waitFor(() => expect(reported.memoryKills).toEqual([2]));
    await delay(30);
    expect(reported.memoryKills).toEqual([2]);
  });

  it('A10: aborts creation only once all callers have cancelled, and serves the next call', async () => {
    const { provider, acquire } = setUp();
    provider.createMs = 30;
    const one = new AbortController();
    const cancelled = acquire({ signal: one.signal });
    const other = acquire();
    one.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await other).sandbox.id).toBe('sbx_1');

    const alone = setUp();
    alone.provider.createMs = 30;
    const two = new AbortController();
    const lost = alone.acquire({ signal: two.signal });
    two.abort();
    await expect(lost).rejects.toMatchObject({ code: 'CANCELLED' });
    expect((await alone.acquire()).fresh).toBe(true);
    expect(alone.provider.sandboxes.size).toBe(1);
  });

  it('A24: removes orphaned and dead sandboxes, and leaves those in use', async () => {
    const { provider, acquire, manager } = setUp();
    await acquire();
    provider.add('sbx_twin', 'prj_a');
    provider.add('sbx_orphan', 'prj_gone');
    provider.add('sbx_idle', 'prj_b');
    provider.add('sbx_dead', 'prj_c').alive = false;
    expect(await manager.reconcile(new Set(['prj_a', 'prj_b', 'prj_c']), { signal })).toBe(3);
    expect([...provider.sandboxes.keys()]).toEqual(['sbx_1', 'sbx_idle']);
  });

  it('A24: removes a dead sandbox before opening a new one, even if a cleanup runs in between', async () => {
    const { provider, acquire, manager } = setUp();
    provider.add('sbx_dead', 'prj_a').alive = false;
    provider.createMs = 20;
    const opening = acquire();
    expect(await manager.reconcile(new Set(['prj_a']), { signal })).toBe(0);
    await opening;
    expect([...provider.sandboxes.keys()]).toEqual(['sbx_1']);
  });

  it('A24: reports an orphan that cannot be removed, and still removes the others', async () => {
    const { provider, manager } = setUp();
    provider.add('sbx_stubborn', 'prj_gone');
    provider.add('sbx_orphan', 'prj_gone');
    provider.stubborn.add('sbx_stubborn');
    await expect(manager.reconcile(new Set(), { signal })).rejects.toThrow('name too long');
    expect([...provider.sandboxes.keys()]).toEqual(['sbx_stubborn']);
    provider.stubborn.clear();
  });

  it('A24: removes unneeded caches, except those of existing or starting sandboxes', async () => {
    const { provider, acquire, manager } = setUp();
    for (const projectId of ['prj_a', 'prj_gone', 'prj_kept', 'prj_running']) provider.caches.add(projectId);
    provider.add('sbx_running', 'prj_running');
    provider.createMs = 20;
    const opening = acquire();
    expect(await manager.sweepCaches(new Set(['prj_kept']), { signal })).toBe(1);
    expect([...provider.caches]).toEqual(['prj_a', 'prj_kept', 'prj_running']);
    await opening;
    expect(await manager.sweepCaches(new Set(), { signal })).toBe(1);
    expect([...provider.caches]).toEqual(['prj_a', 'prj_running']);
  });

  it("destroys a project's sandboxes on request, including an earlier server's, and reports it", async () => {
    const { provider, acquire, manager, reported } = setUp();
    await acquire();
    provider.add('sbx_twin', 'prj_a');
    await manager.destroy('prj_a');
    expect(provider.sandboxes.size).toBe(0);
    expect(manager.current('prj_a')).toBeNull();
    expect(reported.states.at(-1)).toBe('stopped');
    await manager.destroy('prj_never');
    expect(reported.states.filter((state) => state === 'stopped')).toHaveLength(1);
  });
});

describe('admission of sandboxes', () => {
  function limited(maxSandboxes: number, more: Partial<SandboxManagerOptions> = {}) {
    const { provider } = setUp();
    const waits: string[] = [];
    const manager = new SandboxManager({
      ...unlimited,
      provider,
      maxSandboxes,
      onWaiting: (projectId, ahead) => waits.push(`${projectId} ${ahead}`),
      onState: () => undefined,
      onUnexpectedExit: () => undefined,
      onMemoryKill: () => undefined,
      onPreview: () => undefined,
      onEngineUnavailable: () => undefined,
      healthIntervalMs: 60_000,
      engineTimeoutMs: 0,
      ...more,
    });
    managers.push(manager);
    const open = (projectId: string, options: Partial<AcquireOptions> = {}) =>
      manager.acquire(projectId, {
        template: 'animation',
        limits: operatorLimits,
        priority: 'person',
        prepare: async () => undefined,
        signal,
        ...options,
      });
    const running = () => [...provider.sandboxes.values()].map(({ projectId }) => projectId).sort();
    return { provider, manager, waits, open, running };
  }

  it('H7: starts at most the configured number of sandboxes, counting those of an earlier server', async () => {
    const { provider, manager, waits, open, running } = limited(2);
    provider.add('sbx_earlier', 'prj_earlier').files.add('.koda/prepared');
    await open('prj_a');
    const later = open('prj_b');
    await vi.waitFor(() => expect(waits).toEqual(['prj_b 0']));
    expect(running()).toEqual(['prj_a', 'prj_earlier']);
    // A running sandbox needs no place.
    expect((await open('prj_earlier')).sandbox.id).toBe('sbx_earlier');
    await manager.destroy('prj_a');
    await later;
    expect(running()).toEqual(['prj_b', 'prj_earlier']);
    expect(waits).toEqual(['prj_b 0', 'prj_b null']);
  });

  it('H7: serves people before background work, and reports the position of each', async () => {
    const { manager, waits, open, running } = limited(1);
    await open('prj_a');
    const order: string[] = [];
    const begin = async (projectId: string, priority: Priority) => {
      const opened = open(projectId, { priority }).then(() => order.push(projectId));
      await vi.waitFor(() => expect(waits.some((text) => text.startsWith(projectId))).toBe(true));
      return opened;
    };
    const all = [begin('prj_b', 'background')];
    await vi.waitFor(() => expect(waits).toEqual(['prj_b 0']));
    all.push(begin('prj_c', 'person'));
    await vi.waitFor(() => expect(waits).toEqual(['prj_b 0', 'prj_c 0', 'prj_b 1']));
    all.push(begin('prj_d', 'background'));
    await vi.waitFor(() => expect(waits.at(-1)).toBe('prj_d 2'));
    // A person opens a project that waits in the background.
    const joined = open('prj_d', { priority: 'person' });
    await vi.waitFor(() => expect(waits.slice(-2)).toEqual(['prj_d 1', 'prj_b 2']));
    for (const projectId of ['prj_a', 'prj_c', 'prj_d']) {
      await manager.destroy(projectId);
      await vi.waitFor(() => expect(running()).toHaveLength(1));
      await vi.waitFor(() => expect(order.at(-1)).toBe(running()[0]));
    }
    await Promise.all([...all, joined]);
    expect(order).toEqual(['prj_c', 'prj_d', 'prj_b']);
  });

  it('H7: suspends an idle sandbox for a waiting project', async () => {
    const { manager, open, running, waits } = limited(1, {
      suspendIdle: async () => {
        if (manager.current('prj_a') === null) return false;
        await manager.destroy('prj_a');
        return true;
      },
    });
    await open('prj_a');
    await open('prj_b');
    expect(running()).toEqual(['prj_b']);
    expect(waits.at(-1)).toBe('prj_b null');
  });

  it('H7: a failed suspension does not affect those who wait', async () => {
    const { manager, open, waits } = limited(1, { suspendIdle: () => Promise.reject(new Error('disk full')) });
    await open('prj_a');
    const later = open('prj_b');
    await vi.waitFor(() => expect(waits).toEqual(['prj_b 0']));
    await manager.destroy('prj_a');
    await later;
  });

  it('H7: an aborted request and a stopped project leave the queue', async () => {
    const { manager, waits, open, running } = limited(1);
    await open('prj_a');
    const stop = new AbortController();
    const aborted = open('prj_b', { signal: stop.signal });
    const last = open('prj_c');
    await vi.waitFor(() => expect(waits).toEqual(['prj_b 0', 'prj_c 1']));
    expect([manager.isWaiting('prj_b'), await manager.find('prj_b', { signal })]).toEqual([true, null]);
    stop.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'CANCELLED' });
    await vi.waitFor(() => expect(waits.slice(2)).toEqual(['prj_b null', 'prj_c 0']));
    expect(manager.isWaiting('prj_b')).toBe(false);
    await manager.destroy('prj_a');
    await last;
    expect(running()).toEqual(['prj_c']);
  });

  it('H7: counts the time that each project has waited, also while it still waits', async () => {
    const { manager, open } = limited(1);
    await open('prj_a');
    const waiting = open('prj_b');
    await vi.waitFor(() => expect(manager.waitedMs('prj_b')).toBeGreaterThan(20));
    await manager.destroy('prj_a');
    await waiting;
    const total = manager.waitedMs('prj_b');
    expect(total).toBeGreaterThan(20);
    await delay(20);
    expect(manager.waitedMs('prj_b')).toBe(total);
    expect(manager.waitedMs('prj_c')).toBe(0);
  });

  it('H7: a failed start frees its place', async () => {
    const { open, running } = limited(1);
    const failing = open('prj_a', { prepare: () => delay(20).then(() => Promise.reject(new Error('no checkpoint'))) });
    const next = open('prj_b');
    await expect(failing).rejects.toThrow('no checkpoint');
    await next;
    expect(running()).toEqual(['prj_b']);
  });

  it('H7: an unexpected exit frees its place', async () => {
    const { provider, open, waits } = limited(1, { healthIntervalMs: 10 });
    await open('prj_a');
    const next = open('prj_b');
    await vi.waitFor(() => expect(waits).toEqual(['prj_b 0']));
    for (const sandbox of provider.sandboxes.values()) sandbox.alive = false;
    await next;
  });

  it('H7: 20 projects at once are all served by three places', async () => {
    const { provider, manager, open } = limited(3);
    provider.createMs = 2;
    let most = 0;
    const work = async (projectId: string) => {
      await open(projectId);
      most = Math.max(most, provider.sandboxes.size);
      await delay(5);
      await manager.destroy(projectId);
    };
    await Promise.all(Array.from({ length: 20 }, (_, index) => work(`prj_${index}`)));
    expect(most).toBe(3);
    expect(provider.created).toBe(20);
  });

  it('H7: closing ends the wait', async () => {
    const { manager, open, waits } = limited(1);
    await open('prj_a');
    const waiting = open('prj_b');
    await vi.waitFor(() => expect(waits).toEqual(['prj_b 0']));
    const refused = expect(waiting).rejects.toMatchObject({ code: 'CANCELLED' });
    await manager.close({ destroySandboxes: true });
    await refused;
  });

  it('H7: an unavailable engine is reported to those who wait', async () => {
    const { provider, open, waits } = limited(1);
    await open('prj_a');
    const waiting = open('prj_b');
    await vi.waitFor(() => expect(waits).toEqual(['prj_b 0']));
    provider.list = () => Promise.reject(new KodaError('SERVICE_UNAVAILABLE', 'Docker is down.', { recovery: 'start_docker' }));
    await expect(waiting).rejects.toMatchObject({ recovery: 'start_docker' });
    provider.list = FakeProvider.prototype.list;
  });

  it.each([
    [2, 1],
    [6, 1],
    [16, 2],
    [32, 5],
    [256, 8],
  ])('H7: a machine with %i GiB of memory runs %i sandboxes', (gibibytes, sandboxes) => {
    expect(sandboxesFor(gibibytes * 1024 ** 3)).toBe(sandboxes);
  });
});
