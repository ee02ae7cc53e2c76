import { randomBytes } from 'node:crypto';
import { type RecordByTitle, readText } from '#kinds/app/contract/texts.ts';
import {
  type AppDocument,
  documentSchema,
  documentVersion,
  type Field,
  fieldSchema,
  type List,
  listSchema,
  pageSchema,
  themeIds,
  viewSchema,
} from '../../../../sandbox-image/templates/app/model/document.ts';
import { idFrom, singularOf } from '../../../../sandbox-image/templates/app/model/ids.ts';
import type { NewRecord } from '../../../../sandbox-image/templates/app/model/journal.ts';
import { documentProblems, readDocument, viewProblems } from '../../../../sandbox-image/templates/app/model/problems.ts';
import type { Value } from '../../../../sandbox-image/templates/app/model/record.ts';
import { notesOf } from '../../../../sandbox-image/templates/app/model/tables.ts';
import { defaultCurrency } from '../../../../sandbox-image/templates/app/model/values.ts';
import { fittingViews, viewFor } from '../../../../sandbox-image/templates/app/model/views.ts';
import { type Fields, isFields, jsonOr } from '../../../llm/one-repair.ts';
import { isPlaceable } from './catalogue.ts';
import { choicesIn, itemsIn, mend, Names, textOf, wordIn } from './mend.ts';
import { nameOf, optionsOf, type Schema, schemaOf } from './schema.ts';

/** Turns a language model's answer into the document of an app. */

/** An answer that cannot be used yet. */
export interface Rejected {
  readonly problems: readonly { readonly text: string }[];
  readonly given: unknown;
}

export const rejected = (texts: readonly string[], given: unknown = null): Rejected => ({
  problems: texts.map((text) => ({ text })),
  given,
});

type Samples = Readonly<Record<string, readonly NewRecord[]>>;

export interface MadeApp {
  readonly document: AppDocument;
  readonly samples: Samples;
  /** What the user is told about the app, one sentence each. */
  readonly says: readonly string[];
}

export const schemas = {
  list: schemaOf(listSchema),
  field: schemaOf(fieldSchema),
  page: schemaOf(pageSchema),
  view: schemaOf(viewSchema),
  document: schemaOf(documentSchema),
} satisfies Record<string, Schema>;

const fieldTypes = optionsOf(schemas.field).map((option) => nameOf(option, 'type'));
const viewTypes = optionsOf(schemas.view).map((option) => nameOf(option, 'view'));

/** Returns a field with an id, a type and choices with ids, of its name alone too. `before`: the field that it changes. */
export function fieldWithIds(given: unknown, used: Set<string>, before?: Field): Fields {
  const field: Fields = isFields(given) ? given : { name: given };
  const name = textOf(field['name'] ?? field['label'] ?? field['title'] ?? field['id']);
  const id = before?.id ?? idFrom(textOf(field['id']) || name, used, 'field');
  used.add(id);
  const {
    options,
    values,
    choices = options ?? values,
    to,
    target,
    list = to ?? target,
    label: _label,
    title: _title,
    ...rest
  } = field;
  const type = wordIn(fieldTypes, field['type']) ?? (choices === undefined ? (before?.type ?? 'text') : 'choice');
  const hasChoices = type === 'choice' || type === 'choices';
  const known = before !== undefined && 'choices' in before ? before.choices : [];
  return {
    ...rest,
    ...{ id, name: name || id, type },
    ...(hasChoices && { choices: choices === undefined ? known : choicesIn(choices, known) }),
    ...(type === 'relation' && { list }),
    ...(type === 'money' && isEmpty(field['currency']) && { currency: currencyOf(before) }),
    ...(type === 'computed' && isEmpty(field['result']) && { result: 'number' }),
  };
}

const currencyOf = (before: Field | undefined) =>
  before !== undefined && before.type === 'money' ? before.currency : defaultCurrency;
const isEmpty = (value: unknown) => value === undefined || value === null || value === '';

