import { describe, expect, it } from 'vitest';
import { usageOf } from './prices.ts';

const million = { input: 1_000_000, cacheWrite: 0, cacheRead: 0, output: 1_000_000 };
const cost = (model: string) => usageOf(model, million).costUsd;

describe('prices', () => {
  it.each([
    ['claude-sonnet-5-5', 12],
    ['claude-opus-5-5', 24],
    ['claude-opus-5', 30],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 6],
    ['openrouter/anthropic/claude-sonnet-4-6', 18],
  ])('of %s match the price list', (model, dollars) => {
    expect(cost(model)).toBeCloseTo(dollars, 6);
  });

  it.each(['claude-mythos-5', 'claude-3-opus-latest', 'anthropic/claude-opus-7', 'Claude-Next'])(
    'T17: %s is not listed and counts as the dearest, so that a limit of money holds',
    (model) => expect(cost(model)).toBeCloseTo(60, 6),
  );

  it.each(['qwen3-coder:30b', 'director', 'qwen3-claude-distill', 'my_claude-like'])(
    '%s is no Claude and costs nothing',
    (model) => expect(cost(model)).toBe(0),
  );
});
