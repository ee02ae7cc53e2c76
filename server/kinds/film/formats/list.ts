import { z } from 'zod';
import { isChange } from '../author/read/changes.ts';
import { clip, clipped, highlighted, isCard, isNamed, isPriced, plain, splitText } from '../author/read/fill.ts';
import { emojiIconIn, withoutEmoji } from '../author/read/icons.ts';
import type { BlockOf, Item, Reading } from '../author/read/reading.ts';
import { blocksOf, chunk, spansOf } from '../author/read/reading.ts';
import { isNumeric } from '../author/read/tables.ts';
import { isDayCell } from '../author/read/values.ts';
import type { Match } from './define-format.ts';
import { defineFormat, icon, line, readingSeconds, shorten } from './define-format.ts';

const schema = z.object({
  title: line(60).nullable().describe('heading'),
  items: z
    .array(
      z.object({
        text: line(60).describe('item'),
        detail: line(56).nullable().describe('second line; at most four items then'),
        value: line(12).nullable().describe('at the end of the line, such as a price'),
        icon: icon.nullable().describe('drawing before it'),
      }),
    )
    .min(1)
    .max(8)
    .refine(
      (items) =>
        items.length <= 4 ||
        items.every(({ text, detail, value }) => detail === null && (value === null || items.length === 5 || text.length <= 30)),
      'details need at most four items; with more than five, an item with a value has at most 30 characters',
    )
    .describe('items, in order'),
  numbered: z.boolean().default(false).describe('numbered, from 1 or from start'),
  start: z.int().min(1).max(999).optional().describe('number of the first item'),
  highlight: z.int().min(0).max(7).nullable().describe('index of the highlighted item'),
});
type Props = z.infer<typeof schema>;

type Entry = Props['items'][number];

function scenesOf(title: string | null, items: readonly Entry[], numbered: boolean, reading: Reading): Props[] {
  const icons = numbered ? [] : items.map(({ text }) => emojiIconIn(text));
  const drawn = items.map((item, at) => ({
    ...item,
    text: icons[at] == null ? item.text : withoutEmoji(item.text),
    icon: icons[at] ?? null,
  }));
  const at = highlighted(
    reading,
    drawn.map(({ text }) => text),
  );
  return chunk(drawn, 8).map((part, index, [first = []]) => {
    const before = index * first.length;
    return {
      title: clipped(title, 60),
      items: part,
      numbered,
      start: before + 1,
      highlight: at !== null && at >= before && at < before + part.length ? at - before : null,
    };
  });
}

/** Returns an entry that fits. Text that is too long for one line continues in the detail. */
function entryOf(text: string, detailText: string | null, valueText: string | null): Entry {
  const [detail, value] = [detailText, valueText].map((part) => part?.replace(/\s*(?:-{1,2}>|=>)\s*/gu, ' → ') ?? null) as [
    string | null,
    string | null,
  ];
  const isLongValue = value !== null && value.length > 12;
  const rest = [isLongValue ? value : null, detail].filter((part) => part !== null).join(' · ');
  const whole = plain(text);
  if (whole.length > 60 && rest === '') {
    const [head = whole, ...tail] = splitText(whole, 60);
    return {
      text: head,
      detail: clipped(tail.join(' '), 70),
      value: isLongValue ? null : value,
      icon: null,
    };
  }
  return {
    text: clip(whole, 60),
    detail: clipped(rest, 70),
    value: isLongValue ? null : clipped(value, 12),
    icon: null,
  };
}

/** Matches two texts around a dash or an equals sign, such as a word and its translation. */
const pair = /^([^\d–—=]{1,40}?)\s+(?:[-–—=]|->|→)\s+([^\d–—=]{1,60})$/u;

/** Returns whether all items are terms with their meanings. */
const arePairs = (items: readonly Item[]) => items.length >= 3 && items.every(({ text }) => pair.test(text));

