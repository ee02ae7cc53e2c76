import { z } from 'zod';
import { codeSceneSchema, filmSchema, formatSceneSchema } from '#kinds/film/contract/film.ts';
import { filmToolInputs } from '#kinds/film/contract/tools.ts';
import { knownIcon, nearestIcon } from '../author/icons.ts';
import { parseDigits } from '../author/read/values.ts';
import { formatOf, formats } from '../formats/catalogue.ts';
import { hexColor } from '../formats/define-format.ts';

/** Forgives the slips of a language model in a film document before it is validated. */

/** The part of a JSON schema that decides how a value is corrected. */
interface Schema {
  readonly type?: string | readonly string[] | undefined;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly minLength?: number;
  readonly format?: string;
  readonly pattern?: string;
}
type Fields = Record<string, unknown>;

/** A field that does not exist and holds something. */
export interface UnknownField {
  /** Index of the scene. `null` for a field of the film. */
  readonly scene: number | null;
  readonly name: string;
  readonly value: unknown;
  /** Names of the fields that exist in its place. */
  readonly known: readonly string[];
}

/** Where a value is in the film, and what was changed. */
interface Place {
  readonly name: string;
  /** Language in which numbers are written. */
  readonly language: string;
  readonly scene: number | null;
  readonly notes: string[];
  readonly unknown: UnknownField[];
}

const schemaOf = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
const filmFields: Schema = {
  properties: { ...schemaOf(filmSchema).properties, ...schemaOf(filmToolInputs.set_scenes).properties },
};
const sceneFields: Schema = {
  properties: { ...schemaOf(codeSceneSchema).properties, ...schemaOf(formatSceneSchema).properties },
};
const colorPattern = schemaOf(hexColor).pattern;
/** Filled on first use, because creating all schemas delays the server's start. */
const propsSchemas = new Map<string, Schema>();

/** Returns the schema of a format's fields, or `undefined` if there is no such format. */
function propsSchemaOf(id: string): Schema | undefined {
  const format = formatOf(id);
  if (format === null) return undefined;
  const schema = propsSchemas.get(id) ?? schemaOf(format.props);
  propsSchemas.set(id, schema);
  return schema;
}

/** Names that models use for a scene's own fields. */
const aliases = {
  format: ['type', 'kind'],
  props: ['fields', 'content'],
  seconds: ['duration', 'durationSeconds', 'duration_seconds'],
} as const;

/** Names of which models take one for another. */
const synonyms: readonly (readonly string[])[] = [
  ['who', 'sender', 'speaker', 'from', 'name', 'author', 'by'],
  [
    'text',
    'label',
    'title',
    'name',
    'message',
    'content',
    'quote',
    'statement',
    'headline',
    'heading',
    'caption',
    'event',
    'task',
  ],
  ['detail', 'description', 'subtitle', 'subline', 'tagline', 'note', 'body', 'role', 'output'],
  ['author', 'by', 'attribution', 'source', 'name', 'who'],
  ['place', 'location', 'venue', 'where'],
  ['date', 'year', 'time', 'when', 'day'],
  ['from', 'start', 'time', 'begin'],
  ['until', 'to', 'end'],
  ['was', 'old', 'before', 'original'],
  ['now', 'new', 'price', 'after'],
  ['value', 'amount', 'number', 'count', 'percent', 'price'],
  ['input', 'command', 'cmd'],
  ['done', 'checked', 'completed', 'ticked'],
  ['finalword', 'final', 'end', 'word'],
  ['windowtitle', 'title'],
  ['kind', 'type'],
  ['handle', 'username', 'url'],
  [
    ...['items', 'entries', 'events', 'rows', 'list', 'steps', 'points', 'slices', 'messages', 'nodes', 'cards', 'people'],
    ...['places', 'numbers', 'columns', 'features', 'bars', 'data', 'blocks', 'commands', 'series'],
  ],
];

