import type { AppDocument, Field, FieldType, List, View, ViewOf, ViewType } from './document.ts';

export type ViewFor = { readonly view: View } | { readonly missing: string };

interface Wanted {
  readonly types: readonly FieldType[];
  /** Words in a field's name or id that make it the better guess. */
  readonly words?: RegExp;
  /** Whether a field without these words does not play the part. */
  readonly strict?: boolean;
}

/** Chooses fields for the parts of a view. A field plays one part only. */
class Casting {
  private readonly list: List;
  private readonly taken = new Set<string>();

  constructor(list: List) {
    this.list = list;
  }

  take({ types, words, strict = false }: Wanted): string | undefined {
    const free = this.list.fields.filter((field) => types.includes(field.type) && !this.taken.has(field.id));
    const named = words === undefined ? undefined : free.find(({ id, name }) => words.test(id) || words.test(name));
    const chosen = named ?? (strict ? undefined : free[0]);
    if (chosen !== undefined) this.taken.add(chosen.id);
    return chosen?.id;
  }

  /** The next fields of these types, in the order of the types and then of the list. */
  several(types: readonly FieldType[], most: number): string[] {
    const ids: string[] = [];
    for (let id = this.take({ types }); id !== undefined; id = this.take({ types })) {
      ids.push(id);
      if (ids.length === most) break;
    }
    return ids;
  }
}

const texts: readonly FieldType[] = ['text', 'longtext'];
const amounts: readonly FieldType[] = ['money', 'number'];

/** Adds the parts that a field was found for. */
function parts<T extends Readonly<Record<string, unknown>>>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const found = Object.entries(values).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(found) as { [K in keyof T]?: NonNullable<T[K]> };
}

/** An id for a new view that no view of the document has. */
export function newViewId(type: ViewType, list: List, document: AppDocument): string {
  const used = new Set(document.pages.flatMap(({ views }) => views.map(({ id }) => id)));
  const base = `${list.id}-${type}`.slice(0, 36);
  let id = base;
  for (let count = 2; used.has(id); count += 1) id = `${base}-${count}`;
  return id;
}

/** The field that names a record: the list's first one. */
function titleField(list: List): string | undefined {
  return list.fields[0]?.id;
}

function tableView(id: string, list: List): ViewOf<'table'> {
  const fields = list.fields.filter(({ type }) => type !== 'longtext' && type !== 'image').map((field) => field.id);
  const summed = list.fields
    .filter((field) => field.type === 'money' || (field.type === 'number' && !numberNames.test(field.name)))
    .map((field) => [field.id, measureOf(field)] as const);
  return {
    view: 'table',
    id,
    list: list.id,
    ...(fields.length > 0 && fields.length < list.fields.length ? { fields } : {}),
    edit: 'cell',
    ...(summed.length > 0 ? { totals: Object.fromEntries(summed) } : {}),
  };
}

const stateWords = /stat(e|us)|stage|progress|column|phase/i;

function boardView(id: string, list: List): ViewOf<'board'> | null {
  const title = titleField(list);
  const casting = new Casting(list);
  casting.take({ types: [list.fields[0]?.type ?? 'text'] });
  const columns =
    casting.take({ types: ['choice'], words: stateWords }) ??
    casting.take({ types: ['yesno'], words: /done|ready|finished|paid/i }) ??
    oneRelation(list, casting);
  if (columns === undefined || title === undefined) return null;
  const amount = casting.take({ types: ['money'] });
  const card = parts({
    text: casting.take({ types: ['longtext', 'text'] }),
    tags: casting.take({ types: ['choices', 'choice'] }),
    person: casting.take({ types: ['relation'], words: /person|people|owner|assign|member|customer|by$/i }),
    date: casting.take({ types: ['date'], words: /due|until|end|deadline/i }),
    amount,
  });
  return { view: 'board', id, list: list.id, columns, card: { title, ...card }, ...parts({ sum: amount }) };
}

function oneRelation(list: List, casting: Casting): string | undefined {
  const manyIds = new Set(list.fields.flatMap((field) => (field.type === 'relation' && field.many === true ? [field.id] : [])));
  for (let id = casting.take({ types: ['relation'] }); id !== undefined; id = casting.take({ types: ['relation'] })) {
    if (!manyIds.has(id)) return id;
  }
  return undefined;
}

