import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { filmKind } from '../kinds/film/kind.ts';
import type { ProjectCore } from './deps.ts';
import { IdleSuspender } from './idle-suspender.ts';

const minute = 60_000;
const signal = new AbortController().signal;
let running: string[];
let saved: string[];
let working: Set<string>;
let renders: { status: string }[];
let canSave: boolean;
let whileSaving: () => void;
let left: string[];
let idleFor: (projectId: string) => number;
let keeper: IdleSuspender;

beforeEach(() => {
  running = ['prj_a'];
  saved = [];
  working = new Set();
  renders = [];
  canSave = true;
  whileSaving = () => undefined;
  const core = {
    store: {
      state: async () => ({ renders, project: { kind: 'animation', phase: 'complete' }, plan: null, approval: null }),
      get: async () => ({ kind: 'animation' }),
    },
    kinds: new Map([['animation', filmKind]]),
    sandboxes: {
      list: async () => [...running],
      current: (projectId: string) => (running.includes(projectId) ? {} : null),
      find: async () => ({}),
      idleMs: (projectId: string) => idleFor(projectId),
      destroy: async (projectId: string) => {
        running = running.filter((one) => one !== projectId);
      },
    },
    checkpoints: {
      save: async (projectId: string, trigger: string) => {
        if (!canSave) throw new Error('disk full');
        whileSaving();
        saved.push(`${projectId} ${trigger}`);
        return null;
      },
    },
    log: pino({ level: 'silent' }),
  } as unknown as ProjectCore;
  left = [];
  idleFor = () => Number.POSITIVE_INFINITY;
  keeper = new IdleSuspender(core, {
    isWorking: (projectId) => working.has(projectId),
    onLastViewerLeft: (projectId) => left.push(projectId),
  });
});

afterEach(() => vi.useRealTimers());

const round = (minutes: number) => keeper.suspendIdle({ nowMs: minutes * minute, signal });

describe('idle sandboxes', () => {
  it('A21, A23: saves and destroys a sandbox after 5 idle minutes', async () => {
    expect(await round(0)).toBe(0);
    expect(await round(4.9)).toBe(0);
    expect(await round(5)).toBe(1);
    expect(saved).toEqual(['prj_a idle']);
    expect(running).toEqual([]);
  });

  it('A21: reports only the last viewer’s departure', () => {
    const [leave, leaveLast] = [keeper.viewer('prj_a'), keeper.viewer('prj_a')];
    leave();
    leave();
    expect(left).toEqual([]);
    leaveLast();
    expect(left).toEqual(['prj_a']);
  });

  it('A30: an open page without activity does not keep the sandbox', async () => {
    keeper.viewer('prj_a');
    expect(await round(0)).toBe(0);
    expect(await round(5)).toBe(1);
    expect(saved).toEqual(['prj_a idle']);
  });

  it('A30: keeps the sandbox for 5 minutes after each activity, whether or not a page is open', async () => {
    vi.useFakeTimers();
    const startedAt = performance.now() / minute;
    const round = (minutes: number) => keeper.suspendIdle({ nowMs: (startedAt + minutes) * minute, signal });
    await round(0);
    for (const minutes of [4, 8, 12]) {
      vi.advanceTimersByTime(4 * minute);
      keeper.active('prj_a');
      expect(await round(minutes + 4.9)).toBe(0);
    }
    expect(await round(17)).toBe(1);
  });

  it('A30: is suspended until the next activity, or until something else starts the sandbox', async () => {
    const suspend = async () => {
      running = ['prj_a'];
      await round(0);
      await round(10);
    };
    expect(keeper.isSuspended('prj_a')).toBe(false);
    await suspend();
    expect(keeper.isSuspended('prj_a')).toBe(true);
    keeper.active('prj_a');
    expect(keeper.isSuspended('prj_a')).toBe(false);
    await suspend();
    running = ['prj_a'];
    await round(11);
    running = [];
    expect(keeper.isSuspended('prj_a')).toBe(false);
  });

  it('A23: keeps the sandbox while the agent or a render is running', async () => {
    working.add('prj_a');
    await round(0);
    expect(await round(30)).toBe(0);
    working.clear();
    renders = [{ status: 'running' }];
    expect(await round(60)).toBe(0);
    renders = [{ status: 'complete' }];
    expect(await round(64)).toBe(0);
    expect(await round(65)).toBe(1);
  });

  it('A29: a finished final releases the sandbox immediately if the project has no viewers', async () => {
    await round(0);
    keeper.release('prj_a');
    expect(await round(1)).toBe(1);
    expect(saved).toEqual(['prj_a idle']);
  });

  it('A29: a finished final does not end a sandbox that works, for example on the rows of the next table', async () => {
    await round(0);
    idleFor = () => 0;
    keeper.release('prj_a');
    expect(await round(1)).toBe(0);
    idleFor = () => minute;
    keeper.release('prj_a');
    expect(await round(2)).toBe(1);
  });

  it('A23, A29: a finished final keeps the sandbox for 5 more minutes if the project has a viewer', async () => {
    const now = performance.now() / minute;
    keeper.viewer('prj_a');
    await round(now);
    keeper.release('prj_a');
    expect(await round(now + 1)).toBe(0);
  });

  it.each<[string, () => unknown]>([
    ['the user acts', () => keeper.active('prj_a')],
    ['the agent starts', () => working.add('prj_a')],
    ['a render is queued', () => renders.push({ status: 'queued' })],
  ])('A22: stays when %s while its files are saved', async (_what, act) => {
    whileSaving = act;
    await round(0);
    expect(await round(10)).toBe(0);
    expect(running).toEqual(['prj_a']);
  });

  it('A21: keeps a sandbox whose files cannot be saved', async () => {
    canSave = false;
    await round(0);
    expect(await round(10)).toBe(0);
    expect(running).toEqual(['prj_a']);
  });
});

