import type { Line } from './lines.ts';
import { depthChange } from './lines.ts';

export interface Table {
  readonly title: string | null;
  readonly header: readonly string[] | null;
  readonly rows: readonly (readonly string[])[];
}

interface Found {
  readonly tables: readonly Table[];
  /** Index of the line after the last one. */
  readonly end: number;
}

const numeric = /^[^\p{L}\d]{0,4}[-−–+]?\d[\d.,'’ \u00a0\u202f]*\s?(?:%|[^\d\s]{0,5}(?:\/[\p{L}]+)*)$/u;

/** Returns whether a cell contains only a number, with or without its unit. */
export const isNumeric = (cell: string) => numeric.test(cell.trim());

/**
 * Reads a table that starts at line `from`: JSON, Markdown, or values separated by tabs, semicolons or commas. Returns `null`
 * if there is none.
 */
export function readTable(lines: readonly Line[], from: number, text: string): Found | null {
  return readJson(lines, from, text) ?? readPipes(lines, from) ?? readSeparated(lines, from);
}

function readPipes(lines: readonly Line[], from: number): Found | null {
  let end = from;
  while (end < lines.length && (lines[end]?.text.match(/\|/gu)?.length ?? 0) >= 1 && /\S\s*\|/u.test(lines[end]?.text ?? ''))
    end++;
  if (end - from < 2) return null;
  const cells = lines.slice(from, end).map(({ text }) =>
    text
      .trim()
      .replace(/^\||\|$/gu, '')
      .split('|')
      .map((cell) => unmark(cell.trim())),
  );
  const isRule = (row: readonly string[]) => row.every((cell) => /^:?-{2,}:?$/u.test(cell));
  const hasRule = cells.some(isRule);
  const width = Math.max(...cells.map(({ length }) => length));
  if (width < 2 || (!hasRule && cells.some(({ length }) => length !== width))) return null;
  return tableOf(
    cells.filter((row) => !isRule(row)),
    hasRule,
    end,
  );
}

const unmark = (cell: string) => cell.replace(/(\*\*|__|`)(.+?)\1/gu, '$2');

/** Returns whether the comma at an index looks like part of a number: “7,40”, “3,200”. */
const isNumberComma = (line: string, at: number) => /\d$/u.test(line.slice(0, at)) && /^,(?:\d{1,3})(?!\d)/u.test(line.slice(at));

/** Splits a line into cells, with quotation marks as in RFC 4180. `keepsNumbers`: a comma between digits is part of a number. */
function split(line: string, separator: string, keepsNumbers: boolean): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted && !(keepsNumbers && isNumberComma(line, at))) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  return [...cells, cell.trim()];
}

/** Separators in order of preference. Commas inside numbers are tried last, because “2022,12,15” has three values. */
const separators = [
  ['\t', false],
  [';', false],
  [',', false],
  [',', true],
] as const;

const numberAfterWord = /^(.*\p{L}.*?)\s+(\d{1,3}),\d{1,3}\b/u;

/** Returns whether a comma is part of the number after a word: in “Noodles 7,40”, but not in “Week 1,12” above “Week 2,15”. */
function isWordedNumber(line: string, next: string): boolean {
  const [own, other] = [numberAfterWord.exec(line), numberAfterWord.exec(next)];
  if (own === null) return false;
  return own[1] !== other?.[1] || Number(other?.[2]) !== Number(own[2]) + 1;
}

function readSeparated(lines: readonly Line[], from: number): Found | null {
  for (const [separator, keepsNumbers] of separators) {
    const first = lines[from]?.text ?? '';
    if (separator === ',' && !keepsNumbers && isWordedNumber(first, lines[from + 1]?.text ?? '')) continue;
    const width = split(first, separator, keepsNumbers).length;
    if (width < 2) continue;
    const rows: string[][] = [];
    let end = from;
    while (end < lines.length) {
      const row = split(lines[end]?.text ?? '', separator, keepsNumbers);
      if (row.length !== width || row.every((cell) => cell === '')) break;
      rows.push(row);
      end++;
    }
    if (rows.length < 2) continue;
    // Sentences contain commas and semicolons, too. In a table, every row but the first has a number, or many rows have only
    // short cells.
    const isData = rows.slice(1).every((row) => row.some(isNumeric));
    const isShort = rows.every((row) => row.every((cell) => cell.length <= 40 && !/[.!?]$/u.test(cell)));
    const isTight = rows.every((row, at) => !/, /u.test(lines[from + at]?.text ?? '') || row.some(isNumeric));
    const isEnough = rows.length >= 3 && (width >= 3 || separator === ';');
    if (separator !== '\t' && !(isShort && isTight && (isData || isEnough))) continue;
    return tableOf(rows, false, end);
  }
  return null;
}

function tableOf(cells: readonly (readonly string[])[], hasHeader: boolean, end: number): Found | null {
  const [first, ...rest] = cells;
  if (first === undefined || rest.length === 0) return null;
  const columns = first.map((_, column) => rest.filter((row) => isNumeric(row[column] ?? '')).length >= rest.length * 0.8);
  const isHeader =
    hasHeader ||
    columns.some((isNumbers, column) => isNumbers && !isNumeric(first[column] ?? '')) ||
    isYears(first, columns) ||
    !columns.includes(true);
  return { tables: [{ title: null, header: isHeader ? first.map(spoken) : null, rows: isHeader ? rest : cells }], end };
}

/** Makes a column name readable: “share 2022” for “share_2022”. */
const spoken = (name: string) => (/^[\p{L}\p{N}]+(?:_[\p{L}\p{N}]+)+$/u.test(name) ? name.replace(/_/gu, ' ') : name);

/** Returns whether the first row is a header of years above columns of numbers: country,2000,2010,2023. */
const isYears = (first: readonly string[], columns: readonly boolean[]) =>
  !isNumeric(first[0] ?? '') &&
  columns.slice(1).every(Boolean) &&
  first.length > 2 &&
  first.slice(1).every((cell) => /^(?:19|20)\d\d$/u.test(cell));

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
const isRecord = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isCell = (value: Json): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function readJson(lines: readonly Line[], from: number, text: string): Found | null {
  const first = lines[from] as Line;
  if (!/^\s*[[{]/u.test(first.text)) return null;
  let depth = 0;
  for (let end = from; end < lines.length; end++) {
    depth += depthChange(lines[end]?.text ?? '');
    if (depth > 0) continue;
    try {
      const value = JSON.parse(text.slice(first.start, lines[end]?.end)) as Json;
      const tables = tablesOf(value, null);
      return tables.length === 0 ? null : { tables, end: end + 1 };
    } catch {
      return null;
    }
  }
  return null;
}

const titleKeys = /^(?:title|name|titel|titre|título|heading|label)$/iu;

const unitKey = /^(.+?)_(ms|s|sec|kb|mb|gb|kg|km|usd|eur|pct|percent)$/iu;

/**
 * Returns the tables in JSON: an array of records, a record of records, or a record of plain values. Keys are kept as written.
 */
function tablesOf(value: Json, key: string | null): Table[] {
  // A unit at the end of a key applies to its values: `latency_ms`.
  const named = key === null ? null : unitKey.exec(key);
  if (named !== null)
    return [{ title: null, header: null, rows: [['unit', named[2] ?? '']] }, ...tablesOf(value, named[1] ?? null)];
  const title = key?.replace(/_/gu, ' ') ?? null;
  if (Array.isArray(value)) {
    const records = value.filter(isRecord);
    if (records.length > 0 && records.length === value.length) {
      const header = [...new Set(records.flatMap((record) => Object.keys(record).filter((key) => isCell(record[key] ?? null))))];
      return [{ title, header, rows: records.map((record) => header.map((key) => String(record[key] ?? ''))) }];
    }
    const cells = value.filter(isCell);
    return cells.length > 0 ? [{ title, header: null, rows: cells.map((cell) => [String(cell)]) }] : [];
  }
  if (!isRecord(value)) return [];
  const entries = Object.entries(value);
  const heading = entries.find(([key, cell]) => titleKeys.test(key) && typeof cell === 'string')?.[1];
  const ownTitle = typeof heading === 'string' ? heading : title;
  const inner = entries.filter(([, cell]) => !isCell(cell ?? '') && cell !== null);
  const records = inner.filter(
    ([, cell]) => isRecord(cell) && Object.values(cell).every((part) => part === null || isCell(part)),
  );
  // Values with different units are not columns of one table.
  const hasUnits = records.some(([key]) => unitKey.test(key));
  if (!hasUnits && records.length >= 2 && records.length === inner.length && sameKeys(records.map(([, cell]) => cell))) {
    const header = ['', ...new Set(records.flatMap(([, cell]) => (isRecord(cell) ? Object.keys(cell) : [])))];
    return [
      {
        title: ownTitle,
        header,
        rows: records.map(([key, cell]) => [
          key,
          ...header.slice(1).map((part) => String(isRecord(cell) ? (cell[part] ?? '') : '')),
        ]),
      },
    ];
  }
  const plain = entries
    .filter(([key, cell]) => cell !== null && isCell(cell) && !titleKeys.test(key))
    .map(([key, cell]) => [spoken(key), String(cell)]);
  const nested = inner.flatMap(([key, cell]) => tablesOf(cell, key));
  const isOnly = inner.length === 1;
  if (nested.length > 0)
    return [
      ...(plain.length > 0 ? [{ title: isOnly ? null : ownTitle, header: null, rows: plain }] : []),
      ...nested.map((table) => (isOnly ? { ...table, title: ownTitle ?? table.title } : table)),
    ];
  return plain.length > 0 ? [{ title: ownTitle, header: null, rows: plain }] : [];
}

const sameKeys = (all: readonly Json[]) =>
  new Set(all.map((record) => (isRecord(record) ? Object.keys(record).sort().join() : ''))).size === 1;
