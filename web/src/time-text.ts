/** Units as people write them, in seconds; frames depend on the film. */
const units: ReadonlyMap<string, number> = new Map([
  ['', 1],
  ['s', 1],
  ['sec', 1],
  ['second', 1],
  ['seconds', 1],
  ['ms', 0.001],
  ['min', 60],
]);
const frameUnits = new Set(['f', 'fr', 'frame', 'frames']);

/**
 * A time as people who make films write it, in seconds: `2.5`, `2,5 s`, `800 ms`, `1.5 min`, `1:07.5`, and, where the
 * film's rate is known, `45f` and the timecode `00:01:12`. Null for anything else. `fps` in frames per second.
 */
export function parseTime(text: string, fps: number | null): number | null {
  const match = /^(?<clock>(?:\d{1,3}:){0,2})(?<number>\d{1,6}(?:[.,]\d{1,6})?)\s*(?<unit>[a-z]*)$/i.exec(text.trim());
  if (!match?.groups) return null;
  const { clock = '', number = '', unit = '' } = match.groups;
  const value = Number(number.replace(',', '.'));
  const fields = clock.split(':').slice(0, -1).map(Number);
  if (fields.length === 2) return timecode(fields, value, unit, fps);
  if (frameUnits.has(unit.toLowerCase()))
    return fps === null || fields.length > 0 || !Number.isInteger(value) ? null : value / fps;
  const unitSeconds = units.get(unit.toLowerCase());
  if (unitSeconds === undefined) return null;
  const [minutes] = fields;
  if (minutes === undefined) return tidy(value * unitSeconds);
  // After a clock time, `min` is redundant.
  return value >= 60 || unitSeconds === 0.001 ? null : tidy(minutes * 60 + value);
}

/** Minutes, seconds and frames. */
function timecode(fields: readonly number[], frames: number, unit: string, fps: number | null): number | null {
  const [minutes = 0, seconds = 0] = fields;
  if (fps === null || unit !== '' || seconds >= 60 || frames >= fps || !Number.isInteger(frames)) return null;
  return minutes * 60 + seconds + frames / fps;
}

/** Seconds rounded to the microsecond, without floating-point error. */
export const tidy = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
