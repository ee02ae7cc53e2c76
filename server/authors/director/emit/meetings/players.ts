import type { Subject } from '../../../../contract/film.ts';
import { programOf, type Swing } from '../../programs.ts';
import { type Frame, round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import type { SubjectPlace } from '../layout/places.ts';
import { drawnShare, isFlat, verticalRatio } from '../layout/traits.ts';
import type { Touch } from '../motion/body.ts';
import type { Manner } from '../style.ts';

/** One body that takes part in a meeting, in world units. */
export interface Player {
  /** Its centre at rest: what its channels count from. */
  readonly place: readonly [x: number, y: number, z: number];
  readonly radius: number;
  readonly halfHeight: number;
  /** True for what rolls. */
  readonly round: boolean;
  /** True for what shows its face to the camera. */
  readonly flat: boolean;
}

/** When and where a meeting takes place. */
export interface Setting {
  readonly start: number;
  /** Everything has come to rest by then. */
  readonly until: number;
  readonly frame: Frame;
  readonly manner: Manner;
  readonly playful: boolean;
  /** 1 = as designed. */
  readonly speed: number;
  /** Who was not in the scene before, and may come in from anywhere. */
  readonly fresh: boolean;
  /** How who goes where it goes. */
  readonly gait: Gait;
  /** The program that whom runs from the contact on. */
  readonly effect: string | null;
  /** Where whom is brought. */
  readonly to: readonly Player[] | null;
}

export type Gait = 'walk' | 'roll' | 'slide' | 'air';

/** How somebody goes who does this by itself. */
export function gaitOf({ motion }: Subject): Gait {
  if (motion.type === 'act') return programOf(motion.program).air ? 'air' : 'walk';
  if (motion.type === 'roll' || motion.type === 'slide') return motion.type;
  return motion.type === 'fly' || motion.type === 'float' ? 'air' : 'walk';
}

export type Moves = Readonly<Partial<Record<Swing['channel'], readonly KeyStop[]>>>;

/** What one body does in a meeting, and when it lands or is hit. */
export interface Part {
  readonly moves: Moves;
  readonly touches: readonly Touch[];
}

/** A meeting as it is played; `who` and `whom` in the order of their bodies. */
export interface Meeting {
  readonly comment: string;
  readonly who: readonly Part[];
  readonly whom: readonly Part[];
}

/** The bodies of a subject. */
export function playersOf({ subject, places, radius, stands }: SubjectPlace): Player[] {
  const flat = isFlat(subject);
  const isRound =
    subject.kind === 'ball' || (subject.kind === 'shape' && (subject.shape === 'circle' || subject.shape === 'ring'));
  const { wide, high } = drawnShare(subject);
  const halfHeight = radius * verticalRatio(subject);
  // A low drawing that stands has its middle below that of its square.
  const sunk = stands ? halfHeight * (1 - high) : 0;
  return places.map(([x, y, z]) => ({
    place: [x, round(y - sunk), z] as const,
    radius: radius * wide,
    halfHeight: halfHeight * high,
    round: isRound,
    flat,
  }));
}

/** Degrees that a round body turns while it rolls this far to the right. */
export function rolled(distance: number, { radius }: Player): number {
  return round((-distance / radius) * (180 / Math.PI), 1);
}

/** A body that is pressed for a moment at `time`. */
export function pressed(time: number, strength: number, { manner }: Setting): KeyStop[] {
  const depth = (1 - manner.impactSquash) * strength;
  return [
    stop(round(time - 0.02), 1, 'linear'),
    stop(round(time + 0.05), round(1 - depth), 'easeOutCubic', 'is hit'),
    stop(round(time + 0.2), round(1 + depth * 0.35), 'easeInOutCubic'),
    stop(round(time + 0.36), 1, 'easeInOutCubic'),
  ];
}
