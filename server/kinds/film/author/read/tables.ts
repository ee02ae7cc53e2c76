import type { Line } from './lines.ts';
import { depthChange } from './lines.ts';
import { leadOf } from './values.ts';

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
 * Reads a table that starts at line `from`: JSON, Markdown, values separated by tabs, semicolons or commas, or columns aligned
 * with spaces. Returns `null` if there is none.
 */
export function readTable(lines: readonly Line[], from: number): Found | null {
  return readJson(lines, from) ?? readPipes(lines, from) ?? readSeparated(lines, from) ?? readAligned(lines, from);
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
  // A row of single dashes is data: each dash stands for a missing value.
  const isRule = (row: readonly string[]) => row.every((cell) => /^:?-+:?$/u.test(cell)) && row.some((cell) => cell.length > 1);
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

interface SplitLine {
  readonly cells: readonly string[];
  /** Whether a quoted cell goes on in the next line. */
  readonly isOpen: boolean;
  readonly hasQuotes: boolean;
  /** Whether a space follows a separator, as in sentences. */
  readonly isSpaced: boolean;
}

/** Splits a line into cells, with quotation marks as in RFC 4180. `keepsNumbers`: a comma between digits is part of a number. */
function split(line: string, separator: string, keepsNumbers: boolean): SplitLine {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  let hasQuotes = false;
  let isSpaced = false;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? '';
    if (isQuoted) {
      if (character !== '"') cell += character;
      else if (line[at + 1] === '"') {
        cell += '"';
        at++;
      } else isQuoted = false;
    } else if (character === '"' && cell.trim() === '') {
      isQuoted = true;
      hasQuotes = true;
      cell = '';
    } else if (character === separator && !(keepsNumbers && isNumberComma(line, at))) {
      cells.push(cell.trim());
      cell = '';
      isSpaced ||= line[at + 1] === ' ';
    } else cell += character;
  }
  return { cells: [...cells, cell.trim()], isOpen: isQuoted, hasQuotes, isSpaced };
}

/** A quoted cell has at most this many lines. An unclosed quotation mark would otherwise take the rest of the request. */
const maxCellLines = 12;

/** Splits a record, whose quoted cells may contain line breaks. Returns it with the index of the line after it. */
function readRecord(
  lines: readonly Line[],
  from: number,
  [separator, keepsNumbers]: readonly [string, boolean],
): SplitLine & { readonly end: number } {
  let text = lines[from]?.text ?? '';
  const first = split(text, separator, keepsNumbers);
  for (let end = from + 1; end < Math.min(lines.length, from + maxCellLines); end++) {
    if (!split(text, separator, keepsNumbers).isOpen) break;
    text += `\n${lines[end]?.text ?? ''}`;
    const record = split(text, separator, keepsNumbers);
    if (!record.isOpen) return { ...record, end: end + 1 };
  }
  return { ...first, end: from + 1 };
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
  if (line.length > 300) return false;
  const [own, other] = [numberAfterWord.exec(line), numberAfterWord.exec(next)];
  if (own === null) return false;
  return own[1] !== other?.[1] || Number(other?.[2]) !== Number(own[2]) + 1;
}

function readSeparated(lines: readonly Line[], from: number): Found | null {
  for (const form of separators) {
    const [separator, keepsNumbers] = form;
    const first = lines[from]?.text ?? '';
    if (separator === ',' && !keepsNumbers && isWordedNumber(first, lines[from + 1]?.text ?? '')) continue;
    const width = readRecord(lines, from, form).cells.length;
    if (width < 2) continue;
    const records: SplitLine[] = [];
    let end = from;
    while (end < lines.length) {
      const record = readRecord(lines, end, form);
      if (record.isOpen || record.cells.length !== width || record.cells.every((cell) => cell === '')) break;
      records.push(record);
      end = record.end;
    }
    if (records.length < 2) continue;
    const rows = records.map(({ cells }) => cells);
    // “Turn this into a bar chart, title Sales:” above “Blog,12” is no row: it has a space after its comma, and the rows have none.
    const gaps = records.map(({ isSpaced }) => separator === ',' && isSpaced);
    if (gaps[0] === true && gaps.slice(1).every((gap) => !gap)) continue;
    if (/[:：]\s*$/u.test(first) && rows.slice(1).some((row) => !/[:：]\s*$/u.test(row.at(-1) ?? ''))) continue;
    if (separator !== '\t' && !isTable(records, { separator, width })) continue;
    return tableOf(rows, false, end);
  }
  return null;
}

