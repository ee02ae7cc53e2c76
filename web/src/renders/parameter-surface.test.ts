import { expect, it } from 'vitest';
import { type ParameterInfo, parameterInfoSchema } from '#contract/render.ts';
import { messagesOf, readSurface } from '#contract/surface/messages.ts';
import { parameterSurface, recallParameters, rememberParameters, valuesOf } from './parameter-surface.ts';

const info = (name: string, type: ParameterInfo['type'], usual: ParameterInfo['default'], more: object = {}) =>
  parameterInfoSchema.parse({ name, type, default: usual, ...more });
const parameters = [
  info('title', 'string', 'Hello', { maxLength: 10 }),
  info('speed', 'number', 1.5),
  info('shadow', 'boolean', true),
  info('ball', 'string', '#e2654a', { format: 'color', description: 'The colour of the ball' }),
  info('size', 'number', 2, { minimum: 0.5, maximum: 4 }),
  info('count', 'integer', 3, { minimum: 1, maximum: 5 }),
];

it("V1 T11: describes the film's parameters as a surface, each with a suitable field", () => {
  const surface = parameterSurface(parameters, { ball: '#000000' });
  const kinds = Object.fromEntries([...surface.components.values()].map(({ id, component }) => [id, component]));
  expect(kinds).toMatchObject({
    'field-title': 'TextField',
    'field-speed': 'TextField',
    'field-shadow': 'CheckBox',
    'field-ball': 'ColorPicker',
    'field-size': 'Slider',
    'field-count': 'ChoicePicker',
    'reset-ball': 'Button',
  });
  expect(kinds).not.toHaveProperty('reset-title');
  expect(surface.data).toEqual({ title: 'Hello', speed: '1.5', shadow: true, ball: '#000000', size: 2, count: ['3'] });
  expect(readSurface(messagesOf(surface))).toEqual({ ok: true, value: surface });
});

it('T11: requests only values that differ from the film, in their own type', () => {
  expect(valuesOf(parameters, {})).toEqual({ values: undefined });
  expect(valuesOf(parameters, { title: 'Hello', speed: '1,5', shadow: true, count: ['3'] })).toEqual({ values: undefined });
  expect(valuesOf(parameters, { title: '', speed: '2', shadow: false, size: 3.25, count: ['4'] })).toEqual({
    values: { title: '', speed: 2, shadow: false, size: 3.25, count: 4 },
  });
  // A stored field that the film no longer has.
  expect(valuesOf(parameters, { gone: 'x' })).toEqual({ values: undefined });
});

it('T11: names the field with an invalid value', () => {
  for (const speed of ['', 'fast', 'NaN', 'Infinity']) expect(valuesOf(parameters, { speed })).toMatchObject({ bad: 'speed' });
  expect(valuesOf(parameters, { ball: '#12' })).toEqual({ bad: 'ball', reason: 'must be a colour such as #ff8800' });
  expect(valuesOf(parameters, { title: 'far too long a title' })).toMatchObject({ bad: 'title' });
  expect(valuesOf(parameters, { size: 9 })).toEqual({ bad: 'size', reason: 'must be 4 or less' });
});

it('T11: restores entered values after a reload', () => {
  const texts = new Map<string, string | null>();
  const storage = {
    read: (name: string) => texts.get(name) ?? null,
    write: (name: string, text: string | null) => texts.set(name, text),
  };
  rememberParameters('p', { size: 3 }, storage);
  expect(recallParameters('p', storage)).toEqual({ size: 3 });
  rememberParameters('p', {}, storage);
  expect(recallParameters('p', storage)).toEqual({});
});
