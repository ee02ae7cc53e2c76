import type { Point } from './curve.ts';

export type ShapeName = 'ball' | 'cube' | 'cone' | 'circle' | 'square' | 'triangle' | 'star' | 'heart' | 'hexagon' | 'ring';

/** Outline as distances from the centre in `outlineSteps` directions, clockwise from the top. */
export interface Outline {
  readonly radii: readonly number[];
  readonly hole: number;
}

/** Divisible by the number of corners of every shape, so that no corner is cut off. */
export const outlineSteps = 120;

const directions = Array.from({ length: outlineSteps }, (_, index): Point => {
  const angle = (index / outlineSteps) * 2 * Math.PI - Math.PI / 2;
  return [Math.cos(angle), Math.sin(angle)];
});

const polar = (degrees: number, radius: number): Point => [
  Math.sin((degrees / 180) * Math.PI) * radius,
  -Math.cos((degrees / 180) * Math.PI) * radius,
];

const corners = (count: number, radius: (index: number) => number, turn = 0): Point[] =>
  Array.from({ length: count }, (_, index) => polar(turn + (index * 360) / count, radius(index)));

/** Returns the distance at which a ray from the centre meets a polygon's edge. */
function reach([x, y]: Point, polygon: readonly Point[]): number {
  let farthest = 0;
  polygon.forEach(([fromX, fromY], index) => {
    const [toX, toY] = polygon[(index + 1) % polygon.length] as Point;
    const [edgeX, edgeY] = [toX - fromX, toY - fromY];
    const across = x * edgeY - y * edgeX;
    if (Math.abs(across) < 1e-9) return;
    const distance = (fromX * edgeY - fromY * edgeX) / across;
    const share = (fromX * y - fromY * x) / across;
    if (distance > 0 && share >= -1e-6 && share <= 1 + 1e-6) farthest = Math.max(farthest, distance);
  });
  return farthest;
}

const heart = Array.from({ length: 180 }, (_, index): Point => {
  const t = (index / 180) * 2 * Math.PI;
  return [Math.sin(t) ** 3, -(13 * Math.cos(t) - 5 * Math.cos(2 * t) - 2 * Math.cos(3 * t) - Math.cos(4 * t)) / 16 - 0.1];
});

/** Shapes have equal areas, so a triangle extends further than a circle. */
function fromPolygon(polygon: readonly Point[]): Outline {
  const radii = directions.map((direction) => reach(direction, polygon));
  const area = radii.reduce((sum, radius, index) => sum + radius * (radii[(index + 1) % outlineSteps] ?? 0), 0) / outlineSteps;
  const scale = Math.min(0.96 / Math.sqrt(area), 1.32 / Math.max(...radii));
  return { radii: radii.map((radius) => radius * scale), hole: 0 };
}

const circle: Outline = { radii: directions.map(() => 1), hole: 0 };
const square = fromPolygon(corners(4, () => 1, 45));
const triangle = fromPolygon(corners(3, () => 1));

export const outlines: Readonly<Record<ShapeName, Outline>> = {
  ball: circle,
  cube: square,
  cone: triangle,
  circle,
  square,
  triangle,
  star: fromPolygon(corners(10, (index) => (index % 2 === 0 ? 1 : 0.52))),
  heart: fromPolygon(heart),
  hexagon: fromPolygon(corners(6, () => 1)),
  ring: { radii: circle.radii, hole: 0.56 },
};

export function blend(from: Outline, to: Outline, share: number): Outline {
  return {
    radii: from.radii.map((radius, index) => radius + ((to.radii[index] ?? radius) - radius) * share),
    hole: from.hole + (to.hole - from.hole) * share,
  };
}

/** Returns the points of an outline at a size, rotated by `degrees`. */
export function outlinePoints({ radii }: Outline, size: number, degrees = 0): Point[] {
  const [cos, sin] = [Math.cos((degrees / 180) * Math.PI), Math.sin((degrees / 180) * Math.PI)];
  return radii.map((radius, index) => {
    const [x, y] = directions[index] as Point;
    return [(x * cos - y * sin) * radius * size, (x * sin + y * cos) * radius * size];
  });
}

/** Returns an outline's corners, e.g. a square's four points. */
export function turningPoints(points: readonly Point[]): Point[] {
  return points.filter(([x, y], index) => {
    const [fromX, fromY] = points.at(index - 1) as Point;
    const [toX, toY] = points[(index + 1) % points.length] as Point;
    const [inX, inY, outX, outY] = [x - fromX, y - fromY, toX - x, toY - y];
    return Math.abs(inX * outY - inY * outX) > 1e-3 * Math.hypot(inX, inY) * Math.hypot(outX, outY);
  });
}