/** Returns whether items are a menu of the week, with a day and a price each. */
const isWeekMenu = (items: readonly Item[]) => isPriced(items) && items.every(({ lead }) => lead !== null && isDayCell(lead));

function entriesOf(items: readonly Item[]): Entry[] {
  const areChanges = items.every(({ text }) => isChange(text));
  // If one pair of values is too wide for the column, all are shown below their labels.
  const isBelow = areChanges && items.some(({ value }) => (value?.length ?? 0) > 12);
  const isGlossary = arePairs(items);
  const isWeek = isWeekMenu(items);
  return items.map(({ lead, label, detail, value, text }) => {
    if (isWeek) return entryOf(`${lead}: ${label}`, detail, value);
    const [, term = text, meaning = null] = isGlossary ? (pair.exec(text) ?? []) : [];
    if (isGlossary) return entryOf(term, meaning, null);
    if (isBelow) return entryOf(label, [value, detail].filter((part) => part !== null).join(' · '), lead);
    return lead === null ? entryOf(label, detail, value) : entryOf(label || text, detail ?? value, lead);
  });
}

function matchLists(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'list').flatMap((block): Match<Props>[] => {
    const [first] = block.items;
    if (first === undefined) return [];
    const named = isNamed(reading, 'list') ? 0.12 : 0;
    const heading = block.heading?.text ?? null;
    const spans = spansOf(block);
    const entries = entriesOf(block.items);
    if (block.marks !== 'lines') {
      const isNumbered = block.marks === 'number';
      const score = scoreOfMarked(block.items, isNumbered) + named;
      return [{ score, scenes: scenesOf(heading, entries, isNumbered, reading), spans }];
    }
    if (startsWithHeading(block, reading))
      return [{ score: 0.6 + named, scenes: scenesOf(heading ?? first.text, entries.slice(1), false, reading), spans }];
    return [{ score: scoreOfLines(block.items), scenes: scenesOf(heading, entries, false, reading), spans }];
  });
}

/**
 * Returns whether the first of several lines without marks is the heading of the others: it is in capitals, or another group
 * of such lines precedes or follows.
 */
function startsWithHeading(block: BlockOf<'list'>, reading: Reading): boolean {
  const [first, ...rest] = block.items;
  if (first === undefined || first.value !== null || rest.length < 2) return false;
  if (/^[^\p{Ll}]+$/u.test(first.text)) return true;
  return blocksOf(reading, 'list').some((other) => other !== block && isCard(other) && other.items.length >= 3);
}

function scoreOfMarked(items: readonly Item[], isNumbered: boolean): number {
  if (isWeekMenu(items)) return 0.95;
  return (isPriced(items) ? 0.74 : 0.6) + (isNumbered ? 0.04 : 0);
}

function scoreOfLines(items: readonly Item[]): number {
  if (arePairs(items)) return 0.66;
  if (items.every(({ text }) => isChange(text))) return 0.7;
  if (items.length >= 4) return 0.52;
  return items.some(({ value }) => value !== null) ? 0.55 : 0.44;
}

/** Appends the unit from the column's header to a number: “1.9 seconds”. */
const withUnit = (cell: string, head: string): string | null =>
  /^[\d.,]+$/u.test(cell) && /^(?:seconds?|minutes?|hours?|days?|ms|s|min|h|kg|km|mb|gb|%)$/iu.test(head)
    ? `${cell} ${head}`
    : cell || null;

const period =
  /(?:\bper|\/|\bpro|\bpar|\bal|\bpor)\s*(month|year|week|day|hour|user|seat|person|night|monat|jahr|woche|tag|stunde|person|nacht|mois|an|jour|heure|mes|año|día|hora|mese|anno)\b/iu;

/** Appends the period of the column's name to a price: “$12/month” below “price per month”. */
function withPeriod(cell: string, head: string): string {
  const found = period.exec(head)?.[1];
  return found !== undefined && /^\S*\d\S*$/u.test(cell) && !cell.includes('/') ? `${cell}/${found.toLowerCase()}` : cell;
}

