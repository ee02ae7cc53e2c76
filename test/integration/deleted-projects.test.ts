import { existsSync, openAsBlob } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../server/storage/database.ts';
import { createStores } from '../../server/storage/stores.ts';
import { until } from '../fixtures/progress.ts';
import { testPerson } from '../fixtures/storage.ts';
import { studioProcess } from '../fixtures/studio-process.ts';

const dayMs = 24 * 3_600_000;
const logo = join(import.meta.dirname, '../fixtures/logo.png');

describe('deleted projects', () => {
  it('A24, X7: a delete that a crash interrupts is complete or has no effect, can be undone, and becomes final in time', async () => {
    await using studio = await studioProcess();
    const call = (method: string, path: string, body?: unknown) =>
      fetch(studio.url + path, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
    const create = async (name: string) => {
      const { id } = (await (await call('POST', '/api/projects', { prompt: 'A ball', name, start: false })).json()) as {
        id: string;
      };
      const form = new FormData();
      form.set('file', await openAsBlob(logo), 'logo.png');
      expect((await fetch(`${studio.url}/api/projects/${id}/assets`, { method: 'POST', body: form })).status).toBe(201);
      return id;
    };
    const uploads = (id: string) => join(studio.dataDir, 'assets', id);
    await studio.start();
    const [undone, expired, gone] = [await create('undone'), await create('expired'), await create('gone')];
    // The server acknowledges the deletion and exits immediately.
    expect((await call('DELETE', `/api/projects/${undone}`)).status).toBe(200);
    await studio.end('SIGKILL');
    // Simulates an interrupted delete, and a delete a day ago.
    const database = openDatabase(studio.dataDir);
    await createStores(database).projects.markDeleted(expired, new Date(Date.now() - dayMs - 60_000).toISOString(), testPerson);
    database.close();
    // Earlier servers found it expired for an hour.
    await writeFile(join(studio.dataDir, 'expired.json'), JSON.stringify({ [expired]: 3_600_000 }));

    await studio.start();
    const names = async (query = '') => {
      const { items } = (await (await call('GET', `/api/projects${query}`)).json()) as { items: { name: string }[] };
      return items.map(({ name }) => name);
    };
    expect(await names()).toEqual(['gone']);
    expect((await call('GET', `/api/projects/${undone}`)).status).toBe(404);
    expect((await call('POST', `/api/projects/${undone}/restore`)).status).toBe(200);
    expect((await names()).sort()).toEqual(['gone', 'undone']);
    const { assets } = (await (await call('GET', `/api/projects/${undone}`)).json()) as { assets: { id: string }[] };
    expect((await call('GET', `/api/projects/${undone}/assets/${assets[0]?.id}`)).status).toBe(200);
    // The cleanup continues at startup.
    await until('the removal of the expired project', () => !existsSync(uploads(expired)));
    expect([existsSync(uploads(expired)), existsSync(uploads(undone))]).toEqual([false, true]);
    expect((await call('POST', `/api/projects/${expired}/restore`)).status).toBe(404);

    // The permanent removal is interrupted after the row. The rest are orphans for the next start.
    await studio.end('SIGTERM');
    await studio.start({ failpoint: 'project-delete.after-row' });
    await expect(call('DELETE', `/api/projects/${gone}?now=true`)).rejects.toThrow();
    await studio.death();
    await studio.start();
    await until('the removal of the orphans', () => !existsSync(uploads(gone)));
    expect([existsSync(uploads(gone)), await names('?state=deleted'), await names()]).toEqual([false, [], ['undone']]);
  });
});
