import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { SandboxManager } from './manager.ts';
import {
  type CallOptions,
  operatorLimits,
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
    return { version: '1', uptimeMs: 1, workspaceReady: true, memoryBytes: 1, oomKills: this.oomKills };
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

  async check(): Promise<{ available: boolean; detail: null }> {
    return { available: true, detail: null };
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
    manager.acquire('prj_a', { template: 'animation', limits: operatorLimits, prepare, signal, ...options });
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
      onState: () => undefined,
      onUnexpectedExit: () => undefined,
      onMemoryKill: () => undefined,
      onPreview: () => undefined,
      onEngineUnavailable: () => undefined,
      healthIntervalMs: 10,
      engineTimeoutMs: 0,
    });
    managers.push(restarted);
    expect(await restarted.acquire('prj_a', { template: 'animation', limits: operatorLimits, prepare, signal })).toMatchObject({
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
    await vi.waitFor(() => expect(reported.previews).toEqual(['running']), { timeout: 3_000 });
    sandbox.previewRevision = 2;
    await vi.waitFor(() => expect(reported.previews).toEqual(['running', 'failed']), { timeout: 3_000 });
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
      onState: () => undefined,
      onUnexpectedExit: () => undefined,
      onMemoryKill: () => undefined,
      onPreview: () => undefined,
      onEngineUnavailable: () => undefined,
      healthIntervalMs: 60_000,
      engineTimeoutMs: 0,
    });
    managers.push(slow, manager);
    await slow.acquire('prj_a', { template: 'animation', limits: operatorLimits, prepare, signal });
    for (const sandbox of provider.sandboxes.values()) sandbox.alive = false;
    expect((await slow.acquire('prj_a', { template: 'animation', limits: operatorLimits, prepare, signal })).sandbox.id).toBe(
      'sbx_2',
    );
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
