import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Batch, BatchRequest } from '#contract/batch.ts';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { parameterInfoSchema, type Render } from '#contract/render.ts';
import { sampleFilm, sampleRender } from '../../test/fixtures/renders.ts';
import { newProject, rethrow, tempStores, testPerson } from '../../test/fixtures/storage.ts';
import { BatchService, type BatchServiceDeps } from './batches.ts';

const subject = { aspect: '16:9', fps: 30, durationSeconds: 2, fixedParts: [] } as const;
const film = sampleFilm({
  parameters: [
    parameterInfoSchema.parse({ name: 'title', type: 'string', default: 'Koda' }),
    parameterInfoSchema.parse({ name: 'count', type: 'integer', default: 3 }),
  ],
});
const by = testPerson;
const signal = new AbortController().signal;

const open: { service: BatchService; stores: Disposable }[] = [];
afterEach(async () => {
  const used = open.splice(0);
  await Promise.all(used.map(({ service }) => service.close()));
  for (const stores of new Set(used.map((one) => one.stores))) stores[Symbol.dispose]();
});

/** A studio whose renders end when the test says so. The film refuses the title "unknown". */
async function setUp(overrides: Partial<BatchServiceDeps> = {}) {
  const stores = tempStores();
  const { id: projectId } = await stores.projects.create(newProject());
  const enqueued: Render[] = [];
  const record = (render: Render, type: 'render.queued' | 'render.complete' | 'render.failed') =>
    stores.projects.record(projectId, [{ type, render }], { by });
  const end = (render: Render, error: Render['error'] = null) => {
    const type = error === null ? 'render.complete' : 'render.failed';
    const failed = error?.code === 'CANCELLED' ? 'cancelled' : 'failed';
    return record({ ...render, status: error === null ? 'complete' : failed, error, videoUrl: error ? null : '/v' }, type);
  };
  const start = () => {
    const service = new BatchService({
      store: stores.batches,
      renders: {
        describe: async (_, sets) => ({
          film,
          problems: sets.map(({ title }) => (title === 'unknown' ? 'The film has no such title.' : null)),
        }),
        prepare: (id, request, _film, { batch = null } = {}) => {
          const render = sampleRender(id, { batch });
          return { ...render, settings: { ...render.settings, parameters: request.parameters ?? null } };
        },
        enqueue: (render) => void enqueued.push(render),
        cancel: async (renderId) => end(await stores.renders.get(renderId), { code: 'CANCELLED', message: 'Cancelled.' }).then(),
        removeFiles: async () => undefined,
      },
      queue: async (render) => void (await record(render, 'render.queued')),
      renderable: async () => subject,
      assertFreeSpace: async () => undefined,
      onError: (_, error) => rethrow(error),
      ...overrides,
    });
    open.push({ service, stores });
    stores.bus.observe((event) => {
      if (event.type === 'render.complete' || event.type === 'render.failed') service.renderEnded(event.render);
    }, rethrow);
    return service;
  };
  const service = start();
  const make = (rows: BatchRequest['rows']) => service.create(projectId, { render: {}, rows }, { by, signal });
  const rowsOf = (batch: Batch) => stores.batches.detail(batch.id).rows;
  const states = (batch: Batch) => rowsOf(batch).map(({ state }) => state);
  /** Waits until the nth render has been queued. */
  const nth = (number: number) => vi.waitFor(() => expectDefined(enqueued[number - 1]));
  return { ...stores, projectId, service, start, make, end, enqueued, rowsOf, states, nth };
}

function expectDefined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('not there yet');
  return value;
}

const titles = (...names: string[]) => names.map((title) => ({ title }));
const counts = (batch: Batch) => batch.counts;