/** Returns a list with ids for itself and its fields. `before`: the list that it changes. */
export function listWithIds(given: unknown, used: Set<string>, before?: List): Fields {
  const list: Fields = isFields(given) ? given : { name: given };
  const name = textOf(list['name'] ?? list['title'] ?? list['id']);
  const id = before?.id ?? idFrom(textOf(list['id']) || name, used, 'list');
  used.add(id);
  const { title: _title, ...rest } = list;
  const usedFields = new Set<string>();
  const fields = itemsIn(list['fields'] ?? list['columns']).map((field) =>
    fieldWithIds(field, usedFields, before === undefined ? undefined : partNamed(before.fields, field)),
  );
  const { columns: _columns, ...own } = rest;
  return { ...own, id, name: name || id, one: textOf(list['one']) || singularOf(name || id), fields };
}

/** Returns the part that has the id of an answer's part, or else its name. */
export function partNamed<T extends { readonly id: string; readonly name: string }>(
  parts: readonly T[],
  given: unknown,
): T | undefined {
  const [id, name] = isFields(given) ? [textOf(given['id']), textOf(given['name'])] : [textOf(given), textOf(given)];
  return parts.find((part) => part.id === id) ?? parts.find((part) => part.name.toLowerCase() === name.toLowerCase());
}

/** Returns the part of an answer that has lists: the answer itself, or an object that it is wrapped in. */
export function withLists(answer: unknown): Fields | null {
  if (!isFields(answer)) return null;
  if (answer['lists'] !== undefined) return answer;
  return (
    Object.values(answer)
      .map(jsonOr)
      .filter(isFields)
      .find((inner) => inner['lists'] !== undefined) ?? null
  );
}

interface Mending {
  readonly names: Names;
  readonly notes: string[];
}

export const mendedList = (list: Fields, { names, notes }: Mending): unknown =>
  mend(schemas.list, list, { names, notes, list: textOf(list['id']), key: 'list', where: `“${textOf(list['name'])}”` });

/** Returns a page with ids, and views whose missing parts are the fields that most likely play them. */
export function mendedPage(given: unknown, document: AppDocument, mending: Mending): Fields {
  const page: Fields = isFields(given) ? given : { name: given };
  const isView = typeof page['view'] === 'string';
  const { view, views = view, title, ...rest } = page;
  const own: Fields = isView ? { name: page['name'] ?? title, id: page['id'], icon: page['icon'], public: page['public'] } : rest;
  const shown = isView ? [page] : itemsIn(views);
  const [first] = shown;
  const name = textOf(own['name'] ?? title) || nameOfList(document, isFields(first) ? first['list'] : undefined, mending);
  const used = new Set<string>();
  const mended = shown.map((one) => mendedView(one, { page: name, document, mending, used }));
  const { names, notes } = mending;
  const head = mend({ ...schemas.page, required: [] }, own, { names, notes, list: '', key: 'page', where: `the page “${name}”` });
  return { ...(isFields(head) ? head : {}), name, views: mended };
}

const nameOfList = ({ lists }: AppDocument, list: unknown, { names }: Mending): string => {
  const id = names.list(textOf(list));
  return lists.find((one) => one.id === id)?.name ?? 'Page';
};

interface Place {
  /** Name of the page. */
  readonly page: string;
  readonly document: AppDocument;
  readonly mending: Mending;
  /** Ids of the page's other views. */
  readonly used: Set<string>;
}

/** Returns a view whose missing parts are the fields that most likely play them. `id`: that of the view that it changes. */
export function mendedView(given: unknown, { page, document, mending, used }: Place, id: string | null = null): unknown {
  const start: Fields = isFields(given) ? given : { view: given };
  const { names, notes } = mending;
  const onlyList = document.lists.length === 1 ? document.lists[0]?.id : undefined;
  const listId = names.list(textOf(start['list'])) ?? names.list(page) ?? onlyList;
  const type = wordIn(viewTypes, start['view']) ?? wordIn(viewTypes, start['type']) ?? '';
  const list = document.lists.find((one) => one.id === listId);
  const own = id ?? idFrom(textOf(start['id']) || `${listId ?? 'list'}-${type || 'view'}`, used, 'view');
  used.add(own);
  const where = `the ${type || 'view'} of the page “${page}”`;
  const whole = { ...start, id: own, ...(listId !== undefined && { list: listId }) };
  const mended = mend(schemas.view, whole, { names, notes, list: listId ?? '', key: 'view', where });
  if (!isFields(mended) || list === undefined || !isPlaceable(type)) return mended;
  const guess = viewFor(type, list, document);
  const option = optionsOf(schemas.view).find((one) => nameOf(one, 'view') === type);
  const missing = 'view' in guess ? Object.entries(guess.view).filter(([key]) => option?.required?.includes(key)) : [];
  const card = isFields(mended['card']) ? { card: { title: list.fields[0]?.id, ...mended['card'] } } : {};
  return { ...Object.fromEntries(missing), ...mended, ...card };
}