function calendarView(id: string, list: List): ViewOf<'calendar'> | null {
  const casting = new Casting(list);
  const start = casting.take({ types: ['date'], words: /start|from|begin|due|when|date|day|lent|next/i });
  const title = list.fields[0]?.type === 'date' ? list.fields.find(({ type }) => type !== 'date')?.id : titleField(list);
  if (start === undefined) return null;
  const time = casting.take({ types: ['time'], words: /start|from|begin|at|time/i });
  const chosen = parts({
    time,
    end: casting.take({ types: ['date'], words: /end|until|to$|return|back/i, strict: true }),
    minutes: casting.take({ types: ['number'], words: /minutes|length|duration/i, strict: true }),
    colour: casting.take({ types: ['choice'] }),
  });
  return {
    view: 'calendar',
    id,
    list: list.id,
    title: title ?? start,
    start,
    ...chosen,
    mode: time === undefined ? 'month' : 'week',
  };
}

function cardsView(id: string, list: List): ViewOf<'cards'> | null {
  const casting = new Casting(list);
  const title =
    list.fields[0]?.type === 'text' ? casting.take({ types: ['text'] }) : casting.take({ types: ['text', 'longtext'] });
  if (title === undefined) return null;
  const badge = casting.take({ types: ['choice'] });
  const chosen = parts({
    image: casting.take({ types: ['image'] }),
    badge,
    rating: casting.take({ types: ['rating'] }),
    tags: casting.take({ types: ['choices'] }),
    meta: casting.several(['money', 'number', 'date', 'time', 'text', 'relation'], 3),
    quick: badge,
  });
  return { view: 'cards', id, list: list.id, title, ...chosen };
}

/** Relations of other lists to this one, as `list.field`. */
function relatedTo(list: List, document: AppDocument): string[] {
  return document.lists
    .flatMap((other) =>
      other.fields
        .filter((field) => field.type === 'relation' && field.list === list.id)
        .map((field) => `${other.id}.${field.id}`),
    )
    .slice(0, 6);
}

function detailView(id: string, list: List, document: AppDocument): ViewOf<'detail'> | null {
  const casting = new Casting(list);
  const title = casting.take({ types: texts });
  if (title === undefined) return null;
  const chosen = parts({
    subtitle: casting.take({ types: ['text'] }),
    image: casting.take({ types: ['image'] }),
    aside: casting.take({ types: ['choice', 'rating', 'number'] }),
    related: relatedTo(list, document),
  });
  return { view: 'detail', id, list: list.id, title, ...chosen };
}

function sheetView(id: string, list: List, document: AppDocument): ViewOf<'sheet'> {
  const head = list.fields.find(({ type }) => type === 'image')?.id;
  return { view: 'sheet', id, list: list.id, ...parts({ head, related: relatedTo(list, document) }) };
}

/** Visitors can fill in everything but what others decide or what needs a record of another list to exist. */
function formView(id: string, list: List): ViewOf<'form'> | null {
  const asked = list.fields.filter((field) => field.type !== 'computed' && field.type !== 'image');
  if (asked.length === 0) return null;
  const ask = asked.map((field) => ({ field: field.id, ...(field.needed === true ? { needed: true } : {}) }));
  return { view: 'form', id, list: list.id, ask, title: list.name };
}

function isAmount(field: Field): boolean {
  return amounts.includes(field.type) || (field.type === 'computed' && (field.result === 'money' || field.result === 'number'));
}

function chartOf(list: List, x: Field, amount: Field | undefined): ViewOf<'dashboard'>['charts'][number] {
  const measured = amount === undefined ? { measure: 'count' as const } : { measure: measureOf(amount), of: amount.id };
  const title = `${amount?.name ?? list.name} by ${x.type === 'date' ? 'month' : x.name.toLowerCase()}`.slice(0, 60);
  return x.type === 'date'
    ? { title, kind: 'line', x: x.id, by: 'month', ...measured }
    : { title, kind: 'bars', x: x.id, ...measured };
}

/** Numbers that name something, so that neither their sum nor their average says anything. */
const numberNames =
  /^#$|^(?:.*\b)?(?:no|nr|num|number|nummer|id|year|jahr|zip|plz|postcode|room|row|floor|page|rank|pos|lat|lon|lng)\.?$/i;
