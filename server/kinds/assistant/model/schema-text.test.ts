import { expect, it } from 'vitest';
import { z } from 'zod';
import { schemaText } from './schema-text.ts';

const text = (schema: z.ZodType, isResult = false) =>
  schemaText(z.toJSONSchema(schema, { io: isResult ? 'output' : 'input' }), { isResult });

it('V7: prints each member of a union, with what its fields mean', () => {
  const source = z.discriminatedUnion('type', [
    z.object({ type: z.literal('none') }),
    z.object({ type: z.literal('address'), url: z.string().describe('of a CSV file') }).describe('fetched for each run'),
  ]);
  expect(text(z.object({ source: source.default({ type: 'none' }) }))).toBe(
    '{ source?: { type: "none" } | { type: "address", url: string /* of a CSV file */ } /* fetched for each run */ }',
  );
});

it('V7: says what the values of a tuple are', () => {
  expect(text(z.array(z.tuple([z.string().describe('parameter'), z.number()])))).toBe('([string /* parameter */, number])[]');
});

it('V7: shows no field that Koda fills in, and null only where it has to be given', () => {
  const fields = z.object({
    id: z.string().optional().describe('leave it out'),
    folder: z.string().nullable().default(null),
    error: z.string().nullable(),
  });
  expect(text(fields)).toBe('{ folder?: string, error: string | null }');
  expect(text(fields, true)).toBe('{ folder?: string, error?: string }');
});
