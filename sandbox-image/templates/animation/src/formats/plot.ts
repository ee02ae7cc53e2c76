import type { Point } from './curve.ts';

/**
 * A smooth curve through points with ascending x that rises and falls only where they do (Fritsch and Butland, 1984),
 * as `steps` points for each piece.
 */
export function monotoneCurve(points: readonly Point[], steps: number): Point[] {
  const slopes = points.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = points[index] as Point;
    return (y - fromY) / (x - fromX);
  });
  const tangents = points.map((_, index) => {
    const [before, after] = [slopes[index - 1], slopes[index]];
    if (before === undefined || after === undefined) return before ?? after ?? 0;
    // The harmonic mean never exceeds three times the smaller slope, so the curve stays between its points.
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  });
  const curve = points.slice(1).flatMap(([toX, toY], index) => {
    const [x, y] = points[index] as Point;
    const length = toX - x;
    return Array.from({ length: steps }, (_, step): Point => {
      const u = (step + 1) / steps;
      const value =
        y * (1 + 2 * u) * (1 - u) ** 2 +
        (tangents[index] ?? 0) * length * u * (1 - u) ** 2 +
        toY * u ** 2 * (3 - 2 * u) +
        (tangents[index + 1] ?? 0) * length * u ** 2 * (u - 1);
      return [x + length * u, value];
    });
  });
  return [points[0] as Point, ...curve];
}

/** The height of a curve at `x`. */
export function heightAt(curve: readonly Point[], x: number): number {
  const next = curve.findIndex(([pointX]) => pointX >= x);
  if (next <= 0) return (next === 0 ? curve[0] : curve.at(-1))?.[1] ?? 0;
  const [[fromX, fromY], [toX, toY]] = [curve[next - 1] as Point, curve[next] as Point];
  return fromY + ((toY - fromY) * (x - fromX)) / (toX - fromX);
}

/** Round values inside a range, about `count` of them. */
export function roundValues(low: number, high: number, count: number): number[] {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const distance = (factor: number) => Math.abs(Math.log((factor * power) / rough));
  const step = power * [1, 2, 2.5, 5, 10].reduce((best, factor) => (distance(factor) < distance(best) ? factor : best));
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** The points as the `d` of a path. */
export function curvePath(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
}
