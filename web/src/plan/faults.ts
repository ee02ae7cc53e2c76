import { type PlanIssue, planIssues } from '#contract/plan-rules.ts';
import { editedDraft, type PlanEditorState } from './plan-editor.ts';
import { type EditPlan, toDraft } from './plan-edits.ts';

/** What an empty text lacks. */
const empty = {
  title: 'It needs a title.',
  description: 'Say what happens in this scene: it is built from these words.',
  animationNotes: 'Say how it moves.',
} as const;

/** What is wrong with a plan under the user's hands, where it is, in words for the user. */
export function faultsOf(plan: EditPlan): PlanIssue[] {
  return planIssues(toDraft(plan)).map((fault) => {
    const { sceneIndex, field } = fault;
    // A text can only be empty: its field limits the length.
    const isText = field === 'title' || field === 'description' || field === 'animationNotes';
    if (!isText) return fault;
    const text = sceneIndex === null ? plan.title : plan.scenes[sceneIndex]?.[field];
    return text === '' ? { ...fault, reason: empty[field] } : fault;
  });
}

/** Whether the plan was edited into one that the server would refuse. */
export function hasFaults(state: PlanEditorState): boolean {
  const draft = editedDraft(state);
  return draft !== null && planIssues(draft).length > 0;
}
