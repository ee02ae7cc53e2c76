import {
  addDays,
  addMonths,
  addWeeks,
  differenceInCalendarDays,
  endOfMonth,
  format,
  parseISO,
  startOfMonth,
  startOfWeek,
} from 'date-fns';
import type { List, ViewOf } from '../../../model/document.ts';
import type { AppRecord, Values } from '../../../model/record.ts';

export type CalendarMode = 'day' | 'week' | 'month';
type CalendarView = ViewOf<'calendar'>;

/** A record with a place in time. */
export interface CalendarEvent {
  readonly record: AppRecord;
  /** First and last day, `yyyy-mm-dd`. */
  readonly date: string;
  readonly lastDate: string;
  /** Minutes after midnight, or `null` for the whole day. */
  readonly start: number | null;
  readonly end: number;
}

const minutesOfDay = 24 * 60;
/** Events begin and end on multiples of this many minutes when they are dragged. */
export const slotMinutes = 15;
const defaultMinutes = 60;

/** Minutes after midnight of `hh:mm`, or `null`. */
export function minutesOf(time: unknown): number | null {
  if (typeof time !== 'string') return null;
  const parts = /^(\d{2}):(\d{2})$/.exec(time);
  return parts === null ? null : Number(parts[1]) * 60 + Number(parts[2]);
}

/** `hh:mm` of minutes after midnight. */
export function timeOf(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
}

/** “9:00 – 10:30”. */
export function timeRange(event: Pick<CalendarEvent, 'start' | 'end'>): string {
  if (event.start === null) return 'All day';
  const short = (minutes: number) => timeOf(minutes).replace(/^0/, '');
  return `${short(event.start)} – ${short(event.end)}`;
}

export function isoOf(date: Date): string {
  return format(date, 'yyyy-MM-dd');
}

export function addDaysTo(iso: string, days: number): string {
  return isoOf(addDays(parseISO(iso), days));
}

const fieldTypeOf = (list: List, id: string | undefined) => list.fields.find((field) => field.id === id)?.type;

/** Where a record lies in time, or `null` if it has no date. */
export function eventOf(view: CalendarView, list: List, record: AppRecord): CalendarEvent | null {
  const date = record.values[view.start];
  if (typeof date !== 'string' || date === '') return null;
  const endValue = view.end === undefined ? null : record.values[view.end];
  const lastDate = fieldTypeOf(list, view.end) === 'date' && typeof endValue === 'string' && endValue > date ? endValue : date;
  const start = view.time === undefined ? null : minutesOf(record.values[view.time]);
  if (start === null || lastDate > date) return { record, date, lastDate, start: null, end: minutesOfDay };
  const length = view.minutes === undefined ? null : record.values[view.minutes];
  const until = minutesOf(endValue);
  let end = start + defaultMinutes;
  if (typeof length === 'number' && length > 0) end = start + length;
  else if (until !== null && until > start) end = until;
  return { record, date, lastDate, start, end: Math.min(end, minutesOfDay) };
}

/** Whether an event's length can be changed: its list has a field that holds it. */
export function isResizable(view: CalendarView, list: List): boolean {
  return view.minutes !== undefined || (view.time !== undefined && fieldTypeOf(list, view.end) === 'time');
}

/**
 * Values of a record that is to lie at a place in time. `start` is in minutes after midnight, or `null` for the whole day, which removes the time.
 * `length` is in minutes; without it the record keeps its length, or the number of its days.
 */
export function placedValues(
  view: CalendarView,
  list: List,
  event: CalendarEvent | null,
  place: { readonly date: string; readonly start: number | null; readonly length?: number },
): Values {
  const values: Record<string, string | number | null> = { [view.start]: place.date };
  if (view.time !== undefined) values[view.time] = place.start === null ? null : timeOf(place.start);
  const endType = fieldTypeOf(list, view.end);
  if (view.end !== undefined && endType === 'date' && event !== null && event.lastDate > event.date) {
    values[view.end] = addDaysTo(place.date, differenceInCalendarDays(parseISO(event.lastDate), parseISO(event.date)));
  }
  if (place.start === null) return values;
  if (view.minutes !== undefined && place.length !== undefined) values[view.minutes] = place.length;
  if (view.end !== undefined && endType === 'time') {
    const keeps = event === null || event.start === null ? defaultMinutes : event.end - event.start;
    values[view.end] = timeOf(Math.min(place.start + (place.length ?? keeps), minutesOfDay - 1));
  }
  return values;
}

const snapped = (minutes: number) => Math.round(minutes / slotMinutes) * slotMinutes;

/** Start of an event that is dragged by this many minutes and stays on its day. */
export function movedStart(start: number, byMinutes: number, length: number): number {
  return Math.max(0, Math.min(snapped(start + byMinutes), minutesOfDay - length));
}

/** Start and end of an event of which one edge is dragged. It keeps one slot at least. */
export function resized(
  event: { readonly start: number; readonly end: number },
  edge: 'start' | 'end',
  byMinutes: number,
): { readonly start: number; readonly end: number } {
  if (edge === 'start')
    return { start: Math.max(0, Math.min(snapped(event.start + byMinutes), event.end - slotMinutes)), end: event.end };
  return { start: event.start, end: Math.min(minutesOfDay, Math.max(snapped(event.end + byMinutes), event.start + slotMinutes)) };
}

