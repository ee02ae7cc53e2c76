import { expect, it } from 'vitest';
import { figure, looksLikeYear } from './figures.ts';

it.each([
  [1314, 0, 'en', '1,314'],
  [48_200, 0, 'de', '48.200'],
  [1314, 0, 'de', '1.314'],
  // Spanish writes four digits without a separator.
  [1314, 0, 'es', '1314'],
  [-2.5, 1, 'en', '−2.5'],
])('A33: writes %d with %d decimals in %s', (value, decimals, language, text) => {
  expect(figure(value, decimals, language)).toBe(text);
});

it('A33: writes a year without a separator', () => {
  expect(figure(1969, 0, 'en', looksLikeYear(1969))).toBe('1969');
  expect([1314, 2500, 1969.5].some(looksLikeYear)).toBe(false);
});
