import { z } from 'zod';
import { clip, clipped, highlighted, isNamed, isPriced } from '../author/read/fill.ts';
import type { Amount, Block, BlockOf, Item, Reading } from '../author/read/reading.ts';
import { blocksOf, chunk, spansOf } from '../author/read/reading.ts';
import { isNumeric } from '../author/read/tables.ts';
import { findAmounts, isPeriod, notationOf, parseDigits } from '../author/read/values.ts';
import type { Match } from './define-format.ts';
import { defineFormat, line, readingSeconds, shorten } from './define-format.ts';

const schema = z.object({
  title: line(60).nullable().describe('heading'),
  unit: line(40).nullable().describe('unit below the heading, such as “kWh a year”'),
  source: line(60).nullable().describe('source of the values, small below the bars'),
  prefix: z.string().max(4).default('').describe('before each value'),
  suffix: z.string().max(8).default('').describe('after each value'),
  items: z
    .array(
      z.object({
        label: line(28).describe('name of the bar'),
        value: z.number().min(-1e12).max(1e12).describe('length of the bar'),
      }),
    )
    .min(2)
    .max(12)
    .describe('bars, in order'),
  highlight: z.int().min(0).max(11).nullable().describe('index of the highlighted bar'),
  horizontal: z.boolean().nullable().describe('bars lie; null decides'),
  sorted: z.boolean().default(false).describe('largest first'),
});
type Props = z.infer<typeof schema>;

interface Bars {
  readonly title: string | null;
  readonly items: readonly { readonly label: string; readonly value: number }[];
  readonly prefix: string;
  readonly suffix: string;
  /** Shown beside the title: the sum of all bars, such as “Total: 2110”, or what the bars measure. */
  readonly note?: string | null;
}

/** Returns the unit that the request names for a block. If it names several, each applies to the data after it. */
function unitFor(block: Block, reading: Reading): string | null {
  const units = blocksOf(reading, 'text').filter(({ role }) => role === 'unit');
  const own = units.length > 1 ? units.findLast(({ start }) => start <= block.start) : units[0];
  return own?.piece.text ?? null;
}

/** Returns the scenes for the bars. More than twelve bars are split evenly. */
function scenesOf({ title, items, prefix, suffix, note = null }: Bars, block: Block, reading: Reading): Props[] {
  const unit = unitFor(block, reading);
  const source = blocksOf(reading, 'text').find(({ role }) => role === 'source')?.piece.text ?? null;
  const isShare = unit !== null && /percent|prozent|pour ?cent|por ?ciento|^pct$/iu.test(unit);
  const ordered = reading.instructions.sorted ? [...items].sort((one, other) => other.value - one.value) : items;
  return chunk(ordered, 12)
    .filter((part) => part.length > 1)
    .map((part) => ({
      title: clipped(title, 60),
      unit: isShare ? null : clipped(unit ?? note, 40),
      source: clipped(source, 60),
      prefix: prefix.trim().slice(0, 4),
      suffix: (isShare && suffix === '' ? '%' : suffix).slice(0, 8),
      items: part.map(({ label, value }) => ({ label: clip(label, 28), value })),
      highlight: lastOfGroup(
        part.map(({ label }) => label),
        reading,
      ),
      horizontal: null,
      sorted: reading.instructions.sorted,
    }));
}

/** Returns the index of the highlighted bar, which is the last one if a group of bars is highlighted. */
function lastOfGroup(labels: readonly string[], reading: Reading): number | null {
  const found = highlighted(reading, labels);
  const name = found === null ? undefined : labels[found]?.split(' · ')[0];
  return name === undefined ? null : labels.findLastIndex((label) => label.split(' · ')[0] === name);
}

/** Returns the words that all column names start with: “share ” for “share 2022” and “share 2024”. */
function sharedStart([first = '', ...others]: readonly string[]): string {
  const words = first.split(/(?<=\s)/u);
  let start = '';
  for (const word of words.slice(0, -1)) {
    if (!others.every((name) => name.startsWith(start + word) && name.length > (start + word).length)) break;
    start += word;
  }
  return start;
}

/** Returns the unit in parentheses that all column names end with: “ (k€)” for “Q2 (k€)” and “Q3 (k€)”. */
function sharedUnit([first = '', ...others]: readonly string[]): string {
  const unit = /\s*\([^()]{1,12}\)$/u.exec(first)?.[0] ?? '';
  return others.every((name) => name.endsWith(unit)) ? unit : '';
}

const unitOf = ({ prefix, suffix }: { prefix: string; suffix: string }) => `${prefix.trim()} ${suffix.trim()}`;

