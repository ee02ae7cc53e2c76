import type { Field } from '../../../model/document.ts';
import type { AppRecord } from '../../../model/record.ts';
import { bucketLabel, bucketsOf, bucketTitle, isIn, type Period, type Span, type Step } from './periods.ts';

/** Measures records, such as their count or the sum of a field. `null` if there is nothing to measure. */
export type Measured = (records: readonly AppRecord[]) => number | null;

export interface Point {
  readonly label: string;
  readonly title: string;
  readonly span: Span;
  /** `null` for the future. */
  readonly value: number | null;
  /** Value at the same place of the period before. `null` if it has no such place. */
  readonly previous: number | null;
}

/** Values of a period by day, week or month, beside those of the period before. Parts without records are 0. */
export function seriesOf(records: readonly AppRecord[], field: string, step: Step, period: Period, measured: Measured): Point[] {
  const within = (span: Span) => measured(records.filter((record) => isIn(span, record.values[field]))) ?? 0;
  const buckets = bucketsOf(period.whole, step);
  const before = bucketsOf(period.previousWhole, step);
  return buckets.map((span, i) => {
    const earlier = before[i];
    return {
      label: bucketLabel(span, step),
      title: bucketTitle(span, step),
      span,
      value: span.from > period.current.to ? null : within(span),
      previous: earlier === undefined ? null : within(earlier),
    };
  });
}

export interface Group {
  /** Value of the field that the group has in common, or `null` for records without one. */
  readonly value: string | boolean | null;
  readonly name: string;
  readonly amount: number;
}

/** Amounts by the values of a field, largest first. Records with several values count for each of them. */
export function groupsOf(
  records: readonly AppRecord[],
  field: Field,
  measured: Measured,
  nameOf: (value: string) => string,
): Group[] {
  const groups = new Map<string | boolean | null, AppRecord[]>();
  for (const record of records) {
    for (const value of valuesOf(field, record)) {
      const group = groups.get(value);
      if (group === undefined) groups.set(value, [record]);
      else group.push(record);
    }
  }
  return [...groups]
    .map(([value, members]) => ({ value, name: groupName(field, value, nameOf), amount: measured(members) ?? 0 }))
    .toSorted((a, b) => b.amount - a.amount);
}

function valuesOf(field: Field, record: AppRecord): (string | boolean | null)[] {
  const value = record.values[field.id] ?? null;
  if (field.type === 'yesno') return [value === true];
  if (Array.isArray(value)) return value.length === 0 ? [null] : value;
  return [value === null || value === '' ? null : String(value)];
}

function groupName(field: Field, value: string | boolean | null, nameOf: (value: string) => string): string {
  if (value === null) return `No ${field.name.toLowerCase()}`;
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return nameOf(value);
}

/** The first groups, and one for all others if there are more than fit. It has no value, and `name` is “Other”. */
export function largestGroups(
  groups: readonly Group[],
  most: number,
): { readonly shown: readonly Group[]; readonly other: number } {
  if (groups.length <= most) return { shown: groups, other: 0 };
  const shown = groups.slice(0, most - 1);
  return { shown, other: groups.slice(most - 1).reduce((sum, group) => sum + group.amount, 0) };
}

export interface Progress {
  readonly reached: number;
  readonly goal: number;
  /** From 0 to 1. */
  readonly share: number;
}

/** How far a goal is reached. Without a goal, a yes/no field counts Yes against all, and others have nothing to reach. */
export function progressOf(groups: readonly Group[], field: Field, goal: number | undefined): Progress {
  const total = groups.reduce((sum, group) => sum + group.amount, 0);
  const reached = field.type === 'yesno' ? (groups.find((group) => group.value === true)?.amount ?? 0) : total;
  const to = goal ?? total;
  return { reached, goal: to, share: to <= 0 ? 0 : Math.max(0, Math.min(1, reached / to)) };
}

export interface Comparison {
  readonly direction: 'up' | 'down' | 'same';
  /** Change in percent, rounded, or `null` if it says nothing because there was nothing before. */
  readonly percent: number | null;
  readonly difference: number;
  readonly good: boolean | null;
}

/** How a figure has changed. `bad` is the direction that is bad news; without it neither is. */
export function compare(current: number | null, previous: number | null, bad: 'up' | 'down' | undefined): Comparison | null {
  if (current === null || previous === null) return null;
  const difference = current - previous;
  let direction: Comparison['direction'] = 'same';
  if (difference !== 0) direction = difference > 0 ? 'up' : 'down';
  return {
    direction,
    percent: previous === 0 ? null : Math.round((difference / Math.abs(previous)) * 100),
    difference,
    good: bad === undefined || direction === 'same' ? null : direction !== bad,
  };
}

/** “+12 %”, “−3 %”, or “no change”. An amount instead of a percentage if there was nothing before, or if `inAmounts`. */
export function changeText(
  { direction, percent, difference }: Comparison,
  show: (amount: number) => string,
  inAmounts = false,
): string {
  if (direction === 'same') return 'no change';
  const change = percent === null || inAmounts ? show(Math.abs(difference)) : `${Math.abs(percent)} %`;
  return `${direction === 'down' ? '−' : '+'}${change}`;
}

/** Round upper end of an axis, and its three or four equal steps from 0. */
export function axisTicks(largest: number): number[] {
  if (largest <= 0) return [0, 1];
  const rough = largest / 3;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 1.5, 2, 2.5, 5, 10].map((factor) => factor * magnitude).find((candidate) => candidate >= rough) ?? rough;
  const whole = largest >= 3 ? Math.max(1, step) : step;
  const count = Math.ceil(largest / whole);
  return Array.from({ length: count + 1 }, (_, i) => i * whole);
}

interface SentenceOptions {
  readonly period: Period | null;
  readonly show: (amount: number) => string;
}

/** “on Friday 20 November”, “in the week of 16 November” or “in November 2026”. */
function whenOf({ title, span }: Point): string {
  if (title.startsWith('Week')) return `in the w${title.slice(1)}`;
  return span.from === span.to ? `on ${title}` : `in ${title}`;
}

/** A line in one sentence: its total so far, its highest point, and how it compares. */
export function lineSentence(
  points: readonly Point[],
  total: number | null,
  before: number | null,
  { period, show }: SentenceOptions,
): string {
  const known = points.filter((point) => point.value !== null);
  const highest = known.reduce<Point | null>((best, point) => ((point.value ?? 0) > (best?.value ?? 0) ? point : best), null);
  const when = period === null ? '' : ` in ${period.name}`;
  if (highest === null) return `Nothing${when} so far.`;
  const parts = [`${show(total ?? 0)}${when}`, `most ${whenOf(highest)} with ${show(highest.value ?? 0)}`];
  const comparison = compare(total, before, undefined);
  if (period !== null && comparison !== null && comparison.percent !== null && comparison.percent !== 0) {
    parts.push(`${Math.abs(comparison.percent)} % ${comparison.percent > 0 ? 'more' : 'less'} than in ${period.previousName}`);
  }
  return `${parts.join(', ')}.`;
}

/** Groups in one sentence: the largest one, and its share if the amounts can be added. */
export function groupsSentence(groups: readonly Group[], adds: boolean, show: (amount: number) => string): string {
  const [first] = groups;
  if (first === undefined || first.amount === 0) return 'Nothing to show yet.';
  const total = groups.reduce((sum, group) => sum + group.amount, 0);
  const share = adds && groups.length > 1 ? `, ${Math.round((first.amount / total) * 100)} % of ${show(total)}` : '';
  return `${first.name} is the most with ${show(first.amount)}${share}.`;
}
