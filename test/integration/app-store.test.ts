import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { Store } from '../../sandbox-image/templates/app/server/store.ts';
import { canMount, smallDisk } from '../fixtures/small-disk.ts';

const document = {
  version: 1,
  name: 'Things',
  theme: 'studio',
  mode: 'system',
  lists: [
    {
      id: 'things',
      name: 'Things',
      one: 'thing',
      fields: [
        { id: 'name', name: 'Name', type: 'text' },
        { id: 'notes', name: 'Notes', type: 'longtext' },
      ],
    },
  ],
  pages: [{ id: 'things', name: 'Things', views: [{ view: 'table', id: 'table', list: 'things' }] }],
};
const kills = Number(process.env['KODA_APP_KILLS'] ?? 30);
const childFile = fileURLToPath(new URL('../fixtures/app-store-child.ts', import.meta.url));

function writeApp(root: string): void {
  mkdirSync(join(root, 'src'), { recursive: true });
  writeFileSync(join(root, 'src/app.json'), JSON.stringify(document));
}

const idsIn = (store: Store) => new Set(store.snapshot().lists['things']?.map(({ id }) => id));

it(`${kills} kills while records are saved lose nothing that was acknowledged`, async () => {
  const root = mkdtempSync(join(tmpdir(), 'koda-app-'));
  writeApp(root);
  const present = new Set<string>();
  const gone = new Set<string>();
  for (let run = 0; run < kills; run += 1) {
    const child = spawn(process.execPath, [childFile, root, String(run)], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    await once(child.stdout, 'data');
    await delay((run * 7) % 60);
    child.kill('SIGKILL');
    await once(child, 'close');
    // A line that was cut was acknowledged too, but its id is not known.
    const acknowledged = output.split('\n').slice(0, -1);
    for (const line of acknowledged) {
      if (line.startsWith('-')) gone.add(line.slice(1));
      else present.add(line);
    }
  }
  const store = new Store(root);
  await store.refresh();
  const ids = idsIn(store);
  const keptIds = [...present].filter((id) => Number(id.slice(-6)) % 10 === 0);
  expect(keptIds.length).toBeGreaterThan(kills);
  expect(keptIds.filter((id) => !ids.has(id))).toEqual([]);
  expect([...gone].filter((id) => ids.has(id))).toEqual([]);
  await store.close();
  rmSync(root, { recursive: true });
});

it.runIf(canMount())('a full disk refuses changes, keeps everything else, and saves again once there is space', async () => {
  using disk = smallDisk(2);
  writeApp(disk.path);
  const store = new Store(disk.path);
  await store.refresh();
  const put = (id: string, notes = '') =>
    store.submit({ batch: `batch-${id}`, changes: [{ op: 'put', list: 'things', id, values: { name: id, notes } }] });
  await put('first000');
  disk.fill();
  const journal = readFileSync(join(disk.path, 'data/records.ndjson'));
  await expect(put('second00', 'long '.repeat(3000))).rejects.toMatchObject({ status: 507, code: 'DISK_FULL' });
  expect(readFileSync(join(disk.path, 'data/records.ndjson'))).toEqual(journal);
  expect(idsIn(store)).toEqual(new Set(['first000']));
  disk.clear();
  await put('second00', 'long '.repeat(3000));
  await store.close();
  const again = new Store(disk.path);
  await again.refresh();
  expect(idsIn(again)).toEqual(new Set(['first000', 'second00']));
  await again.close();
});
