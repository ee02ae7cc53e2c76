import { formatExactSeconds } from '#contract/display.ts';
import type { Chip, PlanDraft, Section } from '#contract/project.ts';
import {
  type CodeScene,
  type Film,
  type FilmHints,
  type FilmOutline,
  type FilmScene,
  filmSchema,
  roundSeconds,
  type Scene,
  type Style,
  sceneIdOf,
} from './film.ts';

/** Converts between a film's document, its plan and its outline. Times are in seconds. */

/** Part of a plan that `filmOf` and `filmOutlineOf` need. */
type FilmPlan = Pick<PlanDraft, 'title' | 'sections' | 'caveat' | 'document'>;

const motionNotes: Readonly<Record<Style, string>> = {
  playful: 'Springs in with a little overshoot, holds while it is read, and leaves quickly.',
  smooth: 'Eases in softly, holds while it is read, and eases out.',
  cinematic: 'Comes in slowly with depth, holds while it is read, and fades into the next scene.',
};
const codeNotes = 'Defined by its code.';

export const isCode = (scene: FilmScene): scene is CodeScene => 'code' in scene;

const films = new WeakMap<object, Film | null>();
/** Outline of a stored film, whose scenes all have an id. */
interface StoredOutline extends FilmOutline {
  scenes: (Scene & { id: string })[];
}

const outlines = new WeakMap<object, StoredOutline | null>();

/** Returns a plan's film, the same object for the same plan, or `null` if the plan belongs to another kind of project. */
export function filmOf({ document }: Pick<PlanDraft, 'document'>): Film | null {
  const known = films.get(document);
  if (known !== undefined) return known;
  const film = filmSchema.safeParse(document).data ?? null;
  films.set(document, film);
  return film;
}

/** Returns the outline of a film's plan, the same object for the same plan, or `null` if the plan is not a film's. */
export function filmOutlineOf(plan: FilmPlan): StoredOutline | null {
  const known = outlines.get(plan);
  if (known !== undefined) return known;
  const film = filmOf(plan);
  const outline = film === null ? null : toOutline(film, plan);
  outlines.set(plan, outline);
  return outline;
}

/** Returns what a render of a film depends on, or `null` if the plan is not a film's. */
export function renderedFilmOf(plan: FilmPlan): (StoredOutline & { fixedParts: string[] }) | null {
  const film = filmOf(plan);
  const outline = filmOutlineOf(plan);
  if (film === null || outline === null) return null;
  // A format lays itself out in every aspect. Code is written for one.
  return { ...outline, fixedParts: film.scenes.flatMap((scene) => (isCode(scene) ? [scene.title] : [])) };
}

function toOutline(film: Film, { sections, caveat }: FilmPlan): StoredOutline {
  const { title, style, aspect, fps } = film;
  const scenes = film.scenes.map((scene, index) => ({
    id: scene.id,
    number: index + 1,
    title: sections[index]?.title ?? scene.id,
    description: sections[index]?.description ?? scene.id,
    startSeconds: sections[index]?.startSeconds ?? 0,
    durationSeconds: sections[index]?.durationSeconds ?? scene.seconds,
    animationNotes: isCode(scene) ? (scene.notes ?? codeNotes) : motionNotes[style],
  }));
  return { title, style, aspect, durationSeconds: lengthOf(film), fps, scenes, caveat };
}

/** Returns what a project shows of a film, or of the choices for one. */
export function chipsOf({ style, aspect }: Pick<FilmHints, 'style' | 'aspect'>): Chip[] {
  return [
    ...(style === null ? [] : [{ id: 'style', label: style, title: 'Style' }]),
    ...(aspect === null ? [] : [{ id: 'aspect', label: aspect, title: 'Aspect ratio' }]),
  ];
}

/** Returns a film's length. */
export function lengthOf({ scenes }: Pick<Film, 'scenes'>): number {
  return roundSeconds(scenes.reduce((sum, { seconds }) => sum + seconds, 0));
}

/** Returns a film's plan. `textOf` describes each scene for people. */
export function planOfFilm(
  film: Film,
  caveat: string | null,
  textOf: (scene: FilmScene) => { title: string; description: string },
): PlanDraft {
  const totalSeconds = lengthOf(film);
  let startSeconds = 0;
  const sections = film.scenes.map((scene): Section => {
    const overlapSeconds = isCode(scene) ? (scene.overlapSeconds ?? 0) : 0;
    const section = {
      id: scene.id,
      ...textOf(scene),
      startSeconds,
      // The last scene has no next scene to overlap.
      durationSeconds: roundSeconds(Math.min(scene.seconds + overlapSeconds, totalSeconds - startSeconds)),
    };
    startSeconds = roundSeconds(startSeconds + scene.seconds);
    return section;
  });
  const count = sections.length === 1 ? 'one scene' : `${sections.length} scenes`;
  const summary = `${formatExactSeconds(startSeconds)} in ${count}, ${film.style}, ${film.aspect}`;
  return { title: film.title, summary, sections, chips: chipsOf(film), caveat, document: { ...film } };
}

/** Returns the seconds from each scene's start to the next one's, excluding overlaps. At least 1 s each. */
export function lengthsOf({ scenes, durationSeconds }: Pick<FilmOutline, 'scenes' | 'durationSeconds'>): number[] {
  return scenes.map(({ startSeconds }, index) => {
    const end = scenes[index + 1]?.startSeconds ?? durationSeconds;
    return Math.max(1, roundSeconds(end - startSeconds));
  });
}

/** Returns the document for an outline from a language model or an earlier version. Every scene is a code scene. */
export function codeFilm(outline: FilmOutline, seed: number): Film {
  const lengths = lengthsOf(outline);
  return {
    version: 3,
    title: outline.title,
    style: outline.style,
    theme: 'studio',
    aspect: outline.aspect,
    fps: outline.fps,
    seed,
    language: 'en',
    colors: {},
    music: null,
    scenes: outline.scenes.map((scene, index) => codeScene(sceneIdOf(scene), scene, lengths[index] ?? scene.durationSeconds)),
  };
}

/** Returns the code scene for a scene of an outline. `seconds`: the time until the next scene starts. */
export function codeScene(
  id: string,
  {
    title,
    description,
    animationNotes,
    durationSeconds,
  }: Pick<Scene, 'title' | 'description'> & Partial<Pick<Scene, 'animationNotes' | 'durationSeconds'>>,
  seconds: number,
): CodeScene {
  const overlapSeconds = roundSeconds((durationSeconds ?? seconds) - seconds);
  return {
    id,
    seconds,
    title,
    description,
    code: true,
    ...(animationNotes === undefined || animationNotes === codeNotes ? {} : { notes: animationNotes }),
    ...(overlapSeconds > 0 ? { overlapSeconds } : {}),
  };
}
