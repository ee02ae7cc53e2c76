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
      acquire: async () => ({ sandbox: {}, fresh: false }),
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
  keeper = new IdleSuspender(core, {
    isWorking: (projectId) => working.has(projectId),
    onLastViewerLeft: (projectId) => left.push(projectId),
  });
});

afterEach(() => vi.useRealTimers());

const round = (minutes: number) => keeper.suspendIdle({ now: minutes * minute, signal });

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
    vi.useFakeTimers({ now: 0 });
    await round(0);
    for (const minutes of [4, 8, 12]) {
      vi.setSystemTime(minutes * minute);
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

  it('A23, A29: a finished final keeps the sandbox for 5 more minutes if the project has a viewer', async () => {
    const now = Date.now() / minute;
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
