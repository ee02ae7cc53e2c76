import type { AppEdits } from '#kinds/app/contract/app.ts';
import type { AppDocument, Field, List, Page } from '../../../../sandbox-image/templates/app/model/document.ts';
import { type Edit, editSchema, withEdit } from '../../../../sandbox-image/templates/app/model/edits.ts';
import { idFrom } from '../../../../sandbox-image/templates/app/model/ids.ts';
import { type Fields, isFields } from '../../../llm/one-repair.ts';
import {
  fieldWithIds,
  listWithIds,
  mendedList,
  mendedPage,
  mendedView,
  partNamed,
  problemsOfDocument,
  type Rejected,
  rejected,
  schemas,
  withLists,
} from './answer.ts';
import { isPlaceable } from './catalogue.ts';
import { choicesIn, itemsIn, mend, Names, textOf, wordIn } from './mend.ts';
import { nameOf, optionsOf, schemaOf } from './schema.ts';

/** Turns a language model's answer into edits of an app's document. */

interface MadeChange {
  /** `null` if the answer only says why nothing was changed. */
  readonly edits: AppEdits | null;
  /** What the user is told about the change, one sentence each. */
  readonly says: readonly string[];
}

interface Request {
  readonly document: AppDocument;
  /** Revision of the plan that has the document. */
  readonly revision: number;
  /** What the user has asked for. */
  readonly words: string;
  readonly nowIso: string;
}

const editTypes = optionsOf(schemaOf(editSchema)).map((option) => nameOf(option, 'type'));

/** Returns the edits of an answer, or what is wrong with it. Removes only lists and fields that the user has named. */
export function changeIn(answer: unknown, request: Request): MadeChange | Rejected {
  const summary = isFields(answer) ? textOf(answer['summary']) : '';
  const given = editsIn(answer);
  const whole = withLists(answer);
  if (given.length === 0 && whole !== null) return wholeChange(whole, { ...request, summary });
  if (given.length === 0) return summary === '' ? rejected(['It has no edits.'], answer) : { edits: null, says: [summary] };
  const notes: string[] = [];
  const edits: Edit[] = [];
  let { document } = request;
  for (const [index, one] of given.entries()) {
    const completed = completedEdit(one, document, { ...request, notes });
    if (completed === null) continue;
    const parsed = editSchema.safeParse(completed);
    const next = parsed.success ? withEdit(document, parsed.data) : problemOf(parsed.error.issues[0], completed);
    if ('problem' in next) return rejected([`Edit ${index + 1}: ${next.problem}`], answer);
    if (parsed.success) edits.push(parsed.data);
    document = next.document;
  }
  const removed = edits.flatMap((edit) => removalOf(edit, request.document));
  if (edits.length === 0 && notes.length === 0) return rejected(['It has no edits.'], answer);
  return { edits: edits.length === 0 ? null : edits, says: [summary, ...removed, ...notes] };
}

function problemOf(issue: { path: readonly PropertyKey[]; message: string } | undefined, edit: unknown): { problem: string } {
  const type = isFields(edit) ? textOf(edit['type']) : '';
  if (!editTypes.includes(type))
    return { problem: `There is no edit “${type.slice(0, 40)}”. The edits are ${editTypes.join(', ')}.` };
  return { problem: `${issue?.path.map(String).join('.') ?? ''}: ${issue?.message ?? 'it does not fit'}.` };
}

function editsIn(answer: unknown): readonly unknown[] {
  if (Array.isArray(answer)) return answer;
  if (!isFields(answer)) return [];
  const { edits, changes = edits, type } = answer;
  if (changes !== undefined) return itemsIn(changes);
  return typeof type === 'string' ? [answer] : [];
}

interface Completing extends Request {
  readonly notes: string[];
}

/** An edit of an answer, and the parts that it names as the document has them then. */
interface Named extends Completing {
  readonly given: Fields;
  readonly type: string;
  readonly document: AppDocument;
  readonly mending: { readonly names: Names; readonly notes: string[] };
  readonly list: List | undefined;
  readonly field: Field | undefined;
  readonly page: Page | undefined;
  readonly name: unknown;
}

/** Returns an edit with the ids and values that it names or replaces, or `null` if it may not be made. */
function completedEdit(given: unknown, document: AppDocument, completing: Completing): unknown {
  if (!isFields(given)) return given;
  const type = wordIn(editTypes, given['type'] ?? given['op'] ?? given['action']) ?? textOf(given['type']);
  const names = new Names();
  for (const list of document.lists) names.add(list);
  const list = listOf(document, names, given['list']);
  const field = list === undefined ? undefined : partNamed(list.fields, given['field']);
  const page = partNamed(document.pages, given['page']);
  const name = given['name'] ?? given['value'];
  const mending = { names, notes: completing.notes };
  const named: Named = { ...completing, given, type, document, mending, list, field, page, name };
  if (/field|choices/u.test(type)) return fieldEdit(named);
  if (/view/u.test(type)) return viewEdit(named);
  if (/page/u.test(type)) return pageEdit(named);
  return type.includes('list') ? listEdit(named) : appEdit(named);
}

