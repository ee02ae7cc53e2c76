import type { AppDocument, Field, List, Page, View } from '../../../../../sandbox-image/templates/app/model/document.ts';
import type { Edit } from '../../../../../sandbox-image/templates/app/model/edits.ts';

/** Returns whether two parts of documents are the same. Documents that were parsed have their members in the same order. */
const isSame = (first: unknown, second: unknown): boolean => first === second || JSON.stringify(first) === JSON.stringify(second);

interface Part {
  readonly id: string;
}

/**
 * Returns the edits that turn one document into the other, for example into what it was before. `atIso`: when what the edits take away goes.
 */
export function editsBetween(from: AppDocument, to: AppDocument, atIso: string): Edit[] {
  return [...editsOfApp(from, to), ...editsOfLists(from, to, atIso), ...editsOfPages(from, to)];
}

function editsOfApp(from: AppDocument, to: AppDocument): Edit[] {
  const edits: Edit[] = [];
  if (from.name !== to.name) edits.push({ type: 'rename-app', name: to.name, was: from.name });
  if (from.theme !== to.theme) edits.push({ type: 'set-theme', theme: to.theme, was: from.theme });
  if (from.mode !== to.mode) edits.push({ type: 'set-mode', mode: to.mode, was: from.mode });
  if (!isSame(from.colours, to.colours))
    edits.push({ type: 'set-colours', colours: to.colours ?? null, was: from.colours ?? null });
  return edits;
}

function editsOfLists(from: AppDocument, to: AppDocument, atIso: string): Edit[] {
  const added = to.lists.flatMap((list, at): Edit[] => (has(from.lists, list.id) ? [] : [{ type: 'add-list', list, at }]));
  const removed = from.lists.flatMap(({ id }): Edit[] => (has(to.lists, id) ? [] : [{ type: 'remove-list', list: id, atIso }]));
  const changed = pairs(from.lists, to.lists).flatMap(([before, after]) => editsOfList(before, after, atIso));
  // The app needs a list at all times.
  return [...added, ...changed, ...removed];
}

function editsOfList(from: List, to: List, atIso: string): Edit[] {
  if (isSame(from, to)) return [];
  const list = from.id;
  const edits: Edit[] = [];
  if (from.name !== to.name || from.one !== to.one)
    edits.push({ type: 'rename-list', list, name: to.name, one: to.one, was: from.name });
  const kept: Field[] = [...from.fields];
  for (const field of to.fields) {
    if (has(from.fields, field.id)) continue;
    const removed = from.removed?.find((entry) => entry.field.id === field.id)?.field;
    edits.push(removed === undefined ? { type: 'add-field', list, field } : { type: 'restore-field', list, field: field.id });
    if (removed !== undefined && !isSame(removed, field)) edits.push({ type: 'change-field', list, field, was: removed, atIso });
    kept.push(field);
  }
  for (const [before, after] of pairs(from.fields, to.fields))
    if (!isSame(before, after)) edits.push({ type: 'change-field', list, field: after, was: before, atIso });
  for (const { id } of from.fields) if (!has(to.fields, id)) edits.push({ type: 'remove-field', list, field: id, atIso });
  const order = kept.filter(({ id }) => has(to.fields, id));
  return [...edits, ...moves(order, to.fields).map(({ id, to }): Edit => ({ type: 'move-field', list, field: id, to }))];
}

function editsOfPages(from: AppDocument, to: AppDocument): Edit[] {
  const added = to.pages.flatMap((page): Edit[] => (has(from.pages, page.id) ? [] : [{ type: 'add-page', page }]));
  const removed = from.pages.flatMap(({ id }): Edit[] => (has(to.pages, id) ? [] : [{ type: 'remove-page', page: id }]));
  const changed = pairs(from.pages, to.pages).flatMap(([before, after]) => editsOfPage(before, after));
  const order = [...from.pages.filter(({ id }) => has(to.pages, id)), ...to.pages.filter(({ id }) => !has(from.pages, id))];
  const moved = moves(order, to.pages).map(({ id, to }): Edit => ({ type: 'move-page', page: id, to }));
  return [...added, ...changed, ...removed, ...moved];
}

function editsOfPage(from: Page, to: Page): Edit[] {
  if (isSame(from, to)) return [];
  const page = from.id;
  const edits: Edit[] = from.name === to.name ? [] : [{ type: 'rename-page', page, name: to.name, was: from.name }];
  const [look, was] = [pageLook(to), pageLook(from)];
  if (!isSame(look, was)) edits.push({ type: 'set-page', page, ...look, was });
  const kept: View[] = [...from.views];
  for (const view of to.views) {
    if (has(from.views, view.id)) continue;
    edits.push({ type: 'add-view', page, view });
    kept.push(view);
  }
  for (const [before, after] of pairs(from.views, to.views))
    if (!isSame(before, after)) edits.push({ type: 'set-view', page, view: after, was: before });
  for (const { id } of from.views) if (!has(to.views, id)) edits.push({ type: 'remove-view', page, view: id });
  const order = kept.filter(({ id }) => has(to.views, id));
  return [...edits, ...moves(order, to.views).map(({ id, to }): Edit => ({ type: 'move-view', page, view: id, to }))];
}

const pageLook = ({ icon, public: isPublic }: Page) => ({ icon, public: isPublic });

const has = (parts: readonly Part[], id: string): boolean => parts.some((part) => part.id === id);

function pairs<T extends Part>(from: readonly T[], to: readonly T[]): (readonly [T, T])[] {
  return from.flatMap((before) => {
    const after = to.find(({ id }) => id === before.id);
    return after === undefined ? [] : [[before, after] as const];
  });
}

/** Returns moves that bring the parts into the order of `wanted`, which has the same parts. */
function moves(parts: readonly Part[], wanted: readonly Part[]): { readonly id: string; readonly to: number }[] {
  const order = parts.map(({ id }) => id);
  return wanted.flatMap(({ id }, to) => {
    const at = order.indexOf(id);
    if (at === to) return [];
    order.splice(at, 1);
    order.splice(to, 0, id);
    return [{ id, to }];
  });
}
