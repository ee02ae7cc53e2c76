import { z } from 'zod';
import {
  type AppDocument,
  choiceSchema,
  documentSchema,
  type Field,
  fieldSchema,
  idSchema,
  type List,
  listSchema,
  type Page,
  pageSchema,
  type View,
  viewSchema,
} from './document.ts';
import { documentProblems } from './problems.ts';
import { repairDocument } from './repair.ts';

const name = z.string().trim().min(1).max(60);
const colours = documentSchema.shape.colours.unwrap().nullable();
const { theme, mode } = documentSchema.shape;
const pageLook = pageSchema.pick({ icon: true, public: true });
const position = z.int().min(0).max(200);
/** When a field goes. Its values are kept for 30 days from then. */
const atIso = z.iso.datetime();
const choices = z.array(choiceSchema).max(200);

/**
 * One change of a document. `was` is what the sender saw: if the part is another one by now, nothing of the batch is applied. Positions
 * count from 0; parts without a position come last. Edits that can take a field away, also one whose formula needed what is gone, say
 * when (`atIso`).
 */
export const editSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('rename-app'), name, was: name }),
  z.object({ type: z.literal('set-theme'), theme, was: theme }),
  z.object({ type: z.literal('set-mode'), mode, was: mode }),
  z.object({ type: z.literal('set-colours'), colours, was: colours }),

  z.object({ type: z.literal('rename-list'), list: idSchema, name, one: name.optional(), was: name }),
  z.object({ type: z.literal('add-list'), list: listSchema, at: position.optional() }),
  z.object({ type: z.literal('remove-list'), list: idSchema, atIso }),

  z.object({ type: z.literal('rename-field'), list: idSchema, field: idSchema, name, was: name }),
  z.object({ type: z.literal('add-field'), list: idSchema, field: fieldSchema, at: position.optional() }),
  z.object({ type: z.literal('remove-field'), list: idSchema, field: idSchema, atIso }),
  z.object({ type: z.literal('restore-field'), list: idSchema, field: idSchema }),
  z.object({ type: z.literal('move-field'), list: idSchema, field: idSchema, to: position }),
  /** Replaces the whole field, also its type. It keeps its id. */
  z.object({ type: z.literal('change-field'), list: idSchema, field: fieldSchema, was: fieldSchema, atIso }),
  z.object({ type: z.literal('set-choices'), list: idSchema, field: idSchema, choices, was: choices, atIso }),

  z.object({ type: z.literal('rename-page'), page: idSchema, name, was: name }),
  /** Replaces the icon, and whether the page is one for visitors. What is omitted goes. */
  z.object({ type: z.literal('set-page'), page: idSchema, ...pageLook.shape, was: pageLook }),
  z.object({ type: z.literal('add-page'), page: pageSchema, at: position.optional() }),
  z.object({ type: z.literal('remove-page'), page: idSchema }),
  z.object({ type: z.literal('move-page'), page: idSchema, to: position }),

  /** Sets the title of a form or of a view in code. Other views are named by their page. */
  z.object({ type: z.literal('rename-view'), page: idSchema, view: idSchema, name, was: z.string().max(120) }),
  z.object({ type: z.literal('add-view'), page: idSchema, view: viewSchema, at: position.optional() }),
  z.object({ type: z.literal('remove-view'), page: idSchema, view: idSchema }),
  z.object({ type: z.literal('move-view'), page: idSchema, view: idSchema, to: position, toPage: idSchema.optional() }),
  /** Replaces the whole view, also its type. It keeps its id. */
  z.object({ type: z.literal('set-view'), page: idSchema, view: viewSchema, was: viewSchema }),
]);
export type Edit = z.infer<typeof editSchema>;
type EditOf<T extends Edit['type']> = Extract<Edit, { type: T }>;

export type Edited =
  /** `notes` say what was taken out of views and formulas because it is gone, for the user. */
  { readonly document: AppDocument; readonly notes: readonly string[] } | { readonly problem: string };

class EditProblem extends Error {}

function fail(message: string): never {
  throw new EditProblem(message);
}

/** Whether two JSON values are the same, whatever the order of their members. Members without a value do not count. */
function same(first: unknown, second: unknown): boolean {
  if (typeof first !== 'object' || typeof second !== 'object' || first === null || second === null) return first === second;
  if (Array.isArray(first) !== Array.isArray(second)) return false;
  const [left, right] = [present(first), present(second)];
  return left.size === right.size && [...left].every(([key, value]) => right.has(key) && same(value, right.get(key)));
}

function present(value: object): Map<string, unknown> {
  return new Map(Object.entries(value).filter(([, member]) => member !== undefined));
}

