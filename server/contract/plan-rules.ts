import { minSceneSeconds, type PlanDraft, planDraftSchema, type Scene } from './film.ts';
import { formatExactSeconds } from './format.ts';

/** Below this many seconds a film may have 7 scenes, from it on 15 (A4). */
const longFilmSeconds = 30;
/** Rounding of decimals in a plan is no gap. */
const tolerance = 0.01;

/** What is wrong with a plan, and where. */
export interface PlanFault {
  /** Place of the scene in the plan, from 0; null where it is the plan as a whole. */
  readonly sceneIndex: number | null;
  /** The field to mend: of the scene, or of the plan. Empty where the draft is no plan at all. */
  readonly field: keyof Scene | keyof PlanDraft | '';
  /** Why, and how to mend it, in a sentence for whoever wrote the plan. */
  readonly reason: string;
}

/**
 * Why a plan cannot be shown or carried out, each reason saying how to mend it; empty when it keeps the rules
 * of A4. For plans of a model and plans edited by the user alike.
 */
export function validatePlan(draft: PlanDraft): string[] {
  return planFaults(draft).map(({ reason }) => reason);
}

/** The same rules with the place where each is broken. */
export function planFaults(draft: PlanDraft): PlanFault[] {
  const parsed = planDraftSchema.safeParse(draft);
  if (!parsed.success) return parsed.error.issues.map(shapeFault);
  return [...countFaults(draft), ...draft.scenes.flatMap((_, index) => sceneFaults(draft, index)), ...coverFaults(draft)];
}

function shapeFault({ path, message }: { path: readonly PropertyKey[]; message: string }): PlanFault {
  const [top, index, field] = path;
  const isOfScene = top === 'scenes' && typeof index === 'number';
  return {
    sceneIndex: isOfScene ? index : null,
    field: ((isOfScene ? field : top) ?? '') as PlanFault['field'],
    reason: `${path.join('.') || 'plan'}: ${message}`,
  };
}

/** How many scenes a film of this length may have. */
export function maxScenesIn(durationSeconds: number): number {
  return durationSeconds < longFilmSeconds ? 7 : 15;
}

function countFaults({ durationSeconds, scenes }: PlanDraft): PlanFault[] {
  const most = maxScenesIn(durationSeconds);
  if (scenes.length <= most) return [];
  const reason = `${scenes.length} scenes are too many for ${formatExactSeconds(durationSeconds)}: merge scenes until there are at most ${most}${most === 7 ? `, or make the film ${longFilmSeconds} s or longer` : ''}.`;
  return [{ sceneIndex: null, field: 'scenes', reason }];
}

function sceneFaults({ durationSeconds, scenes }: PlanDraft, sceneIndex: number): PlanFault[] {
  const scene = scenes[sceneIndex];
  if (scene === undefined) return [];
  const name = `Scene ${scene.number} (“${scene.title}”)`;
  const faults: PlanFault[] = [];
  const add = (field: PlanFault['field'], reason: string) => faults.push({ sceneIndex, field, reason: `${name} ${reason}` });
  if (scene.number !== sceneIndex + 1)
    add('number', `is at place ${sceneIndex + 1}: number the scenes 1, 2, 3 … in their order.`);
  if (scene.durationSeconds < minSceneSeconds - tolerance)
    add(
      'durationSeconds',
      `lasts ${formatExactSeconds(scene.durationSeconds)}: give it at least ${minSceneSeconds} s, so that it can come in, hold and leave.`,
    );
  if (scene.startSeconds + scene.durationSeconds > durationSeconds + tolerance)
    add(
      'durationSeconds',
      `ends at ${formatExactSeconds(scene.startSeconds + scene.durationSeconds)}, after the film (${formatExactSeconds(durationSeconds)}): shorten it, start it earlier, or make the film longer.`,
    );
  const before = scenes[sceneIndex - 1];
  if (before !== undefined && scene.startSeconds < before.startSeconds)
    add('startSeconds', `starts before scene ${before.number}: put the scenes in the order of their starts.`);
  return faults;
}

function coverFaults({ durationSeconds, scenes }: PlanDraft): PlanFault[] {
  const faults: PlanFault[] = [];
  let covered = 0;
  const inTime = scenes.map((scene, sceneIndex) => ({ scene, sceneIndex }));
  for (const { scene, sceneIndex } of inTime.sort((one, other) => one.scene.startSeconds - other.scene.startSeconds)) {
    if (scene.startSeconds > covered + tolerance) {
      const reason = `Nothing happens from ${formatExactSeconds(covered)} to ${formatExactSeconds(scene.startSeconds)}: start scene ${scene.number} at ${formatExactSeconds(covered)} or make the scene before it longer.`;
      faults.push({ sceneIndex, field: 'startSeconds', reason });
    }
    covered = Math.max(covered, scene.startSeconds + scene.durationSeconds);
  }
  if (covered < durationSeconds - tolerance) {
    const reason = `The scenes end at ${formatExactSeconds(covered)}, the film at ${formatExactSeconds(durationSeconds)}: make the last scene longer or the film shorter.`;
    faults.push({ sceneIndex: null, field: 'durationSeconds', reason });
  }
  return faults;
}
