import type { Film, FilmScene } from '../../../contract/film.ts';
import { beginsOutside } from '../programs.ts';
import { round } from './frame.ts';
import { isAmbient } from './layout/traits.ts';
import { manners } from './style.ts';

/**
 * How long before the cut a scene starts. What arrives from outside the frame is on its way while the scene
 * before leaves, so that the stage is not empty for long. What appears on the spot comes as the other is about
 * gone: two subjects in one place look like a mistake.
 */
const arrivingLeadSeconds = 0.25;
const appearingLeadSeconds = 0.05;
/** The last scene stands still at least this long before the film ends. */
export const finalHoldSeconds = 0.8;

/** The times of a scene, in seconds from the moment its code starts. */
export interface SceneTiming {
  /** Start on the film's time axis, and how long the scene is there. */
  readonly filmStartSeconds: number;
  readonly durationSeconds: number;
  /** How much earlier than planned the scene enters. */
  readonly leadSeconds: number;
  readonly first: boolean;
  /** The last scene stays; nothing follows it. */
  readonly last: boolean;
  /** When the exit begins; the last scene has none. */
  readonly exitAt: number;
  /** What has to be settled by then: the exit, or the final hold. */
  readonly settledBy: number;
  readonly speed: number;
}

/**
 * When the second beat of a scene falls: after everything has entered and while there is time to settle again. Null in
 * a scene that is too short for one. Words alone have it earlier than words that wait for a body to come to rest.
 */
export function beatAt({ durationSeconds, leadSeconds }: SceneTiming, alone: boolean): number | null {
  const own = durationSeconds - leadSeconds;
  return own < 3.6 ? null : round(leadSeconds + own * (alone ? 0.58 : 0.72));
}

/** Whether a scene goes on where the one before it ended: somebody of it is there already. */
export function goesOn(film: Film, scene: FilmScene): boolean {
  const before = film.scenes[film.scenes.indexOf(scene) - 1];
  if (before === undefined || before.source !== 'document' || scene.source !== 'document') return false;
  return scene.subjects.some(({ was }) => was !== undefined && before.subjects.some(({ id }) => id === was));
}

/** The scenes that go on from one another, this one among them. */
export function runOf(film: Film, scene: FilmScene): readonly FilmScene[] {
  const { scenes } = film;
  let [first, last] = [scenes.indexOf(scene), scenes.indexOf(scene)];
  for (let one = scenes[first]; one !== undefined && goesOn(film, one); one = scenes[first]) first -= 1;
  for (let next = scenes[last + 1]; next !== undefined && goesOn(film, next); next = scenes[last + 1]) last += 1;
  return scenes.slice(first, last + 1);
}

/** Where a scene begins and ends in its run, 0…1: what moves through all of it goes on at the cuts. */
export function shareOfRun(film: Film, scene: FilmScene): readonly [from: number, until: number] {
  const run = runOf(film, scene);
  const total = run.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  const before = run.slice(0, run.indexOf(scene)).reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
  return [before / total, (before + scene.durationSeconds) / total];
}

/** Whether all that has a place in this scene comes into the frame from outside. */
function arrives(scene: FilmScene): boolean {
  const bodies = scene.subjects.filter((subject) => !isAmbient(subject));
  return (
    bodies.length > 0 &&
    bodies.every(
      ({ motion }) => ['drop', 'roll', 'slide', 'fly'].includes(motion.type) || (motion.type === 'act' && beginsOutside(motion)),
    )
  );
}

export function timingOf(film: Film, scene: FilmScene): SceneTiming {
  const index = film.scenes.indexOf(scene);
  const before = film.scenes[index - 1];
  const overlap = before ? before.startSeconds + before.durationSeconds - scene.startSeconds : 0;
  const wanted = arrives(scene) ? arrivingLeadSeconds : appearingLeadSeconds;
  // What is only in code enters when its own keyframes say.
  const lead =
    before && scene.source === 'document' && !goesOn(film, scene) ? round(Math.max(0, wanted - Math.max(0, overlap))) : 0;
  const last = index === film.scenes.length - 1;
  const durationSeconds = round(scene.durationSeconds + lead);
  const exitAt = last ? durationSeconds : round(durationSeconds - manners[film.style].exitSeconds);
  return {
    filmStartSeconds: round(scene.startSeconds - lead),
    durationSeconds,
    leadSeconds: lead,
    first: index === 0,
    last,
    exitAt,
    settledBy: round(Math.max(0.6, last ? durationSeconds - finalHoldSeconds : exitAt - 0.3)),
    speed: scene.speed,
  };
}
