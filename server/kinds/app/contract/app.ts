import { z } from 'zod';
import {
  type AppDocument,
  documentSchema,
  idSchema,
  themeIds,
  type ViewType,
} from '../../../../sandbox-image/templates/app/model/document.ts';
import { editSchema } from '../../../../sandbox-image/templates/app/model/edits.ts';
import { documentProblems } from '../../../../sandbox-image/templates/app/model/problems.ts';

/** Stored name of the kind. */
export const appKindId = 'app';

const validDocumentSchema = documentSchema.superRefine((document, { addIssue }) => {
  for (const problem of documentProblems(document)) addIssue({ code: 'custom', message: problem });
});

/** What a user chooses in addition to the words: the document that the studio has shown, and the starting point that it came from. */
export const appHintsSchema = z.strictObject({ document: validDocumentSchema.optional(), start: idSchema.optional() });

export const editsSchema = z.array(editSchema).min(1).max(200);

/** Replaces the whole document, unless the plan has another revision by now. The values of fields that it lacks are kept for 30 days. */
const setDocumentSchema = z.strictObject({ type: z.literal('set-document'), document: documentSchema, revision: z.int() });
export type SetDocument = z.infer<typeof setDocumentSchema>;

export const appEditsSchema = z.union([editsSchema, z.tuple([setDocumentSchema])]);
export type AppEdits = z.infer<typeof appEditsSchema>;

/** `revision`: that of the plan. `notes`: what the last edits have changed beside what they name, in sentences. */
export const appResponseSchema = z.object({ revision: z.int(), document: documentSchema });
export const editedAppSchema = appResponseSchema.extend({ notes: z.array(z.string()) });

export const startGroups = ['track', 'plan', 'sell', 'collect', 'calculate', 'learn', 'present'] as const;

export const startSchema = z.object({
  id: idSchema,
  name: z.string(),
  /** One sentence: what one does with it. */
  text: z.string(),
  group: z.enum(startGroups),
  /** Words of a request that lead to it, by how much they tell. */
  words: z.object({ telling: z.array(z.string()), likely: z.array(z.string()), faint: z.array(z.string()) }),
  theme: z.enum(themeIds),
  /** Views without repetition, in the order of the pages. */
  views: z.array(z.string()),
  document: documentSchema,
});
export type Start = z.infer<typeof startSchema>;

/** Returns the kinds of views that an app has, without repetition, in the order of its pages. */
export function viewTypesOf({ pages }: Pick<AppDocument, 'pages'>): ViewType[] {
  return [...new Set(pages.flatMap(({ views }) => views.map(({ view }) => view)))];
}
