import { describe, expect, it } from 'vitest';
import type { ProjectFilter, ProjectOrder } from '#contract/api.ts';
import type { EventBody } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import type { Phase } from '#contract/project.ts';
import type { Render } from '#contract/render.ts';
import { sampleRender, sampleSettings } from '../../test/fixtures/renders.ts';
import { newProject, tempStores, testPerson } from '../../test/fixtures/storage.ts';

const everything = { cursor: null, limit: 100, search: null };

describe('the list of projects', () => {
  it('A18: shows thumbnail and video of the newest complete render of the whole film only', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    const film = async () => (await stores.projects.list(everything)).items[0];
    expect(await film()).toMatchObject({ thumbnailUrl: null, videoUrl: null });
    const finished = async (name: string, createdAt: string, overrides: Partial<Render> = {}) => {
      const urls = { videoUrl: `/${name}.mp4`, thumbnailUrl: `/${name}.jpg` };
      const render = sampleRender(id, { status: 'complete', createdAt, ...urls, ...overrides });
      await stores.projects.record(id, [{ type: 'render.complete', render }], { by: testPerson });
      return render;
    };
    await finished('new', '2026-01-02T00:00:00.000Z');
    await finished('old', '2026-01-01T00:00:00.000Z');
    await finished('part', '2026-01-03T00:00:00.000Z', {
      settings: sampleSettings({ range: { fromFrame: 0, toFrame: 30 } }),
    });
    await finished('row', '2026-01-03T00:00:00.000Z', { settings: sampleSettings({ parameters: { title: 'x' } }) });
    await finished('gif', '2026-01-03T00:00:00.000Z', { settings: sampleSettings({ format: 'gif' }) });
    await finished('failed', '2026-01-03T00:00:00.000Z', { status: 'failed' });
    expect(await film()).toMatchObject({ thumbnailUrl: '/new.jpg', videoUrl: '/new.mp4', deletedAt: null });
    const { id: newest } = await finished('newest', '2026-01-04T00:00:00.000Z');
    expect(await film()).toMatchObject({ videoUrl: '/newest.mp4' });
    await stores.renders.delete(newest);
    expect(await film()).toMatchObject({ videoUrl: '/new.mp4' });
  });

  it('filters by kind', async () => {
    using stores = tempStores();
    await stores.projects.create(newProject({ name: 'film' }));
    await stores.projects.create(newProject({ name: 'talk', kind: 'assistant' }));
    const names = async (query: { kind?: string; exceptKind?: string }) =>
      (await stores.projects.list({ ...everything, ...query })).items.map(({ name }) => name);
    expect(await names({ kind: 'assistant' })).toEqual(['talk']);
    expect(await names({ exceptKind: 'assistant' })).toEqual(['film']);
    expect(await names({})).toHaveLength(2);
  });

  it("A1: filters by the project's state", async () => {
    using stores = tempStores();
    const moved = (phase: Phase): EventBody => ({ type: 'project.phase', phase, previous: 'idle', error: null });
    const stopped: EventBody = { type: 'error', code: 'CANCELLED', message: 'Stopped.', canRetry: true };
    const make = async (name: string, events: readonly EventBody[]) => {
      const { id } = await stores.projects.create(newProject({ name }));
      await stores.projects.record(id, events, { by: testPerson });
      return id;
    };
    await make('idle', []);
    await make('building', [moved('executing'), { type: 'run.started', runId: newId('run') }]);
    await make('question', [moved('question')]);
    await make('plan', [moved('plan')]);
    await make('stopped plan', [moved('plan'), stopped]);
    await make('preview', [moved('preview')]);
    const at = new Date().toISOString();
    const question = { id: newId('apr'), type: 'question' as const, content: '?', options: [], planId: null, at };
    await make('asked', [moved('executing'), { type: 'approval.requested', approval: question }]);
    await make('talk', [moved('conversation')]);
    await make('complete', [moved('complete')]);
    await make('error', [moved('error'), stopped]);
    await stores.projects.markDeleted(await make('deleted', [moved('complete')]), '2026-01-01T00:00:00.000Z', testPerson);
    const named = async (state?: ProjectFilter) =>
      (await stores.projects.list({ ...everything, state, sort: 'name' })).items.map(({ name }) => name);
    expect(await named()).toEqual([
      'asked',
      'building',
      'complete',
      'error',
      'idle',
      'plan',
      'preview',
      'question',
      'stopped plan',
      'talk',
    ]);
    expect(await named('working')).toEqual(['building']);
    expect(await named('waiting')).toEqual(['asked', 'plan', 'preview', 'question']);
    expect(await named('complete')).toEqual(['complete']);
    expect(await named('failed')).toEqual(['error', 'stopped plan']);
    expect(await named('deleted')).toEqual(['deleted']);
  });

  it.each<ProjectOrder>(['newest', 'changed', 'name'])(
    'G9: in the order "%s" it is paged without omission and without repeat, also among equals',
    async (sort) => {
      using stores = tempStores();
      const names = ['b', 'A', 'ä', 'a', 'B', 'x'.repeat(80), '猫'.repeat(80), 'b', 'A', 'c'];
      const made: string[] = [];
      for (const name of names) made.push((await stores.projects.create(newProject({ name }))).id);
      await stores.projects.record(made[3] ?? '', [{ type: 'thinking', text: null }], { by: testPerson });
      const whole = (await stores.projects.list({ ...everything, sort })).items;
      const seen: string[] = [];
      for (let cursor: string | null = null; ; ) {
        const page: Awaited<ReturnType<typeof stores.projects.list>> = await stores.projects.list({
          cursor,
          limit: 3,
          search: null,
          sort,
        });
        seen.push(...page.items.map(({ id }) => id));
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(whole.map(({ id }) => id));
      expect(seen.toSorted()).toEqual(made.toSorted());
      if (sort === 'name') expect(whole.slice(0, 3).map(({ name }) => name.toLowerCase())).toEqual(['a', 'a', 'a']);
      const { nextCursor } = await stores.projects.list({ ...everything, limit: 1, sort });
      const other = sort === 'name' ? 'newest' : 'name';
      await expect(stores.projects.list({ ...everything, cursor: nextCursor, sort: other })).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      });
    },
  );
});
