import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { page, projectDeletedSchema, projectListItemSchema } from '#contract/api.ts';
import { type HttpFixture, httpFixture, memorySandbox } from '../../../test/fixtures/http.ts';
import { noRenderer } from '../../../test/fixtures/renderer.ts';
import { sampleRender } from '../../../test/fixtures/renders.ts';
import { newProject, testPerson } from '../../../test/fixtures/storage.ts';
import { localPerson } from '../../access/access.ts';

/** Confirms that everything has expired. */
const confirmed = async (ids: readonly string[]) => new Set(ids);
const dayMs = 24 * 3_600_000;
let http: HttpFixture;
let done: string[];
let isDiskLow: boolean;
let hasSandbox: boolean;

beforeEach(() => {
  done = [];
  isDiskLow = false;
  hasSandbox = false;
  http = httpFixture({}, (stores) => {
    const note = async (what: string) => {
      done.push(what);
    };
    const visible = async (projectId: string) =>
      (await stores.projects.list({ cursor: null, limit: 100, search: null })).items.some(({ id }) => id === projectId);
    return {
      session: {
        sandboxes: {
          acquire: async (projectId) => ({ sandbox: memorySandbox(projectId, new Map()), fresh: false }),
          find: async (projectId) => (hasSandbox ? memorySandbox(projectId, new Map()) : null),
          ...{ current: () => null, isWaiting: () => false, waitedMs: () => 0, idleMs: () => 0, list: async () => [] },
          destroy: async (projectId) => note(`sandbox ended, the project ${(await visible(projectId)) ? 'there' : 'hidden'}`),
          removeCache: () => note('cache removed'),
        },
        checkpoints: {
          save: async (_projectId, trigger) => {
            done.push(`saved ${trigger}`);
            return null;
          },
          restore: async () => null,
          restoreTo: async () => null,
          find: () => Promise.reject(new Error('not part of this test')),
          removeAll: () => note('history removed'),
        },
        renders: {
          ...noRenderer,
          cancel: () => note('render cancelled'),
          removeFiles: () => note('video removed'),
        },
        disk: { assertFreeSpace: async () => undefined, isLow: async () => isDiskLow },
      },
      http: {},
    };
  });
});
afterEach(() => http[Symbol.dispose]());

async function create(name = 'Ball'): Promise<string> {
  const { id } = await http.stores.projects.create(newProject({ name, prompt: name }));
  await http.stores.projects.record(id, [{ type: 'render.complete', render: sampleRender(id, { status: 'complete' }) }], {
    by: testPerson,
  });
  return id;
}
async function listed(query = '') {
  const response = await http.call(`/api/projects${query}`);
  return page(projectListItemSchema).parse(await response.json()).items;
}
async function remove(id: string, query = '') {
  return projectDeletedSchema.parse(await (await http.call(`/api/projects/${id}${query}`, { method: 'DELETE' })).json());
}
const restore = (id: string) => http.call(`/api/projects/${id}/restore`, { method: 'POST' });