/** Splits a cell into number, prefix and suffix. Returns `null` if the cell is not a number. */
function cellOf(cell: string, language: string): { value: number; prefix: string; suffix: string } | null {
  if (!isNumeric(cell)) return null;
  const amount = findAmounts(cell, language)[0];
  if (amount !== undefined) return amount;
  const digits = /[-−–+]?\d[\d.,'’ \u00a0\u202f]*/u.exec(cell)?.[0].trim();
  const { value } = parseDigits(digits ?? 'x', language);
  return Number.isFinite(value) && Math.abs(value) <= 1e12 ? { value, prefix: '', suffix: '' } : null;
}

const sum = /^(?:(?:grand |sub)?totals?|sum|gesamt|summe|insgesamt|somme|suma|totale)$/iu;

interface Column {
  readonly name: string;
  readonly cells: readonly { readonly value: number; readonly prefix: string; readonly suffix: string }[];
  /** Name and cell of the row with the sum, which is not among `cells`. */
  readonly sum: { readonly label: string; readonly text: string } | null;
}

/** Returns the numeric columns of a table and the labels of its rows. */
export function numericColumns(
  block: BlockOf<'table'>,
  language: string,
): {
  labels: string[];
  columns: Column[];
} | null {
  const width = Math.max(...block.rows.map((row) => row.length));
  const named = Array.from({ length: width }, (_, column) => column).find((column) =>
    block.rows.some((row) => !isNumeric(row[column] ?? '') || /^(?:1[5-9]|20)\d\d$/u.test(row[column] ?? '')),
  );
  // In a table of numbers alone, such as “Week;Weight”, the first column has the labels.
  const labelAt = named ?? (block.header === null || width < 2 ? undefined : 0);
  if (labelAt === undefined) return null;
  // A bar for the sum would dwarf those of its parts.
  const parts = block.rows.filter((row) => !sum.test(row[labelAt]?.trim() ?? ''));
  const rows = parts.length >= 2 ? parts : block.rows;
  const columns = Array.from({ length: width }, (_, column) => column).flatMap((column) => {
    if (column === labelAt) return [];
    const notation = notationOf(
      rows.map((row) => row[column] ?? ''),
      language,
    );
    const cells = rows.map((row) => cellOf(row[column] ?? '', notation));
    const total = rows === block.rows ? undefined : block.rows.find((row) => !rows.includes(row));
    const own = total === undefined ? null : { label: total[labelAt] ?? '', text: total[column] ?? '' };
    return cells.every((cell) => cell !== null) ? [{ name: block.header?.[column] ?? '', cells, sum: own }] : [];
  });
  return columns.length === 0 ? null : { labels: rows.map((row) => row[labelAt] ?? ''), columns };
}

/** Returns the bars of one column. */
function columnBars({ name, cells, sum: total }: Column, labels: readonly string[], title: string | null, isOnly: boolean): Bars {
  const sumText = total === null ? null : `${total.label}: ${total.text}`;
  return {
    note: sumText ?? (isOnly && title !== null && name !== '' ? name : null),
    title: isOnly ? (title ?? name) : name || title,
    prefix: cells[0]?.prefix ?? '',
    suffix: cells[0]?.suffix ?? '',
    items: labels.map((label, row) => ({ label: label || '–', value: cells[row]?.value ?? 0 })),
  };
}

/** Returns the bars of columns with the same unit, side by side for each row. */
function groupedBars(group: readonly Column[], labels: readonly string[], title: string | null, isOnly: boolean): Bars {
  const shared = sharedStart(group.map(({ name }) => name));
  const unit = sharedUnit(group.map(({ name }) => name));
  const own = group.map(({ name }) => name.slice(shared.length, name.length - unit.length).trim());
  const sums = group.flatMap(({ sum: total }, at) => (total === null ? [] : `${own[at]} ${total.text}`));
  const head = shared.trim();
  const sumText = sums.length === 0 ? null : `${group[0]?.sum?.label}: ${sums.join(', ')}`;
  const measured = isOnly && title !== null ? head : '';
  const notes = [measured, unit.replace(/[()]/gu, '').trim(), sumText ?? ''].filter((note) => note !== '');
  return {
    title: isOnly ? (title ?? (head || null)) : head || title,
    prefix: group[0]?.cells[0]?.prefix ?? '',
    suffix: group[0]?.cells[0]?.suffix ?? '',
    items: labels.flatMap((label, row) =>
      group.map(({ cells }, at) => ({ label: `${label} · ${own[at]}`, value: cells[row]?.value ?? 0 })),
    ),
    note: notes.length === 0 ? null : notes.join(' · '),
  };
}

function matchTables(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'table').flatMap((block) => {
    const data = block.rows.length < 2 ? null : numericColumns(block, reading.language);
    if (data === null) return [];
    const { labels, columns } = data;
    const width = Math.max(...block.rows.map((row) => row.length));
    const title = titleFor(block, reading);
    const named = isNamed(reading, 'bar-chart') ? 0.15 : 0;
    const isTime = labels.length >= 3 && labels.every(isPeriod);
    const [first] = columns;
    if (first === undefined) return [];
    // “84 MB” and “1.2 GB” in one column would produce bars of wrong lengths.
    if (columns.some(({ cells }) => new Set(cells.map(unitOf)).size > 1)) return [];
    // Columns with the same unit share a chart, so that their values can be compared.
    const groups = [...Map.groupBy(columns, ({ cells }) => cells.map(unitOf)[0]).values()];
    const bars = groups
      .flatMap((group): Bars[] =>
        group.length > 1 && group.length <= 4 && labels.length * group.length <= 12
          ? [groupedBars(group, labels, title, groups.length === 1)]
          : group.map((column) => columnBars(column, labels, title, columns.length === 1)),
      )
      .slice(0, 3);
    const isMoney = columns.every(({ cells }) => cells.every(({ prefix, suffix }) => /[$€£¥]/u.test(prefix + suffix)));
    const share = (columns.length + 1) / width;
    return [
      {
        score: Math.min(0.95, tableScore(isTime, isMoney) * (0.4 + 0.6 * share) + named),
        scenes: bars.flatMap((each) => scenesOf(each, block, reading)),
        spans: spansOf(block),
      },
    ];
  });
}

