import { type Aspect, type FilmOutline, maxDurationSeconds, minSceneSeconds, type Scene, type Style } from '#contract/film.ts';
import { minStartGapSeconds } from '#contract/plan-rules.ts';
import { tidy } from '../time-text.ts';

/** A scene being edited. `key` identifies it when it moves. */
export interface EditScene extends Scene {
  readonly key: string;
}
/**
 * A plan being edited. Every operation below keeps the scenes numbered and without gaps, and the film as long as its scenes.
 */
export interface EditPlan extends Omit<FilmOutline, 'scenes'> {
  readonly scenes: readonly EditScene[];
}
export type SceneText = 'title' | 'description' | 'animationNotes';
type PlanSetting = { title: string } | { style: Style } | { aspect: Aspect } | { fps: FilmOutline['fps'] };

const maxScenes = 15;
/** Grid for lengths in seconds. Its steps are whole frames at 30 and 60 fps. */
export const gridSeconds = 0.1;
const newSceneSeconds = 2;
const maxTitleCharacters = 80;
/** Comfortable reading speed, as for subtitles. */
const readingCharactersPerSecond = 15;

const clamp = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/** Rounds to the nearest multiple of `stepSeconds`. */
export function snap(seconds: number, stepSeconds: number): number {
  return tidy(Math.round(seconds / stepSeconds) * stepSeconds);
}

export function editable(draft: FilmOutline): EditPlan {
  const { title, style, aspect, durationSeconds, fps, caveat } = draft;
  const scenes = draft.scenes.map((scene, index) => ({ ...scene, key: `s${index + 1}` }));
  return { title, style, aspect, durationSeconds, fps, scenes, caveat };
}

/** Converts the edited plan to the API's form. */
export function toDraft({ title, style, aspect, durationSeconds, fps, scenes, caveat }: EditPlan): FilmOutline {
  return {
    ...{ title, style, aspect, durationSeconds, fps },
    scenes: scenes.map((scene) => ({
      // A scene added here has no id yet.
      ...(scene.id === undefined ? {} : { id: scene.id }),
      number: scene.number,
      title: scene.title,
      startSeconds: scene.startSeconds,
      durationSeconds: scene.durationSeconds,
      description: scene.description,
      animationNotes: scene.animationNotes,
    })),
    caveat,
  };
}

/** Returns whether two plans are equal apart from their scenes' keys. */
export function samePlan(one: EditPlan, other: EditPlan): boolean {
  return one === other || JSON.stringify(toDraft(one)) === JSON.stringify(toDraft(other));
}

/** A scene and its overlap with the scenes before it. */
interface Piece {
  readonly scene: EditScene;
  readonly overlapSeconds: number;
}

function pieces({ scenes }: EditPlan): Piece[] {
  let covered = 0;
  return scenes.map((scene) => {
    const overlapSeconds = Math.max(0, tidy(covered - scene.startSeconds));
    covered = Math.max(covered, scene.startSeconds + scene.durationSeconds);
    return { scene, overlapSeconds };
  });
}

/** Places the scenes in sequence and keeps their overlaps where they fit. */
function laidOut(plan: EditPlan, list: readonly Piece[]): EditPlan {
  let covered = 0;
  let before = 0;
  const scenes = list.map(({ scene, overlapSeconds }, index) => {
    const earliest = index === 0 ? 0 : before + minStartGapSeconds;
    const startSeconds = tidy(clamp(covered - overlapSeconds, earliest, covered));
    // Lengths are rounded too, so that sums of equal lengths are equal.
    const durationSeconds = tidy(scene.durationSeconds);
    before = startSeconds;
    covered = tidy(Math.max(covered, startSeconds + durationSeconds));
    return { ...scene, number: index + 1, startSeconds, durationSeconds };
  });
  return { ...plan, scenes, durationSeconds: covered };
}

function spareSeconds(plan: EditPlan): number {
  return tidy(maxDurationSeconds - laidOut(plan, pieces(plan)).durationSeconds);
}

function withDurations(plan: EditPlan, durations: ReadonlyMap<number, number>): EditPlan {
  const changed = pieces(plan).map((piece, index) => {
    const durationSeconds = durations.get(index);
    return durationSeconds === undefined ? piece : { ...piece, scene: { ...piece.scene, durationSeconds } };
  });
  return laidOut(plan, changed);
}

interface LengthOptions {
  /** Keeps the film's length by changing the neighbouring scene. Otherwise, all later scenes move. */
  readonly holdTotal: boolean;
}

/** Sets a scene's length, limited to the allowed range. */
export function setDuration(plan: EditPlan, index: number, seconds: number, { holdTotal }: LengthOptions): EditPlan {
  const scene = plan.scenes[index];
  if (scene === undefined || !Number.isFinite(seconds)) return plan;
  const now = scene.durationSeconds;
  if (!holdTotal) {
    const longest = Math.max(minSceneSeconds, tidy(now) + spareSeconds(plan));
    const next = tidy(clamp(seconds, minSceneSeconds, longest));
    return next === now ? plan : withDurations(plan, new Map([[index, next]]));
  }
  const besideIndex = index + 1 < plan.scenes.length ? index + 1 : index - 1;
  const beside = plan.scenes[besideIndex];
  if (beside === undefined) return plan;
  const spare = Math.max(0, beside.durationSeconds - minSceneSeconds);
  const next = tidy(clamp(seconds, Math.min(now, minSceneSeconds), now + spare));
  if (next === now) return plan;
  return withDurations(
    plan,
    new Map([
      [index, next],
      [besideIndex, tidy(beside.durationSeconds + now - next)],
    ]),
  );
}

