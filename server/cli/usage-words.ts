import type { ModelUsage } from '../contract/project.ts';

/** What the model used and cost, in one line; null when none was used. */
export function usageWords({ inputTokens, cachedInputTokens, outputTokens, costUsd }: ModelUsage): string | null {
  if (inputTokens + outputTokens === 0) return null;
  const figure = (count: number) => count.toLocaleString('en');
  const cached = cachedInputTokens > 0 ? `, ${figure(cachedInputTokens)} of them cached` : '';
  const tokens = `Model: ${figure(inputTokens + outputTokens)} tokens (${figure(inputTokens)} in${cached}; ${figure(outputTokens)} out)`;
  // Where prices are not known, no sum is better than a wrong one.
  if (costUsd === 0) return tokens;
  return `${tokens}, ${costUsd < 0.01 ? 'less than $0.01' : `$${costUsd.toFixed(2)}`}`;
}
