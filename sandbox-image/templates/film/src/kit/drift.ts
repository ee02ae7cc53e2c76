import type { SceneDefinition } from '../stage/film-definition.ts';

/** Returns the elapsed seconds for the backdrop's drifting shapes. They pause in a static scene. */
export function driftSeconds(
  film: { readonly scenes: readonly Pick<SceneDefinition, 'still' | 'startSeconds' | 'durationSeconds'>[] },
  seconds: number,
): number {
  return film.scenes.reduce((passed, { still, startSeconds, durationSeconds }) => {
    const stood = Math.min(Math.max(0, seconds - startSeconds), durationSeconds);
    return still === true ? passed - stood : passed;
  }, seconds);
}
