import { expect, it } from 'vitest';
import { type ParameterInfo, parameterInfoSchema } from '../../../server/contract/render.ts';
import { fieldValue, valuesOf } from './parameter-fields.tsx';

const info = (name: string, type: ParameterInfo['type'], usual: ParameterInfo['default']) =>
  parameterInfoSchema.parse({ name, type, default: usual });
const parameters = [info('title', 'string', 'Hello'), info('speed', 'number', 1.5), info('shadow', 'boolean', true)];

it('T11: the request holds only what differs from the film, in its own type', () => {
  expect(valuesOf(parameters, {})).toEqual({ values: undefined });
  expect(valuesOf(parameters, { title: 'Hello', speed: '1,5', shadow: true })).toEqual({ values: undefined });
  expect(valuesOf(parameters, { title: '', speed: '2', shadow: false })).toEqual({
    values: { title: '', speed: 2, shadow: false },
  });
  // A field of a film that does not know it any more.
  expect(valuesOf(parameters, { gone: 'x' })).toEqual({ values: undefined });
});

it('T11: a number that is none is named', () => {
  for (const speed of ['', 'fast', 'NaN', 'Infinity']) expect(valuesOf(parameters, { speed })).toEqual({ bad: 'speed' });
});

it('T11: a field begins with the value of the film', () => {
  expect(parameters.map((parameter) => fieldValue(parameter, {}))).toEqual(['Hello', '1.5', true]);
  expect(fieldValue(info('speed', 'number', 1), { speed: '3' })).toBe('3');
});
