import { KodaError } from '../contract/errors.ts';
import type { PlanDraft } from '../contract/film.ts';
import { newId } from '../contract/ids.ts';
import { validatePlan } from '../contract/plan-rules.ts';
import type { Plan } from '../contract/project.ts';

interface RevisionOptions {
  /** A proposal is a plan of its own; an edit or an update is the same plan in a new revision. */
  readonly as: 'proposal' | 'edit' | 'update';
}

const refusals = {
  proposal: { words: 'The plan was not shown', recovery: 'correct_plan' },
  edit: { words: 'The plan cannot be made like this', recovery: 'edit_plan' },
  update: { words: 'The plan was not updated', recovery: 'correct_plan' },
} as const;

/** The next revision of a project's plan. Throws INVALID_PLAN with the reasons when it breaks a rule (A4). */
export function planRevision(before: Plan | null, draft: PlanDraft, { as }: RevisionOptions): Plan {
  const reasons = validatePlan(draft);
  if (reasons.length > 0) {
    const { words, recovery } = refusals[as];
    throw new KodaError('INVALID_PLAN', `${words}: ${reasons.join(' ')}`, { details: { reasons }, recovery });
  }
  const id = as === 'proposal' ? newId('plan') : (before?.id ?? newId('plan'));
  return { ...draft, id, revision: (before?.revision ?? 0) + 1, accepted: as === 'update' };
}
