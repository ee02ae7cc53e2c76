import { minSceneSeconds, type PlanDraft, planDraftSchema } from '../contract/project.ts';

/** Below this many seconds a film may have 7 scenes, from it on 15 (A4). */
const longFilmSeconds = 30;
/** Rounding of decimals in a plan is no gap. */
const tolerance = 0.01;

const seconds = (value: number): string => `${Math.round(value * 1000) / 1000} s`;

/**
 * Why a plan cannot be shown or carried out, each reason saying how to mend it; empty when it keeps the rules
 * of A4. For plans of a model and plans edited by the user alike.
 */
export function validatePlan(draft: PlanDraft): string[] {
  const parsed = planDraftSchema.safeParse(draft);
  if (!parsed.success) return parsed.error.issues.map((issue) => `${issue.path.join('.') || 'plan'}: ${issue.message}`);
  return [...countReasons(draft), ...sceneReasons(draft), ...coverReasons(draft)];
}

function countReasons({ durationSeconds, scenes }: PlanDraft): string[] {
  const most = durationSeconds < longFilmSeconds ? 7 : 15;
  if (scenes.length <= most) return [];
  return [
    `${scenes.length} scenes are too many for ${seconds(durationSeconds)}: merge scenes until there are at most ${most}${most === 7 ? `, or make the film ${longFilmSeconds} s or longer` : ''}.`,
  ];
}

function sceneReasons({ durationSeconds, scenes }: PlanDraft): string[] {
  return scenes.flatMap((scene, i) => {
    const name = `Scene ${scene.number} (“${scene.title}”)`;
    const reasons: string[] = [];
    if (scene.number !== i + 1) reasons.push(`${name} is at place ${i + 1}: number the scenes 1, 2, 3 … in their order.`);
    if (scene.durationSeconds < minSceneSeconds - tolerance)
      reasons.push(
        `${name} lasts ${seconds(scene.durationSeconds)}: give it at least ${minSceneSeconds} s, so that it can come in, hold and leave.`,
      );
    if (scene.startSeconds + scene.durationSeconds > durationSeconds + tolerance) {
      reasons.push(
        `${name} ends at ${seconds(scene.startSeconds + scene.durationSeconds)}, after the film (${seconds(durationSeconds)}): shorten it, start it earlier, or make the film longer.`,
      );
    }
    const before = scenes[i - 1];
    if (before !== undefined && scene.startSeconds < before.startSeconds)
      reasons.push(`${name} starts before scene ${before.number}: put the scenes in the order of their starts.`);
    return reasons;
  });
}

function coverReasons({ durationSeconds, scenes }: PlanDraft): string[] {
  const reasons: string[] = [];
  let covered = 0;
  for (const scene of [...scenes].sort((one, other) => one.startSeconds - other.startSeconds)) {
    if (scene.startSeconds > covered + tolerance) {
      reasons.push(
        `Nothing happens from ${seconds(covered)} to ${seconds(scene.startSeconds)}: start scene ${scene.number} at ${seconds(covered)} or make the scene before it longer.`,
      );
    }
    covered = Math.max(covered, scene.startSeconds + scene.durationSeconds);
  }
  if (covered < durationSeconds - tolerance)
    reasons.push(
      `The scenes end at ${seconds(covered)}, the film at ${seconds(durationSeconds)}: make the last scene longer or the film shorter.`,
    );
  return reasons;
}
