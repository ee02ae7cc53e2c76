import type { AppDocument, Field, FieldType, Filter, List, Page, View, ViewOf } from './document.ts';
import { compileFormula, resultFits } from './formulas.ts';
import { hasChoice, type Role, roleTypes, typeOf, viewProblems } from './problems.ts';
import { viewFor } from './views.ts';

export interface Repaired {
  readonly document: AppDocument;
  /** What was taken out, one sentence each. */
  readonly notes: readonly string[];
}

/** Whether names still mean something. A name that meant nothing before either stays, so that it is reported. */
class Names {
  private readonly before: AppDocument;
  private readonly after: AppDocument;

  constructor(before: AppDocument, after: AppDocument) {
    this.before = before;
    this.after = after;
  }

  /** Whether a list was there before and is gone. */
  lostList(id: string): boolean {
    return listOf(this.before, id) !== undefined && listOf(this.after, id) === undefined;
  }

  /** Whether a field is gone, or has a type with which it cannot play its part any more. */
  lostField(listId: string, id: string, role?: Role): boolean {
    if (fieldOf(this.before, listId, id) === undefined) return false;
    const field = fieldOf(this.after, listId, id);
    if (field === undefined) return true;
    const types: readonly FieldType[] | undefined = role === undefined ? undefined : roleTypes[role];
    const changed = typeOf(field) !== typeOf(fieldOf(this.before, listId, id) ?? field);
    return changed && types !== undefined && !types.includes(typeOf(field));
  }

  /** Whether a choice of a field was there before and is gone. */
  lostChoice(listId: string, fieldId: string, choice: string): boolean {
    const [old, field] = [fieldOf(this.before, listId, fieldId), fieldOf(this.after, listId, fieldId)];
    return hasChoice(old, choice) && !hasChoice(field, choice);
  }

  /** A filter that names a choice of a field that now has another type compares with nothing. */
  lostFilter(listId: string, { field, value }: Filter): boolean {
    if (this.lostField(listId, field) || (value !== undefined && this.lostChoice(listId, field, String(value)))) return true;
    const [old, now] = [fieldOf(this.before, listId, field), fieldOf(this.after, listId, field)];
    return old !== undefined && now !== undefined && typeOf(old) !== typeOf(now) && value !== undefined;
  }

  lostRelated(path: string, list: string): boolean {
    const [other = '', id = ''] = path.split('.');
    const leadsTo = (field: Field | undefined): boolean => field?.type === 'relation' && field.list === list;
    return leadsTo(fieldOf(this.before, other, id)) && !leadsTo(fieldOf(this.after, other, id));
  }
}

function listOf(document: AppDocument, id: string): List | undefined {
  return document.lists.find((list) => list.id === id);
}

function fieldOf(document: AppDocument, listId: string, id: string): Field | undefined {
  return listOf(document, listId)?.fields.find((field) => field.id === id);
}

// Views

type DataView = Exclude<View, { view: 'code' | 'form' | 'dashboard' }>;

interface Keep {
  one(id: string | undefined, role?: Role): string | undefined;
  many<T extends readonly string[] | undefined>(ids: T): string[] | undefined;
}

function keeper(names: Names, list: string): Keep {
  return {
    one: (id, role) => (id === undefined || names.lostField(list, id, role) ? undefined : id),
    many: (ids) => ids?.filter((id) => !names.lostField(list, id)),
  };
}

/** Leaves out the parts without a value. */
function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

/** No list of shown fields means all, so a list of which nothing is left becomes the title alone. */
function shownFields(fields: readonly string[] | undefined, keep: Keep, title: string): string[] | undefined {
  const kept = keep.many(fields);
  return kept?.length === 0 && fields?.length !== 0 ? [title] : kept;
}

function shared(view: DataView, names: Names, keep: Keep, title: string) {
  return {
    fields: shownFields(view.fields, keep, title),
    filter: view.filter?.filter((filter) => !names.lostFilter(view.list, filter)),
    sort: view.sort?.filter(({ field }) => !names.lostField(view.list, field)),
  };
}

