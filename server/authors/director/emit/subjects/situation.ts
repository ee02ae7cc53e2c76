import type { Film, FilmScene, Subject } from '../../../../contract/film.ts';
import { number, objectLiteral } from '../code.ts';
import { type Frame, round } from '../frame.ts';
import { type KeyChannels, type KeyStop, stop } from '../keyframes.ts';
import type { SceneLayout, SubjectPlace, TextPlace } from '../layout/places.ts';
import type { Role } from '../meetings/meet.ts';
import { colorParameter, readCode } from '../scene-parameters.ts';
import { manners } from '../style.ts';
import type { SceneTiming } from '../timing.ts';

export interface Situation {
  readonly film: Film;
  readonly scene: FilmScene;
  readonly frame: Frame;
  readonly layout: SceneLayout;
  readonly timing: SceneTiming;
  /** What subjects do to each other, by id. */
  readonly roles: ReadonlyMap<string, Role>;
  /** How those ended who were in the scene before, by their id in this one. */
  readonly endings: ReadonlyMap<string, Ending>;
  /** Ids of those who go on in the scene after. */
  readonly staying: ReadonlySet<string>;
}

/** How a subject ended a scene. */
export interface Ending {
  /** Its bodies where they were then, in world units. */
  readonly places: SubjectPlace['places'];
  /** Of its size. */
  readonly scale: number;
  /** Values of the channels that it still has: turns, squash, opacity, glow. */
  readonly pose: Readonly<Record<string, number>>;
  /** Out of the frame, or nothing is left of it. */
  readonly gone: boolean;
}

export const vector = (place: readonly [number, number, number]) => `[${place.map(number).join(', ')}]`;

export const ambientEase = 'easeInOutCubic';

/** A value that comes in with the scene and leaves with it. */
export function presence(situation: Situation, inSeconds: number): KeyStop[] {
  const { timing } = situation;
  const stops = [stop(0, timing.first ? 0.5 : 0), stop(round(inSeconds), 1, 'easeOutCubic')];
  if (!timing.last)
    stops.push(stop(round(timing.durationSeconds - 0.4), 1, 'linear'), stop(timing.durationSeconds, 0, ambientEase));
  return stops;
}

/** A count or a bar that rises to its value while the scene is young enough to be read afterwards. */
export function countUp(situation: Situation): { from: number; until: number } {
  const { timing, film } = situation;
  const from = timing.first ? 0.15 : round(timing.leadSeconds + 0.15);
  const until = Math.min(timing.settledBy, from + { playful: 1.5, smooth: 2, cinematic: 2.4 }[film.style] / timing.speed);
  return { from, until: round(Math.max(until, from + 0.4)) };
}

/** Panels wait until the scene before has left, then come and go by opacity. */
function panelOpacity(situation: Situation): KeyStop[] {
  const { timing, film } = situation;
  const entering = timing.first
    ? [stop(0, 1)]
    : [stop(round(timing.leadSeconds * 0.6), 0), stop(round(timing.leadSeconds + 0.3), 1, 'easeOutCubic')];
  if (timing.last) return timing.first ? [] : entering;
  return [
    ...entering,
    stop(timing.exitAt, 1, 'linear'),
    stop(round(timing.exitAt + manners[film.style].exitSeconds), 0, 'easeInCubic', 'exit'),
  ];
}

export function panelChannels(base: Record<string, readonly KeyStop[] | number>, situation: Situation): KeyChannels {
  const opacity = panelOpacity(situation);
  return opacity.length > 0 ? { ...base, opacity } : base;
}

export const attribute = (name: string, code: string) => [name, code] as const;

/** The value of a `color` attribute. */
export const colorCode = (subject: Subject) => `{${readCode(colorParameter(subject))}}`;

export function boxCode(box: TextPlace['box']): string {
  return objectLiteral(Object.entries(box).map(([key, value]) => [key, number(value)] as const));
}
