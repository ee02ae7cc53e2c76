import { type Field, type Filter, filterSchema, type List, type measures, type sortSchema, type totals } from './document.ts';
import type { AppRecord, Value } from './record.ts';
import { addDays, isEmpty, showValue } from './values.ts';

export type Sort = Readonly<ReturnType<typeof sortSchema.parse>>;
export type Total = (typeof totals)[number];
export type Measure = (typeof measures)[number];

/** Values of computed fields, by the field's id. */
export type Computed = (record: AppRecord, fieldId: string) => Value;
/** Title of a record of a list; `null` if there is no such record. */
export type TitleOf = (listId: string, recordId: string) => string | null;

const collator = new Intl.Collator('en-GB', { numeric: true, sensitivity: 'base' });

/** Lower case without accents, so that “cafe” finds “Café”. */
function fold(text: string): string {
  const lower = text.toLowerCase();
  return /^[\0-\x7f]*$/.test(lower) ? lower : lower.normalize('NFD').replaceAll(/\p{Mn}/gu, '');
}

function fieldOf(list: List, id: string): Field | undefined {
  return list.fields.find((field) => field.id === id);
}

function valueReader(field: Field, computed: Computed | undefined): (record: AppRecord) => Value {
  const { id } = field;
  if (field.type === 'computed') return (record) => computed?.(record, id) ?? null;
  return (record) => (Object.hasOwn(record.values, id) ? (record.values[id] ?? null) : null);
}

/** The kind by which a field's values compare. A computed field compares as its result. */
function kindOf(field: Field): 'number' | 'yesno' | 'moment' | 'ids' | 'text' {
  const type = field.type === 'computed' ? field.result : field.type;
  switch (type) {
    case 'number':
    case 'money':
    case 'rating':
      return 'number';
    case 'yesno':
      return 'yesno';
    case 'date':
    case 'time':
      return 'moment';
    case 'choice':
    case 'choices':
    case 'relation':
      return 'ids';
    default:
      return 'text';
  }
}

type Test = (value: Value) => boolean;

function equalTest(field: Field, wanted: string | number | boolean): Test {
  switch (kindOf(field)) {
    case 'number': {
      const number = Number(wanted);
      return (value) => value === number;
    }
    case 'yesno': {
      const yes = wanted === true || wanted === 'true';
      return (value) => (value === true) === yes;
    }
    case 'text': {
      const text = fold(String(wanted));
      return (value) => typeof value === 'string' && fold(value) === text;
    }
    default: {
      const text = String(wanted);
      return (value) => (Array.isArray(value) ? value.includes(text) : value === text);
    }
  }
}

function orderTest(field: Field, less: boolean, wanted: string | number | boolean): Test {
  if (kindOf(field) === 'number') {
    const number = Number(wanted);
    return (value) => typeof value === 'number' && (less ? value < number : value > number);
  }
  const text = String(wanted);
  if (kindOf(field) === 'moment') return (value) => typeof value === 'string' && (less ? value < text : value > text);
  return (value) => typeof value === 'string' && (less ? collator.compare(value, text) < 0 : collator.compare(value, text) > 0);
}

function hasTest(field: Field, wanted: string | number | boolean): Test {
  if (kindOf(field) === 'ids') return equalTest(field, wanted);
  const text = fold(String(wanted));
  return (value) => fold(showValue(field, value)).includes(text);
}

/** `today`, `today+7` and `today-7` in a filter of dates stand for a day. */
function resolveDay(value: string | number | boolean, todayIso: string | undefined): string | number | boolean {
  const days = typeof value === 'string' ? value.match(/^today(?:([+-])(\d{1,4}))?$/) : null;
  if (days === null || todayIso === undefined) return value;
  return addDays(todayIso, Number(`${days[1] ?? '+'}${days[2] ?? 0}`));
}

/** A filter without the value that its comparison needs is not finished yet, and lets every record through. */
function testOf(field: Field, { is, value }: Filter, todayIso: string | undefined): Test | null {
  if (is === 'empty') return isEmpty;
  if (is === 'filled') return (found) => !isEmpty(found);
  if (value === undefined || value === '') return null;
  const wanted = kindOf(field) === 'moment' ? resolveDay(value, todayIso) : value;
  switch (is) {
    case 'is':
      return equalTest(field, wanted);
    case 'is-not': {
      const same = equalTest(field, wanted);
      return (found) => !same(found);
    }
    case 'has':
      return hasTest(field, wanted);
    case 'less':
    case 'before':
      return orderTest(field, true, wanted);
    default:
      return orderTest(field, false, wanted);
  }
}

export interface FilterOptions {
  readonly list: List;
  readonly filters?: readonly Filter[] | undefined;
  /** Words that all have to occur in a record's shown values, in any field and any order. */
  readonly search?: string | undefined;
  readonly computed?: Computed | undefined;
  /** Lets the search find records by the titles of related ones. */
  readonly titleOf?: TitleOf | undefined;
  /** Today as `yyyy-mm-dd`, which `today` in a filter stands for. */
  readonly todayIso?: string | undefined;
}

