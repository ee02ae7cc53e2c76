import { execFile, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { ProjectSnapshot } from '#contract/api.ts';
import { openDatabase } from '../../server/storage/database.ts';
import { ensureReserve, releaseReserve } from '../../server/storage/durable-file.ts';
import { createStores } from '../../server/storage/stores.ts';
import { startTestStudio } from '../fixtures/app.ts';
import { dataFolder } from '../fixtures/checkpoints.ts';
import { listTree } from '../fixtures/folder-sandbox.ts';
import { until, untilPasses } from '../fixtures/progress.ts';
import { canMount, smallDisk } from '../fixtures/small-disk.ts';
import { chunk, newProject, tempDir, testPerson } from '../fixtures/storage.ts';
import { studioProcess } from '../fixtures/studio-process.ts';

const logo = readFileSync(new URL('../fixtures/logo.png', import.meta.url));

const integrity = (file: string): unknown => {
  const sqlite = new BetterSqlite3(file);
  try {
    return sqlite.pragma('integrity_check', { simple: true });
  } finally {
    sqlite.close();
  }
};
/** Every file in a data folder with its hash, except a running server's lock. */
const kept = (dataDir: string) => Object.entries(listTree(dataDir)).filter(([path]) => path !== 'koda.lock');
const fsck = (repository: string) => execFileSync('git', ['-C', repository, 'fsck', '--full', '--strict'], { encoding: 'utf8' });

describe('a full disk', () => {
  if (!canMount()) {
    it('A22: passes these tests in a user namespace, where every user may mount', async () => {
      const vitest = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');
      const tests = ['run', '--project', 'integration', import.meta.filename, '-t', 'a full disk', '--reporter', 'default'];
      const namespace = ['--user', '--map-root-user', '--mount'];
      const { stdout } = await promisify(execFile)('unshare', [...namespace, process.execPath, vitest, ...tests]);
      expect(stdout).toContain('6 passed');
    });
    return;
  }

  it('A22: refuses a checkpoint with 507 if the disk is full, damages nothing, and resumes once there is space', async () => {
    using disk = smallDisk(64);
    using data = dataFolder(join(disk.path, 'data'));
    const project = await data.newProject();
    project.write('src/App.tsx', 'one');
    const first = await project.save();
    const before = listTree(project.sandbox.folder);

    project.write('public/large.bin', randomBytes(80 * 1024 * 1024));
    await expect(project.save()).rejects.toMatchObject({ code: 'STORAGE_FULL', recovery: 'free_disk_space' });
    disk.fill();
    await expect(project.save()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(fsck(project.repository)).toBe('');
    expect(data.database.sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    const { checkpointLedger } = data.stores;
    expect((await checkpointLedger.list(project.id, { cursor: null, limit: 10 })).items).toMatchObject([{ id: first }]);

    // Only the large file was removed. Restoring needs no space, so the disk is still full.
    disk.clear();
    expect(await project.restore()).toBe(first);
    expect(listTree(project.sandbox.folder)).toEqual(before);
    project.write('src/App.tsx', 'two');
    expect(await project.save()).toMatch(/^chk_/);
    expect(fsck(project.repository)).toBe('');
    expect(readdirSync(join(project.repository, 'objects', 'pack')).filter((name) => name.startsWith('tmp_'))).toEqual([]);
  });

  it('A22: creates no checkpoint if its row does not fit on the disk, and the next one is complete', async () => {
    using disk = smallDisk(16);
    using data = dataFolder(join(disk.path, 'data'));
    const project = await data.newProject();
    project.write('a', '1');
    const first = await project.save();
    // The WAL is full, so a new row needs new space.
    data.database.sqlite.pragma('wal_checkpoint(TRUNCATE)');
    project.write('a', '2');
    const { checkpointLedger } = data.stores;
    const add = checkpointLedger.add.bind(checkpointLedger);
    checkpointLedger.add = (...parameters) => {
      disk.fill();
      return add(...parameters);
    };
    await expect(project.save()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    checkpointLedger.add = add;
    expect((await checkpointLedger.list(project.id, { cursor: null, limit: 10 })).items).toMatchObject([{ id: first }]);
    disk.clear();
    const second = await project.save();
    expect((await checkpointLedger.list(project.id, { cursor: null, limit: 10 })).items).toMatchObject([
      { id: second },
      { id: first },
    ]);
    rmSync(join(project.sandbox.folder, 'a'));
    await project.restore();
    expect(readFileSync(join(project.sandbox.folder, 'a'), 'utf8')).toBe('2');
  });

  it('A22: the server on a full disk refuses writes with 507, allows deletes, and starts again', async () => {
    using disk = smallDisk(64);
    await using studio = await studioProcess({ dataDir: join(disk.path, 'data') });
    await studio.start();
    const call = async (method: string, path: string, body?: unknown) => {
      const answer = await fetch(studio.url + path, {
        method,
        ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
      });
      return { status: answer.status, json: (await answer.json()) as { id: string; error?: { code: string } } };
    };
    const create = () => call('POST', '/api/projects', { prompt: 'A red ball '.repeat(300), start: false });
    const [first, second, third] = [(await create()).json.id, (await create()).json.id, (await create()).json.id];
    const uploaded = await fetch(`${studio.url}/api/projects/${first}/assets`, {
      method: 'POST',
      headers: { 'x-filename': 'logo.png' },
      body: logo,
    });
    const { id: assetId } = (await uploaded.json()) as { id: string };
    while (!existsSync(join(studio.dataDir, 'reserve'))) await sleep(20);

    disk.fill();
    // Fills the remaining space in the WAL first.
    let last = await create();
    for (let count = 0; last.status === 201 && count < 5000; count++) last = await create();
    expect([last.status, last.json.error?.code]).toEqual([507, 'STORAGE_FULL']);
    expect((await call('GET', `/api/projects/${first}`)).status).toBe(200);
    expect((await call('DELETE', `/api/projects/${first}/assets/${assetId}`)).status).toBe(200);
    expect((await call('DELETE', `/api/projects/${first}`)).status).toBe(200);
    expect((await call('GET', `/api/projects/${first}`)).status).toBe(404);

    disk.clear();
    await ensureReserve(studio.dataDir);
    await studio.end('SIGTERM');
    disk.fill();
    await studio.start();
    expect((await call('GET', `/api/projects/${second}`)).status).toBe(200);
    expect((await call('DELETE', `/api/projects/${second}`)).status).toBe(200);
    disk.clear();
    expect((await create()).status).toBe(201);
    expect((await call('GET', `/api/projects/${third}`)).status).toBe(200);
    await studio.end('SIGTERM');
    expect(integrity(join(studio.dataDir, 'koda.db'))).toBe('ok');
  });

  it('H8: 20 large uploads at once stop at the reserve: 507 for those that do not fit, and others still work', async () => {
    using disk = smallDisk(160);
    await using studio = await studioProcess({ dataDir: join(disk.path, 'data'), env: { KODA_DISK_RESERVE_MB: '48' } });
    await studio.start();
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ prompt: 'A red ball', start: false });
    const create = () => fetch(`${studio.url}/api/projects`, { method: 'POST', headers, body });
    const { id } = (await (await create()).json()) as { id: string };
    const freeMegabytes = () => {
      const { bavail, bsize } = statfsSync(disk.path);
      return (bavail * bsize) / 1024 ** 2;
    };
    let lowest = Number.POSITIVE_INFINITY;
    const watch = setInterval(() => {
      lowest = Math.min(lowest, freeMegabytes());
    }, 5);
    const sound = wave(19 * 1024 * 1024);
    const upload = () =>
      fetch(`${studio.url}/api/projects/${id}/assets`, { method: 'POST', headers: { 'x-filename': 'a.wav' }, body: sound });
    const statuses = (await Promise.all(Array.from({ length: 20 }, upload))).map(({ status }) => status);
    // On a slow machine, those that did not fit have waited too long.
    while (!statuses.includes(507)) statuses.push((await upload()).status);
    clearInterval(watch);
    expect(statuses.filter((status) => ![201, 429, 507].includes(status))).toEqual([]);
    expect(statuses).toEqual(expect.arrayContaining([201, 507]));
    expect(lowest).toBeGreaterThan(47);
    const stored = statuses.filter((status) => status === 201).length;
    expect(readdirSync(join(studio.dataDir, 'assets', id))).toHaveLength(stored);
    const { items } = (await (await fetch(`${studio.url}/api/projects/${id}/assets`)).json()) as { items: unknown[] };
    expect(items).toHaveLength(stored);
    // Removed uploads make room again.
    expect((await fetch(`${studio.url}/api/projects/${id}?now=true`, { method: 'DELETE' })).status).toBe(200);
    expect((await create()).status).toBe(201);
  });

  it('A24: deletes a project with thousands of events on a full disk, which fails without the reserve (control)', async () => {
    using disk = smallDisk(64);
    const dataDir = join(disk.path, 'data');
    const database = openDatabase(dataDir);
    const { projects } = createStores(database);
    const { id } = await projects.create(newProject());
    for (let round = 0; round < 100; round++)
      await projects.record(
        id,
        Array.from({ length: 100 }, (_, index) => chunk(index, 'x'.repeat(500))),
        { by: testPerson },
      );
    database.sqlite.pragma('wal_checkpoint(TRUNCATE)');
    await ensureReserve(dataDir);
    disk.fill();
    await expect(projects.delete(id)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect((await projects.state(id)).seq).toBe(10_000);
    await database.freeing(() => projects.delete(id));
    await expect(projects.state(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });

    // The reserve is restored only once there is space.
    disk.fill();
    await ensureReserve(dataDir);
    expect(existsSync(join(dataDir, 'reserve'))).toBe(false);
    disk.clear();
    await ensureReserve(dataDir);
    expect(statSync(join(dataDir, 'reserve')).size).toBeGreaterThan(1024 * 1024);
    releaseReserve(dataDir);
    database.close();
    expect(integrity(join(dataDir, 'koda.db'))).toBe('ok');
  });

  it('A22: reports a read-only data folder at startup and leaves it unchanged', async () => {
    using disk = smallDisk(16);
    const dataDir = join(disk.path, 'data');
    openDatabase(dataDir).close();
    const before = kept(dataDir);
    disk.makeReadOnly();
    await using studio = await studioProcess({ dataDir });
    const { exitCode, output } = await studio.startToFail();
    expect(exitCode).toBe(1);
    expect(output).toContain(dataDir);
    expect(output).toMatch(/read-only|writable/);
    expect(kept(dataDir)).toEqual(before);
  });
});

describe('a database that is not as it was left', () => {
  it('A22: a WAL that is cut off or garbled anywhere loses only its end: the rest is complete and in order', async () => {
    using folder = tempDir();
    const dataDir = join(folder.path, 'data');
    const database = openDatabase(dataDir);
    const { projects } = createStores(database);
    const { id } = await projects.create(newProject());
    database.sqlite.pragma('wal_checkpoint(TRUNCATE)');
    for (let count = 0; count < 60; count++)
      await projects.record(id, [chunk(count, 'x'.repeat(300)), chunk(count)], { by: testPerson });
    const wal = readFileSync(join(dataDir, 'koda.db-wal'));
    const main = readFileSync(join(dataDir, 'koda.db'));
    const lastSeqs = new Set<number>();
    for (let index = 0; index < 30; index++) {
      const at = Math.floor((wal.length * index) / 29);
      const copy = join(folder.path, `copy-${index}`);
      openDatabase(copy).close();
      writeFileSync(join(copy, 'koda.db'), main);
      const damaged = index % 2 === 0 ? wal.subarray(0, at) : Buffer.concat([wal.subarray(0, at), randomBytes(wal.length - at)]);
      writeFileSync(join(copy, 'koda.db-wal'), damaged);
      const opened = openDatabase(copy);
      expect(opened.sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
      const { seq } = await createStores(opened).projects.state(id);
      expect(opened.sqlite.prepare('SELECT count(*), coalesce(max(seq), 0) FROM events').raw().get()).toEqual([seq, seq]);
      expect(seq % 2).toBe(0);
      lastSeqs.add(seq);
      await createStores(opened).projects.record(id, [chunk(0)], { by: testPerson });
      opened.close();
    }
    // Stronger than "all or nothing": each cut keeps the events before it.
    expect(lastSeqs.size).toBeGreaterThan(10);
    database.close();
  });

  it('A22: reports a damaged database with a remedy at startup, and leaves it unchanged', async () => {
    using folder = tempDir();
    await using studio = await studioProcess({ dataDir: folder.path });
    const database = openDatabase(folder.path);
    const { projects } = createStores(database);
    const { id } = await projects.create(newProject());
    await projects.record(
      id,
      Array.from({ length: 2000 }, (_, index) => chunk(index, 'x'.repeat(200))),
      { by: testPerson },
    );
    database.close();
    const file = join(folder.path, 'koda.db');
    garble(file, { fromPage: 20, pages: 10 });
    const before = kept(folder.path);
    const { exitCode, output } = await studio.startToFail();
    expect(exitCode).toBe(1);
    expect(output).toContain(`The database ${file} is damaged`);
    expect(output).toContain('koda restore');
    expect(output.trim().split('\n')).toHaveLength(1);
    expect(kept(folder.path)).toEqual(before);
  });

  it('A22: reports a database that is damaged during use, with a remedy', async () => {
    using folder = tempDir();
    const database = openDatabase(folder.path);
    const { projects } = createStores(database);
    const { id } = await projects.create(newProject());
    database.sqlite.pragma('wal_checkpoint(TRUNCATE)');
    database.sqlite.pragma('cache_size = 0');
    database.sqlite.pragma('shrink_memory');
    const file = join(folder.path, 'koda.db');
    garble(file, { fromPage: 1, pages: statSync(file).size / 4096 - 1 });
    await expect(projects.state(id)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', recovery: 'restore_backup' });
    await expect(projects.record(id, [chunk(0)], { by: testPerson })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    database.close();
  });

  it('A22: reports a data folder of a newer version at startup and leaves it unchanged', async () => {
    using folder = tempDir();
    await using studio = await studioProcess({ dataDir: folder.path });
    const database = openDatabase(folder.path);
    database.sqlite.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run('future', Date.now() * 10);
    database.close();
    const before = kept(folder.path);
    const { exitCode, output } = await studio.startToFail();
    expect(exitCode).toBe(1);
    expect(output).toMatch(/newer version of Koda/);
    expect(kept(folder.path)).toEqual(before);
  });
});

/** A silent WAV file of that size. */
function wave(bytes: number): Buffer {
  const file = Buffer.alloc(bytes);
  file.write('RIFF');
  file.writeUInt32LE(bytes - 8, 4);
  file.write('WAVEfmt ', 8);
  return file;
}

/** Overwrites database pages with noise. */
function garble(file: string, { fromPage, pages }: { fromPage: number; pages: number }): void {
  writeSync(openSync(file, 'r+'), randomBytes(pages * 4096), 0, pages * 4096, fromPage * 4096);
}

describe('a history that is not as it was left', () => {
  const packs = (repository: string) =>
    readdirSync(join(repository, 'objects', 'pack'))
      .filter((name) => name.endsWith('.pack'))
      .map((name) => join(repository, 'objects', 'pack', name));
  it.each<[string, (repository: string) => void]>([
    ['without its HEAD', (repository) => rmSync(join(repository, 'HEAD'))],
    ['with nonsense as its settings', (repository) => writeFileSync(join(repository, 'config'), '[nonsense\0')],
    ['without its objects', (repository) => rmSync(join(repository, 'objects', 'pack'), { recursive: true })],
    ['with a pack that is cut off', (repository) => packs(repository).map((pack) => truncateSync(pack, 40))],
    [
      'with noise in its packs',
      (repository) => packs(repository).map((pack) => writeFileSync(pack, randomBytes(statSync(pack).size))),
    ],
    [
      'that is a file',
      (repository) => {
        rmSync(repository, { recursive: true });
        writeFileSync(repository, 'x');
      },
    ],
  ])('A22: a repository %s affects only its project, which reports the cause and a remedy', async (_, damage) => {
    using folder = tempDir();
    using data = dataFolder(folder.path);
    const [damaged, other] = [await data.newProject('Damaged'), await data.newProject('Other')];
    for (const project of [damaged, other]) {
      project.write('src/App.tsx', randomBytes(2000).toString('hex'));
      await project.save();
    }
    damage(damaged.repository);
    await expect(damaged.restore()).rejects.toMatchObject({ code: 'INTERNAL_ERROR', recovery: 'restore_backup' });
    damaged.write('src/new.ts', 'new');
    await damaged.save().then(
      // Everything that can still be added is complete.
      (id) => expect(id).toMatch(/^chk_/),
      (error: unknown) => expect(error).toMatchObject({ code: 'INTERNAL_ERROR', recovery: 'restore_backup' }),
    );
    expect(await other.restore()).toMatch(/^chk_/);
    other.write('src/new.ts', 'new');
    expect(await other.save()).toMatch(/^chk_/);
    await data.stores.projects.delete(damaged.id);
  });
});

describe('deleted files', () => {
  it('A25: reports a missing upload, which blocks nothing else and can be deleted and uploaded again', async () => {
    await using studio = await startTestStudio();
    const { id } = await studio.send<{ id: string }>('POST', '/api/projects', { prompt: 'A red ball', start: false });
    const add = async (name: string) => {
      const answer = await studio.call(`/api/projects/${id}/assets`, {
        method: 'POST',
        headers: { 'x-filename': name },
        body: logo,
      });
      return (await answer.json()) as { id: string; name: string };
    };
    const [gone, there] = [await add('gone.png'), await add('there.png')];
    const folder = join(studio.dataDir, 'assets', id);
    rmSync(join(folder, `${gone.id}.png`));
    const read = await studio.call(`/api/projects/${id}/assets/${gone.id}`);
    expect(read.status).toBe(404);
    expect(await read.text()).toContain('missing from the data folder');
    expect((await studio.call(`/api/projects/${id}/assets/${there.id}`)).status).toBe(200);

    // The sandbox starts anyway, with the other upload.
    await studio.call(`/api/projects/${id}/sandbox`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action: 'restart' }),
    });
    await until(
      'the other upload in the sandbox',
      async () => (await studio.call(`/api/projects/${id}/files/public/assets/there.png`)).status === 200,
    );
    await untilPasses('the message', async () => {
      const { messages } = await studio.send<ProjectSnapshot>('GET', `/api/projects/${id}`);
      expect(messages.map(({ role, content }) => `${role}: ${content}`)).toContainEqual(
        'system: The upload “gone.png” is missing from the data folder. Delete it and upload it again.',
      );
    });
    expect((await studio.call(`/api/projects/${id}/assets/${gone.id}`, { method: 'DELETE' })).status).toBe(200);
    expect((await add('gone.png')).name).toBe('gone.png');
  });
});
