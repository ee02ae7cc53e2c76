import { describe, expect, it } from 'vitest';
import { newId } from '#contract/ids.ts';
import { chunk, newProject, tempStores, testPerson } from '../../test/fixtures/storage.ts';
import { pruneCode } from './prune-code.ts';

const { signal } = new AbortController();
const later = () => new Date(Date.now() + 60_000).toISOString();

describe('pruning of streamed code', () => {
  it('H8: removes the code of ended runs, keeps that of running ones and everything else', async () => {
    using stores = tempStores();
    const { database, projects, runs } = stores;
    const [ended, running] = [await projects.create(newProject()), await projects.create(newProject())];
    const thinking = { type: 'thinking', text: 'hm' } as const;
    const many = Array.from({ length: 1200 }, (_, index) => chunk(index));
    await projects.record(running.id, [chunk(0)], { by: testPerson });
    await new Promise((resolve) => setTimeout(resolve, 5));
    const run = newId('run');
    await runs.start(running.id, run);
    for (const { id } of [ended, running]) await projects.record(id, [thinking, ...many, thinking], { by: testPerson });
    const count = (id: string) => database.sqlite.prepare('SELECT count(*) FROM events WHERE project_id = ?').pluck().get(id);

    expect(await pruneCode(database, { before: new Date(0).toISOString(), signal })).toBe(0);
    expect(await pruneCode(database, { before: later(), signal })).toBe(1201);
    expect([count(ended.id), count(running.id)]).toEqual([2, 1202]);
    await runs.finish(run, 'completed');
    expect(await pruneCode(database, { before: later(), signal })).toBe(1200);
    expect((await projects.state(ended.id)).seq).toBe(1202);
    // New events go on after the last number.
    expect(await projects.record(ended.id, [thinking], { by: testPerson })).toMatchObject([{ seq: 1203 }]);
  });
});
