import { useEffect, useState } from 'react';
import { z } from 'zod';
import { columnTypes } from '../../../../../sandbox-image/templates/app/model/tables.ts';
import { browserStorage, parseStored } from '../../../browser-storage.ts';
import { noDecisions, type TableDecisions } from './table/table-reader.ts';

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
      keepsTotals: z.boolean().catch(false),
      types: z.record(z.coerce.number(), z.enum(columnTypes)),
      columns: z.record(
        z.coerce.number(),
        z.object({
          name: z.string().exactOptional(),
          monthFirst: z.boolean().exactOptional(),
          replace: z.record(z.string(), z.string()).exactOptional(),
          skip: z.boolean().exactOptional(),
        }),
      ),
    })
    .catch({ ...noDecisions, types: {}, columns: {} }),
});
export type Draft = Readonly<Omit<z.infer<typeof draftSchema>, 'decisions'>> & { readonly decisions: TableDecisions };

const emptyDraft: Draft = { prompt: '', start: null, table: null, decisions: noDecisions };

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
    decide: (change: (old: TableDecisions) => TableDecisions) =>
      setDraft((old) => ({ ...old, decisions: change(old.decisions) })),
    setTable: (table: Draft['table']) => setDraft((old) => ({ ...old, table, decisions: emptyDraft.decisions })),
    clear() {
      setDraft(emptyDraft);
      // The page may unmount before the effect runs.
      write(emptyDraft);
    },
  };
}
