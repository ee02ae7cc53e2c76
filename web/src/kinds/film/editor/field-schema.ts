import { z } from 'zod';
import { limitText } from '#kinds/film/contract/field-limits.ts';

interface JsonSchema {
  readonly type?: string | readonly string[] | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly items?: JsonSchema | undefined;
  readonly anyOf?: readonly JsonSchema[] | undefined;
  readonly enum?: readonly (string | number)[] | undefined;
  readonly pattern?: string | undefined;
  readonly format?: string | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

const jsonSchema: z.ZodType<JsonSchema> = z.lazy(() =>
  z.object({
    type: z.union([z.string(), z.array(z.string())]).optional(),
    properties: z.record(z.string(), jsonSchema).optional(),
    items: jsonSchema.optional(),
    anyOf: z.array(jsonSchema).optional(),
    enum: z.array(z.union([z.string(), z.number()])).optional(),
    pattern: z.string().optional(),
    format: z.string().optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
  }),
);

interface Common {
  readonly name: string;
  readonly label: string;
  /** Whether the field may be empty. It is then stored as `null`. */
  readonly optional: boolean;
}

export interface TextKind extends Common {
  readonly kind: 'text';
  readonly long: boolean;
  readonly min: number;
  readonly max: number;
}
export interface NumberKind extends Common {
  readonly kind: 'number';
  readonly whole: boolean;
  readonly min: number;
  readonly max: number;
}
interface ChoiceKind extends Common {
  readonly kind: 'choice';
  readonly options: readonly string[];
}
/** Field with the index of a row in a neighbouring list. */
interface RowKind extends Common {
  readonly kind: 'row';
  readonly list: string;
  readonly max: number;
}
export interface ListKind extends Common {
  readonly kind: 'list';
  readonly item: Field;
  readonly min: number;
  readonly max: number;
}
interface GroupKind extends Common {
  readonly kind: 'group';
  readonly fields: readonly Field[];
}
interface PlainKind extends Common {
  readonly kind: 'switch' | 'icon' | 'image' | 'color';
}
export type Field = TextKind | NumberKind | ChoiceKind | RowKind | ListKind | GroupKind | PlainKind;

/** Returns a format's form fields, in schema order. Throws if the schema is not an object's. */
export function fieldsOf(schema: unknown): Field[] {
  return fieldsOfObject(jsonSchema.parse(schema));
}

function fieldsOfObject(schema: JsonSchema): Field[] {
  const entries = Object.entries(schema.properties ?? {});
  const isRows = ({ items }: JsonSchema) => items?.properties !== undefined || items?.items !== undefined;
  const list = entries.find(([, each]) => isRows(each))?.[0] ?? null;
  return entries.map(([name, each]) => fieldOf(name, each, list));
}

function fieldOf(name: string, schema: JsonSchema, list: string | null): Field {
  const { inner, optional } = withoutNull(schema);
  const common = { name, label: labelOf(name), optional };
  const type = typeof inner.type === 'string' ? inner.type : '';
  if (inner.enum !== undefined) return { ...common, kind: 'choice', options: inner.enum.map(String) };
  switch (type) {
    case 'boolean':
      return { ...common, kind: 'switch' };
    case 'integer':
    case 'number': {
      const [min, max] = [inner.minimum ?? Number.MIN_SAFE_INTEGER, inner.maximum ?? Number.MAX_SAFE_INTEGER];
      const isRow = name === 'highlight' && list !== null;
      return isRow ? { ...common, kind: 'row', list, max } : { ...common, kind: 'number', whole: type === 'integer', min, max };
    }
    case 'array': {
      const item = fieldOf(name.replace(/s$/, ''), inner.items ?? {}, null);
      return { ...common, kind: 'list', item, min: inner.minItems ?? 0, max: inner.maxItems ?? 100 };
    }
    case 'object':
      return { ...common, kind: 'group', fields: fieldsOfObject(inner) };
    default:
      return textOf(common, inner);
  }
}

function textOf(common: Common, { pattern = '', format = '', minLength = 0, maxLength = 4000 }: JsonSchema): Field {
  if (format === 'icon' || pattern.includes('lucide')) return { ...common, kind: 'icon' };
  if (format === 'image' || pattern.includes('assets')) return { ...common, kind: 'image' };
  if (format === 'color' || pattern.startsWith('^#')) return { ...common, kind: 'color' };
  const isLine = pattern !== '' || maxLength < 60;
  return { ...common, kind: 'text', long: !isLine, min: minLength, max: maxLength };
}

function withoutNull(schema: JsonSchema): { inner: JsonSchema; optional: boolean } {
  const { type, anyOf } = schema;
  if (anyOf !== undefined) {
    const [inner = {}] = anyOf.filter((each) => each.type !== 'null');
    return { inner, optional: anyOf.some((each) => each.type === 'null') };
  }
  if (typeof type !== 'object') return { inner: schema, optional: false };
  return { inner: { ...schema, type: type.find((each) => each !== 'null') }, optional: type.includes('null') };
}

const labels: Readonly<Record<string, string>> = {
  unit: 'Caption',
  of: 'Out of',
  sorted: 'Largest first',
  url: 'Address',
  who: 'Name',
};

/** Returns a label for a field name: `finalWord` becomes “Final word”. */
export function labelOf(name: string): string {
  const words = name.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return labels[name] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** Scripts whose characters are twice as wide as Latin ones; length limits count display width. */
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff00-\uffef]/gu;

export const lettersIn = (text: string): number => [...text].length + (text.match(wide)?.length ?? 0);

/** Returns the problem with entered text, or `null` if it can be stored. */
export function textIssue(text: string, { min, max, optional }: TextKind): string | null {
  const letters = lettersIn(text.trim());
  return limitText({ min: optional ? 0 : min, max, unit: 'characters' }, letters);
}

/**
 * Parses a number as users write it: “1,5”, “1.5”, “1 200”, or a sum such as “3*12+4”. Returns `null` for other text. A comma
 * or point is the decimal separator, unless it occurs several times to group thousands.
 */
export function parseNumber(text: string): number | null {
  const plain = text
    .replace(/[\s\u00a0\u202f'’_]/gu, '')
    .replace(/[−–]/gu, '-')
    .replace(/[×x]/giu, '*')
    .replace(/[÷:]/gu, '/')
    .replace(/\d+(?:[.,]\d+)+/gu, decimal);
  const tokens = plain.match(/\d*\.?\d+|[-+*/()]/gu) ?? [];
  if (plain === '' || tokens.join('') !== plain) return null;
  const value = new Sum(tokens).read();
  return value !== null && Number.isFinite(value) ? Math.round(value * 1e9) / 1e9 : null;
}

function decimal(digits: string): string {
  const marks = digits.match(/[.,]/gu) ?? [];
  const last = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','));
  const isGrouped = marks.length > 1 && marks.every((mark) => mark === marks[0]);
  return isGrouped ? digits.replace(/[.,]/gu, '') : `${digits.slice(0, last).replace(/[.,]/gu, '')}.${digits.slice(last + 1)}`;
}

/** Parser for sums of products of numbers, signs and brackets. */
class Sum {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  read(): number | null {
    const value = this.#sum(0);
    return this.#at === this.#tokens.length ? value : null;
  }