/** The records that pass all filters and contain all words of the search, in their order. Filters of unknown fields are ignored. */
export function filterRecords(records: readonly AppRecord[], options: FilterOptions): AppRecord[] {
  const { list, filters = [], search = '', computed, titleOf, todayIso } = options;
  const tests: ((record: AppRecord) => boolean)[] = [];
  for (const filter of filters) {
    const field = fieldOf(list, filter.field);
    const test = field === undefined ? null : testOf(field, filter, todayIso);
    if (field === undefined || test === null) continue;
    const read = valueReader(field, computed);
    tests.push((record) => test(read(record)));
  }
  const words = fold(search).split(/\s+/).filter(Boolean);
  if (words.length > 0) tests.push(searchTest(list, words, computed, titleOf));
  return records.filter((record) => tests.every((test) => test(record)));
}

/** What the search reads of the record alone, by list and record. Records are never changed in place. */
const ownTexts = new WeakMap<List, WeakMap<AppRecord, string>>();

function searchTest(list: List, words: readonly string[], computed: Computed | undefined, titleOf: TitleOf | undefined) {
  const readers = list.fields.map((field) => ({ field, read: valueReader(field, computed) }));
  const elsewhere = readers.filter(
    ({ field: { type } }) => type === 'computed' || (type === 'relation' && titleOf !== undefined),
  );
  const own = readers.filter(({ field: { type } }) => !['computed', 'relation', 'image', 'yesno'].includes(type));
  const textOf = (record: AppRecord, fields: typeof readers) =>
    fold(fields.map(({ field, read }) => showValue(field, read(record), { titleOf })).join('\n'));
  const texts = ownTexts.get(list) ?? new WeakMap<AppRecord, string>();
  ownTexts.set(list, texts);
  return (record: AppRecord): boolean => {
    let text = texts.get(record);
    if (text === undefined) {
      text = textOf(record, own);
      texts.set(record, text);
    }
    const whole = elsewhere.length === 0 ? text : `${text}\n${textOf(record, elsewhere)}`;
    return words.every((word) => whole.includes(word));
  };
}

type Key = number | string | null;

function keyReader(field: Field, titleOf: TitleOf | undefined): (value: Value) => Key {
  switch (field.type) {
    case 'choice':
    case 'choices': {
      const order = new Map(field.choices.map(({ id }, index) => [id, index]));
      return (value) => order.get(String(Array.isArray(value) ? value[0] : value)) ?? null;
    }
    case 'relation':
      return (value) => {
        const id = Array.isArray(value) ? value[0] : value;
        return typeof id === 'string' ? (titleOf?.(field.list, id) ?? (titleOf === undefined ? id : null)) : null;
      };
    default:
      break;
  }
  if (kindOf(field) === 'yesno') return (value) => (value === true ? 1 : 0);
  return (value) => (isEmpty(value) || typeof value === 'boolean' || Array.isArray(value) ? null : value);
}

function compareKeys(first: Key, second: Key, descending: boolean): number {
  if (first === null || second === null) return Number(first === null) - Number(second === null);
  const order =
    typeof first === 'number' && typeof second === 'number' ? first - second : collator.compare(String(first), String(second));
  return descending ? -order : order;
}

/**
 * The records in the order of the sorts: texts as people order them (“item 9” before “item 10”), choices in the order of the field,
 * records without a value last. Records that are equal keep their order.
 */
export function sortRecords(
  records: readonly AppRecord[],
  sorts: readonly Sort[],
  list: List,
  computed?: Computed,
  titleOf?: TitleOf,
): AppRecord[] {
  const keys = sorts.flatMap(({ field: id, descending = false }) => {
    const field = fieldOf(list, id);
    if (field === undefined) return [];
    const [read, toKey] = [valueReader(field, computed), keyReader(field, titleOf)];
    return [{ descending, values: records.map((record) => toKey(read(record))) }];
  });
  if (keys.length === 0) return [...records];
  const order = records.map((_record, index) => index);
  order.sort((first, second) => {
    for (const { descending, values } of keys) {
      const compared = compareKeys(values[first] ?? null, values[second] ?? null, descending);
      if (compared !== 0) return compared;
    }
    return first - second;
  });
  return order.flatMap((index) => records[index] ?? []);
}

export interface RecordGroup {
  /** Id of the choice or related record, yes or no, or the value itself; `null` for records without a value. */
  readonly key: string | number | boolean | null;
  readonly records: AppRecord[];
}

/**
 * Groups records by a field. Choices give a group each, in their order and also if it is empty; yes/no gives no and yes; other fields
 * give a group per value in the order of first appearance. A record with several choices is in each of their groups. Records without a
 * value are the last group, which is left out if there are none.
 */
