import type { AppEdits, SetDocument } from '#kinds/app/contract/app.ts';
import type { AppDocument, List } from '../../../sandbox-image/templates/app/model/document.ts';
import {
  applyEdits,
  type Edit,
  type Edited,
  type EditLabel,
  editLabel,
} from '../../../sandbox-image/templates/app/model/edits.ts';
import { documentProblems } from '../../../sandbox-image/templates/app/model/problems.ts';

/** Returns the edit that replaces the whole document, or `null`. */
export const wholeDocumentIn = (edits: AppEdits): SetDocument | null =>
  edits.find((edit) => edit.type === 'set-document') ?? null;

const partsIn = (edits: AppEdits): Edit[] => edits.filter((edit) => edit.type !== 'set-document');

/** Returns the document after the edits, or what is wrong with it then. */
export function afterEdits(document: AppDocument, edits: AppEdits): Edited {
  const whole = wholeDocumentIn(edits);
  if (whole === null) return applyEdits(document, partsIn(edits));
  const nowIso = new Date().toISOString();
  const lists = whole.document.lists.map((list) => withRemovedFields(list, document, nowIso));
  const replaced = { ...whole.document, lists };
  const problems = documentProblems(replaced);
  return problems.length > 0 ? { problem: problems.join(' ') } : { document: replaced, notes: [] };
}

/** Returns the list with the fields that it had before, so that their values are kept. */
function withRemovedFields({ removed: given = [], ...list }: List, before: AppDocument, nowIso: string): List {
  const old = before.lists.find(({ id }) => id === list.id);
  const known = old === undefined ? given : (old.removed ?? []);
  const gone = (old?.fields ?? []).map((field) => ({ field, removedAt: nowIso }));
  const isPresent = new Set(list.fields.map(({ id }) => id));
  const removed = [...known, ...gone].filter(({ field }) => !isPresent.has(field.id));
  return { ...list, ...(removed.length > 0 && { removed }) };
}

export function labelOf(edits: AppEdits, document: AppDocument): EditLabel {
  return wholeDocumentIn(edits) === null
    ? editLabel(partsIn(edits), document)
    : { place: 'app', name: 'App', words: ['document'] };
}
