import { texts } from '../texts.ts';

/** `in 23 h`, `in 12 min`; `untilIso` as the server gives it, `nowMs` as of `Date.now()`. */
export function timeLeft(untilIso: string, nowMs: number): string {
  const minutes = Math.floor((Date.parse(untilIso) - nowMs) / 60_000);
  if (!(minutes >= 1)) return texts.home.soon;
  return minutes < 60 ? texts.home.minutes(minutes) : texts.home.hours(Math.floor(minutes / 60));
}
