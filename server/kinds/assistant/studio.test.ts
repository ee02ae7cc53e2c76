import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import type { Render } from '#contract/render.ts';
import { scheduleRequestSchema } from '#contract/schedules.ts';
import { sampleFilm, sampleProbe, sampleRender, sampleSettings } from '../../../test/fixtures/renders.ts';
import { localPerson } from '../../access/access.ts';
import type { Caller } from '../../access/policies.ts';
import { type ActingStudio, studioFor } from './studio.ts';

const ids = [newId('prj'), newId('prj'), newId('prj'), newId('prj'), newId('prj')] as const;
const [own, foreign, draft, changing, conversation] = ids;
const gone = newId('prj');
const complete = (projectId: string, finishedAt: string, kind: 'preview' | 'final' = 'final'): Render =>
  sampleRender(projectId, { status: 'complete', finishedAt, probe: sampleProbe(), settings: sampleSettings({ kind }) });
const renders = [
  complete(own, '2026-01-03T00:00:00.000Z', 'preview'),
  complete(own, '2026-01-02T00:00:00.000Z'),
  complete(own, '2026-01-01T00:00:00.000Z'),
  sampleRender(own),
  complete(foreign, '2026-01-01T00:00:00.000Z'),
];
const notFound = () => new KodaError('NOT_FOUND', 'There is no such render.');

function acting(person: Partial<Caller> = {}) {
  const started: string[] = [];
  const removed: string[] = [];
  const checked: number[] = [];
  const made: string[] = [];
  const began = (projectId: string, name: string) => ({ started: { projectId, name } });
  const deps = {
    store: {
      get: async () => ({ owner: 'local' }),
      snapshot: async () => ({
        tools: [began(gone, 'Gone'), began(own, 'Earlier name'), {}, began(foreign, 'Foreign'), began(own, 'Own')],
      }),
      state: async (id: string) => {
        if (id === gone) throw notFound();
        return {
          project: { id, name: 'Own', phase: id === changing ? 'executing' : 'complete', error: null, kind: 'film' },
          ...{ plan: { accepted: id !== draft }, messages: [], todos: [], approval: null },
        };
      },
      list: async ({ cursor }: { cursor: string | null }) => {
        const [id, name] = cursor === null ? [own, 'Own'] : [cursor, 'Other'];
        const next = { [own]: foreign, [foreign]: draft, [draft]: changing, [changing]: conversation }[id] ?? null;
        return { items: [{ id, name, kind: id === conversation ? 'assistant' : 'film' }], nextCursor: next };
      },
    },
    projects: {
      as: () => ({
        async render(_id: string, _request: object, { id }: { id: string }) {
          started.push(id);
          return { id };
        },
      }),
      async renderable(id: string) {
        if (id === draft || id === changing) throw new KodaError('INVALID_TRANSITION', 'There is nothing to render yet.');
        return { aspect: '16:9', durationSeconds: 6 };
      },
    },
    renders: {
      list: async (id: string) => renders.filter(({ projectId }) => projectId === id),
      async get(id: string) {
        const found = renders.find((render) => render.id === id);
        if (found === undefined) throw notFound();
        return found;
      },
      remove: async (id: string) => void removed.push(id),
      async describe(_id: string, sets: readonly object[]) {
        checked.push(sets.length);
        return { film: sampleFilm(), problems: sets.map(() => null) };
      },
    },
    schedules: {
      list: (projectId: string | null) =>
        [own, foreign]
          .map((film) => ({ id: `sch_${film}`, projectId: film }))
          .filter((one) => one.projectId === (projectId ?? one.projectId)),
      async create({ projectId }: { projectId: string }, id: string) {
        made.push(id);
        return { schedule: { id, projectId }, secret: null };
      },
      get: (id: string) => ({ id, projectId: id.slice('sch_'.length) }),
      change: async (id: string) => ({ schedule: { id }, secret: null }),
      pause: (id: string) => ({ id }),
      resume: (id: string) => ({ id }),
      runNow: (id: string) => ({ id }),
      remove: async (id: string) => void removed.push(id),
      table: async (address: string) => address,
    },
    disk: { ofProject: async () => ({ historyBytes: 1, assetBytes: 2, renderBytes: 3 }), total: async () => 10 },
    kinds: new Map<string, object>([
      [
        'film',
        { output: { rendered: () => ({ aspect: '1:1', durationSeconds: 7 }) }, workflow: { type: 'build' }, noun: 'film' },
      ],
      ['assistant', { workflow: { type: 'conversation' } }],
    ]),
    freeing: <T>(work: () => Promise<T>) => work(),
    personOf: () => ({ ...localPerson, ...person }),
  } as unknown as Parameters<typeof studioFor>[0];
  return { studio: studioFor(deps)(conversation), started, removed, checked, made };
}

