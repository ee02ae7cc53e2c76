import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { newId } from '#contract/ids.ts';
import { restoreBackup } from '../../server/backup/restore-backup.ts';
import { openDatabase } from '../../server/storage/database.ts';
import { createStores } from '../../server/storage/stores.ts';
import { makeOldDatabase } from '../fixtures/old-database.ts';
import { until } from '../fixtures/progress.ts';
import { newProject, tempDir, tempStores } from '../fixtures/storage.ts';
import { type StudioProcess, studioProcess } from '../fixtures/studio-process.ts';

const recorder = fileURLToPath(new URL('../fixtures/record-forever.ts', import.meta.url));
const progressRecorder = fileURLToPath(new URL('../fixtures/progress-forever.ts', import.meta.url));
const logo = fileURLToPath(new URL('../fixtures/logo.png', import.meta.url));
const kills = 10;
/** Progress waits for 50 ms. */
const progressLossMs = 250;

/** Kills the recorder at a random time after it has acknowledged a few records. Returns those records. */
async function recordUntilKilled(program: string, dataDir: string, projectId: string): Promise<string[]> {
  const child = spawn(process.execPath, [program, dataDir, projectId], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await Promise.race([once(child.stdout, 'data'), closed]);
  await delay(Math.random() * 200);
  child.kill('SIGKILL');
  await closed;
  // A line that the kill truncated was not acknowledged.
  return output.split('\n').slice(0, -1);
}

describe('storage', () => {
  it(`X7, A22: loses nothing acknowledged and leaves nothing partial after ${kills} kills at random times`, async () => {
    using folder = tempDir();
    const first = openDatabase(folder.path);
    const { id } = await createStores(first).projects.create(newProject());
    first.close();

    const acknowledged: string[] = [];
    for (let kill = 0; kill < kills; kill++) acknowledged.push(...(await recordUntilKilled(recorder, folder.path, id)));
    expect(acknowledged.length).toBeGreaterThanOrEqual(kills);

    const database = openDatabase(folder.path);
    const { projects, bus } = createStores(database);
    expect(database.sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    const state = await projects.state(id);
    const stop = new AbortController();
    const events: { seq: number; type: string }[] = [];
    for await (const event of bus.follow(id, { afterSeq: 0, signal: stop.signal })) {
      events.push(event);
      if (event.seq === state.seq) stop.abort();
    }
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));

    // Every record is complete: three events, two messages, the first of them delivered.
    expect(state.seq % 3).toBe(0);
    expect(state.messages).toHaveLength((state.seq / 3) * 2);
    expect(state.messages.filter((message) => message.queued)).toEqual([]);
    const bySeq = new Map(state.messages.map((message, index) => [message.id, index]));
    for (const line of acknowledged) {
      const [seq, one = '', two = ''] = line.split(' ');
      expect(bySeq.get(one), line).toBe((Number(seq) / 3 - 1) * 2);
      expect(bySeq.get(two), line).toBe((Number(seq) / 3 - 1) * 2 + 1);
    }
    database.close();
  });

  it(`H9: ${kills} kills lose no acknowledged command, and only the progress of the last moment`, async () => {
    using folder = tempDir();
    const first = openDatabase(folder.path);
    const { id } = await createStores(first).projects.create(newProject());
    first.close();
    for (let kill = 0; kill < kills; kill++) {
      const lines = (await recordUntilKilled(progressRecorder, folder.path, id)).map((line) => line.split(' '));
      const database = openDatabase(folder.path);
      const rows = database.sqlite
        .prepare<[], { seq: number; type: string; text: string }>(
          "SELECT seq, type, coalesce(body ->> 'text', body ->> 'name') AS text FROM events ORDER BY seq",
        )
        .all();
      database.close();
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
      const stored = new Map(rows.map((row) => [`${row.type} ${row.text}`, row.seq]));
      const [, , lastAtMs] = lines.findLast(([kind]) => kind === 'progress') ?? [];
      for (const [kind, text, value] of lines) {
        if (kind === 'command') expect(stored.get(`project.updated ${text}`)).toBe(Number(value));
        else if (!stored.has(`code.chunk ${text}`))
          expect(Number(lastAtMs) - Number(value), `progress ${text}`).toBeLessThan(progressLossMs);
      }
    }
  });

  it('M10: the history in a backup of version 1 gets its indexes', async () => {
    using folder = tempDir();
    const dataDir = join(folder.path, 'data');
    const signal = new AbortController().signal;
    const archive = createReadStream(new URL('../fixtures/backup-version-1.tar.gz', import.meta.url));
    await restoreBackup(archive, { dataDir, force: false, signal, onProgress: () => undefined });
    const database = openDatabase(dataDir);
    const indexes = database.sqlite.prepare("SELECT name FROM pragma_index_list('events') WHERE partial").pluck().all();
    expect(indexes.toSorted()).toEqual(['events_activity', 'events_code', 'events_plans', 'events_queued_renders']);
    const { projects, runs } = createStores(database);
    const ids = await projects.listIds({ changedSince: null });
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) {
      const { plan, seq } = await projects.snapshot(id);
      expect((await projects.stateAt(id, seq)).plan).toEqual(plan);
      expect(await runs.active(id)).toBeNull();
    }
    database.close();
  });

  it.each([
    ['mp3', ['-c:a', 'libmp3lame'], 'audio/mpeg'],
    ['wav', [], 'audio/wav'],
    ['ogg', ['-c:a', 'libvorbis'], 'audio/ogg'],
    ['opus', ['-c:a', 'libopus'], 'audio/ogg'],
    ['m4a', ['-c:a', 'aac'], 'audio/mp4'],
    ['png', ['-frames:v', '1'], 'image/png'],
    ['jpg', ['-frames:v', '1'], 'image/jpeg'],
    ['gif', ['-frames:v', '1'], 'image/gif'],
    ['webp', ['-frames:v', '1'], 'image/webp'],
  ])('A25: accepts a %s file from FFmpeg as its own type', async (extension, options, mime) => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    const file = join(stores.dataDir, `made.${extension}`);
    const source = mime.startsWith('audio') ? 'sine=frequency=440:duration=0.5' : 'testsrc=size=64x48:rate=1:duration=1';
    execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, ...options, file]);
    const asset = await stores.assets.add(id, {
      name: 'upload',
      content: createReadStream(file),
      signal: new AbortController().signal,
    });
    const size = mime.startsWith('image') ? { width: 64, height: 48 } : { width: null, height: null };
    expect(asset).toMatchObject({ mime, ...size });
  });
});

