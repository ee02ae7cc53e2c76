import { BufferAttribute, BufferGeometry } from 'three';
import { mix, rgb } from '../color.ts';
import { hash } from '../random.ts';

/** When a piece is visible: always, or in proportion to the weather or the hour. */
export type When = 'always' | 'clouds' | 'rain' | 'night' | 'day';
const whens: readonly When[] = ['always', 'clouds', 'rain', 'night', 'day'];

/** Settings for the pieces drawn next. The unit is the frame's height, and the floor line is y = 0. */
export interface Pen {
  /** 0 is where the cast stands, 1 is the horizon. Depth adds haze and reduces the motion relative to the camera. */
  readonly depth: number;
  readonly tint: string;
  /** Tint of the lower edge, if different. */
  readonly foot?: string;
  /** 0 for no lamp; higher values light the lamp later. */
  readonly glow?: number;
  readonly alpha?: number;
  readonly when?: When;
  /** Speed to the right and down, in frame heights per second. */
  readonly drift?: number;
  readonly fall?: number;
  /** Amplitude: `sway` of the piece's top in the wind, `swell` of its rise and fall on water. */
  readonly sway?: number;
  readonly swell?: number;
  /** Point that the motion is relative to, by default the piece's centre. Pieces with the same anchor stay together. */
  readonly anchor?: number;
  /** Heights between which it falls repeatedly. */
  readonly range?: readonly [low: number, high: number];
  /** Whether the whole piece swings, not only its top. */
  readonly stiff?: boolean;
}

type Point = readonly [x: number, y: number];

/** Collects flat pieces, from back to front, in one mesh. */
export interface Sketch {
  readonly half: number;
  /** Returns a pseudo-random number from 0 to 1 for each index and salt. */
  readonly chance: (index: number, salt: number) => number;
  readonly outline: (pen: Pen, points: readonly Point[]) => void;
  readonly box: (pen: Pen, x: number, y: number, width: number, height: number) => void;
  readonly disc: (pen: Pen, x: number, y: number, radiusX: number, radiusY?: number) => void;
  readonly land: (pen: Pen, height: (x: number) => number, bottom?: number) => void;
  readonly geometry: () => BufferGeometry;
}

const discCorners = 20;
const landSteps = 96;

/** Creates a sketch that extends `half` to either side. */
export function sketch(half: number, seed: number): Sketch {
  const [places, tints, infos, moves, anchors] = [[], [], [], [], []] as [number[], number[], number[], number[], number[]];
  const indices: number[] = [];

  const corner = (pen: Pen, [x, y]: Point, [anchorX, anchorY]: Point, share: number): number => {
    places.push(x, y, 0);
    tints.push(...rgb(pen.foot === undefined ? pen.tint : mix(pen.foot, pen.tint, share)));
    infos.push(pen.depth, pen.glow ?? 0, pen.alpha ?? 1, whens.indexOf(pen.when ?? 'always'));
    moves.push(pen.drift ?? 0, pen.fall ?? 0, (pen.sway ?? 0) * (pen.stiff === true ? 1 : share), pen.swell ?? 0);
    anchors.push(pen.anchor ?? anchorX, anchorY, ...(pen.range ?? [-0.3, 0.9]));
    return places.length / 3 - 1;
  };

  const outline = (pen: Pen, points: readonly Point[]): void => {
    const ys = points.map(([, y]) => y);
    const [low, high] = [Math.min(...ys), Math.max(...ys)];
    const middle: Point = [points.reduce((sum, [x]) => sum + x, 0) / points.length, low];
    const made = points.map((point) => corner(pen, point, middle, (point[1] - low) / Math.max(0.0001, high - low)));
    for (let i = 1; i + 1 < made.length; i += 1) indices.push(made[0] ?? 0, made[i] ?? 0, made[i + 1] ?? 0);
  };

  return {
    half,
    chance: (index, salt) => hash(index, seed, salt),
    outline,
    box: (pen, x, y, width, height) =>
      outline(pen, [
        [x, y],
        [x + width, y],
        [x + width, y + height],
        [x, y + height],
      ]),
    disc: (pen, x, y, radiusX, radiusY = radiusX) =>
      outline(
        pen,
        Array.from({ length: discCorners }, (_, i): Point => {
          const angle = (i / discCorners) * Math.PI * 2;
          return [x + Math.cos(angle) * radiusX, y + Math.sin(angle) * radiusY];
        }),
      ),
    land: (pen, height, bottom = -0.6) => {
      for (let i = 0; i <= landSteps; i += 1) {
        const x = -half + (2 * half * i) / landSteps;
        const top = corner(pen, [x, height(x)], [x, bottom], 1);
        corner({ ...pen, swell: 0 }, [x, bottom], [x, bottom], 0);
        if (i > 0) indices.push(top - 2, top - 1, top, top, top - 1, top + 1);
      }
    },
    geometry: () => {
      const made = new BufferGeometry();
      const attribute = (values: number[], size: number) => new BufferAttribute(new Float32Array(values), size);
      made.setAttribute('position', attribute(places, 3));
      made.setAttribute('tint', attribute(tints, 3));
      made.setAttribute('info', attribute(infos, 4));
      made.setAttribute('move', attribute(moves, 4));
      made.setAttribute('anchor', attribute(anchors, 4));
      made.setIndex(indices);
      return made;
    },
  };
}
