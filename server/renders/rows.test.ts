import { describe, expect, it } from 'vitest';
import { parameterInfoSchema } from '#contract/render.ts';
import { assertRows, parseRows } from './rows.ts';

const rowsOf = (given: string | unknown[], name = 'rows.json') =>
  parseRows(given, { name, declared: [parameter('count', 'integer'), parameter('price', 'number')] });

const parameter = (name: string, type: 'integer' | 'number') => parameterInfoSchema.parse({ name, type, default: 0 });

describe('parseRows', () => {
  it.each([
    ['a list', '[{"title": "A", "count": 2}, {"title": "B"}]'],
    ['a line each', '{"title": "A", "count": 2}\n\n{"title": "B"}\r\n'],
    ['with the mark of a spreadsheet', '\uFEFF[{"title": "A", "count": 2, "note": null}, {"title": "B"}]'],
  ])('T11: are read from %s', (_, content) => {
    expect(rowsOf(content)).toEqual([
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
  ])('F5: are read from a table with %s', (_, content) => {
    expect(rowsOf(content, 'rows.csv')).toMatchObject([
      { number: 1, parameters: { title: 'A', count: 2 } },
      { number: 2, parameters: { title: 'B' } },
    ]);
  });

  it.each([
    ['a table', 'Produkt;Neuer Preis;Alter Preis\nBrot;4,90;6,20\nTorte;;4,50'],
    ['objects', '[{"Produkt": "Brot", "Neuer Preis": 4.9, "Alter Preis": 6.2}, {"Produkt": "Torte"}]'],
  ])('T11: fill the parameters that the person chose for the columns of %s, and leave the others out', (_, content) => {
    const declared = [parameter('price', 'number')];
    const read = (columns: Record<string, string>) => parseRows(content, { name: 'The table', declared, columns });
    expect(read({ title: 'Produkt', price: 'Neuer Preis' }).map(({ parameters }) => parameters)).toEqual([
      { title: 'Brot', price: 4.9 },
      { title: 'Torte' },
    ]);
    expect(() => read({ title: 'Name' })).toThrow(
      'The table has no column “Name”. Its columns are “Produkt”, “Neuer Preis”, “Alter Preis”.',
    );
  });

  it('F5: cells keep commas, line breaks and quotation marks, and decimals may have a comma between semicolons', () => {
    const [row] = rowsOf('title;price\n"Say ""hi"",\nplease";1,5', 'rows.csv');
    expect(row?.parameters).toEqual({ title: 'Say "hi",\nplease', price: 1.5 });
    const [text] = rowsOf('title,price\n"1,5",2.5', 'rows.txt');
    expect(text?.parameters).toEqual({ title: '1,5', price: 2.5 });
  });

  it.each([
    ['title,count,title\nA,1,B', /two columns named "title"/],
    ['title,count\n"A,1\nB,2', /row \d, cannot be read/],
    ['title,count\n', /no rows/],
  ])('F5: a table that cannot be read is refused: %j', (content, message) => {
    expect(() => rowsOf(content, 'rows.csv')).toThrow(message);
  });

  it('T11: fields that start with _ are used in names only', () => {
    expect(rowsOf('[{"title": "A", "_id": 7}]')).toMatchObject([
      { parameters: { title: 'A' }, fields: { title: 'A', _id: '7' } },
    ]);
  });

  it('T11: reports invalid rows and reads the others', () => {
    const rows = rowsOf('[{"title": "A"}, "B", {"title": ["C"], "a-b": 1}, {"title": "D"}]');
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
  ])('T11: what is no list of rows is refused: %j', (content, message) => {
    expect(() => rowsOf(content)).toThrow(message);
  });

  it('T11: names the cell that is not a number, in a table and in JSON', () => {
    const problems = (rows: { problem: string | null }[]) => rows.map(({ problem }) => problem);
    expect(problems(rowsOf('title,count\nA,2\nB,late', 'The table'))).toEqual([null, '"late" is not a number (count).']);
    expect(problems(rowsOf([{ price: true }, { price: 'x'.repeat(10_000) }]))).toEqual([
      'true is not a number (price).',
      expect.stringMatching(/^"x{59} is not a number/),
    ]);
  });

  it('T11: refuses more columns than a film can have parameters', () => {
    const names = Array.from({ length: 200 }, (_, index) => `c${index}`);
    expect(() => rowsOf(`${names.join(',')}\n${names.join(',')}`, 'The table')).toThrow(/200 columns, but at most 100/);
    const wide = Object.fromEntries(names.map((name) => [name, 1]));
    expect(rowsOf([{ count: 1 }, wide]).map(({ problem }) => problem)).toEqual([null, expect.stringContaining('200 values')]);
  });

  it('T11: names of prototypes are ordinary names', () => {
    const [row] = rowsOf('__proto__,constructor,_toString\na,b,c', 'The table');
    expect(row).toMatchObject({ parameters: { constructor: 'b' }, problem: null });
    expect(Object.hasOwn(row?.fields ?? {}, '__proto__')).toBe(true);
    const [json] = rowsOf('[{"__proto__": {"count": "no"}, "_name": {"toString": 1}}]');
    expect(json).toMatchObject({ parameters: {}, fields: { _name: '{"toString":1}' }, problem: null });
    expect(Object.getPrototypeOf(json?.parameters)).toBe(Object.prototype);
  });
});