/** Makes a scene one step longer or shorter, snapped to the step. */
export function nudge(
  plan: EditPlan,
  index: number,
  { direction, stepSeconds, ...options }: LengthOptions & { direction: 1 | -1; stepSeconds: number },
): EditPlan {
  const now = plan.scenes[index]?.durationSeconds;
  return now === undefined ? plan : setDuration(plan, index, snap(now + direction * stepSeconds, stepSeconds), options);
}

/** Sets the film's length by scaling every scene, none below the minimum. */
export function setTotal(plan: EditPlan, seconds: number): EditPlan {
  if (!Number.isFinite(seconds) || seconds === plan.durationSeconds) return plan;
  const wanted = tidy(clamp(seconds, minSceneSeconds, maxDurationSeconds));
  const factor = wanted / plan.durationSeconds;
  const scaled = laidOut(
    plan,
    pieces(plan).map(({ scene, overlapSeconds }) => ({
      scene: { ...scene, durationSeconds: Math.max(minSceneSeconds, snap(scene.durationSeconds * factor, gridSeconds)) },
      overlapSeconds: tidy(overlapSeconds * factor),
    })),
  );
  // The longest scenes absorb the rounding, because it is least visible there.
  const byLength = scaled.scenes.map((scene, index) => ({ index, length: scene.durationSeconds }));
  return byLength
    .sort((one, other) => other.length - one.length)
    .reduce((film, { index }) => {
      const left = wanted - film.durationSeconds;
      const length = film.scenes[index]?.durationSeconds ?? 0;
      return Math.abs(left) < 1e-6 ? film : setDuration(film, index, length + left, { holdTotal: false });
    }, scaled);
}

export function setPlan(plan: EditPlan, change: PlanSetting): EditPlan {
  const next = { ...plan, ...change };
  return samePlan(plan, next) ? plan : next;
}

export function setSceneText(plan: EditPlan, index: number, change: Partial<Record<SceneText, string>>): EditPlan {
  const next = { ...plan, scenes: plan.scenes.map((scene, at) => (at === index ? { ...scene, ...change } : scene)) };
  return samePlan(plan, next) ? plan : next;
}

export function moveScene(plan: EditPlan, from: number, to: number): EditPlan {
  const list = pieces(plan);
  const place = clamp(to, 0, list.length - 1);
  const [moved] = list.splice(from, 1);
  if (moved === undefined || place === from) return plan;
  list.splice(place, 0, moved);
  return laidOut(plan, list);
}

/** Returns why no scene can be added, or `null` if one can. */
export function addRefusal(plan: EditPlan): 'scenes' | 'length' | null {
  if (plan.scenes.length >= maxScenes) return 'scenes';
  return spareSeconds(plan) < minSceneSeconds ? 'length' : null;
}

function inserted(plan: EditPlan, index: number, scene: Omit<EditScene, 'key' | 'number' | 'startSeconds'>): EditPlan {
  if (addRefusal(plan) !== null) return plan;
  const taken = plan.scenes.map(({ key }) => Number(key.slice(1)));
  const durationSeconds = Math.min(scene.durationSeconds, spareSeconds(plan));
  const added: EditScene = { ...scene, durationSeconds, key: `s${Math.max(0, ...taken) + 1}`, number: 0, startSeconds: 0 };
  const list = pieces(plan);
  list.splice(index, 0, { scene: added, overlapSeconds: 0 });
  return laidOut(plan, list);
}

/** Adds a scene with these texts after the one at `index`; -1 adds it at the start. */
export function addScene(plan: EditPlan, index: number, words: Record<SceneText, string>): EditPlan {
  return inserted(plan, index + 1, { ...words, durationSeconds: newSceneSeconds });
}

/** The built-in author shows a description in curly quotes word for word. */
const quote = (text: string): string => `“${text.replaceAll(/[“”]/gu, '"')}”`;

/** Adds a scene at the end that shows a text, for as long as it takes to read. */
export function addQuotedScene(plan: EditPlan, text: string): EditPlan {
  const durationSeconds = Math.max(newSceneSeconds, snap(1 + text.length / readingCharactersPerSecond, gridSeconds));
  return inserted(plan, plan.scenes.length, {
    ...{ title: text.slice(0, maxTitleCharacters), description: quote(text), durationSeconds },
    animationNotes: 'Comes in, holds, leaves.',
  });
}

/** Returns whether a scene was added for a text. */
export const isQuoted = ({ scenes }: EditPlan, text: string): boolean =>
  scenes.some(({ description }) => description.includes(quote(text).slice(1, -1)));

export function duplicateScene(plan: EditPlan, index: number, titleOf: (title: string) => string): EditPlan {
  const scene = plan.scenes[index];
  if (scene === undefined) return plan;
  const { description, animationNotes, durationSeconds } = scene;
  return inserted(plan, index + 1, { title: titleOf(scene.title), description, animationNotes, durationSeconds });
}

export function deleteScene(plan: EditPlan, index: number): EditPlan {
  if (plan.scenes.length <= 1 || plan.scenes[index] === undefined) return plan;
  return laidOut(plan, pieces(plan).toSpliced(index, 1));
}

/**
 * Returns the new index of a scene dragged by this many seconds to the right (left if negative). It moves past each scene
 * whose middle its leading edge has crossed.
 */
export function placeAt({ scenes }: EditPlan, from: number, movedSeconds: number): number {
  const dragged = scenes[from];
  if (dragged === undefined) return from;
  const start = dragged.startSeconds + movedSeconds;
  const end = start + dragged.durationSeconds;
  return scenes.filter((scene, index) => {
    const middle = scene.startSeconds + scene.durationSeconds / 2;
    return index !== from && (index < from ? middle < start : middle < end);
  }).length;
}
