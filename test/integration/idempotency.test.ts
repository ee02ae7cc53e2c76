import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Failpoint } from '../../server/lib/failpoint.ts';
import { RenderService } from '../../server/renders/service.ts';
import { createIdempotencyStore, type IdempotencyStore } from '../../server/storage/idempotency.ts';
import { historyFixture } from '../fixtures/history.ts';
import { httpFixture } from '../fixtures/http.ts';
import { newProject, samplePlan, tempStores, testPerson } from '../fixtures/storage.ts';
import { studioProcess } from '../fixtures/studio-process.ts';

const logo = readFileSync(new URL('../fixtures/logo.png', import.meta.url));
const headers = { 'idempotency-key': 'once' };

/** Idempotency keys of a server that exits between an operation and storing its response. */
function dyingServer() {
  const keys = tempStores();
  const start = () => createIdempotencyStore(keys.database.sqlite);
  let store = start();
  let hasDied = false;
  const idempotency: IdempotencyStore = {
    claim: (request) => store.claim(request),
    finish: (request, response) => hasDied && store.finish(request, response),
    release: (request) => hasDied && store.release(request),
  };
  return {
    idempotency,
    restart() {
      hasDied = true;
      store = start();
    },
    [Symbol.dispose]: () => keys[Symbol.dispose](),
  };
}

type Fixture = Awaited<ReturnType<typeof historyFixture>>;

const post = (fixture: Fixture, path: string, body: unknown) => fixture.send('POST', path, body, headers);
const postFile = (fixture: Fixture, path: string, name: string, body: Uint8Array<ArrayBuffer> | Buffer<ArrayBuffer>) =>
  fixture.call(path, { method: 'POST', body, headers: { ...headers, 'x-filename': name } });

const requests: Record<string, (fixture: Fixture, other: { zip: Uint8Array<ArrayBuffer> }) => Promise<Response>> = {
  project: (fixture) => post(fixture, '/api/projects', { prompt: 'A red ball', start: false }),
  message: (fixture) => post(fixture, `${fixture.path}/messages`, { content: 'make it faster' }),
  checkpoint: (fixture) => post(fixture, `${fixture.path}/checkpoints`, { name: 'Blue' }),
  branch: (fixture) => post(fixture, `${fixture.path}/branch`, {}),
  import: (fixture, { zip }) => postFile(fixture, '/api/projects/import', 'film.zip', zip),
  upload: (fixture) => postFile(fixture, `${fixture.path}/assets`, 'b.png', logo),
};

