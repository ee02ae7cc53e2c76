import { expect, it } from 'vitest';
import { limitIdSchema } from '#contract/settings.ts';
import { environmentSchema, readConfig } from './lib/config.ts';
import { limitsOf } from './limits.ts';

it('T17: lists every limit with its variable', () => {
  const run = { maxSteps: 1, maxIdenticalCalls: 2, maxRunMinutes: 3, maxTokens: 4, maxCostUsd: 5 };
  const config = readConfig({ KODA_SANDBOX_MEMORY_MB: '2048' });
  const limits = limitsOf({ config, run, sandboxes: 3, renders: 2, uploadBytes: 100 });
  expect(limits.map(({ id }) => id).toSorted()).toEqual([...limitIdSchema.options].toSorted());
  const variables = limits.flatMap(({ variable }) => (variable === null ? [] : [variable]));
  expect(variables.filter((variable) => !(variable in environmentSchema.shape))).toEqual([]);
  expect(limits.find(({ id }) => id === 'sandbox-memory')?.value).toBe(2048 * 1024 * 1024);
  expect(limits.find(({ id }) => id === 'data-size')?.value).toBeNull();
});
