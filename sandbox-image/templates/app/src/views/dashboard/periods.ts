import {
  addDays,
  addMonths,
  differenceInCalendarDays,
  endOfMonth,
  format,
  getDaysInMonth,
  min,
  parseISO,
  startOfMonth,
  startOfWeek,
  startOfYear,
  subYears,
} from 'date-fns';
import type { AppRecord } from '../../../model/record.ts';

export const periodIds = ['week', 'month', 'quarter', 'year'] as const;
export type PeriodId = (typeof periodIds)[number];
export const periodNames: Readonly<Record<PeriodId, string>> = {
  week: '7 days',
  month: 'This month',
  quarter: '3 months',
  year: 'Year',
};

/** A span of days, both included, as `yyyy-mm-dd`. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

export interface Period {
  readonly id: PeriodId;
  /** The whole period, which may end after today. */
  readonly whole: Span;
  /** Its days until today. */
  readonly current: Span;
  /** The period before, and its part of the same length as `current`, with which figures are compared. */
  readonly previousWhole: Span;
  readonly previous: Span;
  /** “November”, and “October”, so that “on October” and “than in October” can be said. */
  readonly name: string;
  readonly previousName: string;
}

const iso = (date: Date) => format(date, 'yyyy-MM-dd');

function sameDayBefore(today: Date, months: number): Date {
  const month = addMonths(startOfMonth(today), -months);
  return addDays(month, Math.min(today.getDate(), getDaysInMonth(month)) - 1);
}

/** The period that contains today, and the one before. */
export function periodOf(id: PeriodId, todayIso: string): Period {
  const today = parseISO(todayIso);
  if (id === 'week') {
    const whole = { from: iso(addDays(today, -6)), to: todayIso };
    const previous = { from: iso(addDays(today, -13)), to: iso(addDays(today, -7)) };
    return {
      id,
      whole,
      current: whole,
      previous,
      previousWhole: previous,
      name: 'the last 7 days',
      previousName: 'the 7 days before',
    };
  }
  if (id === 'year') {
    const from = startOfYear(today);
    const previousFrom = subYears(from, 1);
    return {
      id,
      whole: { from: iso(from), to: iso(addDays(addMonths(from, 12), -1)) },
      current: { from: iso(from), to: todayIso },
      previousWhole: { from: iso(previousFrom), to: iso(addDays(from, -1)) },
      previous: { from: iso(previousFrom), to: iso(sameDayBefore(today, 12)) },
      name: format(from, 'yyyy'),
      previousName: format(previousFrom, 'yyyy'),
    };
  }
  const months = id === 'month' ? 1 : 3;
  const from = addMonths(startOfMonth(today), 1 - months);
  const previousFrom = addMonths(from, -months);
  const spanName = (first: Date) => {
    const last = addMonths(first, months - 1);
    return months === 1 ? format(first, 'MMMM') : `${format(first, 'MMMM')} to ${format(last, 'MMMM')}`;
  };
  return {
    id,
    whole: { from: iso(from), to: iso(endOfMonth(today)) },
    current: { from: iso(from), to: todayIso },
    previousWhole: { from: iso(previousFrom), to: iso(addDays(from, -1)) },
    previous: { from: iso(previousFrom), to: iso(sameDayBefore(today, months)) },
    name: spanName(from),
    previousName: spanName(previousFrom),
  };
}

/** “1 – 25 November 2026”. */
export function spanText({ from, to }: Span): string {
  const first = parseISO(from);
  const last = parseISO(to);
  if (from === to) return format(last, 'd MMMM yyyy');
  const sameYear = first.getFullYear() === last.getFullYear();
  let start = 'd MMMM yyyy';
  if (sameYear) start = first.getMonth() === last.getMonth() ? 'd' : 'd MMMM';
  return `${format(first, start)} – ${format(last, 'd MMMM yyyy')}`;
}

export function isIn(span: Span, day: unknown): boolean {
  return typeof day === 'string' && day >= span.from && day <= span.to;
}

export type Step = 'day' | 'week' | 'month';

/** Equal parts of a span in order, each by its first day within the span. */
export function bucketsOf(span: Span, step: Step): Span[] {
  const buckets: Span[] = [];
  let from = parseISO(span.from);
  const last = parseISO(span.to);
  while (from <= last) {
    const to = addDays(nextStart(from, step), -1);
    buckets.push({ from: iso(from), to: iso(min([to, last])) });
    from = addDays(to, 1);
  }
  return buckets;
}

function nextStart(day: Date, step: Step): Date {
  if (step === 'day') return addDays(day, 1);
  if (step === 'week') return addDays(startOfWeek(day, { weekStartsOn: 1 }), 7);
  return addMonths(startOfMonth(day), 1);
}

/** Step in which a span of this length is readable, unless the view names one. */
export function stepFor(span: Span): Step {
  const days = differenceInCalendarDays(parseISO(span.to), parseISO(span.from)) + 1;
  if (days <= 45) return 'day';
  return days <= 120 ? 'week' : 'month';
}

/** “1 Nov”, or “Nov” for months. */
export function bucketLabel(bucket: Span, step: Step): string {
  return format(parseISO(bucket.from), step === 'month' ? 'MMM' : 'd MMM');
}

/** “Friday 20 November”, “Week of 16 November” or “November 2026”. */
export function bucketTitle(bucket: Span, step: Step): string {
  const day = parseISO(bucket.from);
  if (step === 'day') return format(day, 'EEEE d MMMM');
  return step === 'week' ? `Week of ${format(day, 'd MMMM')}` : format(day, 'MMMM yyyy');
}

/** Returns the shortest of month and year in which a record has its date, or `all`. */
export function firstPeriod(records: readonly AppRecord[], field: string, todayIso: string): PeriodId | 'all' {
  const dates = records.flatMap(({ values }) => {
    const date = values[field];
    return typeof date === 'string' ? [date] : [];
  });
  const found = (['month', 'year'] as const).find((id) => dates.some((date) => isIn(periodOf(id, todayIso).current, date)));
  return found ?? 'all';
}
