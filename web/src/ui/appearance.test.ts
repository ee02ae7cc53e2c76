import { expect, it } from 'vitest';
import { keptValue, motions, themes } from './appearance.ts';

it('what a browser kept counts as far as it is known', () => {
  expect(keptValue('dark', themes)).toBe('dark');
  for (const kept of [null, '', 'purple']) expect(keptValue(kept, themes)).toBe('system');
  expect(keptValue('reduced', motions)).toBe('reduced');
});