function repairBoard(view: ViewOf<'board'>, names: Names, keep: Keep, title: string): ViewOf<'board'> | null {
  const columns = keep.one(view.columns, 'columns');
  if (columns === undefined) return null;
  const kept = (id: string): boolean => !names.lostChoice(view.list, columns, id);
  const { card } = view;
  return {
    ...view,
    columns,
    card: compact({
      title: keep.one(card.title) ?? title,
      text: keep.one(card.text),
      tags: keep.one(card.tags, 'tags'),
      person: keep.one(card.person, 'person'),
      date: keep.one(card.date, 'date'),
      amount: keep.one(card.amount, 'amount'),
      progress: keep.one(card.progress, 'progress'),
    }),
    limits: view.limits && Object.fromEntries(Object.entries(view.limits).filter(([id]) => kept(id))),
    sum: keep.one(view.sum, 'amount'),
    closed: view.closed?.filter(kept),
  };
}

function repairCalendar(view: ViewOf<'calendar'>, keep: Keep, title: string): ViewOf<'calendar'> | null {
  const start = keep.one(view.start, 'date');
  if (start === undefined) return null;
  return {
    ...view,
    start,
    title: keep.one(view.title) ?? title,
    time: keep.one(view.time, 'time'),
    end: keep.one(view.end, 'date'),
    minutes: keep.one(view.minutes, 'minutes'),
    text: keep.one(view.text),
    colour: keep.one(view.colour, 'colour'),
  };
}

function repairSections(view: ViewOf<'detail' | 'sheet'>, names: Names, keep: Keep) {
  return {
    sections: view.sections?.map((section) => ({ ...section, fields: keep.many(section.fields) ?? [] })),
    related: view.related?.filter((path) => !names.lostRelated(path, view.list)),
  };
}

function repairDataView(view: DataView, names: Names, keep: Keep, title: string): View | null {
  switch (view.view) {
    case 'table': {
      const totals =
        view.totals && Object.fromEntries(Object.entries(view.totals).filter(([id]) => !names.lostField(view.list, id)));
      return { ...view, group: keep.one(view.group, 'group'), totals };
    }
    case 'board':
      return repairBoard(view, names, keep, title);
    case 'calendar':
      return repairCalendar(view, keep, title);
    case 'cards':
      return {
        ...view,
        title: keep.one(view.title) ?? title,
        image: keep.one(view.image, 'image'),
        badge: keep.one(view.badge),
        meta: keep.many(view.meta),
        rating: keep.one(view.rating, 'rating'),
        tags: keep.one(view.tags, 'tags'),
        quick: keep.one(view.quick, 'quick'),
      };
    case 'detail':
      return {
        ...view,
        title: keep.one(view.title) ?? title,
        subtitle: keep.one(view.subtitle),
        image: keep.one(view.image, 'image'),
        aside: keep.one(view.aside, 'aside'),
        ...repairSections(view, names, keep),
      };
    case 'sheet':
      return { ...view, head: keep.one(view.head, 'image'), ...repairSections(view, names, keep) };
  }
}

function repairForm(view: ViewOf<'form'>, names: Names): View | null {
  const ask = view.ask.filter(({ field }) => !names.lostField(view.list, field));
  return ask.length === 0 ? null : { ...view, ask };
}

type Measured = ViewOf<'dashboard'>['figures'][number] | ViewOf<'dashboard'>['charts'][number];

function repairDashboard(view: ViewOf<'dashboard'>, names: Names): View | null {
  if (names.lostList(view.list)) return null;
  const lost = ({ list = view.list, of }: Measured): boolean =>
    names.lostList(list) || (of !== undefined && names.lostField(list, of, 'measured'));
  const filtered = <T extends Measured>(part: T): T =>
    part.filter === undefined
      ? part
      : { ...part, filter: part.filter.filter((filter) => !names.lostFilter(part.list ?? view.list, filter)) };
  const figures = view.figures.filter((figure) => !lost(figure)).map(filtered);
  const charts = view.charts
    .filter((chart) => !lost(chart) && !names.lostField(chart.list ?? view.list, chart.x, 'axis'))
    .map(filtered);
  const lists = view.lists
    ?.filter(({ list }) => !names.lostList(list))
    .map(({ sort, fields, ...part }) =>
      compact({
        ...part,
        sort: sort === undefined || names.lostField(part.list, sort.field) ? undefined : sort,
        fields: fields?.filter((id) => !names.lostField(part.list, id)),
      }),
    );
  if (figures.length + charts.length + (lists?.length ?? 0) === 0) return null;
  return { ...view, period: keeper(names, view.list).one(view.period, 'date'), figures, charts, lists };
}

