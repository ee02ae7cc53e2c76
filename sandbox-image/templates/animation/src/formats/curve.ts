import type { Motion } from './motion.ts';

export type Point = readonly [x: number, y: number];

/** A smooth SVG path through the points (Catmull–Rom as cubic Béziers). */
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

/** The share of a line's length, 0 to 1, at which each of its points lies. */
export function sharesOf(points: readonly Point[]): number[] {
  let length = 0;
  const lengths = points.map(([x, y], index) => {
    const [fromX, fromY] = points[index - 1] ?? [x, y];
    length += Math.hypot(x - fromX, y - fromY);
    return length;
  });
  return lengths.map((value) => value / (length || 1));
}

/** When a line reaches each of `count` places, in seconds from the start of the scene, and the first one at `first`. */
export function arrivals(count: number, duration: number, first: number): (index: number) => number {
  const beat = Math.min(1.1, Math.max(0.2, (duration - 3) / count));
  return (index) => first + index * beat;
}

/** How much of a line is drawn that runs to one place after another, and after the last one to its end. */
export function drawnTo(shares: readonly number[], at: (index: number) => number, motion: Motion): number {
  const reached = shares.reduce(
    (sum, share, index) => sum + (share - (shares[index - 1] ?? 0)) * motion.draw(Math.max(0, at(index) - 0.5), 0.55),
    0,
  );
  return reached + (1 - (shares.at(-1) ?? 0)) * motion.draw(at(shares.length - 1) + 0.1, 0.7);
}
