import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import { projectSnapshotSchema } from '#contract/api.ts';
import { type EventBody, projectEventSchema } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import { koda, type Principal } from '#contract/principal.ts';
import { type Message, phaseSchema, projectSchema } from '#contract/project.ts';
import { sampleRender } from '../../test/fixtures/renders.ts';
import { chunk, newProject, rethrow, tempStores, testPerson } from '../../test/fixtures/storage.ts';
import { isWorkDue } from '../projects/phases.ts';
import { openDatabase } from './database.ts';
import { createEventLog } from './event-log.ts';
import { createStores } from './stores.ts';

const missing = 'prj_00000000000000000000';

describe('project store', () => {
  it('A1: a new project is idle and stores the hints given with its prompt, and the chips that its kind derives from them', async () => {
    using stores = tempStores();
    const hints = { style: 'smooth', aspect: '9:16', durationSeconds: 8 } as const;
    const chips = [
      { id: 'style', label: 'smooth', title: 'Style' },
      { id: 'aspect', label: '9:16', title: 'Aspect ratio' },
    ];
    const made = await stores.projects.create({ ...newProject(), hints, chips });
    expect(projectSchema.safeParse(made).error).toBeUndefined();
    expect(made).toMatchObject({
      phase: 'idle',
      chips,
      style: 'smooth',
      aspect: '9:16',
      hints,
      running: false,
      sandbox: 'stopped',
      previewUrl: null,
      previewError: null,
    });
    expect(await stores.projects.get(made.id)).toEqual(made);
    expect(await stores.projects.state(made.id)).toMatchObject({
      plan: null,
      todos: [],
      messages: [],
      approval: null,
      settled: [],
      seq: 0,
    });
  });

  it('G9: every method throws NOT_FOUND for an unknown project and writes nothing', async () => {
    using stores = tempStores();
    const calls = [
      stores.projects.get(missing),
      stores.projects.state(missing),
      stores.projects.record(missing, [{ type: 'thinking', text: null }], { by: testPerson }),
      stores.projects.delete(missing),
      stores.runs.start(missing, newId('run')),
      stores.runs.appendMessage(newId('run'), {}),
    ];
    for (const outcome of await Promise.allSettled(calls)) expect(outcome).toMatchObject({ reason: { code: 'NOT_FOUND' } });
    expect(stores.database.sqlite.prepare('SELECT count(*) FROM events').pluck().get()).toBe(0);
  });

  it('A20: numbers events per project from 1 without gaps, even if recorded concurrently', async () => {
    using stores = tempStores();
    const [a, b] = await Promise.all([stores.projects.create(newProject()), stores.projects.create(newProject())]);
    const batches = await Promise.all([
      stores.projects.record(a.id, [chunk(0), chunk(1)], { by: testPerson }),
      stores.projects.record(b.id, [chunk(0)], { by: testPerson }),
      stores.projects.record(a.id, [], { by: testPerson }),
      stores.projects.record(a.id, [chunk(2)], { by: testPerson }),
    ]);
    expect(batches.map((events) => events.map((event) => event.seq))).toEqual([[1, 2], [1], [], [3]]);
    for (const event of batches.flat()) expect(projectEventSchema.safeParse(event).error).toBeUndefined();
    expect((await stores.projects.state(a.id)).seq).toBe(3);
  });

  it('A20: rolls back and does not publish a batch with an invalid event', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    const message = { id: newId('msg'), role: 'user' as const, content: 'twice', queued: false, at: new Date().toISOString() };
    const stop = new AbortController();
    const seen = collect(stores.bus.follow(id, { afterSeq: 0, signal: stop.signal }));
    const batch = [
      { type: 'message.added', message },
      { type: 'message.added', message },
    ] as const;
    await expect(stores.projects.record(id, batch, { by: testPerson })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await stores.projects.state(id)).toMatchObject({ messages: [], seq: 0 });
    await stores.projects.record(id, [{ type: 'thinking', text: 'next' }], { by: testPerson });
    setTimeout(() => stop.abort(), 20);
    expect(await seen).toMatchObject([{ seq: 1, type: 'thinking' }]);
  });

  it('H9: progress of all projects shares a commit, and is durable before it is published', async () => {
    using stores = tempStores();
    const ids: string[] = [];
    for (let index = 0; index < 10; index++) ids.push((await stores.projects.create(newProject())).id);
    const other = new BetterSqlite3(join(stores.dataDir, 'koda.db'), { readonly: true });
    const stored = other.prepare('SELECT count(*) FROM events WHERE project_id = ? AND seq = ?').pluck();
    const isStored: unknown[] = [];
    stores.bus.observe(({ projectId, seq }) => isStored.push(stored.get(projectId, seq)), rethrow);
    const write = vi.spyOn(stores.database, 'write');
    const progress = (count: number) =>
      ids.map((id) => stores.projects.record(id, [chunk(2 * count), chunk(2 * count + 1)], { by: testPerson }));
    const recorded = await Promise.all([...progress(0), ...progress(1)]);
    expect(write).toHaveBeenCalledTimes(1);
    expect(isStored).toEqual(recorded.flat().map(() => 1));
    other.close();
    expect(recorded.map((events) => events.map(({ seq }) => seq))).toEqual([...ids.map(() => [1, 2]), ...ids.map(() => [3, 4])]);
  });

  it('H9: progress is committed at most every 50 ms', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    const write = vi.spyOn(stores.database, 'write');
    const startedAtMs = performance.now();
    for (let count = 0; count < 5; count++)
      await stores.projects.record(id, [{ type: 'thinking', text: `step ${count}` }], { by: testPerson });
    expect(write).toHaveBeenCalledTimes(5);
    // The first one does not wait.
    expect(performance.now() - startedAtMs).toBeGreaterThan(4 * 45);
  });

  it('H9: everything else is committed at once, after the earlier progress of its project', async () => {
    using stores = tempStores();
    const [a, b] = [await stores.projects.create(newProject()), await stores.projects.create(newProject())];
    const published: string[] = [];
    stores.bus.observe(({ projectId, seq, type }) => published.push(`${projectId === a.id ? 'a' : 'b'}${seq} ${type}`), rethrow);
    const write = vi.spyOn(stores.database, 'write');
    const progress = [a, b, a].map(({ id }, index) => stores.projects.record(id, [chunk(index)], { by: testPerson }));
    const command = stores.projects.record(a.id, [{ type: 'project.updated', name: 'New' }], { by: testPerson });
    expect(published).toEqual(['a1 code.chunk', 'a2 code.chunk', 'a3 project.updated']);
    expect(write).toHaveBeenCalledTimes(1);
    expect(await stores.projects.state(a.id)).toMatchObject({ seq: 3, project: { name: 'New' } });
    expect((await stores.projects.state(b.id)).seq).toBe(0);
    expect((await command).map(({ seq }) => seq)).toEqual([3]);
    expect((await Promise.all(progress)).flat().map(({ seq }) => seq)).toEqual([1, 1, 2]);
    expect(published.at(-1)).toBe('b1 code.chunk');
    expect(write).toHaveBeenCalledTimes(2);
  });

  it('H9: progress that cannot be stored fails alone', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    // Without its required fields, it violates a constraint of the renders.
    const broken = { type: 'render.progress', percent: Number.NaN, stage: 'capturing', framesDone: 0, framesTotal: 0 } as const;
    const render = sampleRender(id);
    await stores.projects.record(id, [{ type: 'render.queued', render }], { by: testPerson });
    const attempt = () => [
      stores.projects.record(id, [chunk(0)], { by: testPerson }),
      stores.projects.record(missing, [chunk(0)], { by: testPerson }),
      stores.projects.record(id, [{ ...broken, renderId: render.id, secondsLeft: null }], { by: testPerson }),
      stores.projects.record(id, [chunk(1)], { by: testPerson }),
    ];
    const statuses = (outcomes: PromiseSettledResult<unknown>[]) => outcomes.map(({ status }) => status);
    expect(statuses(await Promise.allSettled(attempt()))).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    const progress = attempt();
    await stores.projects.record(id, [{ type: 'project.updated', name: 'New' }], { by: testPerson });
    expect(statuses(await Promise.allSettled(progress))).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
    expect(await stores.projects.state(id)).toMatchObject({ seq: 6, project: { name: 'New' } });
  });

  it('H9: a flush commits the progress that waits, and so does deleting its project', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    await stores.projects.record(id, [chunk(0)], { by: testPerson });
    const waiting = stores.projects.record(id, [chunk(1)], { by: testPerson });
    stores.projects.flush();
    expect((await stores.projects.state(id)).seq).toBe(2);
    await waiting;
    const last = stores.projects.record(id, [chunk(2)], { by: testPerson });
    await stores.projects.markDeleted(id, new Date().toISOString(), testPerson);
    expect(await last).toMatchObject([{ seq: 3 }]);
  });

  it('M10: lists ids and previews without reading anything else about projects', async () => {
    using stores = tempStores();
    const { projects } = stores;
    const [shown, bare, gone] = [
      await projects.create(newProject()),
      await projects.create(newProject()),
      await projects.create(newProject()),
    ];
    for (const { id } of [shown, gone])
      await projects.record(id, [{ type: 'preview.ready', url: 'http://p.localhost:1/' }], { by: testPerson });
    await projects.markDeleted(gone.id, new Date().toISOString(), testPerson);
    const { updatedAt } = await projects.get(shown.id);
    const prepare = vi.spyOn(stores.database.sqlite, 'prepare');
    expect((await projects.listIds({ changedSince: null })).toSorted()).toEqual([shown.id, bare.id].toSorted());
    expect(await projects.listIds({ changedSince: '2100-01-01T00:00:00.000Z' })).toEqual([]);
    expect(await projects.listPreviews()).toEqual([expect.objectContaining({ id: shown.id, updatedAt })]);
    expect(prepare).toHaveBeenCalledTimes(3);
  });

  it('A20: the snapshot matches the contract and omits hints, preview label and call ids', async () => {
    using stores = tempStores();
    const project = await stores.projects.create(newProject());
    const at = new Date().toISOString();
    const approval = { id: newId('apr'), type: 'question' as const, content: '?', options: [], planId: null, at };
    await stores.projects.record(project.id, [{ type: 'approval.requested', approval }], {
      by: testPerson,
      callId: 'secret-call',
    });
    const snapshot = await stores.projects.snapshot(project.id);
    expect(projectSnapshotSchema.parse(snapshot)).toEqual(snapshot);
    const text = JSON.stringify(snapshot);
    for (const hidden of ['hints', project.previewLabel, 'secret-call', 'settled']) expect(text).not.toContain(hidden);
  });

  it('A20: the snapshot contains the last 200 tool calls as recorded by events', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    const error = { code: 'NO_MATCH', message: 'The text was not found.' };
    const calls = Array.from({ length: 230 }, (_, index): EventBody[] => [
      { type: 'tool.started', callId: `c${index}`, name: 'file_edit', summary: `Editing ${index}` },
      { type: 'tool.finished', callId: `c${index}`, name: 'file_edit', durationMs: index, summary: '', error },
    ]);
    await stores.projects.record(id, calls.flat(), { by: testPerson });
    await stores.projects.record(
      id,
      [
        // A call that waits for an approval is recorded again when the run resumes.
        { type: 'tool.started', callId: 'gate', name: 'request_approval', summary: 'Showing the preview' },
        { type: 'tool.started', callId: 'gate', name: 'request_approval', summary: 'Showing the preview' },
      ],
      { by: testPerson },
    );
    const { tools, seq } = await stores.projects.snapshot(id);
    expect(seq).toBe(462);
    expect(tools).toHaveLength(200);
    expect(tools.at(0)?.callId).toBe('c31');
    expect(tools.slice(-2)).toMatchObject([
      { callId: 'c229', name: 'file_edit', summary: 'Editing 229', durationMs: 229, error },
      { callId: 'gate', summary: 'Showing the preview', durationMs: null, error: null },
    ]);
  });

  it('A24: deleting a project removes its rows from every table and ends its event streams', async () => {
    using stores = tempStores();
    const kept = await stores.projects.create(newProject());
    const gone = await stores.projects.create(newProject());
    const runId = newId('run');
    for (const { id } of [kept, gone]) {
      const at = new Date().toISOString();
      await stores.projects.record(
        id,
        [
          { type: 'message.added', message: { id: newId('msg'), role: 'user', content: 'x', queued: false, at } },
          { type: 'todo.updated', todos: [{ id: newId('todo'), title: 't', key: 'k', status: 'pending', attempts: 0 }] },
        ],
        { by: testPerson },
      );
    }
    await stores.runs.start(gone.id, runId);
    await stores.runs.appendMessage(runId, { role: 'user' });
    const followed = collect(stores.bus.follow(gone.id, { afterSeq: 0, signal: new AbortController().signal }));

    await new Promise((resolve) => setImmediate(resolve));
    await stores.projects.delete(gone.id);

    expect(await followed).toHaveLength(2);
    const tables = stores.database.sqlite
      .prepare<[], { name: string }>(
        "SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'project_id' WHERE m.type = 'table'",
      )
      .all();
    expect(tables.length).toBeGreaterThanOrEqual(10);
    for (const { name } of tables) {
      expect(stores.database.sqlite.prepare(`SELECT count(*) FROM ${name} WHERE project_id = ?`).pluck().get(gone.id), name).toBe(
        0,
      );
    }
    expect(stores.database.sqlite.prepare('SELECT count(*) FROM run_messages').pluck().get()).toBe(0);
    expect((await stores.projects.state(kept.id)).messages).toHaveLength(1);
  });

  it('A24: a deleted project is hidden everywhere, and restoring it brings everything back', async () => {
    using stores = tempStores();
    const { projects } = stores;
    const kept = await projects.create(newProject());
    const gone = await projects.create(newProject());
    const at = new Date().toISOString();
    const render = sampleRender(gone.id);
    await projects.record(
      gone.id,
      [{ type: 'message.added', message: { id: newId('msg'), role: 'user', content: 'x', queued: false, at } }],
      { by: testPerson },
    );
    const before = await projects.state(gone.id);
    const followed = collect(stores.bus.follow(gone.id, { afterSeq: 0, signal: new AbortController().signal }));
    await new Promise((resolve) => setImmediate(resolve));

    await projects.markDeleted(gone.id, at, testPerson);

    expect(await followed).toHaveLength(1);
    const calls = [
      projects.get(gone.id),
      projects.state(gone.id),
      projects.stateAt(gone.id, 1),
      projects.record(gone.id, [{ type: 'render.queued', render }], { by: testPerson }),
      projects.markDeleted(gone.id, at, testPerson),
      stores.renders.list(gone.id),
      stores.assets.list(gone.id),
      stores.checkpointLedger.latest(gone.id),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await projects.list({ cursor: null, limit: 9, search: null })).items.map(({ id }) => id)).toEqual([kept.id]);
    expect(await projects.listDue()).not.toContain(gone.id);
    expect(await projects.findByPreviewLabel(gone.previewLabel)).toBeNull();
    // Its files are not orphaned while the project can be restored.
    expect(await stores.checkpointLedger.hasProject(gone.id)).toBe(true);

    await projects.restore(gone.id);
    await projects.restore(gone.id);
    expect(await projects.state(gone.id)).toEqual(before);
    expect(await projects.listDue()).toContain(gone.id);
    await expect(projects.restore(missing)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('A24: a restored project shows nothing as running', async () => {
    using stores = tempStores();
    const { projects } = stores;
    const { id } = await projects.create(newProject());
    const [queued, finished] = [sampleRender(id), sampleRender(id, { status: 'complete' })];
    await projects.record(
      id,
      [
        { type: 'render.queued', render: queued },
        { type: 'render.complete', render: finished },
        { type: 'sandbox.state', state: 'ready' },
      ],
      { by: testPerson },
    );
    await projects.markDeleted(id, new Date().toISOString(), testPerson);
    expect(await stores.renders.listUnfinished()).toEqual([]);
    await projects.restore(id);
    const { project, renders, seq } = await projects.state(id);
    expect(project.sandbox).toBe('stopped');
    expect(new Map(renders.map((render) => [render.id, render.status]))).toEqual(
      new Map([
        [queued.id, 'cancelled'],
        [finished.id, 'complete'],
      ]),
    );
    expect(seq).toBe(5);
  });

  it('A24: lists projects deleted before a time; permanent removal returns their render ids', async () => {
    using stores = tempStores();
    const { projects } = stores;
    const [old, recent] = [await projects.create(newProject()), await projects.create(newProject())];
    const render = sampleRender(old.id, { status: 'complete' });
    await projects.record(old.id, [{ type: 'render.complete', render }], { by: testPerson });
    await projects.markDeleted(old.id, '2026-01-01T00:00:00.000Z', testPerson);
    await projects.markDeleted(recent.id, '2026-01-02T00:00:00.000Z', testPerson);
    expect(await projects.listDeleted('2026-01-01T00:00:00.000Z')).toEqual([old.id]);
    expect((await projects.listDeleted('2027-01-01T00:00:00.000Z')).sort()).toEqual([old.id, recent.id].sort());
    expect(await projects.delete(old.id)).toEqual([render.id]);
    await expect(projects.restore(old.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await projects.listDeleted('2027-01-01T00:00:00.000Z')).toEqual([recent.id]);
  });

  it('G9: cursor pages neither skip nor repeat projects while others are created and deleted', async () => {
    using stores = tempStores();
    const made: string[] = [];
    for (let index = 0; index < 25; index++) made.push((await stores.projects.create(newProject({ name: `P${index}` }))).id);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof stores.projects.list>> = await stores.projects.list({
        cursor,
        limit: 7,
        search: null,
      });
      seen.push(...page.items.map((project) => project.id));
      cursor = page.nextCursor;
      await stores.projects.create(newProject({ name: 'newer' }));
    } while (cursor !== null);
    expect(seen.toSorted()).toEqual(made.toSorted());
    expect(new Set(seen).size).toBe(25);
    await expect(stores.projects.list({ cursor: 'x', limit: 1, search: null })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  it('G9: matches search text literally', async () => {
    using stores = tempStores();
    for (const name of ['100% wool', '100 percent', 'a_b', 'axb', 'back\\slash', 'Ünïcode 猫'])
      await stores.projects.create(newProject({ name }));
    const found = async (search: string) =>
      (await stores.projects.list({ cursor: null, limit: 100, search })).items.map((project) => project.name);
    expect(await found('100%')).toEqual(['100% wool']);
    expect(await found('a_b')).toEqual(['a_b']);
    expect(await found('\\')).toEqual(['back\\slash']);
    expect(await found('猫')).toEqual(['Ünïcode 猫']);
    expect(await found("' OR 1=1 --")).toEqual([]);
    expect(await found('RED BALL')).toHaveLength(6);
    expect(await found('  ')).toHaveLength(6);
  });

  it('A22: finds projects that ran when the server stopped, with all their records', async () => {
    using stores = tempStores();
    const working = await stores.projects.create(newProject());
    const idle = await stores.projects.create(newProject());
    const runId = newId('run');
    await stores.runs.start(working.id, runId);
    await stores.projects.record(working.id, [{ type: 'run.started', runId }], { by: testPerson });
    const before = [await stores.projects.state(working.id), await stores.projects.state(idle.id)];
    stores.database.close();

    const reopened = openDatabase(stores.dataDir);
    const { projects, runs } = createStores(reopened);
    expect(await projects.listDue()).toEqual([working.id]);
    expect(await runs.active(working.id)).toMatchObject({ id: runId });
    expect([await projects.state(working.id), await projects.state(idle.id)]).toEqual(before);
    reopened.close();
  });

  it('A22: finds projects with due work after a restart, by the same rule as the session', async () => {
    using stores = tempStores();
    const said = (role: Message['role'], queued: boolean): EventBody => ({
      type: 'message.added',
      message: { id: newId('msg'), role, content: 'x', queued, at: new Date().toISOString() },
    });
    const gate = (): EventBody => ({
      type: 'approval.requested',
      approval: { id: newId('apr'), type: 'question', content: '?', options: [], planId: null, at: new Date().toISOString() },
    });
    const failure: EventBody = { type: 'error', code: 'CANCELLED', message: 'm', canRetry: true };
    const states: EventBody[][] = [];
    for (const phase of phaseSchema.options) {
      const moved: EventBody = { type: 'project.phase', phase, previous: 'idle', error: null };
      states.push([moved], [moved, said('assistant', false)], [moved, said('user', false)], [moved, said('user', true)]);
      states.push([moved, said('user', true), gate()], [moved, said('user', true), failure]);
    }
    const due: string[] = [];
    for (const bodies of states) {
      const { id } = await stores.projects.create(newProject());
      await stores.projects.record(id, bodies, { by: testPerson });
      if (isWorkDue(await stores.projects.state(id))) due.push(id);
    }
    expect(due).toHaveLength(4 * 4 + 2 + 1 + 1);
    expect((await stores.projects.listDue()).sort()).toEqual(due.sort());
  });

  it('A20: stores who causes each event, and whose project it is', async () => {
    using stores = tempStores();
    const program: Principal = { type: 'program', id: newId('tok'), name: 'Claude Code' };
    const { id, owner } = await stores.projects.create({ ...newProject(), by: program, events: [chunk(0)] });
    expect(owner).toBe('local');
    await stores.projects.record(id, [{ type: 'project.updated', name: 'Cube' }], { by: testPerson });
    // Progress shares a commit with events of others, and keeps its own author.
    const progress = stores.projects.record(id, [chunk(1)], { by: koda('run', 'built-in') });
    await stores.projects.record(id, [chunk(2), { type: 'project.updated', name: 'Box' }], { by: program });
    await progress;
    await stores.projects.markDeleted(id, new Date().toISOString(), testPerson);
    const events = await createEventLog(stores.database).read(id, 0, 1e6);
    expect(events.map(({ by }) => by)).toEqual([program, testPerson, koda('run', 'built-in'), program, program]);
    for (const event of events) expect(projectEventSchema.parse(event).by).toEqual(event.by);
  });

  it('A15: finds a project by the random label of its preview origin', async () => {
    using stores = tempStores();
    const [a, b] = [await stores.projects.create(newProject()), await stores.projects.create(newProject())];
    expect(a.previewLabel).toMatch(/^[a-z0-9-]{16,63}$/);
    expect(a.previewLabel).not.toBe(b.previewLabel);
    expect((await stores.projects.findByPreviewLabel(b.previewLabel))?.id).toBe(b.id);
    expect(await stores.projects.findByPreviewLabel('x')).toBeNull();
  });
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
