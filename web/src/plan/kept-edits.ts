import { z } from 'zod';
import { type PlanDraft, planDraftSchema, sceneSchema } from '#contract/film.ts';
import { type KeptTexts, parseStored, projectTextName } from '../browser-storage.ts';

/** Fields may be empty during editing. */
const draftSchema = planDraftSchema.extend({
  title: z.string().max(80),
  scenes: z
    .array(
      sceneSchema.extend({
        title: z.string().max(80),
        description: z.string().max(1000),
        animationNotes: z.string().max(1000),
      }),
    )
    .min(1)
    .max(15),
});

const keptSchema = z.object({
  planId: z.string(),
  revision: z.int(),
  /** `null` if only stashed edits are stored. */
  draft: draftSchema.nullable(),
  aside: z.object({ draft: draftSchema, revision: z.int() }).nullable(),
});

/** The user's plan edits, which the browser stores across reloads. */
export interface KeptEdits {
  readonly planId: string;
  readonly revision: number;
  readonly draft: PlanDraft | null;
  /** Edits of an earlier revision. */
  readonly aside: { readonly draft: PlanDraft; readonly revision: number } | null;
}

const nameOf = (projectId: string) => projectTextName('plan-edits', projectId);

/** Reads the stored edits. Returns `null` if they are missing or unreadable. */
export function readKeptEdits(storage: Pick<KeptTexts, 'read'>, projectId: string): KeptEdits | null {
  return parseStored(keptSchema, storage.read(nameOf(projectId)));
}

/** Stores the edits; `null` removes them. */
export function keepEdits(storage: Pick<KeptTexts, 'write'>, projectId: string, kept: KeptEdits | null): void {
  storage.write(nameOf(projectId), kept === null ? null : JSON.stringify(kept));
}
