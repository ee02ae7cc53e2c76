import { shownIn, withView } from '#kinds/app/contract/pages.ts';
import type {
  AppDocument,
  Field,
  FieldType,
  List,
  ThemeId,
  View,
  ViewType,
} from '../../../../../../sandbox-image/templates/app/model/document.ts';
import { idFrom, singularOf } from '../../../../../../sandbox-image/templates/app/model/ids.ts';
import { viewProblems } from '../../../../../../sandbox-image/templates/app/model/problems.ts';
import type { ColumnType } from '../../../../../../sandbox-image/templates/app/model/tables.ts';
import { viewFor } from '../../../../../../sandbox-image/templates/app/model/views.ts';
import { views as viewNames, viewTypes } from '../catalogue.ts';
import { namedIn } from './words.ts';

/** Where a list or field of a plan comes from. `guess`: Koda assumed it. `own`: the person added it here. */
export type Origin =
  | { readonly from: 'words'; readonly words: readonly string[] }
  | { readonly from: 'table' | 'guess' | 'own' | 'answer' };

/** List that the rows of a pasted table go to, the column of each of its fields, and types that were changed in the plan. */
export interface TableSource {
  readonly list: string;
  readonly columns: Readonly<Record<string, number>>;
  readonly types: Readonly<Record<number, ColumnType>>;
}

/** What is built, and how it came about. Nothing of it is stored before the person says so. */
export interface AppPlan {
  readonly document: AppDocument;
  /** By list (`list`) and field (`list/field`). */
  readonly origins: Readonly<Record<string, Origin>>;
  /** Starting point whose sample records are written. `null` if there are none. */
  readonly start: string | null;
  /** `null` if no table was pasted. */
  readonly table: TableSource | null;
  /** Chosen options by question. */
  readonly answers: Readonly<Record<string, string>>;
}

/** An edited plan, and what changed in it beside what was edited, in sentences. */
export interface Edited {
  readonly plan: AppPlan;
  readonly notes: readonly string[];
}

const unchanged = (plan: AppPlan): Edited => ({ plan, notes: [] });

export const fieldKey = (list: string, field: string) => `${list}/${field}`;

interface PlanSource {
  readonly words: string;
  readonly start: string | null;
  readonly table?: TableSource | null;
  /** Words that lists and fields were made of, by their keys. Without it, the words of their names. */
  readonly taken?: Readonly<Record<string, readonly string[]>>;
  /** Lists whose name is a guess, although their rows are not. */
  readonly guessedNames?: readonly string[];
}

/** Returns the plan of a document, with what the words of the request name in it. */
export function planOf(
  document: AppDocument,
  { words, start, table = null, taken = {}, guessedNames = [] }: PlanSource,
): AppPlan {
  const named = namedIn(words, document);
  const origins: Record<string, Origin> = {};
  for (const list of document.lists) {
    const rest: Origin = { from: list.id === table?.list ? 'table' : 'guess' };
    for (const key of [list.id, ...list.fields.map(({ id }) => fieldKey(list.id, id))]) {
      const found = taken[key] ?? named.get(key);
      if (found !== undefined) origins[key] = { from: 'words', words: found };
      else origins[key] = guessedNames.includes(key) ? { from: 'guess' } : rest;
    }
  }
  return { document, origins, start, table, answers: {} };
}

/** The words of the request that became something. */
export const usedWords = ({ origins }: AppPlan): Set<string> =>
  new Set(Object.values(origins).flatMap((origin) => (origin.from === 'words' ? origin.words : [])));

export function emptyDocument(name: string, theme: ThemeId, lists: readonly List[]): AppDocument {
  return { version: 1, name: name.slice(0, 60), theme, mode: 'system', lists: [...lists], pages: [] };
}

const isOf = (view: View, type: ViewType, list: string) => view.view === type && 'list' in view && view.list === list;

export const hasView = ({ pages }: AppDocument, type: ViewType, list: string) =>
  pages.some(({ views }) => views.some((view) => isOf(view, type, list)));

function withoutView(document: AppDocument, type: ViewType, list: string): AppDocument {
  const pages = document.pages
    .map((page) => ({ ...page, views: page.views.filter((view) => !isOf(view, type, list)) }))
    .filter(({ views }) => views.length > 0);
  return { ...document, pages };
}

/** Shows a list in this way, or no longer. An app keeps at least one view. */
export function toggleView(plan: AppPlan, type: ViewType, listId: string): Edited {
  const { document } = plan;
  const list = document.lists.find(({ id }) => id === listId);
  if (list === undefined) return unchanged(plan);
  const next = hasView(document, type, listId) ? withoutView(document, type, listId) : withView(document, type, list);
  if (next.pages.length > 0) return { plan: { ...plan, document: next }, notes: [] };
  return { plan, notes: ['An app needs a view. Tick another one first.'] };
}

/** Why a list cannot be shown in this way, or `null` if it can. */
export function missingFor(type: ViewType, list: List, document: AppDocument): string | null {
  const found = viewFor(type, list, document);
  return 'missing' in found ? found.missing : null;
}