/** Returns what is wrong with a value that should be a document, one sentence each. */
export function problemsOfDocument(
  value: unknown,
): { readonly document: AppDocument } | { readonly problems: readonly string[] } {
  const parsed = documentSchema.safeParse(value);
  if (!parsed.success)
    return { problems: parsed.error.issues.map((issue) => `${issue.path.map(String).join('.')}: ${issue.message}.`) };
  const read = readDocument(parsed.data);
  if ('problem' in read) return { problems: [read.problem] };
  const problems = documentProblems(read.document);
  return problems.length > 0 ? { problems } : read;
}

const kindProblems = (pages: readonly Fields[]): string[] =>
  pages.flatMap(({ name, views }) =>
    itemsIn(views).flatMap((view) => {
      const type = isFields(view) ? textOf(view['view']) : '';
      return isPlaceable(type) ? [] : [`The page “${textOf(name)}” has a view “${type}”, which does not exist.`];
    }),
  );

/** Returns the app of an answer, or what is wrong with it. `before`: the answer that this one repairs. */
export function appIn(answer: unknown, { before, todayIso }: { before: Rejected | null; todayIso: string }): MadeApp | Rejected {
  const found = withLists(answer);
  const given = isFields(before?.given) ? { ...before.given, ...(found ?? (isFields(answer) ? answer : {})) } : found;
  if (given === null || itemsIn(given['lists']).length === 0) return rejected(['It has no lists.'], answer);
  const mending: Mending = { names: new Names(), notes: [] };
  const used = new Set<string>();
  const lists = itemsIn(given['lists']).map((list) => listWithIds(list, used));
  for (const list of lists) mending.names.add(list);
  const draft = { lists: lists.map((list) => mendedList(list, mending)), pages: [] } as unknown as AppDocument;
  const readable = listSchema.array().safeParse(draft.lists);
  if (!readable.success) {
    const texts = readable.error.issues.map((issue) => `lists.${issue.path.map(String).join('.')}: ${issue.message}.`);
    return rejected(texts, given);
  }
  const document: AppDocument = { ...draft, lists: readable.data };
  const pages = pagesIn(given['pages'], document, mending);
  const look = lookOf(given, mending);
  const strange = before === null ? kindProblems(pages) : [];
  const whole = { ...look, version: documentVersion, lists: document.lists, pages };
  const read = problemsOfDocument(before === null ? whole : withoutWrongViews(whole, document, mending));
  if ('problems' in read || strange.length > 0)
    return rejected([...strange, ...('problems' in read ? read.problems : [])], given);
  const { samples, skipped } = samplesIn(given['samples'] ?? given['records'], read.document, { names: mending.names, todayIso });
  const left = skipped === 0 ? [] : [`${skipped} of the model’s sample records were left out, because they do not fit.`];
  return { document: read.document, samples, says: [textOf(given['caveat']), ...left, ...mending.notes] };
}

function pagesIn(given: unknown, document: AppDocument, mending: Mending): Fields[] {
  const used = new Set<string>();
  const pages = itemsIn(given).map((one) => mendedPage(one, document, mending));
  const shown =
    pages.length > 0
      ? pages
      : document.lists.map((list) => ({ name: list.name, views: fittingViews(list, document).slice(0, 1) }));
  return shown.map((page) => {
    const id = idFrom(textOf('id' in page ? page['id'] : '') || textOf(page.name), used, 'page');
    used.add(id);
    return { ...page, id };
  });
}

/** Leaves out the views that are still wrong after the second answer, if others remain. */
function withoutWrongViews<T extends { pages: readonly Fields[] }>(whole: T, document: AppDocument, { notes }: Mending): T {
  const pages = whole.pages.flatMap((page) => {
    const views = itemsIn(page['views']).filter((view) => {
      const parsed = viewSchema.safeParse(view);
      const isRight = parsed.success && parsed.data.view !== 'code' && viewProblems(document, parsed.data, '').length === 0;
      if (!isRight) notes.push(`A view of the page “${textOf(page['name'])}” could not be made, and was left out.`);
      return isRight;
    });
    return views.length === 0 ? [] : [{ ...page, views }];
  });
  // If no page is left, the first problem explains more than “no pages”.
  return pages.length === 0 ? whole : { ...whole, pages };
}