function expectSame(found: unknown, was: unknown, part: string): void {
  if (!same(found, was)) fail(`Somebody has changed ${part} in the meantime. Look at it again and repeat the change.`);
}

function insert<T>(items: readonly T[], item: T, at = items.length): T[] {
  return items.toSpliced(Math.min(at, items.length), 0, item);
}

function move<T>(items: readonly T[], item: T, to: number): T[] {
  return insert(
    items.filter((other) => other !== item),
    item,
    to,
  );
}

// Parts

function listIn(document: AppDocument, id: string): List {
  return document.lists.find((list) => list.id === id) ?? fail(`The list “${id}” no longer exists.`);
}

function fieldIn(list: List, id: string): Field {
  return list.fields.find((field) => field.id === id) ?? fail(`“${list.name}” no longer has the field “${id}”.`);
}

function pageIn(document: AppDocument, id: string): Page {
  return document.pages.find((page) => page.id === id) ?? fail(`The page “${id}” no longer exists.`);
}

function viewIn(page: Page, id: string): View {
  return page.views.find((view) => view.id === id) ?? fail(`The page “${page.name}” no longer has the view “${id}”.`);
}

function withList(document: AppDocument, changed: List): AppDocument {
  return { ...document, lists: document.lists.map((list) => (list.id === changed.id ? changed : list)) };
}

function withField(document: AppDocument, list: List, changed: Field): AppDocument {
  return withList(document, { ...list, fields: list.fields.map((field) => (field.id === changed.id ? changed : field)) });
}

function withPage(document: AppDocument, changed: Page): AppDocument {
  return { ...document, pages: document.pages.map((page) => (page.id === changed.id ? changed : page)) };
}

function withView(document: AppDocument, page: Page, changed: View): AppDocument {
  return withPage(document, { ...page, views: page.views.map((view) => (view.id === changed.id ? changed : view)) });
}

// Applying

type Apply<T extends Edit['type']> = (document: AppDocument, edit: EditOf<T>) => AppDocument;

function changeField(document: AppDocument, { list: listId, field, was }: EditOf<'change-field'>): AppDocument {
  const list = listIn(document, listId);
  const found = fieldIn(list, field.id);
  expectSame(found, was, `the field “${found.name}” of “${list.name}”`);
  return withField(document, list, field);
}

function removeField(document: AppDocument, { list: listId, field: id, atIso: removedAt }: EditOf<'remove-field'>): AppDocument {
  const list = listIn(document, listId);
  const field = fieldIn(list, id);
  if (list.fields.length === 1) fail(`“${list.name}” needs a field. Remove the list instead.`);
  return withList(document, {
    ...list,
    fields: list.fields.filter((other) => other !== field),
    removed: [...(list.removed ?? []), { field, removedAt }],
  });
}

function restoreField(document: AppDocument, { list: listId, field: id }: EditOf<'restore-field'>): AppDocument {
  const list = listIn(document, listId);
  const entry = list.removed?.find(({ field }) => field.id === id) ?? fail(`“${list.name}” has no removed field “${id}”.`);
  const removed = list.removed?.filter((other) => other !== entry);
  return withList(document, { ...list, fields: [...list.fields, entry.field], removed });
}

function setChoices(document: AppDocument, edit: EditOf<'set-choices'>): AppDocument {
  const list = listIn(document, edit.list);
  const field = fieldIn(list, edit.field);
  if (field.type !== 'choice' && field.type !== 'choices') return fail(`“${field.name}” of “${list.name}” has no choices.`);
  expectSame(field.choices, edit.was, `the choices of “${field.name}” of “${list.name}”`);
  return withField(document, list, { ...field, choices: edit.choices });
}

function removeList(document: AppDocument, { list: id }: EditOf<'remove-list'>): AppDocument {
  const list = listIn(document, id);
  if (document.lists.length === 1) fail(`The app needs a list. Add another one before you remove “${list.name}”.`);
  return { ...document, lists: document.lists.filter((other) => other !== list) };
}

function removePage(document: AppDocument, { page: id }: EditOf<'remove-page'>): AppDocument {
  const page = pageIn(document, id);
  if (document.pages.length === 1) fail(`The app needs a page. Add another one before you remove “${page.name}”.`);
  return { ...document, pages: document.pages.filter((other) => other !== page) };
}

function renameView(document: AppDocument, { page: pageId, view: id, name: title, was }: EditOf<'rename-view'>): AppDocument {
  const page = pageIn(document, pageId);
  const view = viewIn(page, id);
  if (view.view !== 'form' && view.view !== 'code')
    return fail(`The view “${id}” has no title of its own. Rename the page “${page.name}”.`);
  expectSame(view.title ?? '', was, `the title of the view “${id}”`);
  return withView(document, page, { ...view, title });
}

