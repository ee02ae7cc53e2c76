/** User-facing spellings of time units, mapped to seconds. Frames are omitted because their duration depends on the film. */
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
 * Parses a time as film makers write it and returns seconds: `2.5`, `2,5 s`, `800 ms`, `1.5 min`, `1:07.5`. With a frame
 * rate, it also reads `45f` and the timecode `00:01:12`. Returns `null` for anything else. `fps` in frames per second.
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
  // After a clock time, the unit `min` is redundant.
  return value >= 60 || unitSeconds === 0.001 ? null : tidy(minutes * 60 + value);
}

function timecode(fields: readonly number[], frames: number, unit: string, fps: number | null): number | null {
  const [minutes = 0, seconds = 0] = fields;
  if (fps === null || unit !== '' || seconds >= 60 || frames >= fps || !Number.isInteger(frames)) return null;
  return minutes * 60 + seconds + frames / fps;
}

/** Rounds seconds to the microsecond to remove floating-point errors. */
export const tidy = (seconds: number): number => Math.round(seconds * 1e6) / 1e6;
