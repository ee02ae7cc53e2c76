import { minSceneSeconds, type PlanDraft } from '../contract/project.ts';

/** Times that differ by less than half a frame at 60 fps are the same. */
const toleranceSeconds = 1 / 120;
const shortFilmSeconds = 30;
const maxScenesShort = 7;
const maxScenesLong = 15;

/**
 * The rules of a plan (A4), the same for plans of a model and for plans that the user edited. Returns why the
 * plan cannot be shown, each reason with what to do; nothing when it is fine.
 */
export function validatePlan(draft: PlanDraft): string[] {
  const reasons: string[] = [];
  const { scenes, durationSeconds } = draft;
  const maxScenes = durationSeconds < shortFilmSeconds ? maxScenesShort : maxScenesLong;
  if (scenes.length > maxScenes) {
    reasons.push(`${scenes.length} scenes are too many for ${durationSeconds} s: at most ${maxScenes}; join some of them.`);
  }
  for (const [index, scene] of scenes.entries()) {
    if (scene.number !== index + 1) reasons.push(`Scene ${index + 1} has the number ${scene.number}: number the scenes from 1 in order.`);
    if (scene.durationSeconds < minSceneSeconds - toleranceSeconds) {
      reasons.push(`Scene ${index + 1} lasts ${scene.durationSeconds} s: give it at least ${minSceneSeconds} s, so that it has entry, hold and exit.`);
    }
    if (scene.startSeconds + scene.durationSeconds > durationSeconds + toleranceSeconds) {
      reasons.push(`Scene ${index + 1} ends after the film: it has to end by ${durationSeconds} s.`);
    }
    const before = scenes[index - 1];
    if (before !== undefined && scene.startSeconds < before.startSeconds) reasons.push(`Scene ${index + 1} starts before scene ${index}: order the scenes by their start.`);
  }
  return [...reasons, ...gaps(draft)];
}

/** The scenes have to cover the whole film; they may overlap. */
function gaps({ scenes, durationSeconds }: PlanDraft): string[] {
  const reasons: string[] = [];
  let coveredSeconds = 0;
  for (const scene of [...scenes].sort((one, other) => one.startSeconds - other.startSeconds)) {
    if (scene.startSeconds > coveredSeconds + toleranceSeconds) {
      reasons.push(`Nothing is planned from ${coveredSeconds} s to ${scene.startSeconds} s: let a scene cover it.`);
    }
    coveredSeconds = Math.max(coveredSeconds, scene.startSeconds + scene.durationSeconds);
  }
  if (coveredSeconds < durationSeconds - toleranceSeconds) {
    reasons.push(`Nothing is planned from ${coveredSeconds} s to the end at ${durationSeconds} s: make the last scene longer or the film shorter.`);
  }
  return reasons;
}
