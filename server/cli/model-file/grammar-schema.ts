import { z } from 'zod';

/** Limit for texts whose schema has none, so that a weak model cannot write one without end. */
const maxTextCharacters = 1_000;
/** llama.cpp refuses grammars with longer repetitions. */
const maxRepetitions = 1_999;

/** The part of JSON Schema that is converted. Everything else is ignored. */
const schemaSchema = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).default([]),
  additionalProperties: z.unknown().optional(),
  items: z.unknown().optional(),
  minItems: z.int().min(0).optional(),
  maxItems: z.int().min(0).optional(),
  minLength: z.int().min(0).optional(),
  maxLength: z.int().min(0).optional(),
});
type Schema = z.output<typeof schemaSchema>;

/** An object of any fields with any values. */
const anyObject = { type: 'object', additionalProperties: true };
/** node-llama-cpp has a grammar for any value only as a field or an entry. */
const anyValue = {
  oneOf: [{ type: 'string', maxLength: maxRepetitions }, { type: ['number', 'boolean', 'null'] }, anyObject, { type: 'array' }],
};

/**
 * Converts a JSON schema to the subset that node-llama-cpp can turn into a grammar. A grammar requires every field, so optional
 * fields may be `null`. Throws a ZodError if the value is not a schema.
 */
export function grammarSchema(value: unknown): Record<string, unknown> {
  const schema = schemaSchema.parse(value === true || value === undefined ? {} : value);
  const branches = schema.oneOf ?? schema.anyOf;
  if (branches !== undefined) return { oneOf: branches.map(grammarSchema) };
  if (schema.const !== undefined) return { const: schema.const };
  if (schema.enum !== undefined) return { enum: schema.enum };
  if (Array.isArray(schema.type)) return { oneOf: schema.type.map((type) => grammarSchema({ ...schema, type })) };
  switch (schema.type) {
    case 'object':
      return objectOf(schema);
    case 'array':
      return arrayOf(schema);
    case 'string':
      return { type: 'string', ...stringLimits(schema) };
    case 'number':
    case 'integer':
    case 'boolean':
    case 'null':
      return { type: schema.type };
    default:
      return anyValue;
  }
}

function objectOf({ properties, required, additionalProperties }: Schema): Record<string, unknown> {
  const fields = Object.entries(properties ?? {});
  // Fields besides the named ones would be written for no purpose.
  if (fields.length === 0) return additionalProperties === false ? { type: 'object' } : { ...anyObject };
  const converted = fields.map(([name, field]) => {
    const type = grammarSchema(field);
    return [name, required.includes(name) ? type : { oneOf: [{ type: 'null' }, type] }];
  });
  return { type: 'object', properties: Object.fromEntries(converted) };
}

function arrayOf({ items, minItems, maxItems }: Schema): Record<string, unknown> {
  return {
    type: 'array',
    items: grammarSchema(items),
    ...(minItems === undefined ? {} : { minItems: Math.min(minItems, maxRepetitions) }),
    ...(maxItems === undefined ? {} : { maxItems: Math.min(maxItems, maxRepetitions) }),
  };
}

function stringLimits({ minLength = 0, maxLength = maxTextCharacters }: Schema): Record<string, number> {
  return { minLength: Math.min(minLength, maxRepetitions), maxLength: Math.min(maxLength, maxRepetitions) };
}
