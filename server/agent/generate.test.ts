import { describe, expect, it } from 'vitest';
import { KodaError } from '../contract/errors.ts';
import type { ModelUsage } from '../contract/project.ts';
import { askGenerator, type GeneratorJob } from './generate.ts';
import type { Model } from './models/model.ts';

const used: ModelUsage = { inputTokens: 5_000, cachedInputTokens: 0, outputTokens: 700, costUsd: 0.02 };

describe('the code generator', () => {
  it('T17: what an answer used that broke off counts as that of a whole one does', async () => {
    const counted: ModelUsage[] = [];
    const model = {
      readsFacts: true,
      async *stream(_request, { onBroken }) {
        await onBroken?.(used);
        yield { type: 'restart', reason: 'x' };
        throw new KodaError('LLM_CONNECTION', 'away');
      },
    } satisfies Pick<Model, 'readsFacts' | 'stream'> as unknown as Model;
    const job = { model, kind: { prompts: {} }, task: {}, facts: {}, signal: new AbortController().signal };
    const asked = askGenerator({
      ...job,
      addUsage: async (usage: ModelUsage) => void counted.push(usage),
    } as unknown as GeneratorJob);
    const reading = (async () => {
      for await (const chunk of asked) expect(chunk).toEqual({ type: 'restart' });
    })();
    await expect(reading).rejects.toMatchObject({ code: 'LLM_CONNECTION' });
    expect(counted).toEqual([used]);
  });
});