describe('a creating request whose server dies before its answer is kept', () => {
  it.each(Object.entries(requests))('X7, G9: %s: a retry returns the existing resource and creates nothing', async (_, send) => {
    using server = dyingServer();
    using fixture = await historyFixture({ idempotency: server.idempotency });
    fixture.write('package.json', '{}');
    fixture.write('index.html', '<p>');
    await fixture.save();
    const zip = new Uint8Array(await (await fixture.call(`${fixture.path}/archive.zip`)).arrayBuffer());
    await fixture.call(`${fixture.path}/assets`, { method: 'POST', body: logo, headers: { 'x-filename': 'a.png' } });
    fixture.write('src/a.ts', 'changed');
    const counts = () =>
      ['projects', 'messages', 'checkpoints', 'assets'].map((table) =>
        fixture.stores.database.sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get(),
      );

    const before = counts();
    const first = await send(fixture, { zip });
    expect(first.status).toBe(201);
    const made = counts();
    expect(made).not.toEqual(before);
    server.restart();
    const again = await send(fixture, { zip });
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
    const body = (await again.json()) as object;
    expect(body).toMatchObject({
      ...((await first.json()) as object),
      ...('updatedAt' in body ? { updatedAt: body.updatedAt } : {}),
    });
    expect(counts()).toEqual(made);
    // The third request receives the second one's stored response.
    const third = await send(fixture, { zip });
    expect([third.headers.get('idempotency-replayed'), await third.json()]).toEqual(['true', body]);
  });

  it('X7, G9: queues a render once', async () => {
    using server = dyingServer();
    const never = new Promise<never>(() => undefined);
    let renders: RenderService | null = null;
    using http = httpFixture({ idempotency: server.idempotency }, (stores) => {
      renders = new RenderService({
        store: stores.renders,
        emit: async (projectId, by, ...bodies) => void (await stores.projects.record(projectId, bodies, { by })),
        acquire: () => never,
        sandboxOf: () => 'running',
        folder: join(stores.dataDir, 'renders'),
        disk: stores.disk,
        workers: 1,
        preparesFinals: false,
        slots: { heavy: 1, preview: 1 },
        onError: () => undefined,
      });
      return { session: { renders }, http: { renders } };
    });
    const { id } = await http.stores.projects.create(newProject());
    await http.stores.projects.record(
      id,
      [
        { type: 'plan.proposed', plan: samplePlan({ accepted: true }) },
        { type: 'project.phase', phase: 'complete', previous: 'idle', error: null },
      ],
      { by: testPerson },
    );
    const send = () => http.send('POST', `/api/projects/${id}/renders`, { kind: 'final' }, headers);
    const first = await send();
    expect(first.status).toBe(202);
    server.restart();
    const again = await send();
    expect(again.status).toBe(202);
    expect(await again.json()).toMatchObject({ id: ((await first.json()) as { id: string }).id });
    expect(await http.stores.renders.list(id)).toHaveLength(1);
  });

  it('X7: a retry completes a branch with missing uploads', async () => {
    using server = dyingServer();
    using fixture = await historyFixture({ idempotency: server.idempotency });
    fixture.write('index.html', '<p>');
    await fixture.save();
    for (const name of ['a.png', 'b.png'])
      await fixture.call(`${fixture.path}/assets`, { method: 'POST', body: logo, headers: { 'x-filename': name } });
    const send = () => post(fixture, `${fixture.path}/branch`, {});
    const { id } = (await (await send()).json()) as { id: string };
    const [{ id: assetId } = { id: '' }] = await fixture.stores.assets.list(id);
    await fixture.stores.assets.remove(id, assetId);
    server.restart();
    expect(await (await send()).json()).toMatchObject({ id });
    expect((await fixture.stores.assets.list(id)).map(({ name }) => name).toSorted()).toEqual(['a.png', 'b.png']);
  });

  it('X7: a history that was named before its rows existed blocks no retry', async () => {
    using server = dyingServer();
    using fixture = await historyFixture({ idempotency: server.idempotency });
    fixture.write('index.html', '<p>');
    await fixture.save();
    const send = () => post(fixture, `${fixture.path}/branch`, {});
    const { id } = (await (await send()).json()) as { id: string };
    await fixture.stores.projects.delete(id);
    server.restart();
    expect(await (await send()).json()).toMatchObject({ id });
    const clone = await fixture.call(`/api/projects/${id}/checkpoints`);
    expect((await clone.json()) as object).toMatchObject({ items: [{ trigger: 'branch' }] });
    rmSync(fixture.repository, { recursive: true });
    expect((await fixture.call(`/api/projects/${id}/archive.zip`)).status).toBe(200);
  });

  it.each<Failpoint>(['project.after-row', 'event.after-commit', 'request.before-remembered'])(
    'X7, G9: killed at %s, the server makes one project of both attempts, and its work begins',
    async (failpoint) => {
      await using studio = await studioProcess();
      await studio.start({ failpoint });
      const body = JSON.stringify({ prompt: 'a green cube spins, smooth, 3 seconds' });
      const send = () =>
        fetch(`${studio.url}/api/projects`, {
          method: 'POST',
          body,
          headers: { 'content-type': 'application/json', ...headers },
        });
      const first = await send().catch(() => null);
      await studio.death();
      await studio.start();
      const again = await send();
      expect(again.status).toBe(201);
      const made = (await again.json()) as { id: string };
      if (first?.ok === true) expect(await first.json()).toMatchObject({ id: made.id });
      const { items } = (await (await fetch(`${studio.url}/api/projects`)).json()) as { items: { id: string }[] };
      expect(items.map(({ id }) => id)).toEqual([made.id]);
      const state = (await (await fetch(`${studio.url}/api/projects/${made.id}`)).json()) as { messages: { role: string }[] };
      expect(state.messages.filter(({ role }) => role === 'user')).toHaveLength(1);
    },
  );
});
