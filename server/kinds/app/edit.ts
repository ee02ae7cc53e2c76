import { KodaError } from '#contract/errors.ts';
import type { DocumentEdit, Plan } from '#contract/project.ts';
import { appEditsSchema } from '#kinds/app/contract/app.ts';
import type { EditedDocument } from '../../projects/kind.ts';
import { planOf, readableApp } from './document.ts';
import { afterEdits, labelOf, wholeDocumentIn } from './edits.ts';
import { changedPages } from './follow.ts';
import { pagePath } from './print.ts';

/**
 * Returns the plan after the edits. Throws CONFLICT if an edit does not fit the document, or would change a page that was edited by
 * hand.
 */
export function editedApp(before: Plan, given: readonly DocumentEdit[]): EditedDocument {
  const app = readableApp(before);
  const edits = appEditsSchema.parse(given);
  const whole = wholeDocumentIn(edits);
  if (whole !== null && whole.revision !== before.revision)
    throw new KodaError(
      'CONFLICT',
      `The app was not changed, because its document has revision ${before.revision} by now. Read it again, and repeat the change.`,
      { recovery: 'read_again' },
    );
  const edited = afterEdits(app.document, edits);
  if ('problem' in edited)
    throw new KodaError(whole === null ? 'CONFLICT' : 'VALIDATION_ERROR', `The app was not changed. ${edited.problem}`);
  const { document, notes } = edited;
  const [blocked] = changedPages(app.document, document).filter((id) => app.opaque.includes(id));
  if (blocked !== undefined)
    throw new KodaError(
      'CONFLICT',
      `${pagePath(blocked)} was edited by hand, and this change would overwrite that. Change the page in its code, or undo the edit of the file first.`,
      { details: { file: pagePath(blocked) } },
    );
  const opaque = app.opaque.filter((id) => document.pages.some((page) => page.id === id));
  const draft = planOf({ ...app, document, opaque, notes }, { ...before, change: before.change ?? null, edited: true });
  return { draft, todos: null, label: labelOf(edits, app.document) };
}
