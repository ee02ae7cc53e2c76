import {
  type AppDocument,
  documentSchema,
  documentVersion,
  type Field,
  type FieldType,
  type Filter,
  type List,
  type View,
  type ViewOf,
} from './document.ts';
import { compileFormula, resultFits } from './formulas.ts';

/** Types of fields that can play a part of a view. A computed field plays the parts of its result. */
export const roleTypes = {
  group: ['choice', 'relation', 'yesno'],
  columns: ['choice', 'yesno', 'relation'],
  date: ['date'],
  time: ['time'],
  minutes: ['number'],
  colour: ['choice', 'relation'],
  image: ['image'],
  amount: ['number', 'money'],
  measured: ['number', 'money', 'rating'],
  rating: ['rating'],
  tags: ['choice', 'choices'],
  person: ['relation', 'text'],
  progress: ['number', 'rating'],
  aside: ['choice', 'rating', 'number', 'money', 'date'],
  quick: ['choice', 'choices'],
  axis: ['choice', 'choices', 'yesno', 'relation', 'date'],
} as const satisfies Readonly<Record<string, readonly FieldType[]>>;
export type Role = keyof typeof roleTypes;

const typeWords: Readonly<Record<FieldType, string>> = {
  text: 'text',
  longtext: 'long text',
  number: 'number',
  money: 'money',
  date: 'date',
  time: 'time',
  choice: 'choice',
  choices: 'multiple choice',
  rating: 'rating',
  yesno: 'yes/no',
  image: 'image',
  link: 'link',
  email: 'e-mail',
  phone: 'phone',
  relation: 'relation',
  computed: 'computed',
};

export function typeOf(field: Field): FieldType {
  return field.type === 'computed' ? field.result : field.type;
}

/** Use of a field by a view: where it stands, which field, and the types that can stand there; `null` for any type. */
export interface FieldUse {
  readonly where: string;
  readonly list: string;
  readonly field: string;
  readonly types: readonly FieldType[] | null;
}

type Uses = (where: string, field: string | undefined, role?: Role) => FieldUse[];

function usesOf(list: string): Uses {
  return (where, field, role) =>
    field === undefined ? [] : [{ where, list, field, types: role === undefined ? null : roleTypes[role] }];
}

function sharedUses(view: Exclude<View, { view: 'code' | 'form' | 'dashboard' }>, use: Uses): FieldUse[] {
  return [
    ...(view.fields ?? []).flatMap((field) => use('the shown fields', field)),
    ...(view.filter ?? []).flatMap(({ field }) => use('the filter', field)),
    ...(view.sort ?? []).flatMap(({ field }) => use('the sort', field)),
  ];
}

function sectionUses(view: ViewOf<'detail' | 'sheet'>, use: Uses): FieldUse[] {
  return (view.sections ?? []).flatMap(({ fields }) => fields.flatMap((field) => use('the sections', field)));
}

function boardUses(view: ViewOf<'board'>, use: Uses): FieldUse[] {
  const { card } = view;
  return [
    ...use('the columns', view.columns, 'columns'),
    ...use('the title of the card', card.title),
    ...use('the text of the card', card.text),
    ...use('the tags of the card', card.tags, 'tags'),
    ...use('the person of the card', card.person, 'person'),
    ...use('the date of the card', card.date, 'date'),
    ...use('the amount of the card', card.amount, 'amount'),
    ...use('the progress of the card', card.progress, 'progress'),
    ...use('the sum', view.sum, 'amount'),
  ];
}

function calendarUses(view: ViewOf<'calendar'>, use: Uses): FieldUse[] {
  return [
    ...use('the start', view.start, 'date'),
    ...use('the title', view.title),
    ...use('the time', view.time, 'time'),
    ...use('the end', view.end, 'date'),
    ...use('the minutes', view.minutes, 'minutes'),
    ...use('the text', view.text),
    ...use('the colour', view.colour, 'colour'),
  ];
}

function cardsUses(view: ViewOf<'cards'>, use: Uses): FieldUse[] {
  return [
    ...use('the title', view.title),
    ...use('the image', view.image, 'image'),
    ...use('the badge', view.badge),
    ...(view.meta ?? []).flatMap((field) => use('the small print', field)),
    ...use('the rating', view.rating, 'rating'),
    ...use('the tags', view.tags, 'tags'),
    ...use('the quick filter', view.quick, 'quick'),
  ];
}

