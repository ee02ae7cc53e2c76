import Papa from 'papaparse';
import { type Choice, type Field, type FieldType, hues, type List, listSchema } from './document.ts';
import { idFrom, singularOf } from './ids.ts';
import type { Value } from './record.ts';
import { currencyIn, parseDate, parseNumber, parseText, parseTime, parseYesNo, toMinorUnits } from './values.ts';

export const mostRows = 10_000;
export const mostColumns = 60;
/** Characters. Ten thousand rows of sixty short cells stay far below. */
const mostText = 40_000_000;

export interface Table {
  /** Names of the columns as the table has them; empty texts if it has none. */
  readonly header: readonly string[];
  /** Whether the first line was a header. */
  readonly headed: boolean;
  /** Cells without surrounding space. All rows have a cell per column. */
  readonly rows: readonly (readonly string[])[];
  /** A line above the table that names it, such as “# Stock” or “Stock:”. */
  readonly heading?: string;
}

// Reading

/**
 * Reads a pasted or uploaded table: CSV with commas, semicolons, tabs or bars, with quotes and line breaks in cells, a Markdown table, or
 * a list with one item a line. `headed` overrides the guess whether the first line has the names of the columns.
 */
export function readTable(
  text: string,
  { headed }: { readonly headed?: boolean | undefined } = {},
): Table | { readonly problem: string } {
  if (text.length > mostText)
    return { problem: `The table is too large. At most ${mostRows.toLocaleString('en-GB')} rows can be read.` };
  const above = splitWords(text);
  const marked = above.heading === undefined ? markedHeading(above.rows) : { heading: above.heading, rest: above.rows };
  const read = markdownRows(marked.rest) ?? separatedRows(marked.rest);
  const alone = marked.heading === undefined ? headingAlone(read) : undefined;
  const lines = alone === undefined ? read : read.slice(1);
  const heading = (marked.heading ?? alone)?.slice(0, 60).trim();
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0);
  const [first] = lines;
  if (first === undefined) return { problem: 'The table is empty. Paste at least one row.' };
  if (width > mostColumns) {
    return {
      problem: `The table has ${width} columns, and at most ${mostColumns} can be read. Leave some out and paste it again.`,
    };
  }
  const hasHeader = headed ?? looksLikeHeader(first, lines);
  const count = lines.length - (hasHeader ? 1 : 0);
  if (count > mostRows) {
    const [found, most] = [count.toLocaleString('en-GB'), mostRows.toLocaleString('en-GB')];
    return { problem: `The table has ${found} rows, and at most ${most} can be read. Split it and paste one part.` };
  }
  const full = (line: readonly string[]) => Array.from({ length: width }, (_cell, index) => (line[index] ?? '').trim());
  return {
    header: hasHeader ? full(first) : Array.from({ length: width }, () => ''),
    headed: hasHeader,
    rows: lines.slice(hasHeader ? 1 : 0).map(full),
    ...(heading === undefined ? {} : { heading }),
  };
}

const mostLinesAbove = 12;
/** Enough of a text to see how its rows are written. */
const sampleCharacters = 60_000;

/**
 * Splits off the words above a table: the lines above a Markdown table, or a first paragraph without the cells of the rows below it. A
 * short line of them is the table's heading.
 */
