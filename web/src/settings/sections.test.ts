import { expect, it } from 'vitest';
import { limitText } from './sections.tsx';

it('T17: shows limits in the units of their variables', () => {
  expect(limitText({ id: 'sandbox-memory', value: 4096 * 1024 * 1024, unit: 'bytes' })).toBe('4,096 MB');
  expect(limitText({ id: 'run-tokens', value: 20_000_000, unit: 'tokens' })).toBe('20,000,000 tokens');
  expect(limitText({ id: 'run-cost', value: 25, unit: 'usd' })).toBe('$25.00');
  expect(limitText({ id: 'sandbox-cpus', value: 1.5, unit: 'count' })).toBe('1.5');
  expect(limitText({ id: 'data-size', value: null, unit: 'bytes' })).toMatch(/disk/);
});
