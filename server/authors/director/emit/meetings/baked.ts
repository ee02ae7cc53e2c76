import { round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';

/**
 * Keyframes of a sampled value, joined by straight lines, which nowhere differ from the samples by more than `tolerance`
 * (Ramer–Douglas–Peucker). A value that does not move has none.
 */
export function bakedStops(
  values: readonly number[],
  {
    startSeconds,
    perSecond,
    tolerance,
  }: { readonly startSeconds: number; readonly perSecond: number; readonly tolerance: number },
): KeyStop[] {
  const kept = new Set([0, values.length - 1]);
  const spans: [number, number][] = [[0, values.length - 1]];
  for (let span = spans.pop(); span !== undefined; span = spans.pop()) {
    const [from, to] = span;
    const [first, last] = [values[from] ?? 0, values[to] ?? 0];
    let [farthest, distance] = [from, tolerance];
    for (let index = from + 1; index < to; index += 1) {
      const expected = first + ((last - first) * (index - from)) / (to - from);
      const off = Math.abs((values[index] ?? 0) - expected);
      if (off > distance) [farthest, distance] = [index, off];
    }
    if (farthest === from) continue;
    kept.add(farthest);
    spans.push([from, farthest], [farthest, to]);
  }
  const stops = [...kept]
    .sort((one, other) => one - other)
    .map((index) => stop(round(startSeconds + index / perSecond), round(values[index] ?? 0), 'linear'));
  return stops.some(({ value }) => value !== stops[0]?.value) ? stops : [];
}
