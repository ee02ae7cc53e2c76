import { z } from 'zod';
import { clip, clipped, highlighted, isNamed, plain } from '../author/read/fill.ts';
import type { BlockOf, Reading } from '../author/read/reading.ts';
import { blocksOf, chunk, spansOf } from '../author/read/reading.ts';
import { isNumeric } from '../author/read/tables.ts';
import { isPeriod } from '../author/read/values.ts';
import { numericColumns } from './bar-chart.ts';
import type { Match } from './define-format.ts';
import { columnsOf, defineFormat, line, readingSeconds, shorten } from './define-format.ts';

/** Text of a cell, which may be empty. */
const cell = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .regex(/^[^\r\n]*$/, 'must be a single line')
    .refine((text) => columnsOf(text) <= max, `must have at most ${max} letters, or half as many wide ones`);

const mostColumns = 6;
const mostRows = 12;
const headLetters = 24;
const cellLetters = 48;
/** Letters in a line of the narrowest frame at the minimum text size, in the widest typeface. */
const lineLetters = 44;
/** Gap between two columns, in letters. */
const gapLetters = 1.5;
/** Lines of text at the minimum size in the lowest frame. */
const frameLines = 21.4;
/** Space above and below the text of a row, in lines. */
const rowPadding = 0.3;
/** Breaks between words leave lines shorter than they could be. */
const ragged = 1.2;
/** Scripts whose lines are higher than those of Latin letters. */
const tall = /[\p{Script=Arabic}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Thai}\p{Script=Khmer}]/u;

interface Texts {
  readonly title: string | null;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly note: string | null;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, own) => total + own, 0);
const longestWord = (text: string) => Math.max(...text.split(/\s+/u).map(columnsOf));
const linesAt = (letters: number, width: number) => (letters <= width ? 1 : Math.ceil((letters * ragged) / width));

/** Returns the lines that the rows need beside each other, or `Infinity` if a word is too long for its column. */
function gridLines(columns: Texts['columns'], rows: Texts['rows']): number {
  const room = lineLetters - gapLetters * (columns.length - 1);
  const cellsAt = (at: number) => rows.map((row) => row[at] ?? '');
  const most = columns.map((head, at) => Math.max(columnsOf(head), ...cellsAt(at).map(columnsOf)));
  const least = columns.map((head, at) => Math.max(...[head, ...cellsAt(at)].map(longestWord)));
  const widthsBelow = (cap: number) => most.map((own, at) => Math.max(least[at] ?? 0, Math.min(own, cap)));
  // The widest columns give way first.
  let cap = Math.max(...most);
  while (cap > 1 && sum(widthsBelow(cap)) > room) cap -= 1;
  const widths = widthsBelow(cap);
  if (sum(widths) > room) return Number.POSITIVE_INFINITY;
  return sum(
    [columns, ...rows].map((row) => Math.max(...row.map((text, at) => linesAt(columnsOf(text), widths[at] ?? 1))) + rowPadding),
  );
}

/** Returns the lines that the rows need if each cell follows the name of its column, below the first cell. */
function stackLines(columns: Texts['columns'], rows: Texts['rows']): number {
  return sum(
    rows.map((row) => {
      const [first = 0, ...pairs] = row.map((text, at) => columnsOf(columns[at] ?? '') + columnsOf(text) + gapLetters * 2);
      // A cell with its name moves to the next line as a whole.
      return linesAt(first, lineLetters) + linesAt(sum(pairs) * 1.12, lineLetters) + rowPadding;
    }),
  );
}

/** Returns whether a table is readable in the smallest frame. */
function isReadable(texts: Texts): boolean {
  const { title, rows, note } = texts;
  const width = Math.max(texts.columns.length, ...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, at) => texts.columns[at] ?? '');
  const titleLines = title === null ? 0 : 1.1 + Math.ceil(columnsOf(title) / 28) * 1.2;
  const noteLines = note === null ? 0 : 0.7 + Math.ceil(columnsOf(note) / lineLetters);
  const isTall = [...columns, ...rows.flat()].some((text) => tall.test(text));
  const room = (frameLines - titleLines - noteLines) / (isTall ? 1.15 : 1);
  return Math.min(gridLines(columns, rows), stackLines(columns, rows)) <= room;
}

const schema = z
  .object({
    title: line(60).nullable().describe('heading'),
    columns: z.array(cell(headLetters)).min(2).max(mostColumns).describe('column heads, in order'),
    rows: z
      .array(z.array(cell(cellLetters)).min(2).max(mostColumns).describe('a cell for each column, as written'))
      .min(2)
      .max(mostRows)
      .describe('rows, in order'),
    highlight: z
      .int()
      .min(0)
      .max(mostRows - 1)
      .nullable()
      .describe('index of the highlighted row'),
    note: line(60).nullable().describe('source or remark, small below the rows'),
  })
  .refine(isReadable, { message: 'the rows have too much text for one scene', path: ['rows'] });
type Props = z.infer<typeof schema>;

/** Formats that show the values of a table in another way. A request that names one wants that. */
const rivals: ReadonlySet<string> = new Set([
  ...(['bar-chart', 'line-chart', 'pie', 'race', 'comparison', 'timeline', 'calendar'] as const),
  ...(['checklist', 'steps', 'flow', 'people', 'map', 'chat'] as const),
]);

