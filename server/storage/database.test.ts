import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import BetterSqlite3 from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { newId } from '#contract/ids.ts';
import { makeOldDatabase } from '../../test/fixtures/old-database.ts';
import { chunk, newProject, tempDir, tempStores, testPerson } from '../../test/fixtures/storage.ts';
import { openDatabase } from './database.ts';
import { getTableColumns } from './drizzle.ts';
import { createEventLog } from './event-log.ts';
import * as schema from './schema.ts';
import { createStores } from './stores.ts';

const { signal } = new AbortController();

describe('database', () => {
  it('A22: commits are durable: WAL with a full sync on every commit, foreign keys on', () => {
    using stores = tempStores();
    const pragma = (name: string) => stores.database.sqlite.pragma(name, { simple: true });
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('foreign_keys')).toBe(1);
    expect(pragma('auto_vacuum')).toBe(2);
  });

  it('A22: reopening applies no migration twice and keeps the rows', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    stores.database.close();
    const again = openDatabase(stores.dataDir);
    expect(again.sqlite.prepare('SELECT id FROM projects').pluck().all()).toEqual([id]);
    again.close();
  });

  it('A22: sums up the model usage of an older project from its events', async () => {
    using folder = tempDir();
    const [id, other] = [newId('prj'), newId('prj')];
    const usage = { inputTokens: 100, cachedInputTokens: 60, outputTokens: 10, costUsd: 0.25 };
    // Early versions did not record cached tokens.
    const { cachedInputTokens: _, ...early } = usage;
    makeOldDatabase(folder.path, {
      newest: '0002_idempotency_mark',
      rows: [
        oldProject(id),
        oldProject(other),
        oldEvent(id, 1, 'usage', early),
        oldEvent(id, 2, 'thinking', { text: 'more' }),
        oldEvent(id, 3, 'usage', usage),
      ],
    });
    const database = openDatabase(folder.path);
    const { projects } = createStores(database);
    expect((await projects.state(id)).usage).toEqual({ inputTokens: 200, cachedInputTokens: 60, outputTokens: 20, costUsd: 0.5 });
    expect((await projects.state(other)).usage.inputTokens).toBe(0);
    database.close();
  });

  it('A22: keeps the style and aspect ratio of an older project as chips', async () => {
    using folder = tempDir();
    const [both, neither] = [newId('prj'), newId('prj')];
    const [table, row] = oldProject(both);
    const old = [table, { ...row, style: 'smooth', aspect: '4:5' }] as const;
    makeOldDatabase(folder.path, { newest: '0011_run_waits', rows: [old, oldProject(neither)] });
    const database = openDatabase(folder.path);
    const { projects } = createStores(database);
    const chips = [
      { id: 'style', label: 'smooth', title: 'Style' },
      { id: 'aspect', label: '4:5', title: 'Aspect ratio' },
    ];
    expect(await projects.get(both)).toMatchObject({ chips, style: 'smooth', aspect: '4:5' });
    expect(await projects.get(neither)).toMatchObject({ chips: [], style: null, aspect: null });
    database.close();
  });

  it('M10: a run that an older version has interrupted keeps its working time', async () => {
    using folder = tempDir();
    const [id, runId] = [newId('prj'), newId('run')];
    const atSecond = (seconds: number) => new Date(Date.parse(at) + seconds * 1000).toISOString();
    const event = (seq: number, seconds: number, type: string) =>
      [
        'events',
        {
          project_id: id,
          seq,
          type,
          at: atSecond(seconds),
          body: JSON.stringify({ type, callId: 'c', name: 'n', summary: 's' }),
        },
      ] as const;
    const counts = { steps: 1, input_tokens: 0, output_tokens: 0, cost_usd: 0 };
    makeOldDatabase(folder.path, {
      newest: '0007_tokens',
      rows: [
        ['projects', { ...oldProject(id)[1], last_seq: 5 }],
        ['runs', { id: runId, project_id: id, started_at: atSecond(100), ...counts }],
        event(1, 0, 'run.started'),
        event(2, 60, 'run.finished'),
        event(3, 100, 'run.started'),
        event(4, 107, 'tool.started'),
        event(5, 108, 'thinking'),
      ],
    });
    const database = openDatabase(folder.path);
    const { runs, projects } = createStores(database);
    expect(await runs.active(id)).toMatchObject({ id: runId, workedMs: 7_000 });
    expect((await projects.snapshot(id)).tools).toHaveLength(1);
    // Older versions did not record who caused an event, so nobody is named.
    for (const old of await createEventLog(database).read(id, 0, 1e6)) expect(old).not.toHaveProperty('by');
    expect((await projects.get(id)).owner).toBe('local');
    database.close();
  });

  it('A22: rejects a data folder of a newer version with advice, and leaves it unchanged', () => {
    using stores = tempStores();
    stores.database.sqlite
      .prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)')
      .run('future', Date.now() * 10);
    stores.database.close();
    const file = join(stores.dataDir, 'koda.db');
    const before = readFileSync(file);
    expect(() => openDatabase(stores.dataDir)).toThrow(/newer version/);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it('A22: rejects a file that is not a database with its path, and leaves it unchanged', () => {
    using folder = tempDir();
    const file = join(folder.path, 'koda.db');
    writeFileSync(file, 'not a database, '.repeat(100));
    expect(() => openDatabase(folder.path)).toThrow(
      expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining(file) }),
    );
    expect(readFileSync(file, 'utf8')).toBe('not a database, '.repeat(100));
  });

  it('A22: reports the path of a data folder that cannot be created', () => {
    using folder = tempDir();
    writeFileSync(join(folder.path, 'file'), '');
    const dataDir = join(folder.path, 'file', 'data');
    expect(() => openDatabase(dataDir)).toThrow(
      expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining(dataDir) }),
    );
  });

  it('A22: reports a full disk, changes nothing, and works again once space is free', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    const pages = Number(stores.database.sqlite.pragma('page_count', { simple: true }));
    stores.database.sqlite.pragma(`max_page_count = ${pages}`);
    const write = () =>
      stores.projects.record(id, [{ type: 'code.chunk', path: 'a', text: 'x'.repeat(1_000_000), offset: 0 }], { by: testPerson });
    await expect(write()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect((await stores.projects.state(id)).seq).toBe(0);
    stores.database.sqlite.pragma('max_page_count = 1000000');
    await expect(write()).resolves.toMatchObject([{ seq: 1 }]);
  });

  it('M14: distrusts the schema of the file, and checks the size of cells', () => {
    using stores = tempStores();
    const pragma = (name: string) => stores.database.sqlite.pragma(name, { simple: true });
    expect([pragma('trusted_schema'), pragma('cell_size_check')]).toEqual([0, 1]);
  });

  it('H8: returns the space of deleted rows to the disk, in steps of at most 20 ms', async () => {
    using stores = tempStores();
    const { database, projects } = stores;
    const { id } = await projects.create(newProject());
    for (let round = 0; round < 40; round++)
      await projects.record(
        id,
        Array.from({ length: 100 }, (_, index) => chunk(index, 'x'.repeat(2000))),
        { by: testPerson },
      );
    database.sqlite.pragma('wal_checkpoint(TRUNCATE)');
    const file = join(stores.dataDir, 'koda.db');
    const full = statSync(file).size;
    await projects.delete(id);
    database.sqlite.pragma('wal_checkpoint(TRUNCATE)');
    expect(statSync(file).size).toBe(full);
    // The steps are as long as the event loop is held.
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const freed = await database.shrink({ signal });
    loop.disable();
    expect(freed).toBeGreaterThan(7_000_000);
    expect(statSync(file).size).toBeLessThan(full / 4);
    expect(loop.percentile(90) / 1e6).toBeLessThan(20);
    expect(database.sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
  });

  it('H8: converts the file of an older version, which can then shrink', async () => {
    using folder = tempDir();
    const id = newId('prj');
    const rows = Array.from({ length: 2000 }, (_, seq) => oldEvent(id, seq + 1, 'code.chunk', { text: 'x'.repeat(2000) }));
    makeOldDatabase(folder.path, { newest: '0002_idempotency_mark', rows: [oldProject(id), ...rows] });
    const database = openDatabase(folder.path);
    expect(database.sqlite.pragma('auto_vacuum', { simple: true })).toBe(2);
    expect(database.sqlite.prepare('SELECT count(*) FROM events').pluck().get()).toBe(2000);
    database.sqlite.exec('DELETE FROM events');
    expect(await database.shrink({ signal })).toBeGreaterThan(2_000_000);
    database.close();
  });

  it('H8: somebody’s shell on the file holds the server for less than a second, and readers not at all', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    const shell = new BetterSqlite3(join(stores.dataDir, 'koda.db'));
    shell.exec('BEGIN IMMEDIATE');
    expect(stores.database.sqlite.pragma('busy_timeout', { simple: true })).toBeLessThan(1_000);
    expect((await stores.projects.get(id)).id).toBe(id);
    await expect(stores.projects.record(id, [chunk(0)], { by: testPerson })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('in use by another program'),
    });
    shell.exec('ROLLBACK');
    shell.close();
    await expect(stores.projects.record(id, [chunk(0)], { by: testPerson })).resolves.toMatchObject([{ seq: 1 }]);
  });

  it('A22: every schema change has a migration', () => {
    using stores = tempStores();
    const columns = stores.database.sqlite
      .prepare(
        "SELECT count(*) FROM sqlite_master m JOIN pragma_table_info(m.name) WHERE m.type = 'table' AND m.name NOT LIKE '\\_\\_%' ESCAPE '\\'",
      )
      .pluck()
      .get();
    expect(columns).toBe(schemaColumnCount());
  });
});

const at = '2026-01-02T03:04:05.678Z';

/** Returns a row as written by versions with only the first three migrations. */
function oldProject(id: string) {
  const { name, kind, prompt, hints } = newProject();
  const row = {
    id,
    name,
    kind,
    prompt,
    hints: JSON.stringify(hints),
    phase: 'idle',
    running: 0,
    sandbox: 'created',
    preview_label: id,
    last_seq: 3,
    created_at: at,
    updated_at: at,
  };
  return ['projects', row] as const;
}

function oldEvent(projectId: string, seq: number, type: string, body: object) {
  return ['events', { project_id: projectId, seq, type, at, body: JSON.stringify({ type, ...body }) }] as const;
}

function schemaColumnCount(): number {
  return Object.values(schema).reduce((sum, table) => sum + Object.keys(getTableColumns(table)).length, 0);
}
