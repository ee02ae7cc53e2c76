import { isDeepStrictEqual } from 'node:util';
import type { AppEdits } from '#kinds/app/contract/app.ts';
import { type AppDocument, documentPath } from '../../../sandbox-image/templates/app/model/document.ts';
import type { FileChanges, ReadText } from '../../projects/kind.ts';
import { documentIn, type StoredApp } from './document.ts';
import { afterEdits } from './edits.ts';
import { type PrintedFile, pagePath, printApp, printCode } from './print.ts';

/**
 * Returns the changes that bring the files up to date with the document, or `null` if they already are. `src/app.json` contains the
 * document from which the files were printed. Files that were edited by hand stay as they are, and those of removed pages are
 * deleted. `writesFirst`: whether nothing has been written yet, so that the template's own files are replaced.
 */
export async function changesToFollow(
  { document }: Pick<StoredApp, 'document'>,
  read: ReadText,
  { writesFirst }: { writesFirst: boolean },
): Promise<FileChanges | null> {
  const text = await read(documentPath);
  if (text === null && !writesFirst) return null;
  const present = documentIn(text);
  if (present !== null && isDeepStrictEqual(present, document)) return null;
  const printedBefore = present === null ? [] : printApp(present);
  const printed = printApp(document);
  const write: PrintedFile[] = [];
  for (const file of printed) {
    const now = await read(file.path);
    const isOwn = writesFirst || file.path === documentPath || now === null || textIn(printedBefore, file.path) === now;
    if (now !== file.content && isOwn) write.push(file);
  }
  for (const file of printCode(document)) if ((await read(file.path)) === null) write.push(file);
  const remove: string[] = [];
  for (const { path } of printedBefore) if (textIn(printed, path) === null && (await read(path)) !== null) remove.push(path);
  return { write, remove };
}

/**
 * Returns the app with the pages that the edits would change marked as opaque if their files were edited by hand, or `null` if no mark
 * changes.
 */
export async function withHandwork(app: StoredApp, edits: AppEdits, read: ReadText): Promise<StoredApp | null> {
  const edited = afterEdits(app.document, edits);
  // Whoever applies the edits says what is wrong with them.
  if ('problem' in edited) return null;
  const changed = changedPages(app.document, edited.document);
  if (changed.length === 0) return null;
  const present = documentIn(await read(documentPath));
  const own = [...printApp(app.document), ...(present === null ? [] : printApp(present))];
  const opaque = app.opaque.filter((id) => !changed.includes(id));
  for (const id of changed) {
    const now = await read(pagePath(id));
    if (now !== null && !own.some(({ path, content }) => path === pagePath(id) && content === now)) opaque.push(id);
  }
  return isDeepStrictEqual(new Set(opaque), new Set(app.opaque)) ? null : { ...app, opaque };
}

/** Returns the ids of the pages that both documents have, but print as different files. */
export function changedPages(before: AppDocument, after: AppDocument): string[] {
  const old = printApp(before);
  const next = printApp(after);
  return after.pages
    .map(({ id }) => id)
    .filter((id) => textIn(old, pagePath(id)) !== null && textIn(old, pagePath(id)) !== textIn(next, pagePath(id)));
}

const textIn = (files: readonly PrintedFile[], path: string) => files.find((file) => file.path === path)?.content ?? null;
