import { type PlanDraft, planDraftSchema } from '#contract/project.ts';
import { filmOutlineSchema, filmSchema } from '#kinds/film/contract/film.ts';
import { chipsOf, codeFilm, planOfFilm } from '#kinds/film/contract/outline.ts';

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
  if ('sections' in stored) return withChips(stored);
  const older = olderPlanSchema.safeParse(stored).data ?? null;
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

function withChips<Stored extends object>(stored: Stored): Stored {
  const document = 'document' in stored && !('chips' in stored) ? filmSchema.safeParse(stored.document).data : undefined;
  return document === undefined ? stored : { ...stored, chips: chipsOf(document) };
}
