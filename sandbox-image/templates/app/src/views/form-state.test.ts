import { describe, expect, it } from 'vitest';
import type { List, ViewOf } from '../../model/document.ts';
import {
  choiceLines,
  choiceShape,
  filledText,
  formState,
  missingText,
  questionsOf,
  readDraft,
  remainingText,
} from './form-state.ts';

const list: List = {
  id: 'applications',
  name: 'Applications',
  one: 'application',
  fields: [
    { id: 'name', name: 'Your name', type: 'text', needed: true },
    { id: 'email', name: 'E-mail', type: 'email', hint: 'We answer here.' },
    {
      id: 'size',
      name: 'How large?',
      type: 'choice',
      choices: [{ id: 'half', name: 'Half plot, 125 m² (£32 a year)', hue: 'green' }],
    },
    { id: 'days', name: 'Work days', type: 'choices', choices: [] },
    { id: 'price', name: 'Price', type: 'computed', formula: '1', result: 'number' },
  ],
};
const view: ViewOf<'form'> = {
  view: 'form',
  id: 'apply',
  list: 'applications',
  ask: [
    { field: 'name' },
    { field: 'email', needed: true, hint: 'Only for the answer.' },
    { field: 'size' },
    { field: 'days' },
    { field: 'price' },
    { field: 'gone' },
  ],
};
const questions = questionsOf(view, list);

it('asks for what can be entered, with the words of the form', () => {
  expect(questions.map((question) => [question.field.id, question.needed, question.hint, question.wide])).toEqual([
    ['name', true, null, false],
    ['email', true, 'Only for the answer.', false],
    ['size', false, null, true],
    ['days', false, null, true],
  ]);
});

it('says what is missing', () => {
  expect(questions.map(missingText)).toEqual([
    'Enter your name.',
    'Enter an e-mail address, such as name@mail.example.',
    'Choose one.',
    'Choose at least one.',
  ]);
});

it('draws few short choices as a bar, few long ones as cards, and many as a menu', () => {
  const choices = (...names: string[]) => ({
    id: 'size',
    name: 'Size',
    type: 'choice' as const,
    choices: names.map((name, i) => ({ id: `c${i}`, name, hue: 'grey' as const })),
  });
  expect(choiceShape(choices('A little', 'Yes', 'No'))).toBe('bar');
  expect(choiceShape(choices('Half plot, 125 m²', 'Full plot'))).toBe('cards');
  expect(choiceShape(choices(...'abcdefgh'))).toBe('menu');
  expect(choiceLines('Half plot, 125 m² (£32 a year)')).toEqual({ title: 'Half plot, 125 m²', text: '£32 a year' });
  expect(choiceLines('Half plot')).toEqual({ title: 'Half plot', text: null });
});

describe('formState', () => {
  it('closes after its last day, and when all places are taken', () => {
    const limited = { ...view, closes: '2026-11-30', limit: 10 };
    expect(formState(limited, 3, '2026-11-30')).toBe('open');
    expect(formState(limited, 3, '2026-12-01')).toBe('closed');
    expect(formState(limited, 10, '2026-11-30')).toBe('full');
    expect(remainingText(limited, 7)).toBe('3 places left, open until 30 November.');
    expect(remainingText({ ...view, limit: 10 }, 9)).toBe('1 place left.');
    expect(remainingText(view, 9)).toBeNull();
  });
});

it('fills answers into the thanks', () => {
  const shown = () => 'Ana';
  expect(filledText('Thank you, {name}.', { name: 'Ana' }, shown)).toBe('Thank you, Ana.');
  expect(filledText('Thank you, {name}.', {}, shown)).toBe('Thank you.');
});

it('keeps answers that belong to the form, and no others', () => {
  expect(readDraft('{"name":"Ana","days":["sun"],"admin":true,"email":{"a":1}}', questions)).toEqual({
    name: 'Ana',
    days: ['sun'],
  });
  expect(readDraft('{broken', questions)).toEqual({});
  expect(readDraft(null, questions)).toEqual({});
});