function dashboardUses(view: ViewOf<'dashboard'>): FieldUse[] {
  const figures = view.figures.flatMap(({ label, list = view.list, of, filter = [] }) => [
    ...usesOf(list)(`the figure “${label}”`, of, 'measured'),
    ...filter.flatMap(({ field }) => usesOf(list)(`the filter of the figure “${label}”`, field)),
  ]);
  const charts = view.charts.flatMap(({ title, list = view.list, x, of, filter = [] }) => [
    ...usesOf(list)(`the axis of the chart “${title}”`, x, 'axis'),
    ...usesOf(list)(`the chart “${title}”`, of, 'measured'),
    ...filter.flatMap(({ field }) => usesOf(list)(`the filter of the chart “${title}”`, field)),
  ]);
  const lists = (view.lists ?? []).flatMap(({ title, list, sort, fields = [] }) => [
    ...usesOf(list)(`the sort of “${title}”`, sort?.field),
    ...fields.flatMap((field) => usesOf(list)(`the fields of “${title}”`, field)),
  ]);
  return [...usesOf(view.list)('the period', view.period, 'date'), ...figures, ...charts, ...lists];
}

/** All fields that a view names. */
export function fieldUses(view: View): FieldUse[] {
  if (view.view === 'code') return [];
  const use = usesOf(view.list);
  switch (view.view) {
    case 'form':
      return view.ask.flatMap(({ field }) => use('the questions', field));
    case 'dashboard':
      return dashboardUses(view);
    case 'table': {
      const summed = Object.keys(view.totals ?? {}).flatMap((field) => use('the totals', field));
      return [...sharedUses(view, use), ...use('the group', view.group, 'group'), ...summed];
    }
    case 'board':
      return [...sharedUses(view, use), ...boardUses(view, use)];
    case 'calendar':
      return [...sharedUses(view, use), ...calendarUses(view, use)];
    case 'cards':
      return [...sharedUses(view, use), ...cardsUses(view, use)];
    case 'detail': {
      const parts = [
        ...use('the title', view.title),
        ...use('the subtitle', view.subtitle),
        ...use('the image', view.image, 'image'),
      ];
      return [...sharedUses(view, use), ...parts, ...use('the aside', view.aside, 'aside'), ...sectionUses(view, use)];
    }
    case 'sheet':
      return [...sharedUses(view, use), ...use('the head', view.head, 'image'), ...sectionUses(view, use)];
  }
}

/** All lists that a view names. */
export function listUses(view: View): string[] {
  if (view.view === 'code') return [];
  if (view.view !== 'dashboard') return [view.list];
  const parts = [...view.figures, ...view.charts, ...(view.lists ?? [])];
  return [view.list, ...parts.flatMap(({ list }) => (list === undefined ? [] : [list]))];
}

function filtersOf(view: View): { readonly list: string; readonly filters: readonly Filter[] }[] {
  if (view.view === 'code' || view.view === 'form') return [];
  if (view.view !== 'dashboard') return [{ list: view.list, filters: view.filter ?? [] }];
  return [...view.figures, ...view.charts].map(({ list = view.list, filter = [] }) => ({ list, filters: filter }));
}

/** Whether a field has a choice, as filters, limits and closed columns of boards name it. Other fields have none. */
export function hasChoice(field: Field | undefined, id: string): boolean {
  return (field?.type === 'choice' || field?.type === 'choices') && field.choices.some((choice) => choice.id === id);
}

// Problems

function repeated(ids: readonly string[]): string[] {
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))];
}

function listOf(document: AppDocument, id: string): List | undefined {
  return document.lists.find((list) => list.id === id);
}

function fieldOf(document: AppDocument, listId: string, id: string): Field | undefined {
  return listOf(document, listId)?.fields.find((field) => field.id === id);
}

function unknownField(where: string, id: string, list: List): string {
  return `${where} names the field “${id}”, which “${list.name}” does not have. Use one of ${list.fields.map((field) => field.id).join(', ')}, or add the field.`;
}