  #take(...tokens: readonly string[]): string | null {
    const token = this.#tokens[this.#at];
    if (token === undefined || !tokens.includes(token)) return null;
    this.#at += 1;
    return token;
  }

  #sum(depth: number): number {
    let value = this.#product(depth);
    for (let sign = this.#take('+', '-'); sign !== null; sign = this.#take('+', '-')) {
      const next = this.#product(depth);
      value += sign === '+' ? next : -next;
    }
    return value;
  }

  #product(depth: number): number {
    let value = this.#factor(depth);
    for (let sign = this.#take('*', '/'); sign !== null; sign = this.#take('*', '/')) {
      const next = this.#factor(depth);
      value = sign === '*' ? value * next : value / next;
    }
    return value;
  }

  /** Returns NaN if there is no number, or brackets are nested too deeply. */
  #factor(depth: number): number {
    if (depth > 20) return Number.NaN;
    if (this.#take('-') !== null) return -this.#factor(depth + 1);
    if (this.#take('(') !== null) {
      const value = this.#sum(depth + 1);
      return this.#take(')') === null ? Number.NaN : value;
    }
    const token = this.#tokens[this.#at] ?? '';
    this.#at += 1;
    return /\d/u.test(token) ? Number(token) : Number.NaN;
  }
}

export function numberIssue(text: string, { min, max, whole, optional }: NumberKind): string | null {
  if (text.trim() === '') return optional ? null : 'Enter a number.';
  const value = parseNumber(text);
  if (value === null) return 'This is not a number.';
  if (whole && !Number.isInteger(value)) return 'Enter a whole number.';
  return limitText({ min, max, unit: null }, value);
}

