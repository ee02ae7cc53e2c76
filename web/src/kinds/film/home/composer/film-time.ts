import type { Film, FormatScene } from '#kinds/film/contract/film.ts';
import type { Reading } from '#kinds/film/contract/reading.ts';
import type { StillFilm } from '../../stills/scene-still.tsx';

/** A reading's film, of which every scene has a format. */
export interface SeenFilm {
  readonly film: Film;
  readonly still: StillFilm;
  readonly scenes: readonly SeenScene[];
  readonly seconds: number;
}

export interface SeenScene {
  readonly scene: FormatScene;
  readonly number: number;
  /** Position of its first word. */
  readonly at: number;
  readonly others: Reading['scenes'][number]['others'];
}

/**
 * Returns what the strip needs of a reading, or `null` if it has no film. Parts that equal those of the film before are the same
 * objects, so that only scenes that change are drawn again.
 */
export function seenFilmOf(reading: Reading | null, before: SeenFilm | null = null): SeenFilm | null {
  if (reading === null || reading.film === null || reading.palette === null) return null;
  const { film, palette, icons } = reading;
  const { style, theme, aspect, seed, language } = film;
  const scenes = film.scenes.flatMap((scene, index): SeenScene[] => {
    if (!('format' in scene)) return [];
    const own = reading.scenes.find(({ id }) => id === scene.id);
    const same = before?.scenes.find((seen) => seen.scene.id === scene.id)?.scene;
    return [{ scene: sameAs(same, scene), number: index + 1, at: own?.at ?? 0, others: own?.others ?? [] }];
  });
  const seconds = film.scenes.reduce((sum, scene) => sum + scene.seconds, 0);
  const still = sameAs(before?.still, { style, theme, aspect, seed, language, palette, icons });
  return { film, still, scenes, seconds };
}

/** Returns the value before if it is equal. */
function sameAs<Value>(before: Value | undefined, value: Value): Value {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(value) ? before : value;
}

export const secondsText = (seconds: number): string => `${Number(seconds.toFixed(1))} s`;

/** Says how many scenes there are and how long they last. `isChosen`: the text or the user sets the length. */
export function filmText(scenes: number, seconds: number, isChosen: boolean): string {
  return `${scenes === 1 ? '1 scene' : `${scenes} scenes`}, ${isChosen ? '' : 'about '}${isChosen ? secondsText(seconds) : `${Math.round(seconds)} s`}`;
}
