import { z } from 'zod';
import { type FilmOutline, filmOutlineSchema, sceneSchema } from '#contract/film.ts';
import { parseStored, projectTextName, type StoredTexts } from '../browser-storage.ts';

/** Fields may be empty during editing. */
const draftSchema = filmOutlineSchema.extend({
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

const storedEditsSchema = z.object({
  planId: z.string(),
  revision: z.int(),
  /** `null` if only stashed edits are stored. */
  draft: draftSchema.nullable(),
  aside: z.object({ draft: draftSchema, revision: z.int() }).nullable(),
});

/** The user's plan edits, which the browser stores across reloads. */
export interface StoredEdits {
  readonly planId: string;
  readonly revision: number;
  readonly draft: FilmOutline | null;
  readonly aside: { readonly draft: FilmOutline; readonly revision: number } | null;
}

const nameOf = (projectId: string) => projectTextName('plan-edits', projectId);

export function readStoredEdits(storage: Pick<StoredTexts, 'read'>, projectId: string): StoredEdits | null {
  return parseStored(storedEditsSchema, storage.read(nameOf(projectId)));
}

export function storeEdits(storage: Pick<StoredTexts, 'write'>, projectId: string, kept: StoredEdits | null): void {
  storage.write(nameOf(projectId), kept === null ? null : JSON.stringify(kept));
}