/**
 * Makes all views fit the document again. A view that no longer fits is chosen anew for its list, and removed if the list cannot be shown
 * that way any more.
 */
function repaired(plan: AppPlan): Edited {
  const notes: string[] = [];
  let { document } = plan;
  const fitted = (view: View): View[] => {
    if (viewProblems(document, view, '').length === 0) return [view];
    const list = 'list' in view ? document.lists.find(({ id }) => id === view.list) : undefined;
    if (list === undefined) return [];
    const found = viewFor(view.view, list, document);
    if ('view' in found) return [{ ...found.view, id: view.id }];
    notes.push(`${viewNames[view.view].name} of ${list.name} was removed. ${found.missing}`);
    return [];
  };
  const pages = document.pages
    .map((page) => ({ ...page, views: page.views.flatMap(fitted) }))
    .filter(({ views }) => views.length > 0);
  document = { ...document, pages };
  const [first] = document.lists;
  if (pages.length === 0 && first !== undefined) document = withView(document, 'table', first);
  return { plan: { ...plan, document }, notes };
}

function withList(plan: AppPlan, id: string, change: (list: List) => List): Edited {
  const lists = plan.document.lists.map((list) => (list.id === id ? change(list) : list));
  return repaired({ ...plan, document: { ...plan.document, lists } });
}

const withOrigin = (plan: AppPlan, key: string, origin: Origin): AppPlan => ({
  ...plan,
  origins: { ...plan.origins, [key]: origin },
});

const maxNameCharacters = 60;
/** A name while it is typed may be empty; the sheet then keeps the one before. */
const isName = (name: string) => name.trim() !== '' && name.trim().length <= maxNameCharacters;

export function renameApp(plan: AppPlan, name: string): Edited {
  return isName(name) ? unchanged({ ...plan, document: { ...plan.document, name: name.trim() } }) : unchanged(plan);
}

export function renameList(plan: AppPlan, listId: string, name: string): Edited {
  if (!isName(name)) return unchanged(plan);
  const old = plan.document.lists.find(({ id }) => id === listId)?.name;
  const one = singularOf(name);
  const edited = withList(plan, listId, (list) => ({
    ...list,
    name: name.trim(),
    one: list.one === singularOf(list.name) || list.one === 'entry' ? one : list.one,
  }));
  const { document } = edited.plan;
  // A page and an app that have the list's name follow it.
  const pages = document.pages.map((page) => (page.name === old ? { ...page, name: name.trim() } : page));
  const named = { ...document, pages, name: document.name === old ? name.trim() : document.name };
  return { ...edited, plan: withOrigin({ ...edited.plan, document: named }, listId, { from: 'own' }) };
}

export function addList(plan: AppPlan): Edited & { readonly list: string } {
  const { lists } = plan.document;
  const id = idFrom('list', new Set(lists.map((list) => list.id)), 'list');
  const list: List = {
    id,
    name: `List ${lists.length + 1}`,
    one: 'entry',
    fields: [{ id: 'name', name: 'Name', type: 'text', needed: true }],
  };
  const document = withView({ ...plan.document, lists: [...lists, list] }, 'table', list);
  const added = withOrigin(withOrigin({ ...plan, document }, id, { from: 'own' }), fieldKey(id, 'name'), { from: 'own' });
  return { plan: added, notes: [], list: id };
}

/** Removes a list and the relations that lead to it. */
export function removeList(plan: AppPlan, listId: string): Edited {
  const { document } = plan;
  if (document.lists.length === 1) return { plan, notes: ['An app needs a list. Add another one first.'] };
  const notes: string[] = [];
  const lists = document.lists
    .filter(({ id }) => id !== listId)
    .map((list) => {
      const fields = list.fields.filter((field) => !(field.type === 'relation' && field.list === listId));
      for (const field of list.fields)
        if (!fields.includes(field)) notes.push(`${field.name} of ${list.name} led to it and was removed.`);
      const [first] = fields;
      return { ...list, fields: first === undefined ? [{ id: 'name', name: 'Name', type: 'text' as const }] : fields };
    });
  const table = plan.table?.list === listId ? null : plan.table;
  const edited = repaired({ ...plan, table, document: { ...document, lists } });
  return { plan: edited.plan, notes: [...notes, ...edited.notes] };
}

export function renameField(plan: AppPlan, listId: string, fieldId: string, name: string): Edited {
  if (!isName(name)) return unchanged(plan);
  return withList(plan, listId, (list) => ({
    ...list,
    fields: list.fields.map((field) => (field.id === fieldId ? { ...field, name: name.trim() } : field)),
  }));
}

