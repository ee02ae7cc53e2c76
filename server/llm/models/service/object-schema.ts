import { z } from 'zod';

const branchSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});
const unionSchema = z.looseObject({ oneOf: z.array(branchSchema) }).or(z.looseObject({ anyOf: z.array(branchSchema) }));

/** A JSON schema of an object. */
type ObjectSchema = { type: 'object' } & Record<string, unknown>;

/** Cached, because tool schemas are constant and part of every request. */
const converted = new WeakMap<Record<string, unknown>, ObjectSchema>();

/**
 * Converts a JSON schema for a tool's input to what services require: an object at the top level, never a union. A
 * union's branches are merged; the description says which fields belong together, and calls are validated.
 */
export function objectSchema(schema: Record<string, unknown>): ObjectSchema {
  const known = converted.get(schema) ?? convert(schema);
  converted.set(schema, known);
  return known;
}

function convert(schema: Record<string, unknown>): ObjectSchema {
  const { $schema: _, ...plain } = schema;
  const union = unionSchema.safeParse(plain);
  if (!union.success) return { ...plain, type: 'object' };
  const branches = 'oneOf' in union.data ? (union.data.oneOf as Branch[]) : (union.data['anyOf'] as Branch[]);
  const properties: Record<string, unknown> = {};
  for (const branch of branches) {
    for (const [name, value] of Object.entries(branch.properties)) properties[name] = merged(properties[name], value);
  }
  const required = Object.keys(properties).filter((name) => branches.every((branch) => branch.required.includes(name)));
  return { type: 'object', description: branches.map(branchText).join(' '), properties, required };
}

type Branch = z.output<typeof branchSchema>;

/** Merges the constants that distinguish branches into an enumeration. */
function merged(before: unknown, value: unknown): unknown {
  if (before === undefined) return value;
  const values = [...choices(before), ...choices(value)];
  return values.length > 1 ? { type: 'string', enum: [...new Set(values)] } : before;
}

function choices(value: unknown): string[] {
  const { data } = z.object({ const: z.string().optional(), enum: z.array(z.string()).optional() }).safeParse(value);
  return data?.enum ?? (data?.const === undefined ? [] : [data.const]);
}

function branchText({ properties, required }: Branch): string {
  const [name, value] = Object.entries(properties).find(([, property]) => choices(property).length === 1) ?? [];
  const others = Object.keys(properties).filter((field) => field !== name);
  const fields = others.map((field) => (required.includes(field) ? field : `${field} (optional)`)).join(', ') || 'nothing else';
  return `With ${name} "${choices(value)[0]}": ${fields}.`;
}
