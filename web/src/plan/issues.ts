import { type PlanIssue, planIssues } from '#contract/plan-rules.ts';
import { editedDraft, type PlanEditorState } from './plan-editor.ts';
import { type EditPlan, toDraft } from './plan-edits.ts';

/** Messages for empty fields. */
const empty = {
  title: 'Add a title.',
  description: 'Say what happens in this scene. Koda builds the scene from this description.',
  animationNotes: 'Describe how it moves.',
} as const;

/** Lists the issues in a plan being edited, with messages for the user. */
export function issuesOf(plan: EditPlan): PlanIssue[] {
  return planIssues(toDraft(plan)).map((issue) => {
    const { sceneIndex, field } = issue;
    // Field lengths are limited, so the only possible issue of a text is that it is empty.
    const isText = field === 'title' || field === 'description' || field === 'animationNotes';
    if (!isText) return issue;
    const text = sceneIndex === null ? plan.title : plan.scenes[sceneIndex]?.[field];
    return text === '' ? { ...issue, reason: empty[field] } : issue;
  });
}

/** Returns whether the user has edited the plan so that the server would reject it. */
export function hasIssues(state: PlanEditorState): boolean {
  const draft = editedDraft(state);
  return draft !== null && planIssues(draft).length > 0;
}