function lookOf(given: Fields, { names, notes }: Mending): Fields {
  const { lists: _, pages: __, ...properties } = schemas.document.properties ?? {};
  const { lists: ___, pages: ____, samples: _s, records: _r, caveat: _c, summary: _u, version: _v, ...own } = given;
  const schema = { ...schemas.document, properties, required: [] };
  const mended = mend(schema, own, { names, notes, list: '', key: 'app', where: 'the app' });
  const look = isFields(mended) ? mended : {};
  const colours = documentSchema.shape.colours.safeParse(look['colours']);
  return {
    ...look,
    name: textOf(look['name'] ?? given['title']) || 'My app',
    theme: wordIn(themeIds, look['theme']) ?? 'studio',
    mode: look['mode'] ?? 'system',
    colours: colours.success ? colours.data : undefined,
  };
}

const mostSamples = 8;
const newRecordId = () => randomBytes(8).toString('hex');

/**
 * Reads the sample records of an answer as an import reads rows: a text that does not fit becomes a note, and a record that lacks a
 * needed value is left out.
 */
function samplesIn(
  given: unknown,
  document: AppDocument,
  { names, todayIso }: { names: Names; todayIso: string },
): { samples: Samples; skipped: number } {
  const byList = Object.entries(isFields(given) ? given : {}).flatMap(([key, records]) => {
    const list = document.lists.find(({ id }) => id === names.list(key));
    const rows = itemsIn(records).filter(isFields);
    return list === undefined ? [] : [{ list, rows: rows.slice(0, mostSamples).map((row) => ({ row, id: newRecordId() })) }];
  });
  const titles = new Map(
    byList.flatMap(({ list, rows }) =>
      rows.map(({ row, id }) => [`${list.id}/${textIn(valueIn(row, list, list.fields[0], names)).toLowerCase()}`, id] as const),
    ),
  );
  const idOf: RecordByTitle = (list, title) => titles.get(`${list}/${title.trim().toLowerCase()}`) ?? null;
  let skipped = 0;
  const samples = byList.map(({ list, rows }) => {
    const records = rows.flatMap(({ row, id }) => {
      const record = sampleOf(row, list, { names, idOf, todayIso });
      const isWhole = list.fields.every((field) => field.needed !== true || Object.hasOwn(record.values, field.id));
      if (isWhole && Object.keys(record.values).length > 0) return [{ id, ...record }];
      skipped += 1;
      return [];
    });
    return [list.id, records] as const;
  });
  return { samples: Object.fromEntries(samples), skipped };
}

function valueIn(row: Fields, list: List, field: Field | undefined, names: Names): unknown {
  if (field === undefined) return undefined;
  return Object.entries(row).find(([key]) => names.field(list.id, key) === field.id)?.[1];
}

function sampleOf(
  row: Fields,
  list: List,
  { names, idOf, todayIso }: { names: Names; idOf: RecordByTitle; todayIso: string },
): { values: Record<string, Value>; notes?: Record<string, string> } {
  const values: Record<string, Value> = {};
  const notes: [string, string][] = [];
  for (const field of list.fields) {
    const text = textIn(valueIn(row, list, field, names), (one) => choiceName(field, one));
    if (text === '' || field.type === 'computed' || field.type === 'image') continue;
    const read = readText(field, text, { todayIso, idOf });
    if ('value' in read) values[field.id] = read.value;
    else notes.push(...notesOf(field.name, text));
  }
  return { values, ...(notes.length > 0 && { notes: Object.fromEntries(notes) }) };
}

/** Returns a value as a person would type it. */
function textIn(value: unknown, named: (text: string) => string = (text) => text): string {
  if (Array.isArray(value)) return value.map((one) => textIn(one, named)).join(', ');
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return named(textOf(value));
}

const choiceName = (field: Field, text: string): string =>
  'choices' in field ? (field.choices.find(({ id }) => id === text)?.name ?? text) : text;