/** Numbers that are measured, so that their average says something and their sum does not. */
const measuredNames =
  /\b(?:ph|age|alter|temp(?:erature)?|temperatur|weight|gewicht|height|pulse|puls|pressure|score|grade|note|rate|percent(?:age)?|speed|%|level)\b|_C$|°/i;

const measureOf = ({ name, type }: Field): 'average' | 'sum' =>
  type !== 'money' && measuredNames.test(name) ? 'average' : 'sum';

function dashboardView(id: string, list: List): ViewOf<'dashboard'> {
  const numbers = list.fields.filter(isAmount);
  const amount = numbers.find(({ type }) => type === 'money') ?? numbers.find(({ name }) => !numberNames.test(name));
  const date = list.fields.find(({ type }) => type === 'date');
  const choice = list.fields.find(({ type }) => type === 'choice') ?? list.fields.find(({ type }) => type === 'yesno');
  const figures: ViewOf<'dashboard'>['figures'] = [{ label: list.name, measure: 'count' }];
  const figured = numbers.filter(({ name }) => !numberNames.test(name));
  const moneyFirst = figured.toSorted((one, other) => Number(other.type === 'money') - Number(one.type === 'money'));
  for (const field of moneyFirst.slice(0, 2)) figures.push({ label: field.name, measure: measureOf(field), of: field.id });
  const rating = list.fields.find(({ type }) => type === 'rating');
  if (rating !== undefined) figures.push({ label: rating.name, measure: 'average', of: rating.id });
  const charts = [date, choice].flatMap((x) => (x === undefined ? [] : [chartOf(list, x, amount)]));
  return { view: 'dashboard', id, list: list.id, ...parts({ period: date?.id }), figures: figures.slice(0, 4), charts };
}

function orMissing(view: View | null, missing: string): ViewFor {
  return view === null ? { missing } : { view };
}

/**
 * A view of a list with the fields that most likely play its parts, or the sentence that says what the list lacks. The view's id is new
 * in the document.
 */
export function viewFor(type: ViewType, list: List, document: AppDocument): ViewFor {
  const id = newViewId(type, list, document);
  switch (type) {
    case 'table':
      return { view: tableView(id, list) };
    case 'board':
      return orMissing(boardView(id, list), 'A board needs a choice, a yes/no field or a relation to one record.');
    case 'calendar':
      return orMissing(calendarView(id, list), 'A calendar needs a date.');
    case 'cards':
      return orMissing(cardsView(id, list), 'Cards need a text.');
    case 'detail':
      return orMissing(detailView(id, list, document), 'A list with detail needs a text.');
    case 'sheet':
      return { view: sheetView(id, list, document) };
    case 'form':
      return orMissing(formView(id, list), 'A form needs a field to ask for.');
    case 'dashboard':
      return { view: dashboardView(id, list) };
    case 'code':
      return { view: { view: 'code', id, entry: id } };
  }
}

/** How well a view suits a list. A view that shows what only it can show comes before the table, others after it. */
function fitness(type: Exclude<ViewType, 'code'>, list: List): number {
  const has = (...types: FieldType[]): number => list.fields.filter((field) => types.includes(field.type)).length;
  const state = list.fields.some(
    (field) => field.type === 'choice' && (stateWords.test(field.id) || stateWords.test(field.name)),
  );
  switch (type) {
    case 'table':
      return 50 + 2 * has('number', 'money');
    case 'board':
      if (state) return 70;
      return has('choice') > 0 ? 42 : 20;
    case 'calendar':
      return has('time') > 0 ? 80 : 45;
    case 'cards':
      return has('image') > 0 ? 75 : 25 + 5 * has('rating');
    case 'detail':
      return has('longtext') > 0 ? 48 : 22;
    case 'dashboard':
      return has('number', 'money', 'date', 'choice') > 1 ? 40 : 15;
    case 'form':
      return 10 + 20 * Math.min(1, has('email', 'phone'));
    case 'sheet':
      return 5;
  }
}

const catalogue = ['table', 'board', 'calendar', 'cards', 'detail', 'dashboard', 'form', 'sheet'] as const;

/** The views of the catalogue that a list can fill, best first, each as `viewFor` gives it. */
export function fittingViews(list: List, document: AppDocument): View[] {
  return catalogue
    .map((type) => ({ type, found: viewFor(type, list, document), fitness: fitness(type, list) }))
    .sort((first, second) => second.fitness - first.fitness)
    .flatMap(({ found }) => ('view' in found ? [found.view] : []));
}