describe('a deleted project', () => {
  it('A24: disappears from lists at once; its sandbox ends and its files stay for a day', async () => {
    const [id, other] = [await create(), await create('Cube')];
    const { restorableUntil } = await remove(id);
    const leftMs = Date.parse(restorableUntil ?? '') - Date.now();
    expect(leftMs).toBeGreaterThan(dayMs - 60_000);
    expect(leftMs).toBeLessThanOrEqual(dayMs);
    expect((await listed()).map((project) => project.id)).toEqual([other]);
    expect((await listed('?search=ball')).map((project) => project.id)).toEqual([]);
    expect(await listed('?state=deleted')).toMatchObject([{ id, name: 'Ball', restorableUntil }]);
    expect(done).toEqual(['render cancelled', 'sandbox ended, the project hidden', 'cache removed']);
    for (const path of ['', '/events', '/usage', '/files', '/checkpoints', '/renders'])
      expect((await http.call(`/api/projects/${id}${path}`)).status, path).toBe(404);
    expect((await http.send('PATCH', `/api/projects/${id}`, { name: 'x' })).status).toBe(404);
    expect((await http.send('POST', `/api/projects/${id}/messages`, { content: 'x' })).status).toBe(404);
    expect((await http.call(`/api/projects/${id}`, { method: 'DELETE' })).status).toBe(404);
  });

  it('A21: saves the unsaved files of its sandbox', async () => {
    const id = await create();
    hasSandbox = true;
    await remove(id);
    expect(done).toEqual(['render cancelled', 'saved before_delete', 'sandbox ended, the project hidden', 'cache removed']);
  });

  it('A24: is restored completely; restoring is idempotent', async () => {
    const id = await create();
    const before = await listed();
    await remove(id);
    for (let time = 0; time < 2; time++) {
      const response = await restore(id);
      expect([response.status, await response.json()]).toMatchObject([200, { id, name: 'Ball' }]);
    }
    expect(await listed()).toEqual(before);
    expect(await listed('?state=deleted')).toEqual([]);
    expect((await restore('prj_00000000000000000000')).status).toBe(404);
  });

  it('A24: is removed permanently with `now=true`, even if already deleted', async () => {
    const removal = ['sandbox ended, the project hidden', 'video removed', 'history removed', 'cache removed'];
    const id = await create();
    expect(await remove(id, '?now=true')).toEqual({ deleted: true, restorableUntil: null });
    expect(done).toEqual(['render cancelled', ...removal]);
    expect((await restore(id)).status).toBe(404);
    expect((await http.call(`/api/projects/${id}?now=true`, { method: 'DELETE' })).status).toBe(404);
    expect((await http.call(`/api/projects/${id}?now=perhaps`, { method: 'DELETE' })).status).toBe(400);

    const second = await create();
    await remove(second);
    done = [];
    await remove(second, '?now=true');
    expect(done).toEqual(removal);
    expect(await listed('?state=deleted')).toEqual([]);
  });

  it('A24: is removed permanently if disk space is low', async () => {
    const id = await create();
    isDiskLow = true;
    expect(await remove(id)).toEqual({ deleted: true, restorableUntil: null });
    expect(done).toContain('history removed');
    expect((await restore(id)).status).toBe(404);
  });

  it('A24: is removed by the cleanup after a day, not before', async () => {
    const [first, second, kept] = [await create('1'), await create('2'), await create('3')];
    await remove(first);
    await remove(second);
    await http.projects.as(localPerson).restore(second);
    done = [];
    expect(await http.projects.removeExpired({ nowMs: Date.now() + dayMs - 60_000, confirmed })).toBe(0);
    expect(done).toEqual([]);
    expect(await http.projects.removeExpired({ nowMs: Date.now() + dayMs, confirmed })).toBe(1);
    expect(done).toEqual(['sandbox ended, the project hidden', 'video removed', 'history removed', 'cache removed']);
    expect((await restore(first)).status).toBe(404);
    await remove(second);
    expect((await listed()).map(({ id }) => id)).toEqual([kept]);
  });

  it('H8, A24: low disk space removes the projects that were deleted first, and only as many as needed', async () => {
    const ids = [await create('1'), await create('2'), await create('3'), await create('4')];
    for (const id of [2, 0, 3, 1].map((index) => ids[index] ?? '')) {
      await remove(id);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const low = [true, true, false];
    expect(await http.projects.removeWhileLow(async () => low.shift() ?? false)).toBe(2);
    const left = (await listed('?state=deleted')).map(({ id }) => id);
    expect(left.toSorted()).toEqual([ids[3], ids[1]].toSorted());
    const lines = http.logged.filter(({ audit }) => audit === 'project.removed');
    expect(lines.map(({ projectId }) => projectId)).toEqual([ids[2], ids[0]]);
    expect(await http.projects.removeWhileLow(async () => true)).toBe(2);
    expect(await http.projects.removeWhileLow(async () => true)).toBe(0);
  });
});

describe('project list', () => {
  it('G9: rejects unknown filters and orders', async () => {
    await create();
    expect((await http.call('/api/projects?state=odd')).status).toBe(400);
    expect((await http.call('/api/projects?sort=odd')).status).toBe(400);
    expect(await listed('?state=complete&sort=name')).toEqual([]);
    expect(await listed('?sort=changed')).toHaveLength(1);
  });
});
