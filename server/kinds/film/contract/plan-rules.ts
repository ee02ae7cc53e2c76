import { formatExactSeconds } from '#contract/display.ts';
import { type Film, type FilmOutline, filmOutlineSchema, minSceneSeconds, type Scene } from './film.ts';
import { filmOutlineOf, planOfFilm } from './outline.ts';

/** Films shorter than this may have 7 scenes, all others 15. */
const longFilmSeconds = 30;
/** Minimum time between the starts of two scenes, which is also the smallest scene length in the document. */
export const minStartGapSeconds = 1;
/** Tolerance for rounded decimals, in seconds. Smaller gaps are ignored. */
const tolerance = 0.01;

export interface PlanIssue {
  /** Index of the scene in the plan, from 0. `null` if the issue concerns the whole plan. */
  readonly sceneIndex: number | null;
  /** Field of the scene or of the plan to correct. Empty if the draft is not a plan at all. */
  readonly field: keyof Scene | keyof FilmOutline | '';
  /** Explains to the plan's author what is wrong and how to correct it. */
  readonly reason: string;
}

/**
 * Checks a plan from a model or user. Returns one sentence per violation, including how to correct it.
 */
export function validatePlan(draft: unknown): string[] {
  return planIssues(draft).map(({ reason }) => reason);
}

/** Applies the rules of `validatePlan` and also returns where each violation is. */
export function planIssues(draft: unknown): PlanIssue[] {
  const parsed = filmOutlineSchema.safeParse(draft);
  if (!parsed.success) return parsed.error.issues.map(shapeIssue);
  const outline = parsed.data;
  return [
    ...sceneCountIssues(outline),
    ...outline.scenes.flatMap((_, index) => sceneIssues(outline, index)),
    ...coverageIssues(outline),
  ];
}

/** Returns what is wrong with a film's lengths and number of scenes, one sentence each. */
export function lengthProblems(film: Film): string[] {
  const plan = planOfFilm(film, null, ({ id, title = id }) => ({ title, description: id }));
  return validatePlan(filmOutlineOf(plan));
}

function shapeIssue({ path, message }: { path: readonly PropertyKey[]; message: string }): PlanIssue {
  const [top, index, field] = path;
  const isOfScene = top === 'scenes' && typeof index === 'number';
  return {
    sceneIndex: isOfScene ? index : null,
    field: ((isOfScene ? field : top) ?? '') as PlanIssue['field'],
    reason: `${path.join('.') || 'plan'}: ${message}`,
  };
}

export function maxScenesIn(durationSeconds: number): number {
  return durationSeconds < longFilmSeconds ? 7 : 15;
}

function sceneCountIssues({ durationSeconds, scenes }: FilmOutline): PlanIssue[] {
  const max = maxScenesIn(durationSeconds);
  if (scenes.length <= max) return [];
  const reason = `${scenes.length} scenes are too many for ${formatExactSeconds(durationSeconds)}: merge scenes until there are at most ${max}${max === 7 ? `, or make the film ${longFilmSeconds} s or longer` : ''}.`;
  return [{ sceneIndex: null, field: 'scenes', reason }];
}

function sceneIssues({ durationSeconds, scenes }: FilmOutline, sceneIndex: number): PlanIssue[] {
  const scene = scenes[sceneIndex];
  if (scene === undefined) return [];
  const name = `Scene ${scene.number} (“${scene.title}”)`;
  const issues: PlanIssue[] = [];
  const add = (field: PlanIssue['field'], reason: string) => issues.push({ sceneIndex, field, reason: `${name} ${reason}` });
  if (scene.number !== sceneIndex + 1) add('number', `is at position ${sceneIndex + 1}: number the scenes 1, 2, 3 … in order.`);
  if (scene.durationSeconds < minSceneSeconds - tolerance)
    add(
      'durationSeconds',
      `lasts ${formatExactSeconds(scene.durationSeconds)}: give it at least ${minSceneSeconds} s for its entrance, hold and exit.`,
    );
  if (scene.startSeconds + scene.durationSeconds > durationSeconds + tolerance)
    add(
      'durationSeconds',
      `ends at ${formatExactSeconds(scene.startSeconds + scene.durationSeconds)}, after the film (${formatExactSeconds(durationSeconds)}): shorten it, start it earlier, or make the film longer.`,
    );
  const before = scenes[sceneIndex - 1];
  if (before !== undefined && scene.startSeconds < before.startSeconds)
    add('startSeconds', `starts before scene ${before.number}: sort the scenes by start time.`);
  else if (before !== undefined && scene.startSeconds < before.startSeconds + minStartGapSeconds - tolerance)
    add(
      'startSeconds',
      `starts less than ${minStartGapSeconds} s after scene ${before.number}: start it later, or merge the two scenes.`,
    );
  return issues;
}

function coverageIssues({ durationSeconds, scenes }: FilmOutline): PlanIssue[] {
  const issues: PlanIssue[] = [];
  let covered = 0;
  const inTime = scenes.map((scene, sceneIndex) => ({ scene, sceneIndex }));
  for (const { scene, sceneIndex } of inTime.sort((one, other) => one.scene.startSeconds - other.scene.startSeconds)) {
    if (scene.startSeconds > covered + tolerance) {
      const reason = `Nothing happens from ${formatExactSeconds(covered)} to ${formatExactSeconds(scene.startSeconds)}: start scene ${scene.number} at ${formatExactSeconds(covered)} or make the scene before it longer.`;
      issues.push({ sceneIndex, field: 'startSeconds', reason });
    }
    covered = Math.max(covered, scene.startSeconds + scene.durationSeconds);
  }
  if (covered < durationSeconds - tolerance) {
    const reason = `The scenes end at ${formatExactSeconds(covered)}, the film at ${formatExactSeconds(durationSeconds)}: make the last scene longer or the film shorter.`;
    issues.push({ sceneIndex: null, field: 'durationSeconds', reason });
  }
  return issues;
}
