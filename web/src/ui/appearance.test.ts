import { expect, it } from 'vitest';
import { motions, storedValue, themes } from './appearance.ts';

it('uses a stored value only if it is known', () => {
  expect(storedValue('dark', themes)).toBe('dark');
  for (const kept of [null, '', 'purple']) expect(storedValue(kept, themes)).toBe('system');
  expect(storedValue('reduced', motions)).toBe('reduced');
});