function removeView(document: AppDocument, { page: pageId, view: id }: EditOf<'remove-view'>): AppDocument {
  const page = pageIn(document, pageId);
  const view = viewIn(page, id);
  if (page.views.length === 1) fail(`The page “${page.name}” needs a view. Remove the page instead.`);
  return withPage(document, { ...page, views: page.views.filter((other) => other !== view) });
}

function moveView(document: AppDocument, { page: pageId, view: id, to, toPage = pageId }: EditOf<'move-view'>): AppDocument {
  const page = pageIn(document, pageId);
  const view = viewIn(page, id);
  if (toPage === pageId) return withPage(document, { ...page, views: move(page.views, view, to) });
  const target = pageIn(document, toPage);
  const without = removeView(document, { type: 'remove-view', page: pageId, view: id });
  return withPage(without, { ...target, views: insert(target.views, view, to) });
}

function setView(document: AppDocument, { page: pageId, view, was }: EditOf<'set-view'>): AppDocument {
  const page = pageIn(document, pageId);
  expectSame(viewIn(page, view.id), was, `the view “${view.id}” of the page “${page.name}”`);
  return withView(document, page, view);
}

const appliers: { readonly [T in Edit['type']]: Apply<T> } = {
  'rename-app': (document, edit) => {
    expectSame(document.name, edit.was, 'the name of the app');
    return { ...document, name: edit.name };
  },
  'set-theme': (document, edit) => {
    expectSame(document.theme, edit.was, 'the theme');
    return { ...document, theme: edit.theme };
  },
  'set-mode': (document, edit) => {
    expectSame(document.mode, edit.was, 'the choice of light or dark');
    return { ...document, mode: edit.mode };
  },
  'set-colours': (document, edit) => {
    expectSame(document.colours ?? null, edit.was, 'the colours');
    return { ...document, colours: edit.colours ?? undefined };
  },
  'rename-list': (document, edit) => {
    const list = listIn(document, edit.list);
    expectSame(list.name, edit.was, `the name of the list “${list.name}”`);
    return withList(document, { ...list, name: edit.name, one: edit.one ?? list.one });
  },
  'add-list': (document, edit) => ({ ...document, lists: insert(document.lists, edit.list, edit.at) }),
  'remove-list': removeList,
  'rename-field': (document, edit) => {
    const list = listIn(document, edit.list);
    const field = fieldIn(list, edit.field);
    expectSame(field.name, edit.was, `the name of the field “${field.name}” of “${list.name}”`);
    return withField(document, list, { ...field, name: edit.name });
  },
  'add-field': (document, edit) => {
    const list = listIn(document, edit.list);
    return withList(document, { ...list, fields: insert(list.fields, edit.field, edit.at) });
  },
  'remove-field': removeField,
  'restore-field': restoreField,
  'move-field': (document, edit) => {
    const list = listIn(document, edit.list);
    return withList(document, { ...list, fields: move(list.fields, fieldIn(list, edit.field), edit.to) });
  },
  'change-field': changeField,
  'set-choices': setChoices,
  'rename-page': (document, edit) => {
    const page = pageIn(document, edit.page);
    expectSame(page.name, edit.was, `the name of the page “${page.name}”`);
    return withPage(document, { ...page, name: edit.name });
  },
  'set-page': (document, { page: id, icon, public: isPublic, was }) => {
    const page = pageIn(document, id);
    expectSame({ icon: page.icon, public: page.public }, was, `the icon or the visitors of the page “${page.name}”`);
    return withPage(document, { ...page, icon, public: isPublic });
  },
  'add-page': (document, edit) => ({ ...document, pages: insert(document.pages, edit.page, edit.at) }),
  'remove-page': removePage,
  'move-page': (document, edit) => ({ ...document, pages: move(document.pages, pageIn(document, edit.page), edit.to) }),
  'rename-view': renameView,
  'add-view': (document, edit) => {
    const page = pageIn(document, edit.page);
    return withPage(document, { ...page, views: insert(page.views, edit.view, edit.at) });
  },
  'remove-view': removeView,
  'move-view': moveView,
  'set-view': setView,
};

function applyEdit<T extends Edit['type']>(document: AppDocument, edit: EditOf<T>): AppDocument {
  // The table has the function for each type. Types cannot follow that a union's member chooses its own function.
  const apply = appliers[edit.type as T] as unknown as Apply<T>;
  return apply(document, edit);
}

/** Applies one edit of several, without a look at whether the document makes sense then: the next one may have to follow first. */
export function withEdit(document: AppDocument, edit: Edit): { readonly document: AppDocument } | { readonly problem: string } {
  try {
    return { document: applyEdit(document, edit) };
  } catch (error) {
    if (error instanceof EditProblem) return { problem: error.message };
    throw error;
  }
}

