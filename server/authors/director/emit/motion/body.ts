import { type Frame, round } from '../frame.ts';
import { type KeyStop, stop } from '../keyframes.ts';
import type { Manner } from '../style.ts';
import type { SceneTiming } from '../timing.ts';

/** A body that is to move: how big it is, where it rests, and what room it has. */
export interface Body {
  readonly timing: SceneTiming;
  readonly manner: Manner;
  readonly playful: boolean;
  readonly frame: Frame;
  /** Half of its height and the radius it rolls on, in world units. */
  readonly halfHeight: number;
  readonly radius: number;
  /** Where it rests. */
  readonly x: number;
  readonly y: number;
  /** How far its foot can rise above the place where it rests before it leaves its part of the frame. */
  readonly headroom: number;
  /** How far it can move to either side within its part of the frame. */
  readonly sideroom: number;
  readonly stands: boolean;
  /** True for what is as flat as a sign: it does not turn its edge to the camera for long. */
  readonly flat: boolean;
  /** True for what turns like a wheel, in the plane that it shows. */
  readonly wheel: boolean;
  /** True for what rolls over its edges. */
  readonly square: boolean;
  /** True where nothing may stir that was not asked to. */
  readonly still: boolean;
  /** Siblings share the keyframes; then nobody wanders. */
  readonly alone: boolean;
  /** Others are in the scene: where it rests nobody else is. */
  readonly shared: boolean;
  /** How much of its size the very first frame of a film has. */
  readonly firstShare: number;
  /** Depth at which it rests; 0 unless it passes in front of others. */
  readonly lane: number;
  /** True for what turns as it goes along the floor. */
  readonly rolls: boolean;
  /** True for what stands on another thing, or in it: it does not leave it. */
  readonly anchored: boolean;
  /** How high above the floor it rests. */
  readonly aloft: number;
  /** The pose in which the scene before left it, or null when it enters. */
  readonly pose: Readonly<Record<string, number>> | null;
  /** When the exit of this body begins (siblings that follow have the rest of the time). */
  readonly exitAt: number;
}

export interface Touch {
  readonly time: number;
  readonly strength: number;
}

/** What a motion contributes; it takes part in the entrance and exit of the style unless it has its own. */
export interface MotionKeys {
  readonly comment: string;
  readonly x?: readonly KeyStop[];
  readonly y?: readonly KeyStop[];
  readonly z?: readonly KeyStop[];
  /** After the entrance, with 1 as the normal size. */
  readonly scale?: readonly KeyStop[];
  readonly squash?: readonly KeyStop[];
  readonly rotateX?: readonly KeyStop[];
  readonly rotateY?: readonly KeyStop[];
  readonly rotateZ?: readonly KeyStop[];
  /** Below 1 it shows what is behind it. */
  readonly opacity?: readonly KeyStop[];
  /** Light of its own, 0…1. */
  readonly glow?: readonly KeyStop[];
  /** When it hits the ground, and how hard (0…1). */
  readonly touches?: readonly Touch[];
  readonly ownEntrance?: boolean;
  readonly ownExit?: boolean;
}

/** A swing between two values that goes on until the end, closing on its resting value. */
export function sway(from: number, until: number, amplitude: number, halfPeriod: number): KeyStop[] {
  const swings = Math.max(2, Math.round((until - from) / halfPeriod));
  const step = (until - from) / swings;
  return [
    stop(round(from), 0),
    ...Array.from({ length: swings }, (_, index) => {
      const value = index === swings - 1 ? 0 : index % 2 === 0 ? amplitude : -amplitude;
      return stop(round(from + step * (index + 1)), round(value), 'swingOver');
    }),
  ];
}

/** When the entrance is over. */
export function enteredAt({ manner, timing }: Body): number {
  return manner.enterSeconds / Math.sqrt(timing.speed);
}
