import { expect, it } from 'vitest';
import { z } from 'zod';
import { unknownFields } from './unknown-fields.ts';

const schema = z.toJSONSchema(
  z.object({
    source: z.discriminatedUnion('type', [
      z.object({ type: z.literal('none') }),
      z.object({ type: z.literal('address'), url: z.string() }),
    ]),
    videos: z.array(z.object({ label: z.string(), parameters: z.record(z.string(), z.string()).optional() })).optional(),
    range: z.union([z.object({ scene: z.string() }), z.object({ from: z.int(), to: z.int() })]).nullish(),
    rest: z.looseObject({}).optional(),
  }),
  { io: 'input' },
);
const problems = (value: unknown) => unknownFields(schema, value, 'input');

it.each([
  ['at the top', { url: 'x' }, 'input: unknown field “url”. It has: source, videos, range, rest.'],
  [
    'in the member that the value names',
    { source: { type: 'none', url: 'x' } },
    'input.source: unknown field “url”. It has: type.',
  ],
  ['in no member', { source: { address: 'x' } }, 'input.source: unknown field “address”. It has: type, url.'],
  ['in a list', { videos: [{ label: 'a' }, { size: 1 }] }, 'input.videos.1: unknown field “size”. It has: label, parameters.'],
])('V7: names an unknown field %s', (_, value, problem) => {
  expect(problems(value)).toEqual([problem]);
});

it('V7: takes what has free names, and values of another form, as they are', () => {
  expect(problems({ videos: [{ label: 'a', parameters: { any: 'x' } }], range: { scene: 'a' }, rest: { any: 1 } })).toEqual([]);
  expect(problems({ source: 'none', videos: 3, range: null })).toEqual([]);
  expect(problems(null)).toEqual([]);
});
