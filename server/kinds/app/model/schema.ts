import { z } from 'zod';
import { idSchema } from '../../../../sandbox-image/templates/app/model/document.ts';

/** The part of a JSON schema that says what a model may answer, and how its slips are corrected. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

export const schemaOf = (schema: z.ZodType): Schema => z.toJSONSchema(schema, { io: 'input' }) as Schema;

const idPattern = schemaOf(idSchema).pattern;
export const isId = ({ pattern }: Schema): boolean => pattern === idPattern;

export const optionsOf = ({ oneOf, anyOf }: Schema): readonly Schema[] => oneOf ?? anyOf ?? [];

/** Returns what tells an option of a union from the others: `table` for `{ view: 'table', … }`. */
export const nameOf = ({ properties = {} }: Schema, key: string): string => String(properties[key]?.const ?? '');

/** Lists above this length are longer than models write. */
const notedItems = 12;

/** Writes a schema for a language model: `{field:id, is:is|is-not, value?:text|num|bool}`. */
function notationOf(schema: Schema): string {
  if (schema.const !== undefined) return String(schema.const);
  if (schema.enum !== undefined) return schema.enum.join('|');
  const options = optionsOf(schema);
  if (options.length > 0) return options.map(notationOf).join('|');
  switch (schema.type) {
    case 'object':
      return schema.properties === undefined
        ? `{id:${notationOf(typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {})}}`
        : `{${membersOf(schema).join(', ')}}`;
    case 'array': {
      const items = schema.prefixItems?.map(notationOf).join(', ') ?? notationOf(schema.items ?? {});
      const { maxItems } = schema;
      return `[${items}]${maxItems !== undefined && maxItems <= notedItems ? `≤${maxItems}` : ''}`;
    }
    case 'string':
      return isId(schema) ? 'id' : 'text';
    case 'integer':
      return 'int';
    case 'number':
      return 'num';
    case 'boolean':
      return 'bool';
    default:
      return 'any';
  }
}

/** Returns the members of an object in the notation above, without those that are named. */
export function membersOf({ properties = {}, required = [] }: Schema, without: readonly string[] = []): string[] {
  return Object.entries(properties).flatMap(([name, member]) => {
    if (without.includes(name)) return [];
    const type = notationOf(member);
    return [`${name}${required.includes(name) ? '' : '?'}${type === 'bool' ? '' : `:${type}`}`];
  });
}
