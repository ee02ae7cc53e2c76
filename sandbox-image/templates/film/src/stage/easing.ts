/**
 * Easing as data. A curve is one or more cubic Bézier pieces over the unit square, as Theatre.js plays them between two
 * keyframes. A curve with several pieces becomes several keyframes.
 */
export type Bezier = readonly [x1: number, y1: number, x2: number, y2: number];

export interface EasePiece {
  readonly until: number;
  readonly value: number;
  /** Control points within the piece's unit square. */
  readonly bezier: Bezier;
}

export type Ease = readonly EasePiece[] | 'hold';

/** Returns a custom curve from the four numbers in CSS `cubic-bezier()`. */
export function bezier(x1: number, y1: number, x2: number, y2: number): Ease {
  return [{ until: 1, value: 1, bezier: [x1, y1, x2, y2] }];
}

/**
 * Returns an exact Bézier for a polynomial piece of degree 3 or lower. With x at 1/3 and 2/3 the curve's parameter is time,
 * and the slopes (value per unit of time) give the y control points.
 */
export function hermiteBezier(lengthX: number, deltaY: number, slopeStart: number, slopeEnd: number): Bezier {
  if (deltaY === 0) return [1 / 3, 0, 2 / 3, 1];
  return [1 / 3, (slopeStart * lengthX) / (3 * deltaY), 2 / 3, 1 - (slopeEnd * lengthX) / (3 * deltaY)];
}

/** Converts a smooth function with f(0) = 0 and f(1) = 1 into pieces that match its value and slope at the knots. */
export function bake(f: (x: number) => number, knots: readonly number[]): Ease {
  const h = 1e-5;
  // Uses one-sided differences at the ends, because a function that is forced to end at 1 may jump there.
  const slope = (x: number) => {
    if (x === 0) return f(h) / h;
    return x === 1 ? (f(1 - h) - f(1 - 2 * h)) / h : (f(x + h) - f(x - h)) / (2 * h);
  };
  const ends = [...knots, 1];
  return ends.map((until, index) => {
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0);
    const value = until === 1 ? 1 : f(until);
    const from = start === 0 ? 0 : f(start);
    return { until, value, bezier: hermiteBezier(until - start, value - from, slope(start), slope(until)) };
  });
}

export const hold: Ease = 'hold';
export const linear = bezier(1 / 3, 1 / 3, 2 / 3, 2 / 3);

/** Free fall from rest: s = t². Exact. */
export const fall = bezier(1 / 3, 0, 2 / 3, 1 / 3);
/** A throw up to its highest point: s = 1 − (1 − t)². Exact. */
export const rise = bezier(1 / 3, 2 / 3, 2 / 3, 1);
export const swingOver = bezier(0.3642, 0, 0.6358, 1);

export const easeInCubic = bezier(1 / 3, 0, 2 / 3, 0);
export const easeOutCubic = bezier(1 / 3, 1, 2 / 3, 1);
export const easeInOutCubic: Ease = [
  { until: 0.5, value: 0.5, bezier: [1 / 3, 0, 2 / 3, 0] },
  { until: 1, value: 1, bezier: [1 / 3, 1, 2 / 3, 1] },
];
export const easeOutQuint = bezier(0.22, 1, 0.36, 1);
export const easeInQuint = bezier(0.64, 0, 0.78, 0);
export const easeInOutQuart = bezier(0.76, 0, 0.24, 1);
export const easeOutQuart = bezier(0.25, 1, 0.5, 1);
export const easeInQuart = bezier(0.5, 0, 0.75, 0);

/** Overshoots by 10 % (c = 1.70158, Penner). A cubic, so exact. */
export const easeOutBack = bezier(1 / 3, (3 * 2.70158 - 2 * 1.70158) / 3, 2 / 3, 1);
/** Moves back by 10 % before it starts. */
export const easeInBack = bezier(1 / 3, 0, 2 / 3, 1 - (3 * 2.70158 - 2 * 1.70158) / 3);
/** Overshoots by about 3 % (c = 0.8). */
export const easeOutSoftBack = bezier(1 / 3, (3 * 1.8 - 2 * 0.8) / 3, 2 / 3, 1);

/** Penner's elastic, 2^(−10x)·sin((10x − 0.75)·2π/3) + 1, adjusted to end at exactly 1. */
export function elasticOut(x: number): number {
  if (x <= 0) return 0;
  return x >= 1 ? 1 : 2 ** (-10 * x) * Math.sin((x * 10 - 0.75) * ((2 * Math.PI) / 3)) + 1;
}
/** Knots at every crossing of 1 and at the extremes between them, so eight keyframes reproduce the whole oscillation. */
export const easeOutElastic = bake(elasticOut, [0.075, 0.135, 0.225, 0.285, 0.375, 0.435, 0.525, 0.585, 0.7]);

/** Returns a Bézier piece's value at x, by Newton's method, or by bisection where the slope is flat. */
export function solveBezier([x1, y1, x2, y2]: Bezier, x: number): number {
  const curve = (a: number, b: number, s: number) => 3 * a * s * (1 - s) ** 2 + 3 * b * s ** 2 * (1 - s) + s ** 3;
  let low = 0;
  let high = 1;
  let s = x;
  for (let step = 0; step < 60; step += 1) {
    const error = curve(x1, x2, s) - x;
    if (Math.abs(error) < 1e-9) break;
    if (error > 0) high = s;
    else low = s;
    s = (low + high) / 2;
  }
  return curve(y1, y2, s);
}

/** Returns an ease's value at x (0 to 1), for motion that is computed instead of keyframed. */
export function ease(curve: Ease, x: number): number {
  if (curve === 'hold') return x >= 1 ? 1 : 0;
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  let startX = 0;
  let startY = 0;
  for (const piece of curve) {
    if (x <= piece.until) {
      return startY + (piece.value - startY) * solveBezier(piece.bezier, (x - startX) / (piece.until - startX));
    }
    startX = piece.until;
    startY = piece.value;
  }
  return 1;
}