const options = { signal: new AbortController().signal, onWait: async () => undefined };
const limited: Partial<Caller> = { projects: new Set([own]), scopes: new Set(['read']) };

describe('what the assistant does in other projects', () => {
  it('V7: lists what can be rendered, on all pages, and only what exists for the person', async () => {
    expect((await (await acting().studio).films()).map(({ id }) => id)).toEqual([own, foreign, changing]);
    expect((await (await acting(limited).studio).films()).map(({ id }) => id)).toEqual([own]);
  });

  it('V7: lists a film that is being changed as one', async () => {
    const films = await (await acting().studio).films();
    expect(films.map(({ aspect, seconds, isChanging }) => [aspect, seconds, isChanging])).toEqual([
      ...[own, foreign].map(() => ['16:9', 6, false]),
      ['1:1', 7, true],
    ]);
  });

  it('V7: finds each finished video, and marks the newest of a film', async () => {
    const { videos, totalBytes } = await (await acting(limited).studio).storage(options);
    expect(totalBytes).toBe(10);
    expect(videos.map(({ isPreview, isNewest }) => [isPreview, isNewest])).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ]);
  });

  it('V7: deletes and renders only with the rights of the person', async () => {
    const [, , older, , other] = renders.map(({ id }) => id);
    if (older === undefined || other === undefined) throw new Error('There are five renders.');
    const all = acting();
    await (await all.studio).deleteVideo(older);
    await (await all.studio).deleteVideo(newId('rnd'));
    expect(all.removed).toEqual([older]);
    const some = acting(limited);
    await expect((await some.studio).deleteVideo(older)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect((await some.studio).deleteVideo(other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const request = { kind: 'final' } as const;
    await expect((await some.studio).startRender(own, request, newId('rnd'), options)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await expect((await some.studio).checkRows(foreign, [], options)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect([some.removed, some.started]).toEqual([[], []]);
  });

  it('V7: starts a render once', async () => {
    const { studio, started } = acting();
    const id = newId('rnd');
    const [known] = renders;
    await (await studio).startRender(own, { kind: 'final' }, id, options);
    await (await studio).startRender(own, { kind: 'final' }, known?.id ?? '', options);
    expect(started).toEqual([id]);
  });

  it('V7 T10: makes schedules and fetches tables only with the rights of the person, and makes a schedule once', async () => {
    const request = (projectId: string) =>
      scheduleRequestSchema.parse({ projectId, name: 'A', cron: '0 6 * * *', timeZone: 'UTC' });
    const all = acting();
    const studio = await all.studio;
    expect((await studio.schedules()).map(({ projectId }) => projectId)).toEqual([own, foreign]);
    await studio.createSchedule(request(own), 'sch_new');
    expect(await studio.createSchedule(request(own), `sch_${own}`)).toMatchObject({ id: `sch_${own}` });
    expect(all.made).toEqual(['sch_new']);
    expect(await studio.table('https://sky.example', options)).toBe('https://sky.example');
    const onEach = [
      (one: ActingStudio, id: string) => one.changeSchedule(id, {}),
      (one: ActingStudio, id: string) => one.pauseSchedule(id),
      (one: ActingStudio, id: string) => one.resumeSchedule(id),
      (one: ActingStudio, id: string) => one.runSchedule(id),
      (one: ActingStudio, id: string) => one.deleteSchedule(id),
    ];
    for (const change of onEach) await change(studio, `sch_${own}`);
    await studio.deleteSchedule('sch_gone');
    expect(all.removed).toEqual([`sch_${own}`]);
    const some = acting(limited);
    const lesser = await some.studio;
    expect((await lesser.schedules()).map(({ projectId }) => projectId)).toEqual([own]);
    await expect(lesser.createSchedule(request(own), 'sch_new')).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(lesser.createSchedule(request(foreign), 'sch_new')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(lesser.checkSchedule(request(own), options)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    await expect(lesser.table('https://sky.example', options)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    for (const change of onEach) {
      await expect(change(lesser, `sch_${own}`)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(change(lesser, `sch_${foreign}`)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect([some.made, some.removed]).toEqual([[], []]);
  });

  it('V7: lists what the conversation has started, newest first, and what was deleted as such', async () => {
    const listed = await (await acting(limited).studio).started();
    expect(listed.map(({ id, name, work }) => [id, name, work?.phase])).toEqual([
      [own, 'Own', 'complete'],
      // To this person, an inaccessible project is the same as a deleted one.
      [foreign, 'Foreign', undefined],
      [gone, 'Gone', undefined],
    ]);
  });

  it('V7: checks many rows in parts', async () => {
    const { studio, checked } = acting();
    const rows = Array.from({ length: 450 }, (_, index): [string, string][] => [['title', String(index)]]);
    const { sets, problems } = await (await studio).checkRows(own, rows, options);
    expect([sets.length, problems.length, checked]).toEqual([450, 450, [0, 200, 200, 50]]);
  });
});
