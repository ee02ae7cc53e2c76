import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parameterInfoSchema } from '#contract/render.ts';
import { typedParameters } from './parameters.ts';
import { assertRows, readRows } from './rows.ts';

const folder = mkdtempSync(join(tmpdir(), 'koda-rows-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function rowsOf(content: string, name = 'rows.json') {
  const path = join(folder, name);
  writeFileSync(path, content);
  return readRows(path, (texts) => typedParameters(texts, [parameter('count', 'integer'), parameter('price', 'number')]));
}

const parameter = (name: string, type: 'integer' | 'number') => parameterInfoSchema.parse({ name, type, default: 0 });

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

  it.each([
    ['commas', 'title,count\nA,2\nB,\n'],
    ['semicolons', '\uFEFFtitle;count\r\nA;2\r\nB;\r\n'],
    ['tabs and an empty line', 'title\tcount\n\nA\t2\nB\t\n'],
    ['quotation marks', '"title","count"\n"A","2"\n"B",""'],
    ['a column without a name', 'title,count,\nA,2,\nB,,x'],
  ])('F5: are read from a table with %s', async (_, content) => {
    expect(await rowsOf(content, 'rows.csv')).toMatchObject([
      { number: 1, parameters: { title: 'A', count: 2 } },
      { number: 2, parameters: { title: 'B' } },
    ]);
  });

  it('F5: cells keep commas, line breaks and quotation marks, and decimals may have a comma between semicolons', async () => {
    const [row] = await rowsOf('title;price\n"Say ""hi"",\nplease";1,5', 'rows.csv');
    expect(row?.parameters).toEqual({ title: 'Say "hi",\nplease', price: 1.5 });
    const [text] = await rowsOf('title,price\n"1,5",2.5', 'rows.txt');
    expect(text?.parameters).toEqual({ title: '1,5', price: 2.5 });
  });

  it.each([
    ['title,count,title\nA,1,B', /two columns named "title"/],
    ['title,count\n"A,1\nB,2', /row \d, cannot be read/],
    ['title,count\n', /no rows/],
  ])('F5: a table that cannot be read is refused: %j', async (content, message) => {
    await expect(rowsOf(content, 'rows.csv')).rejects.toThrow(message);
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
    await expect(readRows(join(folder, 'none.json'), () => ({}))).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