function useProblems(document: AppDocument, place: string, { where, list: listId, field: id, types }: FieldUse): string[] {
  const list = listOf(document, listId);
  if (list === undefined) return [];
  const field = list.fields.find((known) => known.id === id);
  if (field === undefined) return [unknownField(`${place}: ${where}`, id, list)];
  if (types === null || types.includes(typeOf(field))) return [];
  const wanted = types.map((type) => typeWords[type]).join(', ');
  return [
    `${place}: ${where} cannot be “${field.name}”, which is of the type ${typeWords[typeOf(field)]}. Choose a field of the type ${wanted}.`,
  ];
}

function filterProblems(document: AppDocument, place: string, view: View): string[] {
  return filtersOf(view).flatMap(({ list, filters }) =>
    filters.flatMap(({ field: id, is, value }) => {
      const field = fieldOf(document, list, id);
      if (field?.type !== 'choice' && field?.type !== 'choices') return [];
      if ((is !== 'is' && is !== 'is-not' && is !== 'has') || value === undefined || hasChoice(field, String(value))) return [];
      return [
        `${place}: the filter names the choice “${String(value)}”, which “${field.name}” does not have. Use ${choiceIds(field)}.`,
      ];
    }),
  );
}

function choiceIds(field: Field): string {
  if (field.type !== 'choice' && field.type !== 'choices') return 'no choice';
  return field.choices.length === 0 ? 'no choice, because it has none yet' : field.choices.map(({ id }) => id).join(', ');
}

function boardProblems(document: AppDocument, place: string, view: View): string[] {
  if (view.view !== 'board') return [];
  const field = fieldOf(document, view.list, view.columns);
  if (field?.type === 'relation' && field.many === true) {
    return [`${place}: the columns cannot be “${field.name}”, which leads to several records. Choose a relation to one record.`];
  }
  if (field?.type !== 'choice') return [];
  const named = [...Object.keys(view.limits ?? {}), ...(view.closed ?? [])];
  return named
    .filter((id) => !hasChoice(field, id))
    .map((id) => `${place}: a column is called “${id}”, which is no choice of “${field.name}”. Use ${choiceIds(field)}.`);
}

function relatedProblems(document: AppDocument, place: string, view: View): string[] {
  if (view.view !== 'detail' && view.view !== 'sheet') return [];
  return (view.related ?? []).flatMap((path) => {
    const [list = '', id = ''] = path.split('.');
    const field = fieldOf(document, list, id);
    if (field?.type === 'relation' && field.list === view.list) return [];
    return [`${place}: “${path}” is no relation of another list to this one. Write it as list.field, or remove it.`];
  });
}

function formProblems(document: AppDocument, place: string, view: View): string[] {
  if (view.view !== 'form') return [];
  return view.ask.flatMap(({ field: id }) => {
    const field = fieldOf(document, view.list, id);
    return field?.type === 'computed'
      ? [`${place}: the form asks for “${field.name}”, which is computed. Remove the question.`]
      : [];
  });
}

/** What is wrong with one view. `place` is how the sentences call it. */
export function viewProblems(document: AppDocument, view: View, place: string): string[] {
  const lists = [...new Set(listUses(view))]
    .filter((id) => listOf(document, id) === undefined)
    .map(
      (id) =>
        `${place} shows the list “${id}”, which does not exist. Use one of ${document.lists.map((list) => list.id).join(', ')}.`,
    );
  return [
    ...lists,
    ...fieldUses(view).flatMap((use) => useProblems(document, place, use)),
    ...filterProblems(document, place, view),
    ...boardProblems(document, place, view),
    ...relatedProblems(document, place, view),
    ...formProblems(document, place, view),
  ];
}

function computedProblems(document: AppDocument, list: List, field: Field, place: string): string[] {
  if (field.type !== 'computed') return [];
  const compiled = compileFormula(field.formula, { document, list });
  if ('problem' in compiled)
    return [`${place}: the formula does not work. ${compiled.problem} Correct it at position ${compiled.at + 1}.`];
  const { formula } = compiled;
  if (!resultFits(formula, field.result))
    return [
      `${place}: the formula gives ${formula.type}, and the result is set to ${field.result}. Set the result to ${formula.type}.`,
    ];
  if (formula.type === 'money' && field.result === 'money' && (field.currency ?? 'GBP') !== formula.currency) {
    return [`${place}: the formula gives ${formula.currency}. Set the currency to ${formula.currency}.`];
  }
  return [];
}

