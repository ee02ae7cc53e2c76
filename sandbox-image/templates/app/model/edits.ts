import { z } from 'zod';
import { type AppDocument, themeIds } from './document.ts';

export const editSchema = z.discriminatedUnion('type', [z.object({ type: z.literal('theme'), theme: z.enum(themeIds) })]);
export type Edit = z.infer<typeof editSchema>;

export function applyEdits(
  document: AppDocument,
  edits: readonly Edit[],
): { document: AppDocument; notes: string[] } | { problem: string } {
  return { document: edits.reduce((now, { theme }) => ({ ...now, theme }), document), notes: [] };
}

export function editLabel(_edits: readonly Edit[]): { place: string; name: string; words: string[] } {
  return { place: 'app', name: 'App', words: ['theme'] };
}
