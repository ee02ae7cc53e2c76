import type { Schedule, ScheduleRun } from '#contract/schedules.ts';

interface Result {
  readonly text: string;
  readonly tone: 'ok' | 'warn' | 'bad' | 'neutral';
}

const underWay = { fetching: 'Reading the table', rendering: 'Rendering', delivering: 'Delivering' } as const;

/** Returns a run's result in a few words. `isSent`: the schedule delivers its videos somewhere. */
export function resultOf({ state, cause, counts, deliveries }: ScheduleRun, isSent: boolean): Result {
  const attempts = Math.max(0, ...deliveries.map((delivery) => delivery.attempts));
  const done = isSent ? 'delivered' : 'made';
  switch (state) {
    case 'complete':
      if (cause === 'catch_up') return { text: 'Caught up', tone: 'warn' };
      return { text: attempts > 1 ? `Delivered at attempt ${attempts}` : sentence(done), tone: 'ok' };
    case 'partly':
      return { text: `${counts.delivered} of ${counts.total} ${done}`, tone: 'bad' };
    case 'failed':
      return { text: 'Failed', tone: 'bad' };
    case 'missed':
      return { text: 'Missed', tone: 'warn' };
    default:
      return { text: `${underWay[state]}…`, tone: 'neutral' };
  }
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const dayMs = 86_400_000;

/** Returns the day as `YYYY-MM-DD` in a time zone. */
export function dayOf(at: string | number, timeZone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(new Date(at));
}

export function clockOf(at: string | number, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' }).format(new Date(at));
}

/** Returns a time as “Today, 17:00”, “Tomorrow, 16:00” or “Mon 30 Nov, 07:00”. */
export function timeText(at: string, timeZone: string, nowMs: number): string {
  const day = dayOf(at, timeZone);
  const near = [
    ['Today', 0],
    ['Tomorrow', dayMs],
    ['Yesterday', -dayMs],
  ] as const;
  const named = near.find(([, offset]) => dayOf(nowMs + offset, timeZone) === day);
  const date = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', day: 'numeric', month: 'short' });
  return `${named?.[0] ?? date.format(new Date(at)).replace(',', '')}, ${clockOf(at, timeZone)}`;
}

/** Returns a time zone's place, for example “New York time”. */
export function placeOf(timeZone: string): string {
  return `${timeZone.slice(timeZone.lastIndexOf('/') + 1).replaceAll('_', ' ')} time`;
}

export interface Day {
  readonly key: string;
  readonly label: string;
  readonly items: readonly { readonly at: string; readonly schedule: Schedule }[];
}

/** Returns the next seven days in a time zone, with what runs on each. */
export function weekOf(schedules: readonly Schedule[], timeZone: string, nowMs: number): Day[] {
  const label = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', day: 'numeric' });
  const all = schedules
    .flatMap((schedule) => schedule.upcoming.map((at) => ({ at, schedule })))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return Array.from({ length: 7 }, (_, index) => {
    const at = nowMs + index * dayMs;
    const key = dayOf(at, timeZone);
    const name = label.format(new Date(at)).replace(',', '');
    return { key, label: index === 0 ? `Today, ${name}` : name, items: all.filter((item) => dayOf(item.at, timeZone) === key) };
  });
}

export const rhythms = { day: 'Every day', week: 'Every week', month: 'Every month', other: 'Other' } as const;
export type Rhythm = keyof typeof rhythms;

/** Returns which of the usual rhythms cron fields have. */
export function rhythmOf(cron: string): Rhythm {
  const [minute = '', hour = '', day = '', month, weekday = ''] = cron.trim().split(/\s+/);
  if (!/^\d{1,2}$/.test(minute) || !/^\d{1,2}$/.test(hour) || month !== '*') return 'other';
  if (weekday === '*' && day === '*') return 'day';
  if (day === '*') return /^[0-6]$/.test(weekday) ? 'week' : 'other';
  return weekday === '*' && /^(?:\d{1,2}|L)$/.test(day) ? 'month' : 'other';
}
