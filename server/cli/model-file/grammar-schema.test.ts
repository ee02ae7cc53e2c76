import { expect, it } from 'vitest';
import { grammarSchema } from './grammar-schema.ts';

const text = { type: 'string', minLength: 0, maxLength: 1_000 };

it('46.8: optional fields may be null, because the grammar writes every field', () => {
  const schema = { type: 'object', properties: { title: { type: 'string' }, seconds: { type: 'number' } }, required: ['title'] };
  expect(grammarSchema(schema)).toEqual({
    type: 'object',
    properties: { title: text, seconds: { oneOf: [{ type: 'null' }, { type: 'number' }] } },
  });
});

it('46.8: keeps constants, choices, unions and limits', () => {
  expect(grammarSchema({ const: 'field' })).toEqual({ const: 'field' });
  expect(grammarSchema({ type: 'string', enum: ['16:9', '9:16'] })).toEqual({ enum: ['16:9', '9:16'] });
  expect(grammarSchema({ anyOf: [{ type: 'integer' }, { type: 'null' }] })).toEqual({
    oneOf: [{ type: 'integer' }, { type: 'null' }],
  });
  expect(grammarSchema({ type: ['string', 'null'], maxLength: 9 })).toEqual({
    oneOf: [{ type: 'string', minLength: 0, maxLength: 9 }, { type: 'null' }],
  });
  expect(grammarSchema({ type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 15 })).toEqual({
    type: 'array',
    items: { type: 'boolean' },
    minItems: 1,
    maxItems: 15,
  });
});

it('46.8: limits texts to what llama.cpp’s grammars can repeat', () => {
  expect(grammarSchema({ type: 'string', maxLength: 100_000 })).toMatchObject({ maxLength: 1_999 });
});

it('46.8: an object without named fields may have any, and a schema without a type stands for any value', () => {
  const record = { type: 'object', propertyNames: { type: 'string' }, additionalProperties: {} };
  expect(grammarSchema(record)).toEqual({ type: 'object', additionalProperties: true });
  expect(grammarSchema({})).toHaveProperty('oneOf');
});