/**
 * Corrects a model's film document. Leaves what it cannot correct to the validation, and a valid document unchanged. The notes
 * say what was left out or replaced. `unknown`: the fields that were left out because they do not exist. `language`: that of numbers
 * which are written as texts.
 */
export function coerceFilm(value: unknown, language = 'en'): { value: unknown; notes: string[]; unknown: UnknownField[] } {
  const film = objectIn(value);
  if (film === null) return { value, notes: [], unknown: [] };
  const notes: string[] = [];
  const unknown: UnknownField[] = [];
  const { scenes, ...look } = renamed(film, filmFields);
  const { scenes: _, ...properties } = filmFields.properties ?? {};
  const mended = mendObject({ properties }, look, { name: '', language, scene: null, notes, unknown });
  if (scenes === undefined) return { value: mended, notes, unknown };
  const list = parsedIf(scenes, (parsed) => typeof parsed === 'object');
  const all = Array.isArray(list) ? list : [list];
  return {
    value: {
      ...mended,
      scenes: all.map((scene, index) =>
        coerceScene(scene, { name: `Scene ${index + 1}`, language, scene: index, notes, unknown }),
      ),
    },
    notes,
    unknown,
  };
}

function coerceScene(value: unknown, place: Place): unknown {
  const given = objectIn(value);
  if (given === null) return value;
  const scene = withAliases(given);
  const { format, props, ...others } = scene;
  const schema = typeof format === 'string' ? propsSchemaOf(format) : undefined;
  if (schema === undefined) return mendObject(sceneFields, scene, place);
  const { own, fields } = gathered(others, objectIn(props), schema);
  return { ...mendObject(sceneFields, { ...own, format }, place), props: mendObject(schema, renamed(fields, schema), place) };
}

/** Gives a scene's fields the names that Koda uses, and its format the id that Koda uses. */
function withAliases(given: Fields): Fields {
  const scene = { ...given };
  for (const [name, others] of Object.entries(aliases))
    for (const other of others) {
      const value = scene[other];
      // Some formats have a field `kind` of their own, and a content can be a text.
      const isMeant = name === 'format' ? formatId(value) !== null : name !== 'props' || objectIn(value) !== null;
      if (scene[name] !== undefined || value === undefined || !isMeant) continue;
      scene[name] = value;
      delete scene[other];
    }
  if (scene['format'] !== undefined) scene['format'] = formatId(scene['format']) ?? scene['format'];
  return scene;
}

/** Collects the format's fields that are beside `format` instead of in `props`. A title belongs to the scene if there are props. */
function gathered(others: Fields, props: Fields | null, schema: Schema): { own: Fields; fields: Fields } {
  const own: Fields = {};
  const fields: Fields = { ...props };
  for (const [key, value] of Object.entries(others)) {
    const isProp = nameIn(schema, key) !== null && (props === null || nameIn(sceneFields, key) === null);
    if (isProp && fields[key] === undefined) fields[key] = value;
    else own[key] = value;
  }
  return { own, fields };
}

const plain = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/gu, '');

function formatId(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (formatOf(value) !== null) return value;
  return formats.find(({ id, title }) => [id, title].some((name) => plain(name) === plain(value)))?.id ?? null;
}

const nameIn = ({ properties = {} }: Schema, key: string): string | null =>
  Object.hasOwn(properties, key) ? key : (Object.keys(properties).find((name) => plain(name) === plain(key)) ?? null);

/** Corrects the names of fields: `final_word` becomes `finalWord`, and `sender` becomes `who` if that is the only field it can be. */
function renamed(fields: Fields, schema: Schema): Fields {
  const taken = new Set(Object.keys(fields));
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => {
      const name = nameIn(schema, key) ?? synonymIn(schema, { key, value, taken }) ?? key;
      if (name === key || taken.has(name)) return [key, value];
      taken.add(name);
      return [name, value];
    }),
  );
}