export function splitWords(text: string): { readonly words: string; readonly heading?: string; readonly rows: string } {
  const clean = text.replace(/^\uFEFF/, '');
  const head = clean.slice(0, sampleCharacters);
  const lines = head.split(/\r?\n/, mostLinesAbove + 2);
  const at = firstRowIn(lines, head);
  const above = lines.slice(0, at).filter((line) => line.trim() !== '');
  if (above.length === 0) return { words: '', rows: clean };
  const rows = clean.slice(lineStart(clean, at));
  const [line = ''] = above;
  const title = line
    .replace(/^#{1,6}\s+/, '')
    .replace(/:\s*$/, '')
    .trim();
  const isTitle = above.length === 1 && title.length <= 60 && title.split(/\s+/).length <= 6 && !/[.!?]$/.test(title);
  return isTitle ? { words: '', heading: title, rows } : { words: above.join('\n').trim(), rows };
}

/** Whether a text has rows with the same cells, possibly below a few words, so that it is a table rather than prose. */
export function hasTable(text: string): boolean {
  const rows = splitWords(text).rows.slice(0, sampleCharacters).trim();
  const [first = '', second = ''] = rows.split(/\r?\n/, 2);
  if (first.includes('|') && isRule(second)) return true;
  const delimiter = delimiterOf(rows);
  if (delimiter === noDelimiter) return false;
  const cells = parse(rows, delimiter) ?? parse(rows, delimiter, false) ?? [];
  const count = cells[0]?.length ?? 1;
  // Two parts in each line may be prose.
  return count > 2 ? cells.length > 1 : cells.length > 2 && cells.every((line) => line.length === count);
}

/** Returns the index of the line with which the table begins. */
function firstRowIn(lines: readonly string[], text: string): number {
  const marked = lines.findIndex((line, at) => line.includes('|') && isRule(lines[at + 1] ?? ''));
  if (marked >= 0) return marked;
  const begin = lines.findIndex((line) => line.trim() !== '');
  const blank = lines.findIndex((line, at) => at > begin && line.trim() === '');
  if (begin < 0 || blank < 0) return 0;
  const below = text.slice(lineStart(text, blank));
  const delimiter = delimiterOf(below);
  const [first = []] = delimiter === noDelimiter ? [] : (parse(below, delimiter, false) ?? []);
  const cellsOf = (line: string) => parse(line, delimiter, false)?.[0]?.length ?? 1;
  const isProse = first.length > 1 && lines.slice(begin, blank).every((line) => cellsOf(line) !== first.length);
  return isProse ? blank : 0;
}

function lineStart(text: string, line: number): number {
  let at = 0;
  for (let count = 0; count < line; count += 1) at = text.indexOf('\n', at) + 1;
  return at;
}

/** Whether a line separates the head of a Markdown table from its rows. */
const isRule = (line: string) => line.includes('-') && /^\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?$/.test(line.trim());

/** Takes a first line off that is marked as a heading, by “#” before it or a colon after it, if rows follow. */
function markedHeading(text: string): { readonly heading?: string; readonly rest: string } {
  const [whole, line = ''] = text.match(/^\s*([^\r\n]{1,200})\r?\n/) ?? [''];
  const heading = line.match(/^#{1,6}\s+(\S[^\t;|]*)$/)?.[1] ?? line.match(/^(\p{L}[^\t,;|:"]*):\s*$/u)?.[1];
  const rest = text.slice(whole.length);
  return heading === undefined || rest.trim() === '' ? { rest: text } : { heading: heading.replace(/:\s*$/, '').trim(), rest };
}

/** A first line with one word or a few in its first cell only, above lines with more cells. */
function headingAlone(lines: readonly (readonly string[])[]): string | undefined {
  const [first, second] = lines.slice(0, 2).map((line) => line.map((cell) => cell.trim()));
  if (first === undefined || second === undefined || lines.length < 3) return undefined;
  const [cell = '', ...others] = first;
  const isAlone = cell !== '' && others.every((other) => other === '') && !looksLikeValue(cell) && !totalLabel.test(cell);
  return isAlone && second.length > 1 && second.every(Boolean) ? cell : undefined;
}

// Totals

/** A row that sums up others, and what its figures are. */
export interface TotalRow {
  readonly cells: readonly string[];
  readonly kind: 'sum' | 'average';
}

const averageWords = 'average|avg|mean|durchschnitt|mittelwert|mittel|ø';
const totalLabel = new RegExp(
  `^(?:(?:grand|sub|overall|running)[\\s-]?)?(?:totals?|sums?|summe|gesamt(?:summe|betrag)?|zwischensumme|insgesamt|${averageWords}|Σ)(?:\\s*\\([^)]{1,20}\\))?\\s*[:.=]?$`,
  'i',
);
const averageLabel = new RegExp(averageWords, 'i');

/** Totals at the end of a table: a subtotal, a total, an average and the like. */
const mostTotals = 5;

function figureIn(cell: string, decimal: ',' | '.' | undefined): number | null {
  return parseNumber(cell, { decimal }) ?? parseNumber(cell.replace(/\s?[\p{L}%°²³/]{1,8}$/u, ''), { decimal });
}

/**
 * Splits off the rows that sum up the others: those that say so (“Total”, “Gesamt”) and have nothing but figures beside it, at the end or
 * wherever their figures are the sums of the rows above; and a last row without words whose figures are the sums of their columns.
 */
export function splitTotals(table: Table): { readonly table: Table; readonly totals: readonly TotalRow[] } {
  const { header, rows } = table;
  if (header.length < 2 || rows.length < 2) return { table, totals: [] };
  const decimals = header.map((_name, index) => decimalOf(rows.map((row) => row[index] ?? '')));
  const found = new Map<number, TotalRow>();
  let from = 0;
  for (const [at, cells] of rows.entries()) {
    const total = at === 0 ? null : labelledTotal(cells, decimals);
    if (total === null) continue;
    const isAtEnd = rows.length - at <= mostTotals && rows.slice(at).every((row) => labelledTotal(row, decimals) !== null);
    if (isAtEnd || isSumOf(cells, rows.slice(from, at), decimals)) found.set(at, total);
    from = at + 1;
  }
  const last = rows.length - 1;
  const cells = rows[last] ?? [];
  const records = rows.filter((_row, at) => at !== last && !found.has(at));
  if (!found.has(last) && records.length > 1 && cells[0] === '' && isSumOf(cells, records, decimals))
    found.set(last, { cells, kind: 'sum' });
  if (found.size === 0) return { table, totals: [] };
  return { table: { ...table, rows: rows.filter((_row, at) => !found.has(at)) }, totals: [...found.values()] };
}

type Decimals = readonly (',' | '.' | undefined)[];

/** A row whose first filled cell says that it is a total, and whose other cells are figures. */
function labelledTotal(cells: readonly string[], decimals: Decimals): TotalRow | null {
  const label = cells.findIndex((cell) => cell !== '');
  const text = cells[label] ?? '';
  if (!totalLabel.test(text)) return null;
  const others = cells.flatMap((cell, at) => (at === label || cell === '' ? [] : [{ cell, at }]));
  if (!others.every(({ cell, at }) => figureIn(cell, decimals[at]) !== null)) return null;
  return { cells, kind: averageLabel.test(text) ? 'average' : 'sum' };
}

/** Whether all figures of a row are the sums of their columns, and no cell is another text than a label. */
function isSumOf(cells: readonly string[], above: readonly (readonly string[])[], decimals: Decimals): boolean {
  let sums = 0;
  for (const [at, cell] of cells.entries()) {
    if (cell === '' || totalLabel.test(cell)) continue;
    const figure = figureIn(cell, decimals[at]);
    const figures = above.flatMap((row) => figureIn(row[at] ?? '', decimals[at]) ?? []);
    const sum = figures.reduce((whole, one) => whole + one, 0);
    if (figure === null || figure === 0 || figures.length < 2 || Math.abs(sum - figure) > 0.005 + Math.abs(sum) * 1e-9)
      return false;
    sums += 1;
  }
  return sums > 0;
}

/** “1 total row left out: TOTAL, 11, £480.” */
export function totalsText(totals: readonly TotalRow[]): string {
  const rows = totals.map(({ cells }) => cells.filter(Boolean).join(', ').slice(0, 80));
  return `${totals.length} total ${totals.length === 1 ? 'row' : 'rows'} left out: ${rows.map((row) => `“${row}”`).join(', ')}.`;
}

/** Rows of a Markdown table, or `null` if the text is none. */
function markdownRows(text: string): string[][] | null {
  const head = text
    .slice(0, 20_000)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  if (!head[0]?.includes('|') || !isRule(head[1] ?? '')) return null;
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean);
  lines.splice(1, 1);
  return lines.map((line) =>
    line
      .replace(/^\|/, '')
      .replace(/\|$/, '')
      .split(/(?<!\\)\|/)
      .map((cell) => plainCell(cell.trim().replaceAll('\\|', '|'))),
  );
}

/** A whole cell in bold, italics or as code is the text inside. */
const plainCell = (cell: string) => cell.replace(/^(\*{1,3}|_{1,3}|`)(?=\S)(.*\S)\1$/, '$2');

function separatedRows(text: string): string[][] {
  const delimiter = delimiterOf(text);
  const parsed = parse(text, delimiter);
  return parsed ?? parse(text, delimiter, false) ?? [];
}

/** `null` if a quotation mark stands where none may. Then it belongs to the text, such as an inch. */
function parse(text: string, delimiter: string, quotes = true): string[][] | null {
  const quoteChar = quotes ? '"' : '\u0001';
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, quoteChar, skipEmptyLines: 'greedy' });
  return quotes && errors.some(({ type }) => type === 'Quotes') ? null : data;
}

const noDelimiter = '\u0002';

/** The sign that gives most rows the same number of cells. A semicolon goes before a comma, which may be a decimal sign. */
function delimiterOf(text: string): string {
  const sample = text.slice(0, sampleCharacters);
  const cut = sample.length < text.length ? sample.slice(0, Math.max(sample.lastIndexOf('\n'), 0) || sample.length) : sample;
  let best = { delimiter: noDelimiter, share: 0.7 };
  for (const delimiter of ['\t', ';', '|', ',']) {
    const rows = parse(cut, delimiter) ?? parse(cut, delimiter, false) ?? [];
    // A line above the table may name it. Alone above decimal commas, it names a column.
    const named = rows[0]?.length === 1 && rows.length > 3 && delimiter !== ',';
    const count = rows[named ? 1 : 0]?.length ?? 1;
    if (count < 2) continue;
    const share = rows.filter((row) => row.length === count).length / rows.length;
    if (share > best.share) best = { delimiter, share };
  }
  return best.delimiter;
}

const headerWords =
  /^(?:names?|titles?|items?|things?|date|e-?mail|phone|type|kind|category|status|notes?|price|amount|quantity|id|word|question|task)s?$/i;

/** Returns whether the first line has the names of the columns. `lines` contains it. */
export function looksLikeHeader(first: readonly string[], lines: readonly (readonly string[])[]): boolean {
  const cells = first.map((cell) => cell.trim());
  if (cells.filter(Boolean).length * 2 < cells.length || cells.some(looksLikeValue)) return false;
  if (lines.length === 1) return cells.length > 1 && cells.every((cell) => headerWords.test(cell));
  const below = lines.slice(1, 200);
  if (cells.length > 1) return !cells.some((cell, index) => cell !== '' && below.some((line) => line[index]?.trim() === cell));
  const typed = below.every((line) => looksLikeValue((line[0] ?? '').trim()));
  return typed || headerWords.test(cells[0] ?? '');
}

function looksLikeValue(cell: string): boolean {
  if (cell === '') return false;
  return (
    parseNumber(cell) !== null ||
    parseDate(cell, { todayIso: '2000-01-01', words: false }) !== null ||
    /^\S+@\S+\.\S+$|^https?:\/\//.test(cell)
  );
}

// Recognising

/** Something about a column that the user may want to decide. */
export type Doubt =
  /** Cells that do not fit the type: the most frequent ones, and how many there are in all. */
  | {
      readonly kind: 'misfits';
      readonly count: number;
      readonly cells: readonly { readonly text: string; readonly count: number }[];
    }
  /** No date of the column shows whether the day or the month comes first. */
  | { readonly kind: 'date-order'; readonly example: string }
  /** The column has few values, but some of them only once. */
  | { readonly kind: 'choice-or-text'; readonly distinct: number }
  /** Another column has the same name. */
  | { readonly kind: 'duplicate-header'; readonly header: string }
  /** Digits that would lose something as a number: leading zeros, phone numbers, long numbers. */
  | { readonly kind: 'number-as-text'; readonly example: string };

export interface RecognisedColumn {
  readonly name: string;
  readonly type: FieldType;
  /** How many of the filled cells fit the type. */
  readonly fits: number;
  /** How many cells are filled. */
  readonly of: number;
  /** Values of a choice, most frequent first. */
  readonly values?: readonly string[];
  readonly doubts: readonly Doubt[];
  readonly currency?: string;
  readonly unit?: string;
  readonly decimals?: number;
  readonly decimal?: ',' | '.';
  readonly monthFirst?: boolean;
}

export interface Recognised {
  readonly table: Table;
  readonly columns: readonly RecognisedColumn[];
  readonly todayIso: string;
}

/** The types that a column of a table can have. */
export const columnTypes = [
  'text',
  'longtext',
  'number',
  'money',
  'date',
  'time',
  'choice',
  'rating',
  'yesno',
  'link',
  'email',
  'phone',
] as const satisfies readonly FieldType[];
export type ColumnType = (typeof columnTypes)[number];

/** What the cells of a column have in common. */
interface Facts {
  readonly header: string;
  readonly todayIso: string;
  /** Filled cells and how often they occur. */
  readonly counts: ReadonlyMap<string, number>;
  readonly filled: number;
  readonly decimal: ',' | '.' | undefined;
  readonly currency: string | undefined;
  readonly unit: string | undefined;
  readonly monthFirst: boolean;
}

const unitPattern = /^[+\-−]?[\d.,\s]*\d\s?(%|[a-zµ°²³/]{1,8})$/i;

function factsOf(header: string, cells: readonly string[], todayIso: string): Facts {
  const counts = new Map<string, number>();
  for (const cell of cells) if (cell !== '') counts.set(cell, (counts.get(cell) ?? 0) + 1);
  const sample = [...counts.keys()].slice(0, 500);
  return {
    header,
    todayIso,
    counts,
    filled: cells.reduce((count, cell) => (cell === '' ? count : count + 1), 0),
    decimal: decimalOf(counts.keys()),
    currency: commonOf(
      [...sample.flatMap((cell) => currencyIn(cell) ?? []), ...(currencyIn(header) === null ? [] : [currencyIn(header) ?? ''])],
      1,
    ),
    unit: commonOf(
      sample.flatMap((cell) => cell.match(unitPattern)?.[1] ?? []),
      sample.length / 2,
    ),
    monthFirst: datesMonthFirst(counts.keys()),
  };
}

/** The most frequent text, if it occurs at least so often. */
function commonOf(texts: readonly string[], least: number): string | undefined {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [best] = [...counts].sort((first, second) => second[1] - first[1]);
  return best !== undefined && best[1] >= least ? best[0] : undefined;
}

/** The column's decimal sign, if one cell shows it and none contradicts. */
function decimalOf(cells: Iterable<string>): ',' | '.' | undefined {
  let [comma, point] = [false, false];
  for (const cell of cells) {
    if (!cell.includes(',') && !cell.includes('.')) continue;
    if (/\d\.\d{3},\d|^\D*\d*,(?:\d{1,2}|\d{4,})\D*$/.test(cell)) comma = true;
    else if (/\d,\d{3}\.\d|^\D*\d*\.(?:\d{1,2}|\d{4,})\D*$/.test(cell)) point = true;
    if (comma && point) return undefined;
  }
  if (comma) return ',';
  return point ? '.' : undefined;
}

const numericDate = /^(\d{1,2})[-/.](\d{1,2})[-/.](?:\d{4}|\d{2})\b/;

function datesMonthFirst(cells: Iterable<string>): boolean {
  let monthFirst = false;
  for (const cell of cells) {
    const parts = cell.match(numericDate);
    if (Number(parts?.[1]) > 12) return false;
    if (Number(parts?.[2]) > 12) monthFirst = true;
  }
  return monthFirst;
}

/** A date of which day or month could come first, if no cell shows which. */
function unclearDate({ counts }: Facts): string | undefined {
  let unclear: string | undefined;
  for (const cell of counts.keys()) {
    const parts = cell.match(numericDate);
    if (parts === null) continue;
    const [first, second] = [Number(parts[1]), Number(parts[2])];
    if (first > 12 || second > 12) return undefined;
    if (first !== second) unclear ??= cell;
  }
  return unclear;
}

function withoutUnit(cell: string, unit: string | undefined): string {
  return unit !== undefined && cell.endsWith(unit) ? cell.slice(0, -unit.length).trim() : cell;
}

/** Digits that mean more than their value. */
function losesAsNumber(cell: string): boolean {
  return /^[+]?0\d/.test(cell) || cell.replaceAll(/\D/g, '').length > 15;
}

type Fits = (cell: string, facts: Facts) => boolean;

const fitsByType: Readonly<Record<Exclude<ColumnType, 'text' | 'longtext' | 'choice'>, Fits>> = {
  yesno: (cell) => parseYesNo(cell) !== null,
  number: (cell, { unit, decimal }) => {
    const bare = withoutUnit(cell, unit);
    return currencyIn(bare) === null && parseNumber(bare, { decimal }) !== null;
  },
  money: (cell, { currency = 'GBP', decimal }) => {
    const named = currencyIn(cell);
    if (named !== null && named !== currency) return false;
    const amount = parseNumber(cell, { decimal });
    return amount !== null && Math.abs(amount) < 1e12;
  },
  date: (cell, { todayIso, monthFirst }) => parseDate(cell, { todayIso, monthFirst, words: false }) !== null,
  time: (cell) => /[:.h]\d\d|[ap]\.?m\.?$/i.test(cell) && parseTime(cell) !== null,
  rating: (cell) => /^[★⭐]/u.test(cell),
  email: (cell) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(cell),
  link: (cell) => /^(?:https?:\/\/|www\.)[^\s]+\.[^\s]+$/i.test(cell),
  phone: (cell, { header }) => {
    const digits = cell.replaceAll(/\D/g, '').length;
    if (!/^[+(\d][\d\s()./-]*$/.test(cell) || digits < 7 || digits > 15) return false;
    return /^(?:\+|\(?0)/.test(cell) ? digits >= 9 || /[\s()/-]/.test(cell) : phoneHeader.test(header);
  },
};

const phoneHeader = /phone|mobile|\btel/i;
const currencyCode = (currency: string): string => (currency === '$' ? 'USD' : currency);

/** Tried in this order. The first type that four fifths of the filled cells fit is the column's. */
const tried = ['email', 'link', 'rating', 'date', 'time', 'phone', 'money', 'number', 'yesno'] as const;

function countFits(fits: Fits, facts: Facts): number {
  let count = 0;
  for (const [cell, times] of facts.counts) if (fits(cell, facts)) count += times;
  return count;
}

/** Looks at the first cells only, so that most types are ruled out without reading the column. */
function mayFit(fits: Fits, facts: Facts): boolean {
  let [seen, fitting] = [0, 0];
  for (const cell of facts.counts.keys()) {
    seen += 1;
    if (fits(cell, facts)) fitting += 1;
    if (seen === 200) break;
  }
  return seen > 0 && fitting >= seen * 0.5;
}

function allowed(type: (typeof tried)[number], facts: Facts): boolean {
  if (type === 'money') return facts.currency !== undefined;
  if (type === 'number') return ![...facts.counts.keys()].some((cell) => losesAsNumber(cell) && /^[+]?\d+$/.test(cell));
  return true;
}

function typedColumn(facts: Facts): { readonly type: ColumnType; readonly fits: number } | undefined {
  for (const type of tried) {
    const fits = fitsByType[type];
    if (!mayFit(fits, facts) || !allowed(type, facts)) continue;
    const count = countFits(fits, facts);
    if (count >= facts.filled * 0.8 && count > 0) return { type, fits: count };
  }
  return undefined;
}

const mostChoices = 12;

function oneSpaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ');
}

/** Values that differ in case or space only are one choice. */
function choiceValues({ counts }: Facts): { readonly text: string; readonly count: number }[] {
  const values = new Map<string, { text: string; count: number }>();
  for (const [cell, count] of counts) {
    const text = oneSpaced(cell);
    const known = values.get(text.toLowerCase());
    if (known === undefined) values.set(text.toLowerCase(), { text, count });
    else known.count += count;
    if (values.size > 200) break;
  }
  return [...values.values()].sort((first, second) => second.count - first.count);
}

function isChoice(values: readonly { readonly text: string }[], { filled }: Facts, share: number): boolean {
  return (
    values.length > 0 &&
    values.length <= mostChoices &&
    values.length <= filled * share &&
    values.every(({ text }) => text.length <= 60)
  );
}

function textColumn(facts: Facts): { readonly type: ColumnType; readonly fits: number } {
  const values = choiceValues(facts);
  if (values.length > 1 && isChoice(values, facts, 1 / 3)) return { type: 'choice', fits: facts.filled };
  const long = [...facts.counts.keys()].some((cell) => cell.length > 120 || cell.includes('\n'));
  return { type: long ? 'longtext' : 'text', fits: facts.filled };
}

function misfits(type: ColumnType, facts: Facts): Doubt[] {
  if (type === 'text' || type === 'longtext' || type === 'choice') return [];
  const cells = [...facts.counts].filter(([cell]) => !fitsByType[type](cell, facts));
  if (cells.length === 0) return [];
  const count = cells.reduce((sum, [, times]) => sum + times, 0);
  const most = cells.sort((first, second) => second[1] - first[1]).slice(0, 5);
  return [{ kind: 'misfits', count, cells: most.map(([text, times]) => ({ text, count: times })) }];
}

function choiceDoubts(type: ColumnType, facts: Facts): Doubt[] {
  if (type !== 'choice' && type !== 'text') return [];
  const values = choiceValues(facts);
  const once = values.some(({ count }) => count === 1);
  const close = type === 'choice' ? once : values.length > 1 && isChoice(values, facts, 1 / 2);
  return close ? [{ kind: 'choice-or-text', distinct: values.length }] : [];
}

function numberDoubts(type: ColumnType, { counts }: Facts): Doubt[] {
  if (type !== 'text' && type !== 'choice' && type !== 'phone') return [];
  const cells = [...counts.keys()];
  const example = cells.find((cell) => /^[+]?\d+$/.test(cell) && losesAsNumber(cell));
  const digits = cells.filter((cell) => /^[+]?[\d\s-]+$/.test(cell)).length;
  return example !== undefined && digits >= cells.length * 0.8 ? [{ kind: 'number-as-text', example }] : [];
}

function dateDoubts(type: ColumnType, facts: Facts): Doubt[] {
  const example = type === 'date' ? unclearDate(facts) : undefined;
  return example === undefined ? [] : [{ kind: 'date-order', example }];
}

function decimalsOf({ counts, decimal = '.', unit }: Facts): number {
  let most = 0;
  for (const cell of counts.keys()) {
    const bare = withoutUnit(cell, unit);
    const at = bare.lastIndexOf(decimal);
    if (at !== -1 && parseNumber(bare, { decimal }) !== null) most = Math.max(most, bare.length - at - 1);
  }
  return Math.min(6, most);
}

function details(type: ColumnType, facts: Facts): Partial<RecognisedColumn> {
  const { decimal, unit, currency, monthFirst } = facts;
  switch (type) {
    case 'choice':
      return { values: choiceValues(facts).map(({ text }) => text.slice(0, 60)) };
    case 'date':
      return { monthFirst };
    case 'money':
      return { currency: currencyCode(currency ?? 'GBP'), ...(decimal === undefined ? {} : { decimal }) };
    case 'number':
      return {
        decimals: decimalsOf(facts),
        ...(unit === undefined ? {} : { unit }),
        ...(decimal === undefined ? {} : { decimal }),
      };
    default:
      return {};
  }
}

function recogniseColumn(facts: Facts, forced: ColumnType | undefined): Omit<RecognisedColumn, 'name'> {
  const { type, fits } =
    forced === undefined ? (typedColumn(facts) ?? textColumn(facts)) : { type: forced, fits: fitsForced(forced, facts) };
  return {
    type,
    fits,
    of: facts.filled,
    ...details(type, facts),
    doubts: [
      ...(fits === facts.filled ? [] : misfits(type, facts)),
      ...dateDoubts(type, facts),
      ...choiceDoubts(type, facts),
      ...numberDoubts(type, facts),
    ],
  };
}

function fitsForced(type: ColumnType, facts: Facts): number {
  return type === 'text' || type === 'longtext' || type === 'choice' ? facts.filled : countFits(fitsByType[type], facts);
}

function columnNames(header: readonly string[]): { readonly name: string; readonly twice: boolean }[] {
  const used = new Set<string>();
  return header.map((text, index) => {
    const plain = text.replaceAll(/\s+/g, ' ').trim().slice(0, 56).trim();
    const base = plain === '' ? `Column ${index + 1}` : plain;
    let name = base;
    for (let count = 2; used.has(name.toLowerCase()); count += 1) name = `${base} ${count}`;
    used.add(name.toLowerCase());
    return { name, twice: name !== base };
  });
}

/**
 * Guesses the type of each column, and says what is doubtful. `types` sets the types of columns that the user has decided, by index.
 * `todayIso` is today as `yyyy-mm-dd`, for dates without a year.
 */
export function recogniseTable(
  table: Table,
  { todayIso, types = {} }: { readonly todayIso: string; readonly types?: Readonly<Record<number, ColumnType>> },
): Recognised {
  const columns = columnNames(table.header).map(({ name, twice }, index): RecognisedColumn => {
    const cells = table.rows.map((row) => row[index] ?? '');
    const found = recogniseColumn(factsOf(table.header[index] ?? '', cells, todayIso), types[index]);
    const duplicate: Doubt[] = twice ? [{ kind: 'duplicate-header', header: table.header[index] ?? '' }] : [];
    return { name, ...found, doubts: [...found.doubts, ...duplicate] };
  });
  return { table, columns, todayIso };
}

const misfitWords: Readonly<Partial<Record<FieldType, string>>> = {
  number: 'numbers',
  money: 'numbers',
  date: 'dates',
  time: 'times',
  yesno: 'yes or no',
  rating: 'ratings',
  email: 'e-mail addresses',
  link: 'links',
  phone: 'phone numbers',
};

function timesWords(count: number): string {
  return count === 1 ? 'once' : `${count.toLocaleString('en-GB')} times`;
}

/** A doubt in words: “5 cells in Fee are not numbers: “free” 4 times, “?” once.” */
export function doubtText({ name, type }: RecognisedColumn, doubt: Doubt): string {
  switch (doubt.kind) {
    case 'misfits': {
      const cells = doubt.cells.map(({ text, count }) => `“${text.slice(0, 40)}” ${timesWords(count)}`).join(', ');
      const subject =
        doubt.count === 1
          ? `1 cell in ${name} does not fit`
          : `${doubt.count.toLocaleString('en-GB')} cells in ${name} are not ${misfitWords[type] ?? 'of this type'}`;
      return `${subject}: ${cells}.`;
    }
    case 'date-order':
      return `“${doubt.example}” in ${name} could have the day or the month first.`;
    case 'choice-or-text':
      return `${name} has ${doubt.distinct} different values, and could be a choice or a text.`;
    case 'duplicate-header':
      return `Two columns are called “${doubt.header}”. This one is now “${name}”.`;
    case 'number-as-text':
      return `${name} has digits such as “${doubt.example}”, and stays a text so that none is lost.`;
  }
}

// Building

export interface ColumnDecision {
  readonly name?: string;
  readonly monthFirst?: boolean;
  /** Texts that take the place of cells, such as `{ free: '0' }`. An empty text leaves the cell empty. */
  readonly replace?: Readonly<Record<string, string>>;
  /** Leaves the column out. */
  readonly skip?: boolean;
}

export interface NewRecord {
  readonly values: Record<string, Value>;
  readonly notes?: Record<string, string>;
}

/** A column of a table, and the field that takes it. */
export interface Target {
  readonly index: number;
  readonly column: RecognisedColumn;
  readonly decision: ColumnDecision;
  readonly field: Field;
}

/**
 * Makes a list and its records of a table. `decisions` belong to columns, by index; types are decided in `recogniseTable`. A cell that
 * does not fit its field becomes a note of its record. A text that is hardly ever empty becomes the title.
 */
export function tableToList(
  recognised: Recognised,
  decisions: Readonly<Record<number, ColumnDecision>>,
  name: string,
): { readonly list: List; readonly records: NewRecord[] } {
  const used = new Set<string>();
  const targets = recognised.columns.flatMap((column, index): Target[] => {
    const decision = decisions[index] ?? {};
    if (decision.skip === true) return [];
    const title = (decision.name ?? column.name).trim().slice(0, 60) || column.name;
    const id = idFrom(title, used, 'field');
    used.add(id);
    return [{ index, column, decision, field: fieldOf(id, title, column) }];
  });
  const titleAt = titleOf(recognised, targets);
  const ordered =
    titleAt === -1 ? targets : [...targets.slice(titleAt, titleAt + 1), ...targets.filter((_target, at) => at !== titleAt)];
  const listName = name.trim().slice(0, 60) || 'Items';
  const list = listSchema.parse({
    id: idFrom(listName, new Set(), 'list'),
    name: listName,
    one: singularOf(listName),
    fields: ordered.length > 0 ? ordered.map(({ field }) => field) : [{ id: 'name', name: 'Name', type: 'text' }],
  });
  const days = new Map(
    ordered.flatMap(({ index, field }) => (field.type === 'date' ? [[index, daysOf(recognised, index)] as const] : [])),
  );
  const records = recognised.table.rows.map((row, at) =>
    recordOf(row, ordered, (index) => days.get(index)?.[at] ?? recognised.todayIso),
  );
  return { list, records };
}

/**
 * Returns the day from which a date without a year counts, for each row of a column: today, in the year of the nearest date with a year
 * above it, or else below it.
 */
function daysOf({ table, todayIso }: Recognised, index: number): string[] {
  const years = table.rows.map((row) => (row[index] ?? '').match(/(?:^|\D)((?:19|20)\d\d)(?:\D|$)/)?.[1]);
  let year = years.find((one) => one !== undefined);
  return years.map((one) => {
    year = one ?? year;
    return year === undefined ? todayIso : `${year}${todayIso.slice(4)}`;
  });
}

/** Returns the place of the target that names a record, or -1: a text that is hardly ever empty, preferably another in each row. */
function titleOf({ table, columns }: Recognised, targets: readonly { readonly index: number }[]): number {
  const filled = targets.map(({ index }) => {
    const cells = table.rows.flatMap((row) => (row[index] === undefined || row[index] === '' ? [] : [row[index]]));
    const isFilled = columns[index]?.type === 'text' && cells.length > 0 && cells.length >= table.rows.length * 0.8;
    // Numbers of records are texts, too, but name nothing.
    const hasWords = cells.filter((cell) => /\p{L}/u.test(cell)).length >= cells.length / 2;
    return isFilled && hasWords ? new Set(cells).size / cells.length : 0;
  });
  const distinct = filled.findIndex((share) => share >= 0.7);
  return distinct === -1 ? filled.findIndex((share) => share > 0) : distinct;
}

function choicesOf(values: readonly string[]): Choice[] {
  const used = new Set<string>();
  return values.slice(0, 200).map((value, index) => {
    const id = idFrom(value, used, 'choice');
    used.add(id);
    return { id, name: value, hue: hues[index % hues.length] ?? 'grey' };
  });
}

function fieldOf(id: string, name: string, column: RecognisedColumn): Field {
  const { type, currency = 'GBP', unit, decimals, values = [] } = column;
  switch (type) {
    case 'number':
      return { id, name, type, ...(decimals === undefined ? {} : { decimals }), ...(unit === undefined ? {} : { unit }) };
    case 'money':
      return { id, name, type, currency };
    case 'choice':
      return { id, name, type, choices: choicesOf(values) };
    case 'longtext':
    case 'date':
    case 'time':
    case 'rating':
    case 'yesno':
    case 'link':
    case 'email':
    case 'phone':
      return { id, name, type };
    default:
      return { id, name, type: 'text' };
  }
}

/** Reads a cell as its column writes numbers and dates, or returns `undefined` if the field does not take it. */
export function readCell({ column, decision, field }: Target, cell: string, todayIso: string): Value | undefined {
  const decimal = column.decimal;
  switch (field.type) {
    case 'number':
      return parseNumber(withoutUnit(cell, field.unit), { decimal }) ?? undefined;
    case 'money': {
      const named = currencyIn(cell);
      const amount = named !== null && currencyCode(named) !== field.currency ? null : parseNumber(cell, { decimal });
      const minor = amount === null ? Number.NaN : toMinorUnits(amount, field.currency);
      return Number.isSafeInteger(minor) ? minor : undefined;
    }
    case 'date':
      return (
        parseDate(cell, { todayIso, monthFirst: decision.monthFirst ?? column.monthFirst ?? false, words: false }) ?? undefined
      );
    default: {
      const parsed = parseText(field, field.type === 'choice' ? oneSpaced(cell) : cell, { todayIso });
      return 'value' in parsed ? parsed.value : undefined;
    }
  }
}

const longestNote = 20_000;

function recordOf(row: readonly string[], targets: readonly Target[], todayOf: (index: number) => string): NewRecord {
  const values: Record<string, Value> = {};
  const notes: [string, string][] = [];
  for (const target of targets) {
    const { index, decision, field } = target;
    const found = row[index] ?? '';
    const replaced =
      decision.replace !== undefined && Object.hasOwn(decision.replace, found) ? (decision.replace[found] ?? '') : found;
    if (replaced === '') continue;
    const value = readCell(target, replaced, todayOf(index));
    if (value !== undefined) values[field.id] = value;
    else notes.push(...notesOf(field.name, replaced));
  }
  return { values, ...(notes.length > 0 ? { notes: Object.fromEntries(notes) } : {}) };
}

/** Makes notes of a text, by the name that they go under. One that is too long for a note continues under “Field 2”. */
export function notesOf(name: string, text: string): [string, string][] {
  const notes: [string, string][] = [];
  for (let at = 0; at < text.length; at += longestNote)
    notes.push([at === 0 ? name : `${name.slice(0, 55)} ${at / longestNote + 1}`, text.slice(at, at + longestNote)]);
  return notes;
}
