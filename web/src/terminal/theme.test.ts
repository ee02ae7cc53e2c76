import { expect, it } from 'vitest';
import { parseRgb, type ThemeTokens, terminalTheme, themeTokens } from './theme.ts';

it('reads colours as a browser computes them', () => {
  expect(parseRgb('rgb(29, 27, 25)')).toEqual([29, 27, 25]);
  expect(parseRgb('rgba(1, 2, 3, 0.5)')).toEqual([1, 2, 3]);
  expect(parseRgb('oklab(0.5 0 0)')).toEqual([128, 128, 128]);
});

it('every colour of the terminal is made of the page’s own, opaque', () => {
  const grey = Object.fromEntries(themeTokens.map((name) => [name, [10, 10, 10]])) as unknown as ThemeTokens;
  const theme = terminalTheme({ ...grey, '--panel': [255, 255, 255], '--bad': [200, 0, 0] });
  expect(theme).toMatchObject({ background: '#ffffff', foreground: '#0a0a0a', red: '#c80000', brightRed: '#990303' });
  for (const [name, colour] of Object.entries(theme)) expect(colour, name).toMatch(/^#[0-9a-f]{6}$/);
});