export function groupRecords(records: readonly AppRecord[], fieldId: string, list: List, computed?: Computed): RecordGroup[] {
  const field = fieldOf(list, fieldId);
  if (field === undefined) return [{ key: null, records: [...records] }];
  const groups = new Map<Exclude<RecordGroup['key'], null>, AppRecord[]>(fixedKeys(field).map((key) => [key, []]));
  const fixed = groups.size > 0 || field.type === 'choice' || field.type === 'choices';
  const rest: AppRecord[] = [];
  const read = valueReader(field, computed);
  for (const record of records) {
    const keys = groupKeys(field, read(record)).filter((key) => !fixed || groups.has(key));
    if (keys.length === 0) rest.push(record);
    for (const key of keys) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [record]);
      else group.push(record);
    }
  }
  const result: RecordGroup[] = [...groups].map(([key, grouped]) => ({ key, records: grouped }));
  return rest.length === 0 ? result : [...result, { key: null, records: rest }];
}

/** Groups that exist also without records. */
function fixedKeys(field: Field): (string | boolean)[] {
  if (field.type === 'choice' || field.type === 'choices') return field.choices.map(({ id }) => id);
  return kindOf(field) === 'yesno' ? [false, true] : [];
}

function groupKeys(field: Field, value: Value): (string | number | boolean)[] {
  if (kindOf(field) === 'yesno') return [value === true];
  return isEmpty(value) || value === null ? [] : [...new Set([value].flat())];
}

function storedValue(record: AppRecord, fieldId: string, computed: Computed | undefined): Value {
  if (Object.hasOwn(record.values, fieldId)) return record.values[fieldId] ?? null;
  return computed?.(record, fieldId) ?? null;
}

/**
 * Total of a field in its stored unit: `sum` and `average` of numbers, the smallest or largest number or date, how many records have a
 * value (`count`; for yes or no: how many are yes) or none (`empty`). `null` if there is nothing to add up or compare.
 */
export function totalOf(
  records: readonly AppRecord[],
  fieldId: string,
  total: Total,
  computed?: Computed,
): number | string | null {
  const values = records.map((record) => storedValue(record, fieldId, computed));
  if (total === 'empty') return values.filter(isEmpty).length;
  if (total === 'count') return values.filter((value) => !isEmpty(value) && value !== false).length;
  if (total === 'sum' || total === 'average') {
    const numbers = values.filter((value) => typeof value === 'number');
    if (numbers.length === 0) return null;
    const sum = Number(numbers.reduce((all, value) => all + value, 0).toPrecision(15));
    return total === 'sum' ? sum : sum / numbers.length;
  }
  let best: number | string | null = null;
  for (const value of values) {
    if ((typeof value !== 'number' && typeof value !== 'string') || value === '') continue;
    if (best === null || (total === 'min' ? value < best : value > best)) best = value;
  }
  return best;
}

/** Measure of a figure or chart in the stored unit of the field `of`: how many records there are, or a total. */
export function measureOf(
  records: readonly AppRecord[],
  {
    measure,
    of,
    filter,
  }: { readonly measure: Measure; readonly of?: string | undefined; readonly filter?: readonly Filter[] | undefined },
  list: List,
  computed?: Computed,
  todayIso?: string,
): number | null {
  const counted = filter === undefined ? records : filterRecords(records, { list, filters: filter, computed, todayIso });
  if (measure === 'count') return counted.length;
  const total = of === undefined || fieldOf(list, of) === undefined ? null : totalOf(counted, of, measure, computed);
  return typeof total === 'number' ? total : null;
}

/** Filters as a query string without the question mark: `filter=kind:is:garden&filter=deposit:more:500`. */
export function filtersToQuery(filters: readonly Filter[]): string {
  const query = new URLSearchParams();
  for (const { field, is, value } of filters) {
    query.append('filter', value === undefined ? `${field}:${is}` : `${field}:${is}:${String(value)}`);
  }
  return query.toString();
}

function typedValue(field: Field, text: string | undefined): string | number | boolean | undefined {
  if (text === undefined) return undefined;
  const kind = kindOf(field);
  if (kind === 'yesno') return text === 'true';
  if (kind !== 'number') return text;
  const number = Number(text);
  return text.trim() === '' || !Number.isFinite(number) ? undefined : number;
}

/** Filters from a query string. What is not a filter of this list is left out, because anybody can change an address. */
export function filtersFromQuery(query: string, list: List): Filter[] {
  const filters: Filter[] = [];
  for (const text of new URLSearchParams(query).getAll('filter')) {
    const [, id = '', is, rest] = text.match(/^([^:]+):([^:]+)(?::(.*))?$/s) ?? [];
    const field = fieldOf(list, id);
    if (field === undefined) continue;
    const value = typedValue(field, rest);
    const parsed = filterSchema.safeParse({ field: id, is, ...(value === undefined ? {} : { value }) });
    if (parsed.success && filters.length < 10) filters.push(parsed.data);
  }
  return filters;
}
