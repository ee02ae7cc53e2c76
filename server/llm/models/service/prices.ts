import type { ModelUsage } from '#contract/project.ts';

/** US dollars per million tokens. */
interface Price {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
}

/** Writing to the five-minute cache costs 25 % more than plain input. */
const cacheWriteFactor = 1.25;

/**
 * List prices by the longest matching name prefix (platform.claude.com, models overview, November 2026). An unlisted Claude
 * model counts as the most expensive one, so that cost limits still work. Other models cost nothing, because they may be
 * self-hosted.
 */
const prices: Readonly<Record<string, Price>> = {
  'claude-fable-5': { input: 10, output: 50, cacheRead: 1 },
  'claude-opus-5-5': { input: 4, output: 20, cacheRead: 0.2 },
  'claude-opus-5': { input: 5, output: 25, cacheRead: 0.5 },
  'claude-opus-4': { input: 5, output: 25, cacheRead: 0.5 },
  'claude-sonnet-5': { input: 2, output: 10, cacheRead: 0.2 },
  'claude-sonnet-4': { input: 3, output: 15, cacheRead: 0.3 },
  'claude-haiku-4-5': { input: 1, output: 5, cacheRead: 0.1 },
};

const mostExpensive = Object.values(prices).reduce((a, b) => (a.output >= b.output ? a : b));

/** Tokens of one response as counted by the service. The three kinds of input do not overlap. */
export interface CountedTokens {
  readonly input: number;
  readonly cacheWrite: number;
  readonly cacheRead: number;
  readonly output: number;
}

/** Returns the usage and cost of a response. */
export function usageOf(model: string, tokens: CountedTokens): ModelUsage {
  const price = priceOf(model);
  const costUsd = price === null ? 0 : costOf(tokens, price);
  return {
    inputTokens: tokens.input + tokens.cacheWrite + tokens.cacheRead,
    cachedInputTokens: tokens.cacheRead,
    outputTokens: tokens.output,
    costUsd,
  };
}

/** Services add prefixes: `us.anthropic.claude-…`, `anthropic/claude-…`. */
const claudeName = /(?<![a-z0-9_-])claude-.*/i;

function priceOf(model: string): Price | null {
  const name = claudeName.exec(model)?.[0].toLowerCase();
  if (name === undefined) return null;
  const fitting = Object.entries(prices).filter(([prefix]) => name.startsWith(prefix));
  const [longest] = fitting.toSorted(([a], [b]) => b.length - a.length);
  return longest?.[1] ?? mostExpensive;
}

function costOf({ input, cacheWrite, cacheRead, output }: CountedTokens, price: Price): number {
  const dollars =
    input * price.input + cacheWrite * price.input * cacheWriteFactor + cacheRead * price.cacheRead + output * price.output;
  return dollars / 1_000_000;
}