/**
 * Returns whether lines with equally many separators are a table, because sentences contain commas and semicolons, too. In a
 * table, cells are quoted, or every row but the first has a number, or many rows have only short cells.
 */
function isTable(
  records: readonly SplitLine[],
  { separator, width }: { readonly separator: string; readonly width: number },
): boolean {
  const rows = records.map(({ cells }) => cells);
  if (records.every(({ isSpaced }) => !isSpaced) && records.some(({ hasQuotes }) => hasQuotes)) return true;
  const data = rows.slice(1);
  const isData = data.some((row) => row.some(isNumeric)) && data.every((row) => row.some(isNumeric) || hasGap(row));
  const mayEndSentences = isData && separator === ';';
  const isShort = rows.every((row) => row.every((cell) => cell.length <= 40 && (mayEndSentences || !/[.!?]$/u.test(cell))));
  const isTight = records.every(({ isSpaced, cells }) => !isSpaced || separator !== ',' || cells.some(isNumeric));
  const isEnough = rows.length >= 3 && (width >= 3 || separator === ';');
  return isShort && isTight && (isData || isEnough);
}

/** Returns whether a row with a name lacks another value. */
const hasGap = ([name = '', ...values]: readonly string[]) => name !== '' && values.includes('');

/** Bounds the time for a text with many gaps that is no table. */
const maxAlignedLines = 200;
/** Minimum width of the gap between two columns that are aligned with spaces. */
const minGap = 2;

/** Reads at least three lines whose columns are aligned with spaces. Empty cells are kept. */
function readAligned(lines: readonly Line[], from: number): Found | null {
  // Rows that begin with a time or a date are an agenda or a timeline.
  if (leadOf((lines[from]?.text ?? '').trim()) !== null) return null;
  let end = from;
  while (end < lines.length && end - from < maxAlignedLines && /\S {2,}\S/u.test(lines[end]?.text ?? '')) end++;
  if (end - from < 3) return null;
  const rows = lines.slice(from, end).map(({ text }) => [...text.trimEnd()]);
  const length = Math.max(...rows.map((row) => row.length));
  const starts: number[] = [];
  let blank = minGap;
  for (let column = 0; column < length; column++) {
    const isBlank = rows.every((row) => (row[column] ?? ' ') === ' ');
    if (!isBlank && blank >= minGap) starts.push(column);
    blank = isBlank ? blank + 1 : 0;
  }
  if (starts.length < 3) return null;
  const cells = rows.map((row) =>
    starts.map((start, at) =>
      row
        .slice(start, starts[at + 1])
        .join('')
        .trim(),
    ),
  );
  return cells.some((row) => row[0] === '') ? null : tableOf(cells, false, end);
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

function readJson(lines: readonly Line[], from: number): Found | null {
  if (!/^\s*[[{]/u.test(lines[from]?.text ?? '')) return null;
  let depth = 0;
  for (let end = from; end < lines.length; end++) {
    depth += depthChange(lines[end]?.text ?? '');
    if (depth > 0) continue;
    try {
      const source = lines.slice(from, end + 1).map((line) => line.text);
      const value = JSON.parse(source.join('\n'), asWritten) as Json;
      const tables = tablesOf(value, null);
      return tables.length === 0 ? null : { tables, end: end + 1 };
    } catch {
      return null;
    }
  }
  return null;
}

/** Keeps a number's digits as they are written: “18.50”. */
function asWritten(_key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  return typeof value === 'number' && source !== undefined ? source : value;
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