/** Matches names of lists that may have several prices per entry. */
const priceList =
  /price list|menu|preisliste|speisekarte|menú|liste de prix|lista de precios|listino|prijslijst|lista de preços/iu;

const unitOf = (text: string) => text.replace(/[-−–+\d.,'’\s]/gu, '');

/**
 * Returns how well a table fits. Formats that draw values score higher where a drawing says more: for a single column of
 * numbers, for two with the same unit, and for values over time.
 */
function scoreOf(block: BlockOf<'table'>, heads: readonly string[], reading: Reading): number {
  const { formats } = reading.instructions;
  if (isNamed(reading, 'table')) return 0.98;
  const width = heads.length;
  if (block.header === null || width < 3) return 0.3;
  const isPriceList = isNamed(reading, 'list') && priceList.test(reading.text);
  if (formats.some((id) => rivals.has(id) || (id === 'list' && !isPriceList))) return 0.5;
  const data = numericColumns(block, reading.language);
  const numbers = data?.columns ?? [];
  const texts = width - numbers.length;
  const isDrawn =
    texts === 1 && numbers.length > 0 && (data?.labels.every(isPeriod) || numbers.every(({ name }) => isPeriod(name)));
  if (isDrawn) return 0.5;
  const units = new Set(numbers.map(({ cells }) => unitOf(`${cells[0]?.prefix}${cells[0]?.suffix}`)));
  const isMoney = numbers.every(({ cells }) => cells.every(({ prefix, suffix }) => /[$€£¥]/u.test(prefix + suffix)));
  if (texts === 1 && numbers.length === 2 && units.size === 1 && !isMoney) return 0.55;
  return isPriceList ? 0.89 : 0.84;
}

/** Returns the table's cells as a rectangle below as many heads, or `null` if it is not one that a scene can show. */
function gridOf(block: BlockOf<'table'>): { readonly heads: string[]; readonly rows: string[][] } | null {
  const rows = block.rows.filter((row) => row.some((text) => text !== ''));
  const width = Math.max(block.header?.length ?? 0, ...rows.map((row) => row.length));
  if (width < 2 || width > mostColumns || rows.length < 2) return null;
  const square = (row: readonly string[]) => Array.from({ length: width }, (_, at) => plain(row[at] ?? ''));
  return { heads: square(block.header ?? []), rows: rows.map(square) };
}

function matchTables(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'table').flatMap((block) => {
    const grid = gridOf(block);
    if (grid === null) return [];
    const { heads, rows } = grid;
    const source = blocksOf(reading, 'text').find(({ role }) => role === 'source')?.piece.text;
    const at = highlighted(
      reading,
      rows.map(([first = '', second = '']) => (isNumeric(first) ? second : first)),
    );
    const parts = chunk(rows, mostRows);
    const scenes = parts.map((part, index): Props => {
      const before = parts.slice(0, index).reduce((sum, { length }) => sum + length, 0);
      return {
        title: clipped(block.heading?.text, 60),
        columns: heads.map((head) => clip(head, headLetters)),
        rows: part.map((row) => row.map((text) => clip(text, cellLetters))),
        highlight: at !== null && at >= before && at < before + part.length ? at - before : null,
        note: clipped(source, 60),
      };
    });
    return [{ score: scoreOf(block, heads, reading), scenes, spans: spansOf(block) }];
  });
}

export const table = defineFormat({
  id: 'table',
  title: 'Table',
  use: 'Two to twelve rows below two to six column heads: standings, prices by size, plans and what they include.',
  avoid: 'One number per row (use bar-chart), or values over time (use line-chart).',
  purposes: ['compare', 'numbers'],
  props: schema,
  seconds: ({ title: heading, columns, rows, highlight, note }) =>
    1.2 +
    readingSeconds(heading) * 0.5 +
    readingSeconds(...columns) * 0.3 +
    rows.reduce((sum, row) => sum + Math.max(0.45, readingSeconds(...row) * 0.28), 0) +
    (note === null ? 0 : 0.4) +
    (highlight === null ? 1.6 : 2.4),
  outline: ({ title: heading, columns, rows }) => ({
    title: shorten(heading ?? `${columns.filter((head) => head !== '').join(', ')}`, 60) || 'Table',
    description: shorten(`A table of ${rows.map((row) => row.filter((text) => text !== '').join(', ')).join('; ')}.`, 900),
  }),
  match: matchTables,
  example: {
    title: 'Harbour League after ten rounds',
    columns: ['Club', 'Won', 'Drawn', 'Lost', 'Goals', 'Points'],
    rows: [
      ['Ferry Town', '8', '1', '1', '24:7', '25'],
      ['Lighthouse FC', '6', '3', '1', '19:9', '21'],
      ['Redmarsh Rovers', '6', '1', '3', '17:12', '19'],
      ['Port Ellery', '4', '4', '2', '15:11', '16'],
      ['Kilnwood', '3', '2', '5', '10:16', '11'],
      ['Ashby Vale', '1', '1', '8', '6:22', '4'],
    ],
    highlight: 1,
    note: 'Three points for a win',
  },
});