function synonymIn(
  { properties = {} }: Schema,
  { key, value, taken }: { key: string; value: unknown; taken: ReadonlySet<string> },
): string | null {
  const others = synonyms.filter((names) => names.includes(key.toLowerCase())).flat();
  const found = Object.entries(properties).filter(
    ([name, schema]) => others.includes(name.toLowerCase()) && !taken.has(name) && canHold(schema, value),
  );
  return found.length === 1 ? (found[0]?.[0] ?? null) : null;
}

/** Returns whether a field can hold a value of this kind. */
function canHold(schema: Schema, value: unknown): boolean {
  const [only = {}] = alternativesIn(schema).choices;
  if (only.enum !== undefined) return only.enum.includes(choiceOf(only.enum, value));
  if (only.format !== undefined || only.pattern === colorPattern) return false;
  if (typeof value === 'boolean' || only.type === 'boolean') return only.type === typeof value;
  if (Array.isArray(value)) return only.type === 'array';
  if (typeof value === 'string') return only.type === 'string' || (only.type === 'number' && numberIn(value, 'en') !== null);
  return typeof value === 'number' && (only.type === 'number' || only.type === 'string');
}

/** Splits a schema into its alternatives other than `null`. */
function alternativesIn(schema: Schema | undefined): { isNullable: boolean; choices: readonly Schema[] } {
  const { anyOf, type, ...rest } = schema ?? {};
  const all = anyOf ?? (Array.isArray(type) ? type.map((one: string) => ({ ...rest, type: one })) : [{ ...rest, type }]);
  const choices = all.filter((one) => one.type !== 'null');
  return { isNullable: choices.length < all.length, choices };
}

function mend(schema: Schema, value: unknown, place: Place): unknown {
  const { isNullable, choices } = alternativesIn(schema);
  const [only = {}] = choices;
  if (isNullable && (value === null || value === undefined || isBlankFor(only, value))) return null;
  if (choices.length > 1)
    return choiceOf(
      choices.map((one) => one.const),
      value,
    );
  return mendAs({ ...schema, ...only }, value, place);
}

function mendAs(schema: Schema, value: unknown, place: Place): unknown {
  if (value === undefined || value === null) return schema.default ?? value;
  if (schema.enum !== undefined) return choiceOf(schema.enum, value);
  switch (schema.type) {
    case 'object': {
      const fields = objectIn(value) ?? mainField(schema, value);
      return fields === null ? value : mendObject(schema, renamed(fields, schema), place);
    }
    case 'array':
      return listIn(value, schema.items).map((one) => mend(schema.items ?? {}, one, place));
    case 'number':
    case 'integer':
      return typeof value === 'string' ? (numberIn(value, place.language) ?? value) : value;
    case 'boolean':
      return choiceOf([true, false], value);
    case 'string':
      return mendText(schema, textIn(value), place);
    default:
      return value;
  }
}

