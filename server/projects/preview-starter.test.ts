import { once } from 'node:events';
import { pino } from 'pino';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import { newProject, tempStores, testPerson } from '../../test/fixtures/storage.ts';
import { filmKind } from '../kinds/film/kind.ts';
import type { ProjectCore } from './deps.ts';
import { PreviewStarter, renewPreviewAddresses } from './preview-starter.ts';

let told: EventBody[];
let starts: number;
let state: 'running' | 'failed';
let problems: string[];
let stops: number;
let exists: boolean;
let keeper: PreviewStarter;
/** Set while the project waits for a free sandbox. */
let waiting: PromiseWithResolvers<void> | null;

beforeEach(() => {
  told = [];
  starts = 0;
  stops = 0;
  problems = [];
  state = 'running';
  exists = true;
  const missing = () => new KodaError('NOT_FOUND', 'There is no such project.');
  waiting = null;
  const cancelled = () => new KodaError('CANCELLED', 'Waiting was cancelled.');
  const sandbox = {
    stopPreview: async () => {
      stops += 1;
    },
    startPreview: async () => {
      starts += 1;
      return { state, port: null, log: 'it broke', problems, revision: 1 };
    },
  };
  const core = {
    store: {
      state: async () => ({ project: { kind: 'animation', phase: 'executing' }, plan: null, approval: null }),
      get: async () => {
        if (!exists) throw missing();
        return { kind: 'animation' };
      },
      record: async (_projectId: string, bodies: EventBody[]) => {
        if (!exists) throw missing();
        told.push(...bodies);
      },
    },
    kinds: new Map([['animation', filmKind]]),
    sandboxes: {
      isWaiting: () => waiting !== null,
      waitedMs: () => 0,
      find: async () => (waiting === null ? sandbox : null),
      acquire: async (_projectId: string, { signal }: { signal: AbortSignal }) => {
        if (signal.aborted) throw cancelled();
        await Promise.race([waiting?.promise, once(signal, 'abort').then(() => Promise.reject(cancelled()))]);
        return { sandbox, fresh: false };
      },
    },
    previewUrl: () => 'http://preview',
    log: pino({ level: 'silent' }),
  } as unknown as ProjectCore;
  keeper = new PreviewStarter(core);
});

describe('live preview for viewers', () => {
  it('A15: starts once for concurrent viewers', async () => {
    await Promise.all([keeper.ensure('prj_a'), keeper.ensure('prj_a')]);
    expect(starts).toBe(1);
    expect(told).toEqual([{ type: 'preview.ready', url: 'http://preview' }]);
  });

  it('H7: the time limit of a start begins after the wait for a free sandbox', async () => {
    vi.useFakeTimers();
    waiting = Promise.withResolvers();
    const started = keeper.ensure('prj_a');
    await vi.advanceTimersByTimeAsync(3_600_000);
    vi.useRealTimers();
    waiting.resolve();
    await started;
    expect(told).toEqual([{ type: 'preview.ready', url: 'http://preview' }]);
  });

  it('H7: stopping ends the wait for a free sandbox without an error, and the next viewer waits again', async () => {
    waiting = Promise.withResolvers();
    const started = keeper.ensure('prj_a');
    const text = 'Waiting for a free sandbox: 2 ahead.';
    keeper.observe({ type: 'thinking', text, projectId: 'prj_a', seq: 1, at: '2026-01-01T00:00:00.000Z' });
    // The caller does not wait for other projects.
    await started;
    await keeper.stop('prj_a', testPerson);
    expect(told).toEqual([{ type: 'preview.stopped' }]);
    const again = keeper.ensure('prj_a');
    keeper.stopWaiting('prj_a');
    await again;
    expect([starts, told.length]).toEqual([0, 1]);
  });

  it('A15: reports a failed start and does not retry on every reload', async () => {
    state = 'failed';
    await keeper.ensure('prj_a');
    await keeper.ensure('prj_a');
    expect(told).toEqual([{ type: 'preview.error', message: 'The dev server has stopped.\nit broke', log: 'it broke' }]);
    expect(starts).toBe(1);
  });

  it('G12: restarts on request, right after a failure', async () => {
    state = 'failed';
    await keeper.ensure('prj_a');
    state = 'running';
    await keeper.restart('prj_a');
    expect({ starts, stops }).toEqual({ starts: 2, stops: 1 });
    expect(told.at(-1)).toEqual({ type: 'preview.ready', url: 'http://preview' });
  });

  it('G12: stays stopped for viewers until it is restarted', async () => {
    await keeper.stop('prj_a', testPerson);
    await keeper.ensure('prj_a');
    expect({ starts, stops }).toEqual({ starts: 0, stops: 1 });
    expect(told).toEqual([{ type: 'preview.stopped' }]);
    await keeper.restart('prj_a');
    expect(starts).toBe(1);
  });

  it('G12: reports modules that do not compile', async () => {
    problems = ['src/App.tsx:1:2: Unexpected token'];
    await keeper.ensure('prj_a');
    expect(told[1]).toEqual({
      type: 'preview.error',
      message: 'A module does not compile.\nsrc/App.tsx:1:2: Unexpected token',
      log: 'it broke',
    });
  });

  it('A24: does not throw if the project is deleted in the meantime', async () => {
    exists = false;
    await keeper.ensure('prj_a');
    expect(told).toEqual([]);
  });
});

it('A15: publishes new addresses of existing live previews after a port change', async () => {
  using stores = tempStores();
  const { projects } = stores;
  const shown = await projects.create(newProject());
  const bare = await projects.create(newProject());
  await projects.record(shown.id, [{ type: 'preview.ready', url: `http://${shown.previewLabel}.localhost:3000/` }], {
    by: testPerson,
  });
  const told = async () => (await projects.state(shown.id)).seq;
  const renew = () => renewPreviewAddresses(projects, ({ previewLabel }) => `http://${previewLabel}.localhost:4000/`);

  await renew();
  expect((await projects.get(shown.id)).previewUrl).toBe(`http://${shown.previewLabel}.localhost:4000/`);
  expect((await projects.get(bare.id)).previewUrl).toBeNull();

  const before = await told();
  await renew();
  expect(await told()).toBe(before);
});
