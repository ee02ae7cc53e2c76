import { filmOutlineSchema, filmSchema } from './film.ts';
import { codeFilm, planOfFilm } from './film-outline.ts';
import { type PlanDraft, planDraftSchema } from './project.ts';

/** Plan as stored by earlier versions: a film's outline, with or without its document. */
const olderPlanSchema = filmOutlineSchema.extend({
  film: filmSchema.nullable().optional().catch(null),
  change: planDraftSchema.shape.change,
  edited: planDraftSchema.shape.edited,
});

/**
 * Returns a stored plan in the current form. Other fields, such as `id` and `revision`, are kept. A plan that is already in
 * that form is returned unchanged.
 */
export function upgradedPlan<Stored extends object>(stored: Stored): Stored {
  const older = 'sections' in stored ? null : (olderPlanSchema.safeParse(stored).data ?? null);
  if (older === null) return stored;
  const { film, change, edited, caveat, ...outline } = older;
  const texts = new Map(outline.scenes.map((scene, index) => [index, scene]));
  const document = film ?? codeFilm({ ...outline, caveat }, 1);
  let index = 0;
  const draft: PlanDraft = {
    ...planOfFilm(document, caveat, (scene) => {
      const text = texts.get(index);
      index += 1;
      return { title: text?.title ?? scene.id, description: text?.description ?? scene.id };
    }),
    ...(change === undefined ? {} : { change }),
    ...(edited === undefined ? {} : { edited }),
  };
  const others = Object.fromEntries(Object.entries(stored).filter(([key]) => !(key in olderPlanSchema.shape)));
  return { ...others, ...draft } as Stored;
}

/** Returns a stored event with its plan in the current form. */
export function upgradedEvent<Event extends { readonly type: string }>(event: Event): Event {
  if (event.type !== 'plan.proposed' || !('plan' in event)) return event;
  const { plan } = event;
  return typeof plan === 'object' && plan !== null ? { ...event, plan: upgradedPlan(plan) } : event;
}