describe('batches', () => {
  it('T11: stores all rows, and gives the queue two of them at a time', async () => {
    const { make, enqueued, nth, end, states, batches, projectId } = await setUp();
    const batch = await make(titles('A', 'B', 'C', 'D'));
    expect(batch).toMatchObject({ state: 'running', counts: { total: 4, waiting: 4 } });
    await nth(2);
    expect(states(batch)).toEqual(['rendering', 'rendering', 'waiting', 'waiting']);
    expect(enqueued.map(({ settings }) => settings.parameters?.['title'])).toEqual(['A', 'B']);
    await end(await nth(1));
    await nth(3);
    expect(enqueued).toHaveLength(3);
    for (const number of [2, 3, 4]) await end(await nth(number));
    await vi.waitFor(() => expect(batches.get(batch.id).state).toBe('complete'));
    expect(counts(batches.get(batch.id))).toMatchObject({ total: 4, complete: 4, waiting: 0, rendering: 0 });
    const [last] = batches.list(projectId);
    expect(last?.finishedAt).not.toBeNull();
  });

  it('T11: a row that fails is recorded with its error, and the others go on', async () => {
    const { make, nth, end, rowsOf, batches } = await setUp();
    const batch = await make(titles('A', 'B', 'C'));
    await end(await nth(1));
    await end(await nth(2), { code: 'RENDER_FAILED', message: 'It broke.' });
    await end(await nth(3));
    await vi.waitFor(() => expect(batches.get(batch.id).state).toBe('complete'));
    expect(rowsOf(batch)).toMatchObject([
      { number: 1, label: 'A', state: 'complete', videoUrl: '/v', error: null },
      { number: 2, state: 'failed', error: { code: 'RENDER_FAILED', message: 'It broke.' } },
      { number: 3, state: 'complete' },
    ]);
  });

  it('T11: renders only the failed rows again', async () => {
    const { service, projectId, make, nth, end, enqueued, states, batches } = await setUp();
    const batch = await make(titles('A', 'B'));
    await end(await nth(1), { code: 'RENDER_FAILED', message: 'It broke.' });
    await end(await nth(2));
    await vi.waitFor(() => expect(batches.get(batch.id).state).toBe('complete'));
    expect(await service.retry(projectId, batch.id, { by })).toMatchObject({ state: 'running', finishedAt: null });
    const again = await nth(3);
    expect(again).toMatchObject({ batch: { row: 1 }, settings: { parameters: { title: 'A' } } });
    await end(again);
    await vi.waitFor(() => expect(states(batch)).toEqual(['complete', 'complete']));
    expect(enqueued).toHaveLength(3);
    await expect(service.retry(projectId, batch.id, { by })).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
  });

  it('T11: cancelling keeps what is finished, and starts nothing more', async () => {
    const { service, projectId, make, nth, end, enqueued, states, batches } = await setUp();
    const batch = await make(titles('A', 'B', 'C', 'D'));
    await end(await nth(1));
    await nth(3);
    expect(await service.cancel(projectId, batch.id, { by })).toMatchObject({ state: 'cancelled' });
    await vi.waitFor(() => expect(counts(batches.get(batch.id))).toMatchObject({ complete: 1, cancelled: 3 }));
    expect(states(batch)).toEqual(['complete', 'cancelled', 'cancelled', 'cancelled']);
    await service.cancel(projectId, batch.id, { by });
    await service.close();
    expect(enqueued).toHaveLength(3);
  });

  it('T11: a cancelled batch can continue with the rows that it lacks', async () => {
    const { service, projectId, make, nth, end, states, batches } = await setUp();
    const batch = await make(titles('A', 'B'));
    await end(await nth(1));
    await service.cancel(projectId, batch.id, { by });
    await service.resume(projectId, batch.id, { by });
    await end(await nth(3));
    await vi.waitFor(() => expect(batches.get(batch.id).state).toBe('complete'));
    expect(states(batch)).toEqual(['complete', 'complete']);
  });

  it('T11: a restarted server repeats no finished row', async () => {
    const { service, start, make, nth, end, enqueued, batches, states } = await setUp();
    const batch = await make(titles('A', 'B', 'C', 'D'));
    await end(await nth(1));
    await nth(3);
    await service.close();
    const next = start();
    await next.resumeAll();
    await next.resumeAll();
    for (const number of [2, 3, 4]) await end(await nth(number));
    await vi.waitFor(() => expect(batches.get(batch.id).state).toBe('complete'));
    expect(enqueued.map((render) => render.batch?.row)).toEqual([1, 2, 3, 4]);
    expect(states(batch)).toEqual(['complete', 'complete', 'complete', 'complete']);
  });

  it('T11: a full disk pauses the batch with the reason, and it can go on', async () => {
    const { service, projectId, make, nth, end, enqueued, batches, states } = await setUp();
    const batch = await make(titles('A', 'B', 'C', 'D'));
    const full = { code: 'STORAGE_FULL', message: 'The disk is full.' };
    await end(await nth(1), full);
    await vi.waitFor(() => expect(batches.get(batch.id)).toMatchObject({ state: 'paused', reason: full }));
    await end(await nth(2));
    await vi.waitFor(() => expect(counts(batches.get(batch.id))).toMatchObject({ complete: 1, failed: 1, waiting: 2 }));
    expect(enqueued).toHaveLength(2);
    await service.resume(projectId, batch.id, { by });
    for (const number of [3, 4, 5]) await end(await nth(number));
    await vi.waitFor(() => expect(batches.get(batch.id)).toMatchObject({ state: 'complete', reason: null }));
    expect(states(batch)).toEqual(['complete', 'complete', 'complete', 'complete']);
  });

  it('T11: pauses while there is nothing to render, and when its project is deleted', async () => {
    const gone = new KodaError('INVALID_TRANSITION', 'The film is being built.');
    let busy = false;
    const { make, nth, end, batches, projects, projectId } = await setUp({
      renderable: async () => {
        if (busy) throw gone;
        return subject;
      },
    });
    const [one, two] = [await make(titles('A', 'B', 'C')), await make(titles('D', 'E', 'F'))];
    await nth(4);
    busy = true;
    await end(await nth(1));
    await vi.waitFor(() => expect(batches.get(one.id)).toMatchObject({ state: 'paused', reason: { message: gone.message } }));
    await projects.markDeleted(projectId, new Date().toISOString(), by);
    await vi.waitFor(() => expect(batches.get(two.id).state).toBe('paused'));
  });

  it('T11: removing a batch removes its renders', async () => {
    const { service, projectId, make, nth, end, renders, batches } = await setUp();
    const batch = await make(titles('A', 'B', 'C'));
    await end(await nth(1));
    await nth(3);
    await service.remove(projectId, batch.id, { by });
    expect(await renders.list(projectId)).toEqual([]);
    expect(batches.find(batch.id)).toBeNull();
    await service.close();
  });

  it('T11: another project’s batch does not exist', async () => {
    const { service, projects, make } = await setUp();
    const batch = await make(titles('A'));
    const { id: other } = await projects.create(newProject());
    await expect(service.get(other, batch.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(service.cancel(other, batch.id, { by })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(service.get(other, newId('bat'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('T11: stores nothing if a row is wrong, and names each such row', async () => {
    const { make, enqueued, batches, projectId, service } = await setUp();
    const rows = 'title,count\nA,1\nunknown,2\nC,late\n';
    await expect(make(rows)).rejects.toThrow(/2 of 3 rows.*Row 2: The film has no such title.*Row 3: "late" is not a number/s);
    expect(batches.list(projectId)).toEqual([]);
    expect(enqueued).toEqual([]);
    expect(
      await service.check(
        projectId,
        { render: {}, rows: '_file,size,title,count\nx,1,A,1\ny,2,unknown,2\nz,3,C,late' },
        { signal },
      ),
    ).toEqual({
      rows: 3,
      headings: ['_file', 'size', 'title', 'count'],
      columns: expect.arrayContaining([
        { name: '_file', use: 'name' },
        { name: 'size', use: 'unknown' },
        { name: 'title', use: 'parameter' },
      ]),
      problems: expect.arrayContaining([{ row: 3, message: expect.stringContaining('is not a number') }]),
      badRows: 2,
    });
  });

  it('T11: refuses more than 2,000 rows', async () => {
    const { service, projectId } = await setUp();
    const rows = Array.from({ length: 2_001 }, () => ({ title: 'A' }));
    await expect(service.create(projectId, { render: {}, rows }, { by, signal })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('at most 2000'),
    });
    const text = `title\n${'A\n'.repeat(2_001)}`;
    await expect(service.create(projectId, { render: {}, rows: text }, { by, signal })).rejects.toThrow(/2001 rows/);
  });

  it('T11: takes 2,000 rows at once, and no sixth batch', async () => {
    const { make, batches } = await setUp();
    const batch = await make(Array.from({ length: 2_000 }, (_, index) => ({ title: `Video ${index}` })));
    expect(batches.detail(batch.id).rows).toHaveLength(2_000);
    for (let more = 0; more < 4; more++) await make(titles('A'));
    await expect(make(titles('A'))).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  });
});
