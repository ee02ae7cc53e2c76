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
