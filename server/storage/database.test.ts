import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getTableColumns } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { newProject, tempDir, tempStores } from '../../test/fixtures/storage.ts';
import { openDatabase } from './database.ts';
import * as schema from './schema.ts';
import { createStores } from './stores.ts';

describe('database', () => {
  it('A22: commits are durable: write-ahead log with a full sync on every commit, foreign keys on', () => {
    using stores = tempStores();
    const pragma = (name: string) => stores.database.sqlite.pragma(name, { simple: true });
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('foreign_keys')).toBe(1);
    expect(pragma('busy_timeout')).toBe(5000);
  });

  it('A22: opening again applies nothing twice and keeps the rows', async () => {
    using stores = tempStores();
    const { id } = await stores.projects.create(newProject());
    stores.database.close();
    const again = openDatabase(stores.dataDir);
    expect(again.sqlite.prepare('SELECT id FROM projects').pluck().all()).toEqual([id]);
    again.close();
  });

  it('A22: what a model used in a project of an older version is summed up from its events', async () => {
    using stores = tempStores();
    const [{ id }, other] = [await stores.projects.create(newProject()), await stores.projects.create(newProject())];
    const told = { type: 'usage', inputTokens: 100, cachedInputTokens: 60, outputTokens: 10, costUsd: 0.25 } as const;
    await stores.projects.record(id, [told, { type: 'thinking', text: 'more' }, told]);
    // As a version before this table, which did not tell cached tokens at first, has left it.
    const { sqlite } = stores.database;
    sqlite.exec("UPDATE events SET body = json_remove(body, '$.cachedInputTokens') WHERE seq = 1");
    sqlite.exec('DROP TABLE model_usage');
    sqlite.exec('ALTER TABLE projects DROP COLUMN deleted_at');
    sqlite.exec('DELETE FROM __drizzle_migrations WHERE rowid > 3');
    stores.database.close();
    const database = openDatabase(stores.dataDir);
    const { projects } = createStores(database);
    expect((await projects.state(id)).usage).toEqual({ inputTokens: 200, cachedInputTokens: 60, outputTokens: 20, costUsd: 0.5 });
    expect((await projects.state(other.id)).usage.inputTokens).toBe(0);
    database.close();
  });

  it('A22: a data folder of a newer version is refused with what to do, and left as it was', () => {
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

  it('A22: a file that is no database is refused with its path, and left as it was', () => {
    using folder = tempDir();
    const file = join(folder.path, 'koda.db');
    writeFileSync(file, 'not a database, '.repeat(100));
    expect(() => openDatabase(folder.path)).toThrow(
      expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining(file) }),
    );
    expect(readFileSync(file, 'utf8')).toBe('not a database, '.repeat(100));
  });

  it('A22: a data folder that cannot be made is refused with its path', () => {
    using folder = tempDir();
    writeFileSync(join(folder.path, 'file'), '');
    const dataDir = join(folder.path, 'file', 'data');
    expect(() => openDatabase(dataDir)).toThrow(
      expect.objectContaining({ code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining(dataDir) }),
    );
  });

  it('A22: a full disk is told as such, changes nothing, and is over once there is room', async () => {
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

  it('A22: every change of the schema has its migration', () => {
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

function schemaColumnCount(): number {
  return Object.values(schema).reduce((sum, table) => sum + Object.keys(getTableColumns(table)).length, 0);
}
