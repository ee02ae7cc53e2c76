import { expect, it } from 'vitest';
import { answerRequestSchema, messageRequestSchema } from '#contract/api.ts';
import { maxCharacters, recall } from './composer.tsx';

it('A10: allows as many characters as the server', () => {
  expect(messageRequestSchema.safeParse({ content: 'x'.repeat(maxCharacters(null)) }).success).toBe(true);
  expect(messageRequestSchema.safeParse({ content: 'x'.repeat(maxCharacters(null) + 1) }).success).toBe(false);
  expect(answerRequestSchema.safeParse({ text: 'x'.repeat(maxCharacters('question')) }).success).toBe(true);
  expect(answerRequestSchema.safeParse({ text: 'x'.repeat(maxCharacters('question') + 1) }).success).toBe(false);
});

it('A10: ArrowUp recalls earlier messages, ArrowDown returns to later ones', () => {
  const sent = ['first', 'second'];
  expect(recall(sent, '', -1)).toBe('second');
  expect(recall(sent, 'second', -1)).toBe('first');
  expect(recall(sent, 'first', -1)).toBeNull();
  expect(recall(sent, 'first', 1)).toBe('second');
  expect(recall(sent, 'second', 1)).toBe('');
  expect(recall(sent, '', 1)).toBeNull();
  expect(recall(sent, 'something else', -1)).toBeNull();
  expect(recall([], '', -1)).toBeNull();
});