function overdueProblems(list: List, field: Field, place: string): string[] {
  if (field.type !== 'date' || field.overdue === undefined) return [];
  const { unless, in: closed = [] } = field.overdue;
  const state = list.fields.find(({ id }) => id === unless);
  if (state?.type !== 'yesno' && state?.type !== 'choice') {
    return [
      `${place}: “overdue” needs a yes/no or choice field, and “${unless}” is none. Name another field, or remove “overdue”.`,
    ];
  }
  return closed
    .filter((id) => state.type !== 'choice' || !hasChoice(state, id))
    .map((id) => `${place}: “overdue” names the choice “${id}”, which “${state.name}” does not have. Use ${choiceIds(state)}.`);
}

function rangeProblems(field: Field, place: string): string[] {
  if (field.type !== 'number' && field.type !== 'money') return [];
  return field.min !== undefined && field.max !== undefined && field.min > field.max
    ? [`${place}: the smallest value is above the largest one. Exchange them.`]
    : [];
}

function fieldProblems(document: AppDocument, list: List, field: Field): string[] {
  const place = `The field “${field.name}” of “${list.name}”`;
  const twice = 'choices' in field ? repeated(field.choices.map(({ id }) => id)) : [];
  const relation =
    field.type === 'relation' && listOf(document, field.list) === undefined
      ? [
          `${place} leads to the list “${field.list}”, which does not exist. Use one of ${document.lists.map(({ id }) => id).join(', ')}.`,
        ]
      : [];
  return [
    ...twice.map((id) => `${place} has two choices with the id “${id}”. Give one of them another id.`),
    ...relation,
    ...computedProblems(document, list, field, place),
    ...overdueProblems(list, field, place),
    ...rangeProblems(field, place),
  ];
}

function listProblems(document: AppDocument, list: List): string[] {
  const ids = [...list.fields, ...(list.removed ?? []).map(({ field }) => field)].map(({ id }) => id);
  const first = list.fields[0];
  const title =
    first?.type === 'computed' || first?.type === 'image'
      ? [
          `The first field of “${list.name}” is the title of its records, and “${first.name}” cannot be one. Move a text to the front.`,
        ]
      : [];
  return [
    ...repeated(ids).map((id) => `“${list.name}” has two fields with the id “${id}”. Give one of them another id.`),
    ...title,
    ...list.fields.flatMap((field) => fieldProblems(document, list, field)),
  ];
}

/** Everything in which a document contradicts itself, as sentences that say how to correct it. Empty if the app can run. */
export function documentProblems(document: AppDocument): string[] {
  const problems: string[] = [];
  if (document.pages.length === 0) problems.push('The app has no page. Add one.');
  for (const id of repeated(document.lists.map((list) => list.id)))
    problems.push(`Two lists have the id “${id}”. Give one of them another id.`);
  for (const id of repeated(document.pages.map((page) => page.id)))
    problems.push(`Two pages have the id “${id}”. Give one of them another id.`);
  for (const list of document.lists) problems.push(...listProblems(document, list));
  for (const page of document.pages) {
    for (const id of repeated(page.views.map((view) => view.id))) {
      problems.push(`The page “${page.name}” has two views with the id “${id}”. Give one of them another id.`);
    }
    for (const view of page.views)
      problems.push(...viewProblems(document, view, `The view “${view.id}” of the page “${page.name}”`));
  }
  return problems;
}

/** Reads a parsed JSON value as a document. Whether it contradicts itself is not checked: see `documentProblems`. */
export function readDocument(value: unknown): { readonly document: AppDocument } | { readonly problem: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { problem: 'The app’s document is damaged: it is not an object. Restore an earlier version.' };
  }
  const version = 'version' in value ? value.version : undefined;
  if (typeof version === 'number' && version > documentVersion) {
    return { problem: 'This app was made by a later version of Koda. Update Koda to open it.' };
  }
  const parsed = documentSchema.safeParse(value);
  if (parsed.success) return { document: parsed.data };
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? 'the document' : `“${issue.path.map(String).join('.')}”`;
  return {
    problem: `The app’s document is damaged at ${where}: ${issue?.message ?? 'it does not fit'}. Correct it, or restore an earlier version.`,
  };
}