it('X3: restricts the data folder to its owner under every umask', async () => {
  await using studio = await studioProcess({ umask: '000' });
  mkdirSync(studio.dataDir, { mode: 0o777 });
  // The folder is from an older studio that did not restrict access.
  writeFileSync(join(studio.dataDir, 'models.json'), '{}', { mode: 0o666 });
  chmodSync(join(studio.dataDir, 'models.json'), 0o666);
  await studio.start();
  const { id } = await postProject(studio.url);
  const upload = { method: 'POST', headers: { 'x-filename': 'logo.png' }, body: readFileSync(logo) };
  expect((await fetch(`${studio.url}/api/projects/${id}/assets`, upload)).status).toBe(201);
  const open = readdirSync(studio.dataDir, { recursive: true, encoding: 'utf8' })
    .concat('.')
    .filter((name) => (statSync(join(studio.dataDir, name)).mode & 0o077) !== 0);
  expect(open).toEqual([]);
  expect(readdirSync(studio.dataDir)).toEqual(expect.arrayContaining(['koda.db', 'assets', 'sandbox.key', 'models.json']));
});

it('H8: a kill while an old database is converted loses nothing, and a later start converts it', async () => {
  using folder = tempDir();
  const id = newId('prj');
  const { name, kind, prompt, hints } = newProject();
  const at = new Date().toISOString();
  const project = { id, name, kind, prompt, hints: JSON.stringify(hints), phase: 'idle', running: 0, sandbox: 'created' };
  makeOldDatabase(folder.path, {
    newest: '0007_tokens',
    rows: [['projects', { ...project, preview_label: id, last_seq: 100_000, created_at: at, updated_at: at }]],
  });
  const file = join(folder.path, 'koda.db');
  addEvents(file, id, 100_000);
  const opener = fileURLToPath(new URL('../fixtures/open-and-report.ts', import.meta.url));
  const walBytes = () => statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  const unconverted = readFileSync(file);
  let midway = 0;
  for (let kill = 0; kill < 10; kill++) {
    const child = spawn(process.execPath, [opener, folder.path], { stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    // The conversion writes the whole database to the WAL. Each kill lets it get a little further.
    while (!output.includes('opened') && walBytes() < kill * 3_000_000) await delay(1);
    if (!output.includes('opened') && walBytes() > 1_000_000) midway += 1;
    child.kill('SIGKILL');
    await closed;
    const sqlite = new BetterSqlite3(file);
    expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(sqlite.prepare('SELECT count(*), max(seq) FROM events').raw().get()).toEqual([100_000, 100_000]);
    sqlite.close();
    // On a busy machine, the conversion may finish before this process sees it start.
    if (midway === 0 && output.includes('opened')) writeFileSync(file, unconverted);
  }
  expect(midway).toBeGreaterThan(0);
  const database = openDatabase(folder.path);
  expect(database.sqlite.pragma('auto_vacuum', { simple: true })).toBe(2);
  expect((await createStores(database).projects.state(id)).seq).toBe(100_000);
  database.close();
});

it('H8: starts within 10 s with a million events, and reads all pages while it serves', async () => {
  using folder = tempDir();
  await using empty = await studioProcess();
  const usualMs = await startMs(empty);
  await empty.end('SIGTERM');
  await using studio = await studioProcess({ dataDir: folder.path });
  const first = openDatabase(folder.path);
  const { id } = await createStores(first).projects.create(newProject());
  first.close();
  const file = join(folder.path, 'koda.db');
  addEvents(file, id, 1_000_000);
  expect(statSync(file).size).toBeGreaterThan(300 * 1024 * 1024);
  const database = async () => {
    const health = (await (await fetch(`${studio.url}/api/health`)).json()) as { database: string };
    return health.database;
  };
  const largeMs = await startMs(studio);
  expect(['checking', 'ok']).toContain(await database());
  await until('the check of the pages', async () => (await database()) === 'ok');
  await studio.end('SIGTERM');
  // A busy machine starts no server within 10 s, and may have become busy only after the first start.
  const laterMs = await startMs(empty);
  await empty.end('SIGTERM');
  expect(largeMs).toBeLessThan(Math.max(10_000, 3 * Math.max(usualMs, laterMs)));

  // Noise in the middle is found by the same check, and does not keep the others from their work.
  const handle = openSync(file, 'r+');
  writeSync(handle, randomBytes(400 * 4096), 0, 400 * 4096, 20_000 * 4096);
  closeSync(handle);
  await studio.start();
  await until('the damage', async () => (await database()) === 'damaged');
  expect((await fetch(`${studio.url}/api/projects/${id}`)).status).toBe(200);
});

async function startMs(studio: StudioProcess): Promise<number> {
  const startedAt = performance.now();
  await studio.start();
  return performance.now() - startedAt;
}

/** Adds events of 300 bytes, as SQL, because the stores would take minutes. */
function addEvents(file: string, projectId: string, count: number): void {
  const sqlite = new BetterSqlite3(file);
  const body = JSON.stringify({ type: 'thinking', text: 'x'.repeat(220) });
  sqlite
    .prepare(
      `WITH RECURSIVE numbers(seq) AS (SELECT 1 UNION ALL SELECT seq + 1 FROM numbers WHERE seq < ?)
       INSERT INTO events (project_id, seq, type, at, body) SELECT ?, seq, 'thinking', '2026-01-01T00:00:00.000Z', ? FROM numbers`,
    )
    .run(count, projectId, body);
  sqlite.prepare('UPDATE projects SET last_seq = ? WHERE id = ?').run(count, projectId);
  sqlite.close();
}

async function postProject(url: string): Promise<{ id: string }> {
  const body = JSON.stringify({ prompt: 'A red ball', start: false });
  const answer = await fetch(`${url}/api/projects`, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return (await answer.json()) as { id: string };
}
