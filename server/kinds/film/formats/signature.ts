import { z } from 'zod';

interface Field {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Field[];
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: Field;
  readonly properties?: Readonly<Record<string, Field>>;
  /** Names of the properties without a default that must be given. */
  readonly required?: readonly string[];
}
/** Returns what the signature says about a field, or an empty text. */
type Says = (name: string, field: Field) => string;

export const notation =
  'name:60 is a text of at most 60 characters in one line; name? may be null or left out; 2-6 of {…} is a list; int and num are numbers; highlight and other indexes count from 0; icon is a name such as lucide:coffee or fluent:dog-face; image is the path of an upload such as /assets/logo.png; color is #rrggbb.';

/** Bounds above this only keep numbers finite, so signatures leave them out. */
const largestBound = 100;

/** Writes a format's fields for a language model, in the notation above. */
export function signatureOf(props: z.ZodType): string {
  return typeText(z.toJSONSchema(props, { io: 'input' }) as Field, (_name, { description = '' }) => description);
}

/** What happens to a field without a value, which a model need not know to leave it out. */
const absence = /; null (?:follows|takes|decides|names|shows|if)[^;]*$/u;
/** Meanings up to this length, such as “the later time”, repeat the field's name. */
const minMeaningWords = 5;

/** Writes the fields with the meanings that their names and types do not tell. */
export function shortSignatureOf(props: z.ZodType): string {
  return typeText(z.toJSONSchema(props, { io: 'input' }) as Field, (name, field) => {
    const { description = '' } = field;
    const isText = withoutNull(field).inner.type === 'string' && withoutNull(field).inner.enum === undefined;
    const isTold = description.startsWith(name) || /^\S+$|, in order$/u.test(description);
    const meaning = description.replace(absence, '');
    const isShort = meaning.split(' ').length < minMeaningWords && !/“|null/u.test(meaning);
    const isNeeded = !isTold && !isShort && name !== 'highlight' && (!isText || /“|null/u.test(description));
    return isNeeded ? meaning : '';
  });
}

function typeText(field: Field, says: Says): string {
  const { inner } = withoutNull(field);
  if (inner.enum !== undefined) return inner.enum.join('|');
  switch (inner.type) {
    case 'object':
      return objectText(inner, says);
    case 'array':
      return `${inner.minItems ?? 0}-${inner.maxItems} of ${typeText(inner.items ?? {}, says)}`;
    case 'string':
      return inner.format ?? String(inner.maxLength ?? 'text');
    case 'integer':
      return (inner.maximum ?? 0) <= largestBound ? `int ${inner.minimum}-${inner.maximum}` : 'int';
    case 'number':
      return 'num';
    default:
      return 'bool';
  }
}

/** Refers to an earlier field with the same fields instead of repeating them. */
function objectText({ properties = {}, required = [] }: Field, says: Says): string {
  const earlier = new Map<string, string>();
  const fields = Object.entries(properties).map(([name, field]) => {
    const own = typeText(field, says);
    const same = own.startsWith('{') ? earlier.get(own) : undefined;
    earlier.set(own, name);
    const mark = withoutNull(field).isNullable || !required.includes(name) ? '?' : '';
    const meaning = says(name, field).replace(/[“”]/gu, '"');
    return `${name}${mark}:${same === undefined ? own : `as ${same}`}${meaning === '' ? '' : ` (${meaning})`}`;
  });
  return `{${fields.join(', ')}}`;
}

/** Zod writes `null` beside a type as a list of types, or as an alternative. */
function withoutNull(field: Field): { inner: Field; isNullable: boolean } {
  const { type, anyOf } = field;
  const own = anyOf?.find((one) => one.type !== 'null') ?? field;
  const types = typeof type === 'object' ? type.filter((one) => one !== 'null') : [];
  const [only] = types;
  return { inner: only === undefined ? own : { ...own, type: only }, isNullable: anyOf !== undefined || types.length > 0 };
}