/** Adds a text below a field, or at the end if `below` is `null`. Returns its id. */
export function addField(plan: AppPlan, listId: string, below: string | null): Edited & { readonly field: string } {
  const list = plan.document.lists.find(({ id }) => id === listId);
  const taken = list?.fields.map(({ id }) => id) ?? [];
  const id = idFrom('field', new Set(taken), 'field');
  if (taken.length >= 60) return { plan, notes: ['A list has at most 60 fields.'], field: '' };
  const edited = withList(plan, listId, (old) => {
    const at = below === null ? old.fields.length : old.fields.findIndex((field) => field.id === below) + 1;
    const field: Field = { id, name: 'New field', type: 'text' };
    return { ...old, fields: [...old.fields.slice(0, at), field, ...old.fields.slice(at)] };
  });
  const document = shownIn(edited.plan.document, { list: listId, field: id });
  return { ...edited, plan: withOrigin({ ...edited.plan, document }, fieldKey(listId, id), { from: 'own' }), field: id };
}

/** Removes a field, and computed fields and due dates that depend on it. A list keeps at least one field. */
export function removeField(plan: AppPlan, listId: string, fieldId: string): Edited {
  const list = plan.document.lists.find(({ id }) => id === listId);
  if (list === undefined) return unchanged(plan);
  if (list.fields.length === 1) return { plan, notes: ['A list needs a field. Add another one first.'] };
  return withList(plan, listId, (old) => ({
    ...old,
    fields: old.fields.flatMap((field): Field[] => {
      if (field.id === fieldId) return [];
      if (field.type !== 'date' || field.overdue?.unless !== fieldId) return [field];
      const { overdue: _, ...rest } = field;
      return [rest];
    }),
  }));
}

export function moveField(plan: AppPlan, listId: string, fieldId: string, by: -1 | 1): Edited {
  return withList(plan, listId, (list) => {
    const at = list.fields.findIndex(({ id }) => id === fieldId);
    const to = at + by;
    const [field, other] = [list.fields[at], list.fields[to]];
    if (field === undefined || other === undefined) return list;
    return { ...list, fields: list.fields.with(at, other).with(to, field) };
  });
}

/** Currency of the app's amounts, or else the one that is usual where the browser's language is spoken. */
export function currencyOf({ lists }: AppDocument): string {
  const used = lists.flatMap(({ fields }) => fields.flatMap((field) => (field.type === 'money' ? [field.currency] : [])))[0];
  if (used !== undefined) return used;
  const byRegion: Readonly<Record<string, string>> = {
    GB: 'GBP',
    US: 'USD',
    CH: 'CHF',
    CA: 'CAD',
    AU: 'AUD',
    JP: 'JPY',
    IN: 'INR',
  };
  const region = typeof navigator === 'undefined' ? 'GB' : (navigator.language.split('-')[1] ?? '');
  return byRegion[region] ?? 'EUR';
}

/** A field of another type that keeps its name, or `null` if the document has nothing that the type needs. */
export function fieldOfType(field: Field, type: FieldType, listId: string, document: AppDocument): Field | null {
  const { id, name, needed, hint } = field;
  const common = { id, name, ...(needed !== undefined && { needed }), ...(hint !== undefined && { hint }) };
  switch (type) {
    case 'choice':
    case 'choices':
      return { ...common, type, choices: 'choices' in field ? field.choices : [] };
    case 'money':
      return { ...common, type, currency: currencyOf(document) };
    case 'relation': {
      const target = document.lists.find((list) => list.id !== listId);
      return target === undefined ? null : { ...common, type, list: target.id };
    }
    case 'computed':
      return null;
    default:
      return { ...common, type };
  }
}

/** Puts a field in the place of the one with its id. Views that no longer fit are chosen anew or removed. */
export function replaceField(plan: AppPlan, listId: string, field: Field): Edited {
  return withList(plan, listId, (list) => ({
    ...list,
    fields: list.fields.map((one) => (one.id === field.id ? field : one)),
  }));
}

/** Adds the text of a new choice. */
export function withChoices(field: Field, names: readonly string[]): Field {
  if (field.type !== 'choice' && field.type !== 'choices') return field;
  const hues = ['grey', 'blue', 'green', 'amber', 'violet', 'teal', 'red', 'pink'] as const;
  const choices: typeof field.choices = [];
  for (const name of names.map((one) => one.trim().slice(0, maxNameCharacters)).filter(Boolean)) {
    const known = field.choices.find((choice) => choice.name === name);
    const id = known?.id ?? idFrom(name, new Set([...choices, ...field.choices].map((choice) => choice.id)), 'choice');
    if (choices.some((choice) => choice.name === name)) continue;
    choices.push(known ?? { id, name, hue: hues[choices.length % hues.length] ?? 'grey' });
  }
  return { ...field, choices: choices.slice(0, 200) };
}

/** The first views of a list: a table, and the two others that show most of it. */
export function withBestViews(document: AppDocument, list: List, best: readonly View[]): AppDocument {
  const others = best
    .map(({ view }) => view)
    .filter((type) => type !== 'table' && type !== 'form' && type !== 'sheet' && type !== 'detail');
  const types: readonly ViewType[] = ['table', ...others.slice(0, 2)];
  return viewTypes.filter((type) => types.includes(type)).reduce((next, type) => withView(next, type, list), document);
}