/** Reads a number as people write it in a language: “38,5”, “1,204”, “€ 179”, “45 %”. Returns `null` for other texts. */
export function numberIn(text: string, language: string): number | null {
  const digits = /^\p{Sc}?\s*([+\-−]?\d+(?:[.,'’ \u00a0\u202f]\d+)*)\s*[\p{Sc}%]?$/u.exec(text.trim())?.[1];
  return digits === undefined ? null : parseDigits(digits.replace(/^\+/u, ''), language).value;
}

/** Returns a text, or the text that a number or a list of lines stands for. */
function textIn(value: unknown): unknown {
  if (typeof value === 'number') return String(value);
  const isLines = Array.isArray(value) && value.length > 0 && value.every((line) => typeof line === 'string');
  return isLines ? value.join('\n') : value;
}

/** Returns a list, or the list that a single value stands for. The lines of a text are the texts of a list. */
function listIn(value: unknown, items: Schema | undefined): readonly unknown[] {
  const list = parsedIf(value, Array.isArray);
  if (Array.isArray(list)) return list;
  const isText = typeof value === 'string' && alternativesIn(items).choices.some(({ type }) => type === 'string');
  return isText ? value.split('\n') : [value];
}

/** Returns an object with a text in its first required text, which says most. `null` if there is none. */
function mainField({ properties = {}, required = [] }: Schema, value: unknown): Fields | null {
  if (typeof value !== 'string' || value.trim() === '') return null;
  const name = Object.keys(properties).find((key) => {
    const { isNullable, choices } = alternativesIn(properties[key]);
    return required.includes(key) && !isNullable && choices[0]?.type === 'string' && choices[0].enum === undefined;
  });
  return name === undefined ? null : { [name]: value };
}

/**
 * Corrects each field, and drops unknown ones. If a schema says which fields are required, adds those that may be `null` or have a
 * default.
 */
function mendObject({ properties, required }: Schema, fields: Fields, place: Place): Fields {
  const { name, notes, unknown, scene } = place;
  // A record has no properties of its own.
  if (properties === undefined) return fields;
  const at = (key: string) => (name === '' ? key : `${name}, ${key}`);
  const given = Object.entries(fields).flatMap(([key, value]) => {
    const schema = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (schema === undefined) {
      notes.push(`${at(key)}: there is no such field, so it was left out.`);
      unknown.push({ scene, name: key, value, known: Object.keys(properties) });
      return [];
    }
    const mended = mend(schema, value, { ...place, name: at(key) });
    const isLeftOut = mended === undefined || (mended === null && !isNullable(schema) && required?.includes(key) !== true);
    return isLeftOut ? [] : [[key, mended] as const];
  });
  const absent = Object.entries(required === undefined ? {} : properties)
    .filter(([key, schema]) => fields[key] === undefined && (isNullable(schema) || schema.default !== undefined))
    .map(([key, schema]) => [key, schema.default ?? null] as const);
  return Object.fromEntries([...given, ...absent]);
}

const isNullable = (schema: Schema | undefined) => alternativesIn(schema).isNullable;

/** An empty text, or “null” where no text is expected, stands for none. */
const isBlankFor = ({ type, minLength = 0, pattern }: Schema, value: unknown) =>
  typeof value === 'string' &&
  (value.trim() === '' ? minLength > 0 || pattern !== undefined || type !== 'string' : value === 'null' && type !== 'string');

/** Returns the choice that a text stands for: `"30"` for 30, `Bar` for `bar`, `16 : 9` for `16:9`. */
function choiceOf(choices: readonly unknown[], value: unknown): unknown {
  if (typeof value !== 'string' || choices.includes(value)) return value;
  const found = choices.filter((choice) => plain(String(choice)) === plain(value));
  return found.length === 1 ? found[0] : value;
}

function mendText({ format, pattern }: Schema, value: unknown, place: Place): unknown {
  if (typeof value !== 'string') return value;
  if (pattern === colorPattern) return mendColor(value);
  return format === 'icon' ? mendIcon(value, place) : value;
}

function mendColor(value: string): string {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/u.exec(value.trim().toLowerCase())?.[1];
  if (digits === undefined) return value;
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`;
}

function mendIcon(value: string, { name, notes }: Place): string {
  if (knownIcon(value)) return value;
  const nearest = nearestIcon(value);
  notes.push(
    nearest === null
      ? `${name}: the icon ${value} does not exist, and no icon has a similar name.`
      : `${name}: the icon ${value} does not exist, so ${nearest} was taken.`,
  );
  return nearest ?? value;
}

/** Returns an object, or the object that a text contains as JSON, otherwise `null`. */
function objectIn(value: unknown): Fields | null {
  const parsed = parsedIf(value, (one) => typeof one === 'object' && one !== null && !Array.isArray(one));
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Fields) : null;
}

/** Parses a text that is JSON of the expected type. Returns other values unchanged. */
function parsedIf(value: unknown, isExpected: (parsed: unknown) => boolean): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/u.test(value)) return value;
  try {
    const parsed: unknown = JSON.parse(value);
    return isExpected(parsed) ? parsed : value;
  } catch {
    // A text that only looks like JSON stays a text, which the validation refuses.
    return value;
  }
}