/** The view without what is gone, or `null` if it cannot work without it. */
function repairView(view: View, names: Names, after: AppDocument): View | null {
  if (view.view === 'code') return view;
  if (view.view === 'dashboard') return repairDashboard(view, names);
  const list = listOf(after, view.list);
  if (list === undefined) return names.lostList(view.list) ? null : view;
  if (view.view === 'form') return repairForm(view, names);
  const keep = keeper(names, view.list);
  const title = list.fields[0]?.id ?? 'name';
  const repaired = repairDataView(view, names, keep, title);
  return repaired === null ? null : compact({ ...repaired, ...shared(view, names, keep, title) });
}

function repairPage(page: Page, names: Names, after: AppDocument, notes: string[]): Page | null {
  const views = page.views.flatMap((view) => {
    const place = `The view “${view.id}” of the page “${page.name}”`;
    if (viewProblems(after, view, place).length === 0) return [view];
    const repaired = repairView(view, names, after);
    if (repaired === null) {
      notes.push(`${place} cannot work without what is gone, and was removed.`);
      return [];
    }
    const compacted = compact(repaired);
    if (JSON.stringify(compacted) !== JSON.stringify(view)) notes.push(`${place} no longer names what is gone.`);
    return [compacted];
  });
  return views.length === 0 ? null : { ...page, views };
}

function repairPages(names: Names, after: AppDocument, notes: string[]): Page[] {
  const pages = after.pages.flatMap((page) => {
    const repaired = repairPage(page, names, after, notes);
    if (repaired === null) notes.push(`The page “${page.name}” had no other view, and was removed.`);
    return repaired ?? [];
  });
  const [page, list] = [after.pages[0], after.lists[0]];
  if (pages.length > 0 || page === undefined || list === undefined) return pages;
  const table = viewFor('table', list, { ...after, pages: [] });
  if ('missing' in table) return pages;
  notes.push(`The app had no other page, and shows “${list.name}” as a table now.`);
  return [{ ...page, name: list.name, views: [table.view] }];
}

// Fields

function works(field: Field, list: List, document: AppDocument): boolean {
  if (field.type === 'relation') return listOf(document, field.list) !== undefined;
  if (field.type !== 'computed') return true;
  const compiled = compileFormula(field.formula, { document, list });
  return 'formula' in compiled && resultFits(compiled.formula, field.result);
}

