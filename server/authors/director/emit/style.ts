import type { Style } from '../../../contract/film.ts';
import type { EaseName } from './keyframes.ts';

/** How a style moves (requirement A3). Times are seconds. */
export interface Manner {
  readonly enterSeconds: number;
  readonly exitSeconds: number;
  readonly staggerSeconds: number;
  readonly enterEase: EaseName;
  readonly exitEase: EaseName;
  readonly moveEase: EaseName;
  /** What a body does against its move before it starts, as a share of the move. */
  readonly anticipation: number;
  /** Height of a body in the middle of an impact, 1 = unchanged. */
  readonly impactSquash: number;
  /** Speed that is left after a bounce; heights keep its square. */
  readonly restitution: number;
  /** Seconds from the highest point to the ground at the height that fits the frame. */
  readonly fallSeconds: number;
  /** How long an impact keeps the ground. */
  readonly contactSeconds: number;
  /** Amplitude of the idle hover, as a share of the body's size. */
  readonly idle: number;
}

export const manners: Readonly<Record<Style, Manner>> = {
  playful: {
    enterSeconds: 0.55,
    exitSeconds: 0.3,
    staggerSeconds: 0.07,
    enterEase: 'easeOutBack',
    exitEase: 'easeInBack',
    moveEase: 'easeOutBack',
    anticipation: 0.12,
    impactSquash: 0.74,
    restitution: 0.8,
    fallSeconds: 0.52,
    contactSeconds: 0.07,
    idle: 0.1,
  },
  smooth: {
    enterSeconds: 0.8,
    exitSeconds: 0.45,
    staggerSeconds: 0.06,
    enterEase: 'easeOutQuint',
    exitEase: 'easeInCubic',
    moveEase: 'easeInOutCubic',
    anticipation: 0,
    impactSquash: 0.88,
    restitution: 0.72,
    fallSeconds: 0.66,
    contactSeconds: 0.06,
    idle: 0.07,
  },
  cinematic: {
    enterSeconds: 1,
    exitSeconds: 0.5,
    staggerSeconds: 0.08,
    enterEase: 'easeOutQuart',
    exitEase: 'easeInQuart',
    moveEase: 'easeInOutQuart',
    anticipation: 0,
    impactSquash: 0.9,
    restitution: 0.7,
    fallSeconds: 0.72,
    contactSeconds: 0.05,
    idle: 0.05,
  },
};