/** Returns a field's value in a new row. Required texts are empty, which is not valid yet. */
export function blankOf(field: Field): unknown {
  if (field.optional) return null;
  switch (field.kind) {
    case 'text':
    case 'icon':
    case 'image':
      return '';
    case 'number':
    case 'row':
      return Math.max(0, field.kind === 'number' ? field.min : 0);
    case 'switch':
      return false;
    case 'choice':
      return field.options[0] ?? '';
    case 'color':
      return '#000000';
    case 'list':
      return Array.from({ length: field.min }, () => blankOf(field.item));
    case 'group':
      return Object.fromEntries(field.fields.map((each) => [each.name, blankOf(each)]));
  }
}

/** Returns whether a value can be stored in the field. */
export function isValid(field: Field, value: unknown): boolean {
  if (value === null) return field.optional;
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' && textIssue(value, field) === null;
    case 'number':
      return typeof value === 'number' && numberIssue(String(value), field) === null;
    case 'row':
      return typeof value === 'number' && value <= field.max;
    case 'switch':
      return typeof value === 'boolean';
    case 'choice':
      return typeof value === 'string' && field.options.includes(value);
    case 'icon':
      return typeof value === 'string' && /^(lucide|fluent):[a-z0-9]+(-[a-z0-9]+)*$/.test(value);
    case 'image':
      return typeof value === 'string' && value.startsWith('/assets/');
    case 'color':
      return typeof value === 'string' && /^#[0-9a-f]{6}$/.test(value);
    case 'list':
      return (
        Array.isArray(value) &&
        value.length >= field.min &&
        value.length <= field.max &&
        value.every((each) => isValid(field.item, each))
      );
    case 'group':
      return typeof value === 'object' && field.fields.every((each) => isValid(each, Reflect.get(value, each.name)));
  }
}

/**
 * Returns the rows of a pasted table, list or text. Tabs, bars or semicolons separate cells; bullets and Markdown rules are
 * dropped.
 */
export function pastedRows(text: string): string[][] {
  return text
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^[|:\-\s]+$/u.test(line))
    .map((line) => {
      const bare = line.replace(/^\|/u, '').replace(/\|$/u, '');
      const separator = ['\t', '|', ';'].find((mark) => bare.includes(mark));
      const cells =
        separator === undefined ? [bare.replace(/^(?:[-*•]|\d+[.)])\s+(?:\[[ xX]\]\s+)?/u, '')] : bare.split(separator);
      return cells.map((cell) => cell.trim());
    });
}

/** Builds a list row from a pasted line's cells, assigned in order to its text and number fields. */
export function rowOf(item: Field, cells: readonly string[]): unknown {
  if (item.kind === 'list') return cells.slice(0, item.max).map((cell) => valueOfCell(item.item, cell));
  if (item.kind !== 'group') return valueOfCell(item, cells[0] ?? '');
  const values = { ...Object(blankOf(item)) } as Record<string, unknown>;
  const free = [...cells];
  for (const field of item.fields) {
    if (field.kind !== 'text' && field.kind !== 'number') continue;
    const at = free.findIndex((cell) => field.kind !== 'number' || parseNumber(cell) !== null);
    const [cell] = at < 0 ? [] : free.splice(at, 1);
    if (cell !== undefined && cell !== '') values[field.name] = valueOfCell(field, cell);
  }
  return values;
}

function valueOfCell(field: Field, cell: string): unknown {
  if (field.kind === 'number') return parseNumber(cell) ?? 0;
  return field.kind === 'text' ? [...cell].slice(0, field.max).join('') : blankOf(field);
}

/** Returns a field's strings and numbers, in form order. */
export function textsIn(field: Field, value: unknown): string[] {
  if (field.kind === 'text' || field.kind === 'number')
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  if (field.kind === 'list') return Array.isArray(value) ? value.flatMap((each) => textsIn(field.item, each)) : [];
  if (field.kind !== 'group' || typeof value !== 'object' || value === null) return [];
  return field.fields.flatMap((each) => textsIn(each, Reflect.get(value, each.name)));
}