/** Returns a lower score where another format fits better: a line chart for values over time, a list for prices. */
function tableScore(isTime: boolean, isMoney: boolean): number {
  if (isTime) return 0.66;
  return isMoney ? 0.6 : 0.78;
}

function titleFor(block: BlockOf<'table'>, reading: Reading): string | null {
  const named = reading.blocks.find((other) => other.kind === 'text' && other.role === 'title');
  return block.heading?.text ?? (named?.kind === 'text' ? null : null);
}

function matchLists(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'list').flatMap((block) => {
    const amounts = block.items.map(({ amount }) => amount);
    const units = new Set(amounts.map((amount) => `${amount?.prefix.trim()} ${amount?.suffix.trim()}`));
    const [first] = amounts;
    if (block.items.length < 2 || first === undefined || first === null || amounts.includes(null) || units.size > 1) return [];
    const named = isNamed(reading, 'bar-chart') ? 0.3 : 0;
    const score = Math.min(0.95, listScore(block.items, first) + named);
    const items = block.items.map(({ label, lead, amount }) => ({
      label: lead !== null && label === '' ? lead : label,
      value: amount?.value ?? 0,
    }));
    return [
      {
        score,
        scenes: scenesOf(
          { title: block.heading?.text ?? null, items, prefix: first.prefix, suffix: first.suffix },
          block,
          reading,
        ),
        spans: spansOf(block),
      },
    ];
  });
}

function listScore(items: readonly Item[], first: Amount): number {
  if (isPriced(items)) return 0.45;
  if (items.length < 3) return 0.5;
  return first.kind === 'percent' ? 0.7 : 0.64;
}

export const barChart = defineFormat({
  id: 'bar-chart',
  title: 'Bar chart',
  use: 'Two to twelve labelled values to compare by size.',
  avoid: 'A series over time with many points (use line-chart), or shares of a whole.',
  purposes: ['numbers', 'compare'],
  props: schema,
  seconds: ({ title: heading, items }) => 1.8 + readingSeconds(heading) + 0.45 * items.length + 0.6,
  outline: ({ title: heading, items }) => ({
    title: shorten(heading ?? 'Bar chart', 60),
    description: shorten(`Bars for ${items.map(({ label, value }) => `${label} ${value}`).join(', ')}.`, 900),
  }),
  match: (reading) => [...matchTables(reading), ...matchLists(reading)],
  example: {
    title: 'Standby uses more than the fridge',
    unit: 'kWh a year in a flat for two',
    source: null,
    prefix: '',
    suffix: '',
    items: [
      { label: 'Hot water', value: 640 },
      { label: 'Cooking', value: 470 },
      { label: 'Standby', value: 385 },
      { label: 'Fridge', value: 290 },
      { label: 'Laundry', value: 240 },
      { label: 'Lights', value: 165 },
    ],
    highlight: 2,
    horizontal: null,
    sorted: false,
  },
});
