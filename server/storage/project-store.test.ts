import { describe, expect, it } from 'vitest';
import { projectSnapshotSchema } from '#contract/api.ts';
import { type EventBody, projectEventSchema } from '#contract/events.ts';
import { newId } from '#contract/ids.ts';
import { type Message, phaseSchema, projectSchema } from '#contract/project.ts';
import { sampleRender } from '../../test/fixtures/renders.ts';
import { chunk, newProject, tempStores } from '../../test/fixtures/storage.ts';
import { isWorkDue } from '../projects/phases.ts';
import { openDatabase } from './database.ts';
import { createStores } from './stores.ts';

const missing = 'prj_00000000000000000000';

describe('project store', () => {
  it('A1: a new project is idle and stores the hints given with its prompt', async () => {
    using stores = tempStores();
    const hints = { style: 'smooth', aspect: '9:16', durationSeconds: 8 } as const;
    const made = await stores.projects.create({ ...newProject(), hints });
    expect(projectSchema.safeParse(made).error).toBeUndefined();
    expect(made).toMatchObject({
      phase: 'idle',
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
      stores.projects.record(missing, [{ type: 'thinking', text: null }]),
      stores.projects.delete(missing),
      stores.runs.start(missing, newId('run')),
      stores.runs.appendMessage(newId('run'), {}),
    ];
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(stores.database.sqlite.prepare('SELECT count(*) FROM events').pluck().get()).toBe(0);
  });

  it('A20: numbers events per project from 1 without gaps, even if recorded concurrently', async () => {
    using stores = tempStores();
    const [a, b] = await Promise.all([stores.projects.create(newProject()), stores.projects.create(newProject())]);
    const batches = await Promise.all([
      stores.projects.record(a.id, [chunk(0), chunk(1)]),
      stores.projects.record(b.id, [chunk(0)]),
      stores.projects.record(a.id, []),
      stores.projects.record(a.id, [chunk(2)]),
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
    await expect(stores.projects.record(id, batch)).rejects.toThrow(/UNIQUE/);
    expect(await stores.projects.state(id)).toMatchObject({ messages: [], seq: 0 });
    await stores.projects.record(id, [{ type: 'thinking', text: 'next' }]);
    setTimeout(() => stop.abort(), 20);
    expect(await seen).toMatchObject([{ seq: 1, type: 'thinking' }]);
  });

  it('A20: the snapshot matches the contract and omits hints, preview label and call ids', async () => {
    using stores = tempStores();
    const project = await stores.projects.create(newProject());
    const at = new Date().toISOString();
    const approval = { id: newId('apr'), type: 'question' as const, content: '?', options: [], planId: null, at };
    await stores.projects.record(project.id, [{ type: 'approval.requested', approval }], { callId: 'secret-call' });
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
    await stores.projects.record(id, calls.flat());
    await stores.projects.record(id, [
      // An approval starts, and starts again when the run resumes.
      { type: 'tool.started', callId: 'gate', name: 'request_approval', summary: 'Showing the preview' },
      { type: 'tool.started', callId: 'gate', name: 'request_approval', summary: 'Showing the preview' },
    ]);
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
      await stores.projects.record(id, [
        { type: 'message.added', message: { id: newId('msg'), role: 'user', content: 'x', queued: false, at } },
        { type: 'todo.updated', todos: [{ id: newId('todo'), title: 't', key: 'k', status: 'pending', attempts: 0 }] },
      ]);
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
    await projects.record(gone.id, [
      { type: 'message.added', message: { id: newId('msg'), role: 'user', content: 'x', queued: false, at } },
    ]);
    const before = await projects.state(gone.id);
    const followed = collect(stores.bus.follow(gone.id, { afterSeq: 0, signal: new AbortController().signal }));
    await new Promise((resolve) => setImmediate(resolve));

    await projects.markDeleted(gone.id, at);

    expect(await followed).toHaveLength(1);
    const calls = [
      projects.get(gone.id),
      projects.state(gone.id),
      projects.stateAt(gone.id, 1),
      projects.record(gone.id, [{ type: 'render.queued', render }]),
      projects.markDeleted(gone.id, at),
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
    await projects.record(id, [
      { type: 'render.queued', render: queued },
      { type: 'render.complete', render: finished },
      { type: 'sandbox.state', state: 'ready' },
    ]);
    await projects.markDeleted(id, new Date().toISOString());
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
    await projects.record(old.id, [{ type: 'render.complete', render }]);
    await projects.markDeleted(old.id, '2026-01-01T00:00:00.000Z');
    await projects.markDeleted(recent.id, '2026-01-02T00:00:00.000Z');
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
    await stores.projects.record(working.id, [{ type: 'run.started', runId }]);
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
      await stores.projects.record(id, bodies);
      if (isWorkDue(await stores.projects.state(id))) due.push(id);
    }
    expect(due).toHaveLength(4 * 4 + 2 + 1);
    expect((await stores.projects.listDue()).sort()).toEqual(due.sort());
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
