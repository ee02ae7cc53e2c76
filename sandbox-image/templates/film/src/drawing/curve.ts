import type { Motion } from './motion.ts';

export type Point = readonly [x: number, y: number];

export function straightPath(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`;
}

export function smoothPath(points: readonly Point[]): string {
  const at = (index: number): Point => points[Math.min(points.length - 1, Math.max(0, index))] ?? [0, 0];
  const start = at(0);
  const curves = points.slice(1).map((to, index) => {
    const [before, from, after] = [at(index - 1), at(index), at(index + 2)];
    const first = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6];
    const second = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6];
    return `C${[...first, ...second, ...to].map((value) => value.toFixed(1)).join(' ')}`;
  });
  return `M${start[0].toFixed(1)} ${start[1].toFixed(1)}${curves.join('')}`;
}

/**
 * Returns a smooth curve through points with ascending x that rises and falls only where they do (Fritsch and Butland, 1984),
 * with `steps` points per piece.
 */
export function monotoneCurve(points: readonly Point[], steps: number): Point[] {
  const slopes = points.slice(1).map(([x, y], index) => {
    const [fromX, fromY] = points[index] as Point;
    return (y - fromY) / (x - fromX);
  });
  const tangents = points.map((_, index) => {
    const [before, after] = [slopes[index - 1], slopes[index]];
    if (before === undefined || after === undefined) return before ?? after ?? 0;
    // The harmonic mean never exceeds three times the smaller slope, so the curve does not overshoot its points.
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

export function heightAt(curve: readonly Point[], x: number): number {
  const next = curve.findIndex(([pointX]) => pointX >= x);
  if (next <= 0) return (next === 0 ? curve[0] : curve.at(-1))?.[1] ?? 0;
  const [[fromX, fromY], [toX, toY]] = [curve[next - 1] as Point, curve[next] as Point];
  return fromY + ((toY - fromY) * (x - fromX)) / (toX - fromX);
}

/** Returns the fraction of a line's length (0 to 1) at each of its points. */
export function sharesOf(points: readonly Point[]): number[] {
  let length = 0;
  const lengths = points.map(([x, y], index) => {
    const [fromX, fromY] = points[index - 1] ?? [x, y];
    length += Math.hypot(x - fromX, y - fromY);
    return length;
  });
  return lengths.map((value) => value / (length || 1));
}

/**
 * Returns the times at which a line reaches each of `count` points, in seconds from the start of the scene. It reaches the
 * first one at `first`.
 */
export function arrivals(count: number, duration: number, first: number): (index: number) => number {
  const beat = Math.min(1.1, Math.max(0.2, (duration - 3) / count));
  return (index) => first + index * beat;
}

/** Returns the drawn fraction of a line that runs to each point in turn, then to its end. */
export function drawnTo(shares: readonly number[], at: (index: number) => number, motion: Motion): number {
  const reached = shares.reduce(
    (sum, share, index) => sum + (share - (shares[index - 1] ?? 0)) * motion.draw(Math.max(0, at(index) - 0.5), 0.55),
    0,
  );
  return reached + (1 - (shares.at(-1) ?? 0)) * motion.draw(at(shares.length - 1) + 0.1, 0.7);
}
