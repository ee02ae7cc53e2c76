import { describe, expect, it } from 'vitest';
import { usageWords } from './usage-words.ts';

const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 };

describe('what the model used', () => {
  it('T17: is told in tokens and dollars', () => {
    expect(usageWords({ inputTokens: 11_800, cachedInputTokens: 9_000, outputTokens: 600, costUsd: 0.0849 })).toBe(
      'Model: 12,400 tokens (11,800 in, 9,000 of them cached; 600 out), $0.08',
    );
    expect(usageWords({ ...none, inputTokens: 20, outputTokens: 1, costUsd: 0.0001 })).toBe(
      'Model: 21 tokens (20 in; 1 out), less than $0.01',
    );
  });

  it('T17: leaves out a price that is not known, and says nothing of the built-in director', () => {
    expect(usageWords({ ...none, inputTokens: 20, outputTokens: 1 })).toBe('Model: 21 tokens (20 in; 1 out)');
    expect(usageWords(none)).toBeNull();
  });
});
