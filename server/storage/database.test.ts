import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newId } from '#contract/ids.ts';
import { makeOldDatabase } from '../../test/fixtures/old-database.ts';
import { newProject, tempDir, tempStores } from '../../test/fixtures/storage.ts';
import { openDatabase } from './database.ts';
import { getTableColumns } from './drizzle.ts';
import * as schema from './schema.ts';
import { createStores } from './stores.ts';

describe('database', () => {
  it('A22: commits are durable: WAL with a full sync on every commit, foreign keys on', () => {
    using stores = tempStores();
    const pragma = (name: string) => stores.database.sqlite.pragma(name, { simple: true });
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('foreign_keys')).toBe(1);
    expect(pragma('busy_timeout')).toBe(5000);
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
    const write = () => stores.projects.record(id, [{ type: 'code.chunk', path: 'a', text: 'x'.repeat(1_000_000), offset: 0 }]);
    await expect(write()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect((await stores.projects.state(id)).seq).toBe(0);
    stores.database.sqlite.pragma('max_page_count = 1000000');
    await expect(write()).resolves.toMatchObject([{ seq: 1 }]);
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