describe('making room for a waiting project', () => {
  const makeRoom = () => keeper.suspendLeastUsed({ nowMs: performance.now(), signal });

  it('H7: suspends the sandbox that has been unused longest, after saving its files', async () => {
    running = ['prj_a', 'prj_b'];
    idleFor = (projectId) => (projectId === 'prj_a' ? 20_000 : 40_000);
    expect(await makeRoom()).toBe(true);
    expect([saved, running]).toEqual([['prj_b idle'], ['prj_a']]);
    expect(keeper.isSuspended('prj_b')).toBe(true);
  });

  it.each<[string, () => unknown]>([
    ['the agent works', () => working.add('prj_a')],
    ['a render runs', () => renders.push({ status: 'running' })],
    ['its last work was a moment ago', () => (idleFor = () => 5_000)],
    ['the user was active a moment ago', () => keeper.active('prj_a')],
  ])('H7: keeps a sandbox while %s', async (_what, use) => {
    use();
    expect(await makeRoom()).toBe(false);
    expect(running).toEqual(['prj_a']);
  });

  it('H7: keeps an open page’s sandbox longer, because the page reports activity every 30 s', async () => {
    idleFor = () => 40_000;
    const leave = keeper.viewer('prj_a');
    expect(await makeRoom()).toBe(false);
    leave();
    expect(await makeRoom()).toBe(true);
  });

  it('H7: suspends a sandbox whose render waits, because renders before it may wait for a sandbox', async () => {
    renders = [{ status: 'queued' }];
    expect(await makeRoom()).toBe(true);
  });

  it('H7: a project that is used while its files are saved keeps its sandbox, and the next one is suspended', async () => {
    running = ['prj_a', 'prj_b'];
    idleFor = (projectId) => (projectId === 'prj_a' ? 60_000 : 40_000);
    whileSaving = () => keeper.active('prj_a');
    expect(await makeRoom()).toBe(true);
    expect(running).toEqual(['prj_a']);
  });
});
