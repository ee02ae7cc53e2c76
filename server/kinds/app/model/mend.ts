import { type Choice, hues } from '../../../../sandbox-image/templates/app/model/document.ts';
import { iconNames } from '../../../../sandbox-image/templates/app/model/icon-names.ts';
import { idFrom } from '../../../../sandbox-image/templates/app/model/ids.ts';
import { currencyIn, parseNumber, parseYesNo } from '../../../../sandbox-image/templates/app/model/values.ts';
import { likeness } from '../../../lib/likeness.ts';
import { type Fields, isFields, jsonOr } from '../../../llm/one-repair.ts';
import { isId, optionsOf, type Schema } from './schema.ts';

/** Forgives the slips of a language model in the parts of an app before they are validated. */

const plain = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';

/** Returns an id for a text that should have been one. */
const idOf = (text: string): string => idFrom(text, new Set(), 'part');

/** The ids that the names of lists, fields and choices mean. Models use one for the other. */
export class Names {
  readonly #lists = new Map<string, string>();
  readonly #fields = new Map<string, string>();
  readonly #choices = new Map<string, string>();

  /** `list`: with ids, its fields and their choices too. */
  add(list: Fields): void {
    const id = textOf(list['id']);
    for (const name of [id, textOf(list['name'])]) this.#lists.set(plain(name), id);
    for (const field of itemsIn(list['fields'])) if (isFields(field)) this.addField(id, field);
  }

  addField(list: string, field: Fields): void {
    const id = textOf(field['id']);
    for (const name of [textOf(field['name']), id]) this.#fields.set(`${list}/${plain(name)}`, id);
    for (const choice of itemsIn(field['choices'])) {
      if (!isFields(choice)) continue;
      for (const name of [textOf(choice['name']), textOf(choice['id'])])
        this.#choices.set(`${list}/${id}/${plain(name)}`, textOf(choice['id']));
    }
  }

  list(name: string): string | null {
    return this.#lists.get(plain(name)) ?? null;
  }

  field(list: string, name: string): string | null {
    return (
      this.#fields.get(`${list}/${plain(name)}`) ?? this.#fields.get(`${list}/${plain(name.split('.').at(-1) ?? '')}`) ?? null
    );
  }

