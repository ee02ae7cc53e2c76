import { Cron } from 'croner';
import { KodaError } from '#contract/errors.ts';

/** The times of a schedule. All instants are in milliseconds since 1970. */
export interface Times {
  /** Returns the first time after an instant, or `null` if there is none. */
  next(afterMs: number): number | null;
  /** Returns the last time after one instant and not after another, or `null`. */
  last(afterMs: number, untilMs: number): number | null;
}

const minuteMs = 60_000;
/** Longer than any change of a zone's offset. */
const around = 36 * 3_600_000;

const problem = (message: string, field: 'cron' | 'timeZone') =>
  new KodaError('VALIDATION_ERROR', message, { details: { field, problems: [{ field, message }] } });

/**
 * Reads five cron fields. They are matched with the clock on the wall: a time that summer time skips is the next minute that
 * exists, and a time that comes twice is the first of the two. Throws VALIDATION_ERROR that names the field.
 */
export function timesOf({ cron, timeZone }: { cron: string; timeZone: string }, nowMs: number): Times {
  const clock = wallClock(timeZone);
  const pattern = patternOf(cron);
  const times: Times = {
    next(afterMs) {
      for (let wall = new Date(clock.wallOf(afterMs)); ; ) {
        const following = pattern.nextRun(wall);
        if (following === null) return null;
        const at = clock.instantOf(following.getTime());
        if (at > afterMs) return at;
        wall = following;
      }
    },
    last(afterMs, untilMs) {
      // Looks back in growing steps, because a schedule of each minute may have missed a year.
      for (let span = minuteMs; ; span *= 2) {
        const from = Math.max(afterMs, untilMs - span);
        let found: number | null = null;
        for (let at = times.next(from); at !== null && at <= untilMs; at = times.next(at)) found = at;
        if (found !== null || from === afterMs) return found;
      }
    },
  };
  if (times.next(nowMs) === null) throw problem(neverText(cron), 'cron');
  return times;
}

function patternOf(cron: string): Cron {
  const fields = cron.trim().split(/\s+/);
  if (fields.length > 5) throw problem('Once a minute at most.', 'cron');
  if (fields.length < 5 || !fields.every((field) => /^[0-9A-Za-z*,/#-]+$/.test(field)))
    throw problem('Write five fields: minute, hour, day, month and weekday, such as 0 17 * * *.', 'cron');
  try {
    // In UTC no time is skipped or repeated; the wall clock is applied afterwards.
    return new Cron(fields.join(' '), { timezone: 'UTC', mode: '5-part', paused: true });
  } catch {
    throw problem(`"${cron}" cannot be read. Write five fields such as 0 17 * * *.`, 'cron');
  }
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August'];
months.push('September', 'October', 'November', 'December');

function neverText(cron: string): string {
  const [, , day = '', month = ''] = cron.trim().split(/\s+/);
  const name = months.find(
    (full, index) => month === String(index + 1) || month.toLowerCase() === full.slice(0, 3).toLowerCase(),
  );
  if (name === undefined || !/^(?:30|31)$/.test(day)) return 'This never happens. Check the day and month.';
  return `${name} has no ${day === '31' ? '31st' : '30th'}.`;
}

/** Converts between instants and what a clock on the wall shows, both in milliseconds as if the wall were in UTC. */
function wallClock(timeZone: string) {
  let format: Intl.DateTimeFormat;
  try {
    if (!/^[A-Za-z]/.test(timeZone)) throw new RangeError('Only names of zones have summer time.');
    format = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
  } catch {
    throw problem(`There is no time zone "${timeZone}". Write one such as Europe/Berlin.`, 'timeZone');
  }
  const wallOf = (instantMs: number): number => {
    const parts = Object.fromEntries(format.formatToParts(instantMs).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  const offsetAt = (instantMs: number) => wallOf(instantMs) - Math.floor(instantMs / 1000) * 1000;
  const instantOf = (wallMs: number): number => {
    const before = wallMs - offsetAt(wallMs - around);
    const after = wallMs - offsetAt(wallMs + around);
    const [first, second] = before < after ? [before, after] : [after, before];
    if (wallOf(first) === wallMs) return first;
    if (wallOf(second) === wallMs) return second;
    // Skipped: the offset changes between the two.
    let [low, high] = [first, second];
    const old = offsetAt(first);
    while (high - low > minuteMs) {
      const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
      if (offsetAt(middle) === old) low = middle;
      else high = middle;
    }
    return high;
  };
  return { wallOf, instantOf };
}
