import { describe, expect, it } from 'vitest';
import { newId } from '#contract/ids.ts';
import { type Render, renderSchema } from '#contract/render.ts';
import { sampleRender, sampleSettings } from '../../test/fixtures/renders.ts';
import { newProject, tempStores, testPerson } from '../../test/fixtures/storage.ts';

async function withRenders() {
  const stores = tempStores();
  const { id: projectId } = await stores.projects.create(newProject());
  const queue = async (overrides: Partial<Render> = {}) => {
    const render = sampleRender(projectId, overrides);
    await stores.projects.record(projectId, [{ type: 'render.queued', render }], { by: testPerson });
    return render;
  };
  const finish = async (render: Render, finishedAt: string, status: 'complete' | 'failed' | 'cancelled' = 'complete') => {
    const finished = { ...render, status, finishedAt };
    await stores.projects.record(
      projectId,
      [{ type: status === 'complete' ? 'render.complete' : 'render.failed', render: finished }],
      { by: testPerson },
    );
    return finished;
  };
  return { ...stores, projectId, queue, finish, [Symbol.dispose]: () => stores[Symbol.dispose]() };
}

const preview = sampleSettings({ kind: 'preview', width: 640, height: 360, fps: 15, crf: 28 });

describe('render store', () => {
  it('A18: a render reflects its events', async () => {
    using context = await withRenders();
    const { renders, projects, projectId } = context;
    const render = await context.queue();
    expect(await renders.get(render.id)).toEqual(render);
    await projects.record(
      projectId,
      [
        {
          type: 'render.progress',
          renderId: render.id,
          percent: 33.3,
          stage: 'encoding',
          framesDone: 1,
          framesTotal: 3,
          secondsLeft: 2,
        },
      ],
      { by: testPerson },
    );
    expect(await renders.get(render.id)).toEqual({ ...render, status: 'running', percent: 33.3, stage: 'encoding' });
    const finished = await context.finish(render, '2026-01-02T04:00:00.000Z');
    expect(renderSchema.parse(await renders.get(render.id))).toEqual(finished);
    await expect(renders.get(newId('rnd'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(renders.list(newId('prj'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('A22: finds unfinished renders after a restart, oldest first, with their number of starts', async () => {
    using context = await withRenders();
    const { renders, projects, projectId } = context;
    const newer = await context.queue({ createdAt: '2026-01-02T00:00:02.000Z' });
    const older = await context.queue({ createdAt: '2026-01-02T00:00:01.000Z' });
    for (const status of ['complete', 'failed', 'cancelled'] as const)
      await context.finish(await context.queue(), '2026-01-02T04:00:00.000Z', status);
    await projects.record(
      projectId,
      [
        {
          type: 'render.progress',
          renderId: newer.id,
          percent: 1,
          stage: 'capturing',
          framesDone: 1,
          framesTotal: 3,
          secondsLeft: null,
        },
        { type: 'render.queued', render: older },
      ],
      { by: testPerson },
    );
    expect((await renders.listUnfinished()).map((render) => render.id)).toEqual([older.id, newer.id]);
    expect(await renders.timesQueued(older.id)).toBe(2);
    expect(await renders.timesQueued(newer.id)).toBe(1);
    expect(await renders.timesQueued(newId('rnd'))).toBe(0);
    expect((await renders.list(projectId)).at(0)?.createdAt).toBe('2026-01-02T03:04:05.678Z');
  });

  it('A24: finds previews finished before a time, but no finals or unfinished renders', async () => {
    using context = await withRenders();
    const old = await context.finish(await context.queue({ settings: preview }), '2026-01-02T00:00:00.000Z');
    await context.finish(await context.queue({ settings: preview }), '2026-01-03T00:00:00.000Z');
    await context.finish(await context.queue(), '2026-01-02T00:00:00.000Z');
    await context.queue({ settings: preview });
    expect(await context.renders.previewsFinishedBefore('2026-01-03T00:00:00.000Z')).toEqual([old]);
  });

  it('A18: finds the newest complete renders of all projects, up to a limit', async () => {
    using context = await withRenders();
    const older = await context.finish(await context.queue(), '2026-01-02T00:00:00.000Z');
    const newer = await context.finish(await context.queue(), '2026-01-03T00:00:00.000Z');
    await context.finish(await context.queue(), '2026-01-04T00:00:00.000Z', 'failed');
    await context.queue();
    expect(await context.renders.recentComplete(5)).toEqual([newer, older]);
    expect(await context.renders.recentComplete(1)).toEqual([newer]);
  });

  it('A24: deleting a render is idempotent, and `existing` omits deleted ones', async () => {
    using context = await withRenders();
    const { renders } = context;
    const [kept, gone] = [await context.queue(), await context.queue()];
    await renders.delete(gone.id);
    await renders.delete(gone.id);
    expect(await renders.existing([gone.id, kept.id, newId('rnd')])).toEqual(new Set([kept.id]));
    expect(await renders.existing([])).toEqual(new Set());
  });
});
