import { type PlanFault, planFaults } from '#contract/plan-rules.ts';
import { editedDraft, type PlanEditorState } from './plan-editor.ts';
import { type EditPlan, toDraft } from './plan-edits.ts';

/** Messages for empty fields. */
const empty = {
  title: 'It needs a title.',
  description: 'Say what happens in this scene: it is built from these words.',
  animationNotes: 'Say how it moves.',
} as const;

/** Lists the issues of a plan being edited, with messages for the user. */
export function faultsOf(plan: EditPlan): PlanFault[] {
  return planFaults(toDraft(plan)).map((fault) => {
    const { sceneIndex, field } = fault;
    // Field lengths are limited, so a text can only be empty.
    const isText = field === 'title' || field === 'description' || field === 'animationNotes';
    if (!isText) return fault;
    const text = sceneIndex === null ? plan.title : plan.scenes[sceneIndex]?.[field];
    return text === '' ? { ...fault, reason: empty[field] } : fault;
  });
}

/** Returns whether the user's edits made the plan one that the server would reject. */
export function hasFaults(state: PlanEditorState): boolean {
  const draft = editedDraft(state);
  return draft !== null && planFaults(draft).length > 0;
}
