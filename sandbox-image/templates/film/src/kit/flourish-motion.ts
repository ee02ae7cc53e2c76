import { ease, easeInOutCubic, easeOutBack } from '../stage/easing.ts';
import { between, hash } from './random.ts';

/** Area of the frame. One unit is one per cent of the frame's height. */
interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const kinds = ['disc', 'plus', 'wave', 'triangle', 'ring', 'half'] as const;

export interface Piece {
  readonly kind: (typeof kinds)[number];
  readonly paint: 'color' | 'helper';
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly turn: number;
  readonly phase: number;
}

/** Positions in the margins in per cent of the frame. They look scattered but form a closed ring. */
const margins = [
  [9, 20],
  [92, 78],
  [78, 12],
  [22, 88],
  [6, 58],
  [95, 42],
  [31, 9],
  [66, 91],
  [14, 76],
  [88, 22],
  [52, 7],
  [46, 93],
] as const;

const clearance = 7;

/** Returns small shapes around an area, all at a distance from it. */
export function pieces(width: number, box: Area, seed: number): Piece[] {
  return margins.flatMap(([left, top], index): Piece[] => {
    const x = (left * width) / 100 + between(-2.5, 2.5, index, seed, 1);
    const y = top + between(-3, 3, index, seed, 2);
    const near =
      x > box.x - clearance && x < box.x + box.width + clearance && y > box.y - clearance && y < box.y + box.height + clearance;
    if (near) return [];
    return [
      {
        kind: kinds[index % kinds.length] ?? 'disc',
        paint: hash(index, seed, 3) < 0.55 ? 'color' : 'helper',
        x,
        y,
        size: between(1.9, 3.6, index, seed, 4),
        turn: between(-40, 40, index, seed, 5),
        phase: between(0, Math.PI * 2, index, seed, 6),
      },
    ];
  });
}

/** Returns an item's progress (0 to 1) from its `turn` when the whole row is at `progress`. */
function ofTurn(progress: number, turn: number): number {
  return Math.min(1, Math.max(0, progress * 1.7 - turn * 0.7));
}

/** Returns a piece's pose: it pops in on its turn, hovers, and flips on the beat. */
export function piecePose(
  { y, size, turn: rest, phase }: Piece,
  moment: { readonly grow: number; readonly beat: number; readonly seconds: number; readonly turn: number },
): { y: number; turn: number; scale: number } {
  const { grow, beat, seconds, turn } = moment;
  const flip = ofTurn(beat, turn);
  return {
    y: y + 1.1 * Math.sin(seconds * 1.3 + phase) - 2.4 * Math.sin(Math.PI * flip),
    turn: rest + 9 * Math.sin(seconds * 0.9 + phase * 1.7) + 180 * ease(easeInOutCubic, flip),
    scale: Math.max(0.0001, size * ease(easeOutBack, ofTurn(grow, turn))),
  };
}

export interface Ring {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Start of the arc's sway, in degrees. */
  readonly from: number;
}

const ringClearance = 4;

/** Returns rings around the corners of the frame, scaled down until they are clear of the text. */
export function fitRings(width: number, box: Area, rings: readonly Ring[]): Ring[] {
  const room = (ring: Ring): number => {
    const aside = ring.x === 0 ? box.x : width - (box.x + box.width);
    const away = ring.y === 0 ? box.y : 100 - (box.y + box.height);
    return Math.hypot(Math.max(0, aside), Math.max(0, away)) - ringClearance;
  };
  const scale = Math.min(1, ...rings.map((ring) => room(ring) / ring.radius));
  return rings.map((ring) => ({ ...ring, radius: ring.radius * Math.max(0.2, scale) }));
}

/** Amplitude of the arc's sway, in degrees. */
const ringSway = 13;

/**
 * Returns the start angle of a ring's arc, in degrees. A quarter of the ring is in the frame: the arc swings in, sways, and
 * swings again on the beat.
 */
export function ringAngle(
  middle: number,
  {
    index,
    seconds,
    grow,
    beat,
  }: { readonly index: number; readonly seconds: number; readonly grow: number; readonly beat: number },
): number {
  const way = index % 2 === 0 ? 1 : -1;
  return middle + way * (ringSway * Math.sin(seconds * 0.7 + index) - 60 * (1 - grow) + 11 * Math.sin(Math.PI * 2 * beat));
}

export function lineWave(left: number, y: number, length: number, seconds: number): string {
  const points = Array.from({ length: 25 }, (_, index) => {
    const x = index / 24;
    return `${(left + length * x).toFixed(3)} ${(y + 0.75 * Math.sin(x * Math.PI * 6 - seconds * 1.6)).toFixed(3)}`;
  });
  return `M${points.join('L')}`;
}

export interface Bead {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Speed to the right, in units per second. */
  readonly drift: number;
  readonly strength: number;
  readonly phase: number;
}

/** Returns out-of-focus lights across the frame. Larger ones are fainter. */
export function beads(width: number, seed: number): Bead[] {
  return Array.from({ length: 14 }, (_, index) => {
    const radius = between(1.2, 7.5, index, seed, 11);
    return {
      x: between(-4, width + 4, index, seed, 12),
      y: between(4, 96, index, seed, 13),
      radius,
      drift: between(-0.9, 0.9, index, seed, 14),
      strength: 0.42 - 0.035 * radius,
      phase: between(0, Math.PI * 2, index, seed, 15),
    };
  });
}