/** From where to where a drag over empty time reaches. A click makes `defaultMinutes`. */
export function drawnRange(fromMinutes: number, toMinutes: number): { readonly start: number; readonly end: number } {
  const first = Math.floor(Math.min(fromMinutes, toMinutes) / slotMinutes) * slotMinutes;
  const last = Math.ceil(Math.max(fromMinutes, toMinutes) / slotMinutes) * slotMinutes;
  const start = Math.max(0, Math.min(first, minutesOfDay - slotMinutes));
  const end = last - first <= slotMinutes ? start + defaultMinutes : last;
  return { start, end: Math.min(end, minutesOfDay) };
}

export interface PlacedEvent {
  readonly event: CalendarEvent;
  /** Which part of the day's width it has, from 0, of `columns` equal ones. */
  readonly column: number;
  readonly columns: 1 | 2;
  /** Whether a button for hidden events stands beside it. */
  readonly crowded: boolean;
}

export interface DayLayout {
  readonly placed: readonly PlacedEvent[];
  /** Events that lie at the same time as two others, by the minutes at which they begin. */
  readonly more: readonly { readonly start: number; readonly events: readonly CalendarEvent[] }[];
}

/** Divides a day's width: two events at once share it, further ones are gathered behind a button. All events need a start. */
export function layoutDay(events: readonly CalendarEvent[]): DayLayout {
  const placed: PlacedEvent[] = [];
  const more: { start: number; events: CalendarEvent[] }[] = [];
  for (const cluster of overlapping(events)) {
    const ends = [0, 0];
    const shown: { event: CalendarEvent; column: number }[] = [];
    const hidden: CalendarEvent[] = [];
    for (const event of cluster) {
      const column = ends.findIndex((end) => end <= (event.start ?? 0));
      if (column < 0) hidden.push(event);
      else {
        ends[column] = event.end;
        shown.push({ event, column });
      }
    }
    const columns = shown.some((one) => one.column === 1) ? 2 : 1;
    for (const one of shown) placed.push({ ...one, columns, crowded: hidden.length > 0 });
    if (hidden[0] !== undefined) more.push({ start: hidden[0].start ?? 0, events: hidden });
  }
  return { placed, more };
}

/** Groups of events that hang together by overlaps, each in the order of their starts, longer ones first. */
function overlapping(events: readonly CalendarEvent[]): CalendarEvent[][] {
  const sorted = events.toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0) || b.end - a.end);
  const clusters: CalendarEvent[][] = [];
  let reaches = -1;
  for (const event of sorted) {
    if ((event.start ?? 0) >= reaches) clusters.push([]);
    clusters.at(-1)?.push(event);
    reaches = Math.max(reaches, event.end);
  }
  return clusters;
}

/** First and last hour to show: the view's hours, and those of events outside them. */
export function shownHours(hours: readonly [number, number], events: readonly CalendarEvent[]): readonly [number, number] {
  const timed = events.filter((event) => event.start !== null);
  const first = Math.min(hours[0], ...timed.map((event) => Math.floor((event.start ?? 0) / 60)));
  const last = Math.max(hours[1], ...timed.map((event) => Math.ceil(event.end / 60)));
  return [first, last];
}

/** Days that are shown, in order. A week begins on Monday and leaves out closed days at its edges on which nothing lies. */
export function daysOf(mode: CalendarMode, anchor: string, closed: readonly number[], taken: (iso: string) => boolean): string[] {
  if (mode === 'day') return [anchor];
  if (mode === 'month') return monthDays(anchor);
  const monday = startOfWeek(parseISO(anchor), { weekStartsOn: 1 });
  const days = Array.from({ length: 7 }, (_, i) => isoOf(addDays(monday, i)));
  const matters = days.map((day) => !closed.includes(parseISO(day).getDay()) || taken(day));
  const first = matters.indexOf(true);
  return first < 0 ? days : days.slice(first, matters.lastIndexOf(true) + 1);
}

/** Whether an event lies in the period of a day: in its month, or on one of the shown days. */
export function isWithin(event: CalendarEvent, mode: CalendarMode, anchor: string, days: readonly string[]): boolean {
  if (mode === 'month') return event.date.slice(0, 7) === anchor.slice(0, 7);
  return event.date <= (days.at(-1) ?? anchor) && event.lastDate >= (days[0] ?? anchor);
}

/** Six whole weeks at most, from the Monday on or before the first of the month. */
export function monthDays(anchor: string): string[] {
  const first = startOfWeek(startOfMonth(parseISO(anchor)), { weekStartsOn: 1 });
  const weeks = Math.ceil((differenceInCalendarDays(endOfMonth(parseISO(anchor)), first) + 1) / 7);
  return Array.from({ length: weeks * 7 }, (_, i) => isoOf(addDays(first, i)));
}

/** “23 – 28 November”, “30 November – 5 December”, “Wednesday 25 November” or “November 2026”. */
export function periodTitle(mode: CalendarMode, anchor: string, days: readonly string[]): string {
  if (mode === 'month') return format(parseISO(anchor), 'MMMM yyyy');
  if (mode === 'day') return format(parseISO(anchor), 'EEEE d MMMM');
  const from = parseISO(days[0] ?? anchor);
  const to = parseISO(days.at(-1) ?? anchor);
  const sameMonth = from.getMonth() === to.getMonth();
  return `${format(from, sameMonth ? 'd' : 'd MMMM')} – ${format(to, 'd MMMM')}`;
}

/** A day in the next or previous period. */
export function shifted(mode: CalendarMode, anchor: string, by: number): string {
  const day = parseISO(anchor);
  if (mode === 'day') return isoOf(addDays(day, by));
  return isoOf(mode === 'week' ? addWeeks(day, by) : addMonths(day, by));
}