/** When the parts go that the last of these edits takes away. Only edits with a time take fields away. */
function removalTime(edits: readonly Edit[]): string | undefined {
  return edits.flatMap((edit) => ('atIso' in edit ? [edit.atIso] : [])).at(-1);
}

/**
 * Applies edits in order, all or none. What named a part that the edits took away or changed is repaired: the name is dropped, a view
 * that can no longer work goes, and so does a computed field whose formula cannot be kept. Any other contradiction is a problem.
 */
export function applyEdits(document: AppDocument, edits: readonly Edit[]): Edited {
  try {
    let edited = document;
    for (const edit of edits) edited = applyEdit(edited, edit);
    const repaired = repairDocument(document, edited, removalTime(edits));
    const parsed = documentSchema.safeParse(repaired.document);
    if (!parsed.success) return { problem: tooMuch(parsed.error.issues[0]) };
    const [problem] = documentProblems(parsed.data);
    return problem === undefined ? { document: parsed.data, notes: repaired.notes } : { problem };
  } catch (error) {
    if (error instanceof EditProblem) return { problem: error.message };
    throw error;
  }
}

function tooMuch(issue: z.core.$ZodIssue | undefined): string {
  return `The app cannot be changed like this at “${issue?.path.map(String).join('.') ?? ''}”: ${issue?.message ?? 'it does not fit'}.`;
}

// Labels

export interface EditLabel {
  /** Identifies the changed parts, so that edits in the same place can be summed up: ids of lists and pages, `app` for the app. */
  readonly place: string;
  /** The parts for the user: “Tools”. */
  readonly name: string;
  /** What changed in them: “type of Fee”. */
  readonly words: string[];
}

interface Place {
  readonly id: string;
  readonly name: string;
}

function placeOf(edit: Edit, document: AppDocument | undefined): Place {
  if ('page' in edit) return partOf(edit.page, document?.pages);
  return 'list' in edit ? partOf(edit.list, document?.lists) : { id: 'app', name: 'App' };
}

function partOf(part: string | Place, known: readonly Place[] | undefined): Place {
  return typeof part === 'string' ? (known?.find(({ id }) => id === part) ?? { id: part, name: part }) : part;
}

function fieldName(
  { list: listId, field: id }: { readonly list: string; readonly field: string },
  document: AppDocument | undefined,
) {
  const list = document?.lists.find((known) => known.id === listId);
  const field = list?.fields.find((known) => known.id === id) ?? list?.removed?.find((entry) => entry.field.id === id)?.field;
  return field?.name ?? id;
}

function wordsOf(edit: Edit, document: AppDocument | undefined): string {
  switch (edit.type) {
    case 'set-theme':
    case 'set-mode':
    case 'set-colours':
      return edit.type.slice('set-'.length);
    case 'rename-app':
    case 'rename-list':
    case 'rename-page':
    case 'rename-field':
      return `“${edit.was}” renamed`;
    case 'add-field':
      return `“${edit.field.name}” added`;
    case 'remove-field':
    case 'restore-field':
    case 'move-field':
      return `“${fieldName(edit, document)}” ${happened[edit.type]}`;
    case 'change-field':
      return edit.field.type === edit.was.type ? `“${edit.field.name}” changed` : `type of “${edit.field.name}”`;
    case 'set-choices':
      return `choices of “${fieldName(edit, document)}”`;
    case 'set-view':
      return edit.view.view === edit.was.view ? edit.view.view : `as ${edit.view.view}`;
    case 'add-view':
      return `${edit.view.view} added`;
    case 'set-page':
      return pageWords(edit);
    case 'rename-view':
      return 'title';
    default:
      return happened[edit.type];
  }
}

function pageWords({ public: isPublic = false, was }: EditOf<'set-page'>): string {
  if (isPublic === (was.public ?? false)) return 'icon';
  return isPublic ? 'for visitors' : 'not for visitors';
}

const happened = {
  'add-list': 'added',
  'add-page': 'added',
  'remove-list': 'removed',
  'remove-page': 'removed',
  'remove-field': 'removed',
  'restore-field': 'restored',
  'move-field': 'moved',
  'move-page': 'moved',
  'move-view': 'view moved',
  'remove-view': 'view removed',
} as const;

/** What a batch of edits changes, for Undo and the history. `document` is the one before them, and has the names of parts. */
export function editLabel(edits: readonly Edit[], document?: AppDocument): EditLabel {
  const places = new Map(edits.map((edit) => placeOf(edit, document)).map(({ id, name: shown }) => [id, shown]));
  const words = new Set(edits.map((edit) => wordsOf(edit, document)));
  return { place: [...places.keys()].sort().join(' '), name: [...new Set(places.values())].join(', '), words: [...words] };
}
