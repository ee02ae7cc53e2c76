import { z } from 'zod';
import { columnsOf, type Format } from '../../server/kinds/film/formats/define-format.ts';

/** Kinds of content that every format must support. */
export const contentNames = ['example', 'smallest', 'largest', 'long-words', 'arabic', 'japanese', 'emoji'] as const;
export type ContentName = (typeof contentNames)[number];

interface Node {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Node[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Vocabulary for generated texts. */
const vocabulary: Readonly<Record<Exclude<ContentName, 'example' | 'smallest'>, readonly string[]>> = {
  largest:
    'The harbour office opens early on Monday and keeps every boat informed about wind, tide and the new berths until evening comes'.split(
      ' ',
    ),
  'long-words':
    'Donaudampfschifffahrtskapitän Rechtsschutzversicherungen and Internationalization of counterrevolutionaries'.split(' '),
  arabic: 'من يزرع الأشجار في الشتاء يجد ظلها في الصيف ويجلس تحتها مع جيرانه كل مساء'.split(' '),
  japanese: [
    '夜明けの市場で、',
    'はじめて',
    '海の値段を',
    '知った朝、',
    '競りの声だけが',
    '明るく響いて、',
    '魚を運ぶ人の',
    '足音が続いた。',
  ],
  emoji: ['Party', '🎉', 'with', 'cake', '🎂', 'and', '👩‍👩‍👧', 'friends', '🇩🇪', 'tonight'],
};

/** Fields whose schema allows more than is meaningful, so they keep the example's value. */
const keptFields = new Set(
  'code language prompt url handle prefix suffix day time value trend was now percent from until'.split(' '),
);

/** Returns text of at most `max` characters in a script. Cuts inside a word only if the first one is too long. */
function textOf(name: Exclude<ContentName, 'example' | 'smallest'>, max: number, salt: number): string {
  const words = vocabulary[name];
  const glue = name === 'japanese' ? '' : ' ';
  const wanted = name === 'largest' || name === 'long-words' ? max : Math.min(max, 40);
  let text = '';
  for (let index = 0; index < 80; index += 1) {
    const next = words[(index + salt) % words.length] ?? '';
    const longer = text === '' ? next : text + glue + next;
    if (columnsOf(longer) > wanted) break;
    text = longer;
  }
  return text === '' ? [...(words[salt % words.length] ?? 'A')].slice(0, name === 'japanese' ? max / 2 : max).join('') : text;
}

const isText = (node: Node): boolean =>
  node.type === 'string' &&
  node.enum === undefined &&
  node.const === undefined &&
  (node.pattern === undefined || node.pattern.includes('\\r\\n')) &&
  node.maxLength !== undefined;

interface TextContext {
  readonly name: Exclude<ContentName, 'example' | 'smallest'>;
  readonly salt: number;
  readonly field: string;
  /** Fraction of a field's limit that its text uses, 0 to 1. */
  readonly share: number;
}

/** Replaces every string in a value with one in another script, as long as its field allows. */
function replaceTexts(value: unknown, node: Node | undefined, context: TextContext): unknown {
  const schema = node?.anyOf?.find(({ type }) => type !== 'null') ?? node;
  if (schema === undefined) return value;
  if (typeof value === 'string' && isText(schema) && !keptFields.has(context.field))
    return textOf(context.name, Math.max(1, Math.floor((schema.maxLength ?? 20) * context.share)), context.salt);
  if (Array.isArray(value))
    return value.map((item, index) => replaceTexts(item, schema.items, { ...context, salt: context.salt + index + 1 }));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, item], index) => [
      field,
      replaceTexts(item, schema.properties?.[field], { ...context, salt: context.salt + index * 3, field }),
    ]),
  );
}

/** Returns the minimum that the schema allows: `kept` as its only optional field, one or two items, a short word each. */
function least(value: unknown, node: Node | undefined, field: string, kept: string | null): unknown {
  const schema = node?.anyOf?.find(({ type }) => type !== 'null') ?? node;
  if (schema === undefined) return value;
  if (node?.anyOf?.some(({ type }) => type === 'null') && field !== 'items' && field !== kept) return null;
  if (Array.isArray(value)) return value.slice(0, schema.minItems ?? 0).map((item) => least(item, schema.items, '', kept));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, least(item, schema.properties?.[name], name, kept)]),
    );
  if (field === 'prefix' || field === 'suffix') return '';
  if (typeof value === 'string' && isText(schema) && !keptFields.has(field)) return ['Go', 'Now', 'Us'][field.length % 3];
  return value;
}

/** Returns the maximum that the schema allows: full lists, and texts of maximum length. */
function most(value: unknown, node: Node | undefined, field: string): unknown {
  const schema = node?.anyOf?.find(({ type }) => type !== 'null') ?? node;
  if (
    schema === undefined ||
    !Array.isArray(value) ||
    schema.maxItems === undefined ||
    value.length === 0 ||
    schema.maxItems > 30
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, most(item, schema?.properties?.[name], name)]));
  }
  if (field === 'highlight' || field === 'emphasis' || field === 'icons' || field === 'points') return value;
  return Array.from({ length: schema.maxItems }, (_, index) => most(value[index % value.length], schema.items, ''));
}

/** Returns a format's fields filled with one kind of content, or `null` if no candidate fits its schema. */
export function contentOf(format: Format, name: ContentName): unknown {
  if (name === 'example') return format.example;
  const schema = z.toJSONSchema(format.props, { io: 'input', unrepresentable: 'any' }) as Node;
  for (const attempt of attemptsAt(format.example, schema, name)) {
    const parsed = format.props.safeParse(attempt);
    if (parsed.success) return parsed.data;
  }
  return null;
}

/**
 * Yields candidate contents. Limits shared by several fields make some candidates invalid, so later ones are smaller or have
 * only one optional field.
 */
function* attemptsAt(example: unknown, schema: Node, name: Exclude<ContentName, 'example'>): Generator<unknown> {
  if (name === 'smallest') {
    for (const kept of [null, ...Object.keys(schema.properties ?? {})]) yield least(example, schema, '', kept);
    return;
  }
  const lists = name === 'largest' ? [most(example, schema, ''), example] : [example];
  for (const value of lists)
    for (const share of [1, 0.8, 0.6, 0.45, 0.3, 0.2, 0.12])
      yield replaceTexts(value, schema, { name, salt: 0, field: '', share });
}

/** On an axis, only the first and the last label are guaranteed to fit. The periods between them are visible only briefly. */
function onAxis(field: string, value: unknown): unknown {
  return (field === 'labels' || field === 'periods') && Array.isArray(value) ? [value[0], value.at(-1)] : value;
}

/** Returns every text that a viewer must be able to read. */
export function textsOf(value: unknown, schema: Format['props']): string[] {
  const found: string[] = [];
  const visit = (item: unknown, node: Node | undefined): void => {
    const own = node?.anyOf?.find(({ type }) => type !== 'null') ?? node;
    if (own === undefined) return;
    if (typeof item === 'string' && isText(own)) found.push(...item.split('\n'));
    if (Array.isArray(item)) for (const one of item) visit(one, own.items);
    else if (typeof item === 'object' && item !== null) visitFields(item, own);
  };
  const visitFields = (item: object, node: Node): void => {
    for (const [name, one] of Object.entries(item))
      if (name !== 'language' && name !== 'emphasis') visit(onAxis(name, one), node.properties?.[name]);
  };
  visit(value, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Node);
  return found;
}