function appEdit({ given, type, document, name }: Named): unknown {
  switch (type) {
    case 'rename-app':
      return { type, name, was: document.name };
    case 'set-theme':
    case 'set-mode': {
      const key = type === 'set-theme' ? 'theme' : 'mode';
      const value = given[key] ?? given['value'];
      return { type, [key]: wordIn(schemas.document.properties?.[key]?.enum ?? [], value) ?? value, was: document[key] };
    }
    default:
      return { type, colours: given['colours'] ?? given['value'] ?? null, was: document.colours ?? null };
  }
}

function listEdit({ given, type, document, mending, list, name, words, nowIso, notes }: Named): unknown {
  const id = list?.id ?? given['list'];
  switch (type) {
    case 'add-list': {
      const own = listWithIds(given['list'], new Set(document.lists.map((one) => one.id)));
      mending.names.add(own);
      return { type, list: mendedList(own, mending), ...placeOf(given) };
    }
    case 'rename-list':
      return { type, list: id, name, was: list?.name, ...(textOf(given['one']) !== '' && { one: given['one'] }) };
    default:
      return list === undefined || isNamed(words, list, notes) ? { type, list: id, atIso: nowIso } : null;
  }
}

function fieldEdit(named: Named): unknown {
  const { given, type, list, field, name, words, nowIso, notes } = named;
  const own = { type, list: list?.id ?? given['list'], field: field?.id ?? given['field'] };
  switch (type) {
    case 'add-field':
      return { ...own, field: newField(named, undefined), ...placeOf(given) };
    case 'change-field':
      return { ...own, field: newField(named, field), was: field, atIso: nowIso };
    case 'rename-field':
      return { ...own, name, was: field?.name };
    case 'remove-field':
      return field === undefined || isNamed(words, field, notes) ? { ...own, atIso: nowIso } : null;
    case 'move-field':
      return { ...own, to: numberOf(given['to']) ?? 0 };
    case 'set-choices': {
      const was = field !== undefined && 'choices' in field ? field.choices : [];
      return { ...own, choices: choicesIn(given['choices'], was), was, atIso: nowIso };
    }
    default:
      return own;
  }
}

function newField({ given, list, mending: { names, notes } }: Named, before: Field | undefined): unknown {
  const taken = [...(list?.fields ?? []), ...(list?.removed ?? []).map(({ field }) => field)];
  const field = fieldWithIds(given['field'], new Set(taken.map(({ id }) => id)), before);
  const id = list?.id ?? '';
  names.addField(id, field);
  return mend(schemas.field, field, { names, notes, list: id, key: 'field', where: `“${textOf(field['name'])}”` });
}

function pageEdit({ given, type, document, mending, page, name }: Named): unknown {
  const own = { type, page: page?.id ?? given['page'] };
  switch (type) {
    case 'rename-page':
      return { ...own, name, was: page?.name };
    case 'set-page': {
      const was = { icon: page?.icon, public: page?.public };
      const where = `the page “${page?.name ?? ''}”`;
      const next = { icon: given['icon'] ?? was.icon, public: given['public'] ?? was.public };
      const look = mend({ ...schemas.page, required: [] }, next, { ...mending, list: '', key: 'page', where });
      return { ...own, ...(isFields(look) && look), was };
    }
    case 'add-page': {
      const added = mendedPage(given['page'], document, mending);
      const used = new Set(document.pages.map(({ id }) => id));
      const id = idFrom(textOf(added['id']) || textOf(added['name']), used, 'page');
      const views = itemsIn(added['views']).map(placeable);
      return { type, page: { ...added, id, views }, ...placeOf(given) };
    }
    case 'move-page':
      return { ...own, to: numberOf(given['to']) ?? 0 };
    default:
      return own;
  }
}

function viewEdit({ given, type, document, mending, page, name }: Named): unknown {
  const view = page?.views.find(({ id }) => id === viewIdIn(given['view'])) ?? onlyOf(page?.views);
  const own = { type, page: page?.id ?? given['page'], view: view?.id };
  const place = { page: page?.name ?? '', document, mending, used: new Set((page?.views ?? []).map(({ id }) => id)) };
  switch (type) {
    case 'add-view':
      return { ...own, view: placeable(mendedView(given['view'], place)), ...placeOf(given) };
    case 'set-view': {
      // What the answer does not mention stays, unless the view becomes another one.
      const next: Fields = isFields(given['view']) ? given['view'] : {};
      const isSame = view !== undefined && (next['view'] === undefined || next['view'] === view.view);
      const merged = isSame ? { ...view, ...next } : next;
      return { ...own, view: placeable(mendedView(merged, place, view?.id ?? null)), was: view };
    }
    case 'rename-view':
      return { ...own, name, was: view !== undefined && 'title' in view ? (view.title ?? '') : '' };
    case 'move-view': {
      const toPage = partNamed(document.pages, given['toPage'])?.id;
      return { ...own, to: numberOf(given['to']) ?? 0, ...(toPage !== undefined && { toPage }) };
    }
    default:
      return own;
  }
}