/** Names that differ between the documents, each with the id that means the same. */
function renamedParts(before: AppDocument, after: AppDocument): { readonly old: string; readonly id: string }[] {
  return before.lists.flatMap((list) => {
    const now = listOf(after, list.id);
    if (now === undefined) return [];
    const fields = list.fields.filter(({ id, name }) => now.fields.some((field) => field.id === id && field.name !== name));
    return [...(now.name === list.name ? [] : [list]), ...fields].map(({ id, name }) => ({ old: name, id }));
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** A formula that named a part by its old name names it by its id. */
function withIds(formula: string, renamed: readonly { readonly old: string; readonly id: string }[]): string {
  return renamed.reduce(
    (text, { old, id }) => text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}_])${escaped(old)}(?![\\p{L}\\p{N}_])`, 'giu'), id),
    formula,
  );
}

function repairFormulas(before: AppDocument, after: AppDocument): AppDocument {
  const renamed = renamedParts(before, after);
  if (renamed.length === 0) return after;
  const lists = after.lists.map((list) => ({
    ...list,
    fields: list.fields.map((field) => {
      if (field.type !== 'computed' || works(field, list, after)) return field;
      const healed = { ...field, formula: withIds(field.formula, renamed) };
      return works(healed, list, after) ? healed : field;
    }),
  }));
  return { ...after, lists };
}

function workedBefore(before: AppDocument, listId: string, field: Field): boolean {
  const list = listOf(before, listId);
  const old = list?.fields.find(({ id }) => id === field.id);
  return list !== undefined && old !== undefined && JSON.stringify(old) === JSON.stringify(field) && works(old, list, before);
}

/** Takes out fields that lead to a list or name a field that is gone, until none is left: one can be computed from another. */
function removeBroken(before: AppDocument, after: AppDocument, atIso: string, notes: string[]): AppDocument {
  let document = after;
  for (let changed = true; changed; ) {
    changed = false;
    for (const list of document.lists) {
      const broken = list.fields.filter((field) => !works(field, list, document) && workedBefore(before, list.id, field));
      if (broken.length === 0 || broken.length === list.fields.length) continue;
      changed = true;
      for (const { name } of broken)
        notes.push(`The field “${name}” of “${list.name}” needs what is gone, and was removed with it.`);
      const fields = list.fields.filter((field) => !broken.includes(field));
      const removed = [...(list.removed ?? []), ...broken.map((field) => ({ field, removedAt: atIso }))];
      document = {
        ...document,
        lists: document.lists.map((other) => (other.id === list.id ? { ...list, fields, removed } : other)),
      };
      break;
    }
  }
  return document;
}

/** A date is overdue by a field or choice that may be gone. */
function repairOverdue(names: Names, list: List): List {
  const fields = list.fields.map((field): Field => {
    if (field.type !== 'date' || field.overdue === undefined) return field;
    const { unless, in: closed } = field.overdue;
    const { overdue: _gone, ...rest } = field;
    if (names.lostField(list.id, unless, 'columns')) return rest;
    return { ...field, overdue: compact({ unless, in: closed?.filter((id) => !names.lostChoice(list.id, unless, id)) }) };
  });
  return { ...list, fields };
}

/** Figures and charts that are called after a renamed field take its new name. */
function repairLabels(before: AppDocument, document: AppDocument): AppDocument {
  const renamed = (list: string, id = '') => {
    const [old, name] = [fieldOf(before, list, id)?.name, fieldOf(document, list, id)?.name];
    return old === undefined || name === undefined || old === name ? null : { old, name };
  };
  const repaired = (view: View): View => {
    if (view.view !== 'dashboard') return view;
    const figures = view.figures.map((figure) => {
      const field = renamed(figure.list ?? view.list, figure.of);
      return field?.old === figure.label ? { ...figure, label: field.name } : figure;
    });
    const charts = view.charts.map((chart) => {
      const [of, x] = [renamed(chart.list ?? view.list, chart.of), renamed(chart.list ?? view.list, chart.x)];
      const [measured = '', by = ''] = chart.title.split(/ by (.*)/);
      const measuredNow = of?.old === measured ? of.name : measured;
      const byNow = x?.old.toLowerCase() === by ? x.name.toLowerCase() : by;
      const isSame = measuredNow === measured && byNow === by;
      return isSame ? chart : { ...chart, title: `${measuredNow}${by === '' ? '' : ` by ${byNow}`}`.slice(0, 60) };
    });
    return { ...view, figures, charts };
  };
  return { ...document, pages: document.pages.map((page) => ({ ...page, views: page.views.map(repaired) })) };
}

/**
 * Repairs what named parts of `before` that are gone or have another type in `after`. `atIso` is when fields go that cannot stay;
 * without it they stay, and are reported as problems.
 */
export function repairDocument(before: AppDocument, after: AppDocument, atIso: string | undefined): Repaired {
  const notes: string[] = [];
  const healed = repairFormulas(before, after);
  const kept = atIso === undefined ? healed : removeBroken(before, healed, atIso, notes);
  const names = new Names(before, kept);
  const document = { ...kept, lists: kept.lists.map((list) => repairOverdue(names, list)) };
  return { document: repairLabels(before, { ...document, pages: repairPages(names, document, notes) }), notes };
}
