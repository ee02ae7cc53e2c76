import { z } from 'zod';

/** JSON Schemas in the notation of TypeScript, which takes a fifth of their tokens: `{ film: string, at_once?: integer }`. */

const schemaShape = z.object({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  prefixItems: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
  description: z.string().optional(),
});
type Schema = z.output<typeof schemaShape>;

/** Returns what is known of a JSON Schema. `null` if it is none. */
export const readSchema = (given: unknown): Schema | null => schemaShape.safeParse(given).data ?? null;

/** Returns the members of a union. `null` if the schema is none. */
export function membersOf({ anyOf, oneOf, type }: Schema): readonly unknown[] | null {
  return anyOf ?? oneOf ?? (Array.isArray(type) ? type.map((one) => ({ type: one })) : null);
}

/** Description of a field that Koda fills in itself, so a model is not told of it. */
const filledIn = 'leave it out';

export function schemaText(given: unknown, { isResult = false }: { readonly isResult?: boolean } = {}): string {
  const text = (part: unknown) => schemaText(part, { isResult });
  const described = (part: unknown) => `${text(part)}${aboutText(part)}`;
  const schema = readSchema(given);
  if (schema === null) return 'any';
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const members = membersOf(schema);
  if (members !== null) return members.map(described).join(' | ');
  if (schema.prefixItems !== undefined) return `[${schema.prefixItems.map(described).join(', ')}]`;
  if (schema.type === 'array') return `(${text(schema.items)})[]`.replace(/^\((\w+)\)/u, '$1');
  if (schema.properties !== undefined) return objectText(schema, { isResult });
  if (schema.type === 'object') return `{ [name]: ${text(schema.additionalProperties)} }`;
  return typeof schema.type === 'string' ? schema.type : 'any';
}

function aboutText(given: unknown): string {
  const about = readSchema(given)?.description;
  return about === undefined ? '' : ` /* ${about} */`;
}

/** A field that may be left out is not shown as `null`, and in results, fields that are `null` are left out. */
function objectText({ properties = {}, required }: Schema, { isResult }: { readonly isResult: boolean }): string {
  const fields = Object.entries(properties).flatMap(([name, given]) => {
    const schema = readSchema(given);
    if (schema?.description === filledIn) return [];
    const members = schema === null ? null : membersOf(schema);
    const isNullable = members?.some(isNull) ?? false;
    const isOptional = !required.includes(name) || (isNullable && isResult);
    const shown = isNullable && isOptional ? { anyOf: members?.filter((one) => !isNull(one)) } : given;
    return [`${name}${isOptional ? '?' : ''}: ${schemaText(shown, { isResult })}${aboutText(given)}`];
  });
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

const isNull = (given: unknown): boolean => readSchema(given)?.type === 'null';