/** Returns the currency or the unit of a cell, without its sign and digits. */
const kindOf = (cell: string) => cell.replace(/[-−–+\d.,'’\s]/gu, '');

/** Matches tables. An entry has the row's first text, a number or price as its value, and the other cells as its detail. */
function matchTables(reading: Reading): Match<Props>[] {
  return blocksOf(reading, 'table').flatMap((block) => {
    if (block.rows.length === 0) return [];
    const width = Math.max(...block.rows.map((row) => row.length));
    const textAt = Math.max(0, block.rows[0]?.findIndex((cell) => !isNumeric(cell)) ?? 0);
    const others = Array.from({ length: width }, (_, column) => column).filter((column) => column !== textAt);
    const counted = others.filter((column) =>
      block.rows.every((row) => (row[column] ?? '').length <= 16 && /\d/u.test(row[column] ?? '')),
    );
    // Beside another column of the same kind, a value needs the name of its own: “Short: £38 · Long: £46”.
    const isAlone = (column: number) =>
      block.header === null ||
      !counted.some(
        (other) => other !== column && block.rows.every((row) => kindOf(row[other] ?? '') === kindOf(row[column] ?? '')),
      );
    const valueAt = counted.length === 0 && width === 2 ? others[0] : counted.find(isAlone);
    const numeric = others.filter((column) => block.rows.some((row) => isNumeric(row[column] ?? '')));
    const nameOf = (column: number) => (numeric.includes(column) ? (block.header?.[column] ?? '') : '');
    const entries = block.rows
      .filter((row) => row.some((cell) => cell !== ''))
      .map((row) => {
        const details = others
          .filter((column) => column !== valueAt && (row[column] ?? '') !== '')
          .map((column) => (nameOf(column) === '' ? row[column] : `${nameOf(column)}: ${row[column]}`));
        return entryOf(
          row[textAt] || '–',
          details.length === 0 ? null : details.join(' · '),
          valueAt === undefined
            ? null
            : withUnit(withPeriod(row[valueAt] ?? '', block.header?.[valueAt] ?? ''), block.header?.[valueAt] ?? ''),
        );
      });
    const isMoney = counted.length > 0 && block.rows.every((row) => counted.every((column) => /[$€£¥]/u.test(row[column] ?? '')));
    return entries.length === 0
      ? []
      : [
          {
            score: (isMoney ? 0.72 : 0.55) + (isNamed(reading, 'list') ? 0.12 : 0),
            scenes: scenesOf(block.heading?.text ?? null, entries, false, reading),
            spans: spansOf(block),
          },
        ];
  });
}

export const list = defineFormat({
  id: 'list',
  title: 'List',
  use: 'Two to eight items that appear one after another, numbered or not, each with an optional value such as a price.',
  avoid: 'Steps with details (use steps), or numbers that should be compared (use bar-chart).',
  purposes: ['explain'],
  props: schema,
  seconds: ({ title: heading, items }) =>
    0.8 +
    readingSeconds(heading) * 0.5 +
    items.reduce((sum, { text, detail, value }) => sum + Math.max(0.7, readingSeconds(text, detail, value) * 0.6), 0) +
    1.2,
  outline: ({ title: heading, items }) => ({
    title: shorten(heading ?? 'List', 60),
    description: shorten(
      `Lists ${items.map(({ text, value }) => (value === null ? text : `${text} (${value})`)).join(', ')}.`,
      900,
    ),
  }),
  match: (reading) => [...matchLists(reading), ...matchTables(reading)],
  example: {
    title: 'Rules of the blanket fort',
    items: [
      'Shoes stay outside',
      'Whisper after nine',
      'Bears get a seat too',
      'Share the torch',
      'Last one in tells a story',
    ].map((text) => ({ text, detail: null, value: null, icon: null })),
    numbered: true,
    start: 1,
    highlight: null,
  },
});