  /** `field`: `null` for a choice of any field of the list. */
  choice(list: string, field: string | null, name: string): string | null {
    if (field !== null) return this.#choices.get(`${list}/${field}/${plain(name)}`) ?? null;
    const found = [...this.#choices].find(([key]) => key.startsWith(`${list}/`) && key.endsWith(`/${plain(name)}`));
    return found?.[1] ?? null;
  }
}

interface Context {
  readonly names: Names;
  /** Id of the list whose fields are named. */
  readonly list: string;
  /** Name of the member that is corrected, and where it is, for the user. */
  readonly key: string;
  readonly where: string;
  /** What was left out or replaced, one sentence each. */
  readonly notes: string[];
}

/** Other words for values of the catalogue. */
const otherWords: Readonly<Record<string, string>> = {
  ...{ kanban: 'board', gallery: 'cards', grid: 'cards', cardview: 'cards', chart: 'dashboard', charts: 'dashboard' },
  ...{ overview: 'dashboard', list: 'table', listdetail: 'detail', record: 'sheet', spreadsheet: 'table' },
  ...{ string: 'text', textarea: 'longtext', multiline: 'longtext', notes: 'longtext', integer: 'number', float: 'number' },
  ...{ currency: 'money', price: 'money', amount: 'money', datetime: 'date', boolean: 'yesno', bool: 'yesno', checkbox: 'yesno' },
  ...{ select: 'choice', singleselect: 'choice', enum: 'choice', status: 'choice', multiselect: 'choices', tags: 'choices' },
  ...{ multichoice: 'choices', stars: 'rating', photo: 'image', picture: 'image', file: 'image', url: 'link', website: 'link' },
  ...{ mail: 'email', tel: 'phone', telephone: 'phone', reference: 'relation', ref: 'relation', link: 'relation' },
  ...{ formula: 'computed', calculated: 'computed' },
  ...{
    avg: 'average',
    mean: 'average',
    total: 'sum',
    bar: 'bars',
    column: 'bars',
    columns: 'bars',
    pie: 'share',
    donut: 'share',
  },
  ...{ area: 'line', gray: 'grey', yellow: 'amber', orange: 'amber', purple: 'violet', cyan: 'teal', rose: 'pink' },
  ...{ equals: 'is', eq: 'is', not: 'is-not', contains: 'has', gt: 'more', greater: 'more', lt: 'less', notempty: 'filled' },
  ...{ small: 's', medium: 'm', large: 'l', none: 'off', auto: 'system', dark: 'midnight', light: 'studio' },
};
const signs: Readonly<Record<string, string>> = { '=': 'is', '==': 'is', '!=': 'is-not', '<': 'less', '>': 'more' };

/** Returns the word of the catalogue that a text stands for, or `null`. */
export function wordIn(words: readonly string[], value: unknown): string | null {
  const text = textOf(value);
  if (words.includes(text)) return text;
  const same = words.find((word) => plain(word) === plain(text));
  const other = signs[text] ?? (Object.hasOwn(otherWords, plain(text)) ? otherWords[plain(text)] : undefined);
  return same ?? words.find((word) => word === other) ?? null;
}

/** Returns a list, or the list that an object of named parts or a single value stands for. */
export function itemsIn(value: unknown): readonly unknown[] {
  const list = jsonOr(value);
  if (Array.isArray(list)) return list;
  if (
    isFields(list) &&
    Object.values(list).length > 0 &&
    Object.values(list).every((one) => isFields(one) || typeof one === 'string')
  )
    return 'id' in list || 'name' in list || 'type' in list || 'view' in list || 'field' in list
      ? [list]
      : Object.entries(list).map(([id, one]) => (isFields(one) ? { id, name: id, ...one } : { id, name: one }));
  if (typeof list === 'string') return list.split(/[,\n]/u).flatMap((part) => part.trim() || []);
  return list === undefined || list === null ? [] : [list];
}

/** Returns choices with ids and colours, of names alone too. `before`: those that the field has, whose colours stay. */
export function choicesIn(value: unknown, before: readonly Choice[] = []): Fields[] {
  const used = new Set<string>();
  return itemsIn(value).map((one, index) => {
    const given: Fields = isFields(one) ? one : { name: one };
    const name = textOf(given['name'] ?? given['label'] ?? given['value'] ?? given['id']);
    const known = before.find((choice) => choice.id === given['id'] || plain(choice.name) === plain(name));
    const id = known !== undefined && !used.has(known.id) ? known.id : idFrom(textOf(given['id']) || name, used, 'choice');
    used.add(id);
    const hue = wordIn(hues, given['hue'] ?? given['color'] ?? given['colour']) ?? known?.hue ?? hues[index % hues.length];
    return { id, name: name || id, hue };
  });
}

export function mend(schema: Schema, value: unknown, context: Context): unknown {
  const { key, notes, where } = context;
  const options = optionsOf(schema);
  if (options.length > 0) return mendUnion(options, value, context);
  if (schema.enum !== undefined) return wordIn(schema.enum, value) ?? value;
  switch (schema.type) {
    case 'object':
      return mendObject(schema, jsonOr(value), context);
    case 'array': {
      const items = itemsIn(value);
      const { maxItems = items.length } = schema;
      // A few figures or filters too many are no reason to ask again. What holds data is not cut.
      const isCut = items.length > maxItems && maxItems <= 12;
      if (isCut) notes.push(`Only the first ${maxItems} of “${key}” are kept in ${where}.`);
      return (isCut ? items.slice(0, maxItems) : items).map((one) => mend(schema.items ?? {}, one, context));
    }
    case 'number':
    case 'integer':
      return typeof value === 'string' ? (parseNumber(value) ?? value) : value;
    case 'boolean':
      return typeof value === 'string' ? (parseYesNo(value) ?? value) : value;
    case 'string':
      return mendText(schema, value, context);
    default:
      return value;
  }
}

function mendUnion(options: readonly Schema[], value: unknown, context: Context): unknown {
  const given = jsonOr(value);
  const key = ['view', 'type'].find((name) => options.every(({ properties }) => properties?.[name]?.const !== undefined));
  if (key === undefined || !isFields(given)) return given;
  const names = options.map(({ properties }) => String(properties?.[key]?.const));
  const name = [given[key], given['type'], given['kind'], given['view']]
    .map((one) => wordIn(names, one))
    .find((one) => one !== null);
  const option = options[names.indexOf(name ?? '')];
  if (option === undefined) return given;
  const { type: _type, ...rest } = given;
  return mendObject(option, { ...(key === 'view' ? rest : given), [key]: name }, context);
}

function mendObject(schema: Schema, value: unknown, context: Context): unknown {
  // A question of a form, or a sort, is often the name of its field alone.
  if (typeof value === 'string' && schema.properties?.['field'] !== undefined)
    return mendObject(schema, { field: value }, context);
  if (!isFields(value)) return value;
  const { properties } = schema;
  if (properties === undefined) return mendRecord(schema, value, context);
  const { names } = context;
  const given = value['list'];
  const list = properties['list'] !== undefined && typeof given === 'string' ? (names.list(given) ?? context.list) : context.list;
  const nameIn = (name: string) =>
    Object.hasOwn(properties, name) ? name : Object.keys(properties).find((known) => plain(known) === plain(name));
  const mended = Object.entries(value).flatMap(([name, one]) => {
    const known = nameIn(name);
    return known === undefined ? noSetting(name, one, context) : member(schema, known, one, { ...context, list });
  });
  const filled = Object.fromEntries(mended);
  return 'is' in properties && 'value' in properties ? withValue(filled, { names, list }) : filled;
}

function noSetting(name: string, value: unknown, { notes, where }: Context): [] {
  if (!isBlank(value)) notes.push(`“${name.slice(0, 40)}” is no setting of ${where}, and was left out.`);
  return [];
}

/** Returns a member as an entry, or nothing if it may be left out and says nothing that the catalogue knows. */
function member({ properties = {}, required }: Schema, name: string, value: unknown, context: Context): [string, unknown][] {
  const isNeeded = required?.includes(name) === true;
  if (isBlank(value) && !isNeeded) return [];
  const schema = properties[name] ?? {};
  const mended = mend(schema, value, { ...context, key: name });
  const isWrong = schema.enum !== undefined && !schema.enum.some((word) => word === mended);
  if (isNeeded || !isWrong) return [[name, mended]];
  context.notes.push(`“${textOf(value).slice(0, 40)}” is no value of “${name}” in ${context.where}, and was left out.`);
  return [];
}

function mendRecord({ propertyNames, additionalProperties }: Schema, value: Fields, context: Context): Fields {
  if (propertyNames === undefined || typeof additionalProperties !== 'object') return value;
  const entries = Object.entries(value).map(([name, one]) => [
    mendText(propertyNames, name, { ...context, key: 'key' }),
    mend(additionalProperties, one, { ...context, key: name }),
  ]);
  return Object.fromEntries(entries);
}

const isBlank = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** A filter compares with the id of a choice, a number, or true and false. */
function withValue(filter: Fields, { names, list }: Pick<Context, 'names' | 'list'>): Fields {
  const { field, value } = filter;
  if (typeof value !== 'string') return filter;
  const choice = names.choice(list, textOf(field), value);
  if (choice !== null) return { ...filter, value: choice };
  return /^(?:true|false)$/iu.test(value) ? { ...filter, value: value.toLowerCase() === 'true' } : filter;
}

function mendText(schema: Schema, value: unknown, context: Context): unknown {
  const text = isFields(value) ? textOf(value['id'] ?? value['field'] ?? value['name']) : textOf(value);
  if (text === '') return value;
  const { key, names } = context;
  if (isId(schema)) return mendId(text, context);
  if (key === 'icon') return nearestIcon(text);
  if (key === 'currency') return currencyIn(text) ?? text.toUpperCase();
  if (key === 'accent' || key === 'helper') return mendColour(text);
  if (key === 'related') {
    const [from = '', field = ''] = text.split('.');
    const other = names.list(from) ?? from;
    return `${other}.${names.field(other, field) ?? field}`;
  }
  const { maxLength = text.length } = schema;
  // A formula that is cut means something else.
  if (key === 'formula' || text.length <= maxLength) return text;
  return `${text.slice(0, maxLength - 1).replace(/\p{Cs}$/u, '')}…`;
}

/** Members that name choices, not fields. */
const choiceKeys = new Set(['closed', 'in']);

function mendId(text: string, { key, names, list }: Context): string {
  if (key === 'list') return names.list(text) ?? idOf(text);
  if (key === 'id' || key === 'entry' || key === 'page' || key === 'view' || key === 'toPage') return idOf(text);
  const choice = names.choice(list, null, text);
  if (choiceKeys.has(key) && choice !== null) return choice;
  return names.field(list, text) ?? (key === 'key' ? choice : null) ?? idOf(text);
}

function mendColour(text: string): string {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/u.exec(text.toLowerCase())?.[1];
  if (digits === undefined) return text;
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`;
}

const closeEnough = 0.5;

/**
 * Returns the icon with the closest name, without a word to the user, who can change it with a click. Without one, the page shows a
 * circle, as it does for names that it does not know.
 */
function nearestIcon(given: string): string {
  const name = given
    .toLowerCase()
    .replace(/^lucide:/u, '')
    .replace(/[^a-z0-9]+/gu, '-')
    .slice(0, 40);
  const known: readonly string[] = iconNames;
  if (known.includes(name)) return name;
  const rated = known.map((icon) => ({ icon, score: likeness(name.split('-'), icon.split('-')) }));
  const best = rated.reduce((one, other) => (other.score > one.score ? other : one));
  return best.score < closeEnough ? 'circle' : best.icon;
}
