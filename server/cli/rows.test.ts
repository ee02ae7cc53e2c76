import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { assertRows, readRows } from './rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'koda-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function rowsOf(content: string) {
  const path = join(folder, 'rows.json');
  writeFileSync(path, content);
  return readRows(path);
}

describe('readRows', () => {
  it.each([
    ['a list', '[{"title": "A", "count": 2}, {"title": "B"}]'],
    ['a line each', '{"title": "A", "count": 2}\n\n{"title": "B"}\r\n'],
    ['with the mark of a spreadsheet', '\uFEFF[{"title": "A", "count": 2, "note": null}, {"title": "B"}]'],
  ])('T11: are read from %s', async (_, content) => {
    expect(await rowsOf(content)).toEqual([
      { number: 1, parameters: { title: 'A', count: 2 }, fields: { title: 'A', count: 2 }, problem: null },
      { number: 2, parameters: { title: 'B' }, fields: { title: 'B' }, problem: null },
    ]);
  });

  it('T11: fields that start with _ are used in names only', async () => {
    expect(await rowsOf('[{"title": "A", "_id": 7}]')).toMatchObject([
      { parameters: { title: 'A' }, fields: { title: 'A', _id: '7' } },
    ]);
  });

  it('T11: reports invalid rows and reads the others', async () => {
    const rows = await rowsOf('[{"title": "A"}, "B", {"title": ["C"], "a-b": 1}, {"title": "D"}]');
    expect(rows.map(({ problem }) => problem)).toEqual([
      null,
      expect.stringContaining('it is not an object'),
      expect.stringMatching(/"a-b", "title"|"title", "a-b"/),
      null,
    ]);
  });

  it('T11: reports all invalid rows with their numbers', () => {
    const failing = expect.objectContaining({ code: 'VALIDATION_ERROR', details: { rows: [2, 4] } });
    expect(() => assertRows([null, 'no', null, 'not either'])).toThrow(failing);
    expect(() => assertRows([null, 'no', null, 'not either'])).toThrow(/2 of 4 rows.*\n {2}Row 2: no\n {2}Row 4: not either/);
  });

  it('T11: counts a thousand problems instead of listing them', () => {
    expect(() => assertRows(Array.from({ length: 1000 }, () => 'no'))).toThrow(/and 970 more$/);
    expect(() => assertRows([null, null])).not.toThrow();
  });

  it.each([
    ['', /no rows/],
    ['[]', /no rows/],
    ['[{"title": ]', /is not JSON/],
    ['{"title": "A"}\ntitle=B', /line 2, is not JSON/],
  ])('T11: what is no list of rows is refused: %j', async (content, message) => {
    await expect(rowsOf(content)).rejects.toThrow(message);
  });

  it('T11: reports a missing file', async () => {
    await expect(readRows(join(folder, 'none.json'))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
