import { useEffect, useState } from 'react';
import { z } from 'zod';
import { columnTypes } from '../../../../../sandbox-image/templates/app/model/tables.ts';
import { browserStorage, parseStored } from '../../../browser-storage.ts';
import { noDecisions } from './table/table-reader.ts';

/** The request as it stands in the box. */
const draftSchema = z.object({
  prompt: z.string().max(200_000).catch(''),
  /** Starting point that was put into the box. */
  start: z.string().nullable().catch(null),
  /** Pasted or opened rows. `name`: that of their file without its ending. */
  table: z.object({ text: z.string(), name: z.string().nullable() }).nullable().catch(null),
  decisions: z
    .object({
      headed: z.boolean().nullable(),
      types: z.record(z.coerce.number(), z.enum(columnTypes)),
      columns: z.record(
        z.coerce.number(),
        z.object({
          name: z.string().optional(),
          monthFirst: z.boolean().optional(),
          replace: z.record(z.string(), z.string()).optional(),
          skip: z.boolean().optional(),
        }),
      ),
    })
    .catch({ ...noDecisions, types: {}, columns: {} }),
});
export type Draft = Readonly<z.infer<typeof draftSchema>>;

const emptyDraft: Draft = { prompt: '', start: null, table: null, decisions: { headed: null, types: {}, columns: {} } };

const storageKey = 'koda:app-idea';
/** Longer tables are forgotten when the page is left: the browser stores 5 MB for the whole studio. */
const mostStored = 500_000;

function write(draft: Draft): void {
  const kept = (draft.table?.text.length ?? 0) > mostStored ? { ...draft, table: null, decisions: emptyDraft.decisions } : draft;
  const text = JSON.stringify(kept);
  browserStorage.write(storageKey, text === JSON.stringify(emptyDraft) ? null : text);
}

export function useDraft() {
  const [draft, setDraft] = useState(() => parseStored(draftSchema, browserStorage.read(storageKey)) ?? emptyDraft);
  useEffect(() => write(draft), [draft]);
  return {
    draft,
    change: (part: Partial<Draft>) => setDraft((old) => ({ ...old, ...part })),
    decide: (change: (old: Draft['decisions']) => Draft['decisions']) =>
      setDraft((old) => ({ ...old, decisions: change(old.decisions) })),
    setTable: (table: Draft['table']) => setDraft((old) => ({ ...old, table, decisions: emptyDraft.decisions })),
    clear() {
      setDraft(emptyDraft);
      // The page may unmount before the effect runs.
      write(emptyDraft);
    },
  };
}
