import { z } from 'zod';
import type { Hints } from '#contract/project.ts';

const notAName = 'A time zone has a name such as Europe/Berlin, of at most 64 characters. Leave it out if you do not know it.';

export const timeZoneHintSchema = z.string(notAName).max(64, notAName);

const storedSchema = z.object({ timeZone: timeZoneHintSchema });

/**
 * Returns the person's time zone, which the browser sends with the first message. `null` if it is missing or this server does not
 * know it, as with a newer browser's zones.
 */
export function timeZoneIn(hints: Hints): string | null {
  const zone = storedSchema.safeParse(hints).data?.timeZone ?? '';
  // Schedules take no offsets such as +02:00, because these have no summer time.
  return /^[A-Za-z]/.test(zone) && isTimeZone(zone) ? zone : null;
}

export function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}
