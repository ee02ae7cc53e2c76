import { expect, it } from 'vitest';
import { z } from 'zod';
import { validationError } from './validation-error.ts';

const rate = z.union([24, 25, 30, 50, 60].map((value) => z.literal(value)));
const schema = z.object({
  fps: rate.optional(),
  place: z.union([z.literal('left'), z.object({ x: z.number(), y: z.number() })]).optional(),
  size: z.union([z.string(), z.number()]).optional(),
  scene: z
    .union([z.strictObject({ format: z.string() }), z.strictObject({ code: z.strictObject({ lines: z.int() }) })])
    .optional(),
  kind: z.discriminatedUnion('is', [z.object({ is: z.literal('a') }), z.object({ is: z.literal('b') })]).optional(),
  own: z.union([z.literal(1), z.literal(2)], { error: 'must be 1 or 2' }).optional(),
});

it.each([
  [{ fps: 29 }, 'film.fps', 'expected 24, 25, 30, 50 or 60'],
  [{ place: 'up' }, 'film.place', 'expected "left" or object'],
  [{ size: true }, 'film.size', 'expected string or number'],
  [{ scene: { code: { lines: 'many' } } }, 'film.scene.code.lines', 'expected number, received string'],
  [{ kind: { is: 'c' } }, 'film.kind.is', "Expected 'a' | 'b'"],
  [{ own: 3 }, 'film.own', 'must be 1 or 2'],
])('F7: a union that refuses %j says what it expects', (value, field, message) => {
  const { error } = schema.safeParse(value);
  const refusal = error && validationError(error, ['film']);
  expect(refusal?.message).toContain(`The field "${field}" is not valid: `);
  expect(refusal?.message).toContain(message);
  expect(refusal?.message).not.toMatch(/Invalid input$/);
  expect(refusal?.details).toMatchObject({ field, problems: [{ field, message: expect.stringContaining(message) }] });
});