/** A view in code is not placed by a model, because nobody would write its component. */
const placeable = (view: unknown): unknown => (isFields(view) && isPlaceable(textOf(view['view'])) ? view : { view: 'none' });

const listOf = ({ lists }: AppDocument, names: Names, given: unknown): List | undefined =>
  lists.find(({ id }) => id === (typeof given === 'string' ? names.list(given) : null));
const viewIdIn = (given: unknown) => (isFields(given) ? given['id'] : given);
const onlyOf = <T>(items: readonly T[] | undefined): T | undefined => (items?.length === 1 ? items[0] : undefined);
const numberOf = (given: unknown): number | undefined => {
  const number = Number(textOf(given) || Number.NaN);
  return Number.isInteger(number) && number >= 0 ? number : undefined;
};

const placeOf = (given: Fields) => {
  const at = numberOf(given['at']);
  return at === undefined ? {} : { at };
};

/** Whether the user has named a part that would be removed with its values. If not, notes that it stays. */
function isNamed(words: string, { name, id }: { readonly name: string; readonly id: string }, notes: string[]): boolean {
  const said = new Set(stemsOf(words));
  const isSaid = stemsOf(name).some((stem) => said.has(stem)) || stemsOf(id).some((stem) => said.has(stem));
  if (!isSaid) notes.push(`“${name}” stays, because you did not name it. Name it if it should go.`);
  return isSaid;
}

/** The first letters of words, so that “loans” names “Loan”. */
const stemsOf = (text: string) => (text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? []).map((word) => word.slice(0, 4));

function removalOf(edit: Edit, { lists }: AppDocument): string[] {
  if (edit.type !== 'remove-list' && edit.type !== 'remove-field') return [];
  const list = lists.find(({ id }) => id === edit.list);
  if (edit.type === 'remove-list') return list === undefined ? [] : [`Removed: the list “${list.name}” with its records.`];
  const field = list?.fields.find(({ id }) => id === edit.field);
  return field === undefined ? [] : [`Removed: “${field.name}” of “${list?.name ?? ''}”. Its values are kept for 30 days.`];
}

/** Replaces the document. Lists and fields that the answer lacks stay, because leaving out is no request to remove. */
function wholeChange(given: Fields, { document, revision, summary }: Request & { summary: string }): MadeChange | Rejected {
  const mending = { names: new Names(), notes: [] as string[] };
  const used = new Set(document.lists.map(({ id }) => id));
  const lists = itemsIn(given['lists']).map((one) => {
    const before = partNamed(document.lists, one);
    return { before, list: listWithIds(one, used, before) };
  });
  for (const list of document.lists) mending.names.add(list);
  for (const { list } of lists) mending.names.add(list);
  const kept = document.lists.filter((list) => !lists.some(({ before }) => before?.id === list.id));
  const merged = [...lists.map(({ before, list }) => withKeptFields(mendedList(list, mending), before)), ...kept];
  const next = { ...document, lists: merged as List[] };
  const pages = given['pages'] === undefined ? null : itemsIn(given['pages']);
  const shown = pages?.map((one) => {
    const before = partNamed(document.pages, one);
    const page = mendedPage(one, next, mending);
    return {
      ...page,
      id: before?.id ?? idFrom(textOf(page['id']) || textOf(page['name']), new Set(document.pages.map((one) => one.id)), 'page'),
    };
  });
  const { name, theme, mode } = given;
  const look = {
    name: textOf(name) || document.name,
    theme: wordIn(schemas.document.properties?.['theme']?.enum ?? [], theme) ?? document.theme,
    mode: wordIn(schemas.document.properties?.['mode']?.enum ?? [], mode) ?? document.mode,
  };
  const read = problemsOfDocument({ ...next, ...look, ...(shown !== undefined && { pages: shown }) });
  if ('problems' in read) return rejected(read.problems, given);
  return { edits: [{ type: 'set-document', document: read.document, revision }], says: [summary, ...mending.notes] };
}

function withKeptFields(list: unknown, before: List | undefined): unknown {
  if (!isFields(list) || before === undefined) return list;
  const fields = itemsIn(list['fields']);
  const has = (id: string) => fields.some((field) => isFields(field) && field['id'] === id);
  return { ...list, fields: [...fields, ...before.fields.filter(({ id }) => !has(id))], removed: before.removed };
}
