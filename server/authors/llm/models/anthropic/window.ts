import { APIError } from '@anthropic-ai/sdk';
import { KodaError } from '#contract/errors.ts';

/** How services say that a request is longer than the context of the model. */
const tooLong =
  /prompt is too long|exceeds? (?:the )?(?:available |maximum |model['’]?s )?context|context (?:length|size|window|limit) (?:of|is|exceeded|has been exceeded)|maximum context length|exceed_context_size|exceed context limit/i;
/** The size that they name with it: `211463 tokens > 200000 maximum`, `maximum context length is 32768`, `"n_ctx": 8192`. */
const namedSizes = [
  />\s*(\d[\d,]*)/,
  /context (?:length|size|window|limit)\b[^\d]{0,30}?(\d[\d,]*)/i,
  /\bn_ctx\b\D{0,4}(\d[\d,]*)/,
];
/** Less than this nobody offers; a smaller number in their words means something else. */
const leastTokens = 1_000;
/** Taken off where the service names no size, or one that was thought to fit: the two count tokens differently. */
const nextShare = 0.8;

/**
 * The context that a service has after it refused a request as too long: what it named, and in any case less than what was
 * asked for. Null when the refusal is about something else. Pure.
 */
export function smallerWindow(error: unknown, askedTokens: number): number | null {
  if (!(error instanceof APIError) || error.status === 429) return null;
  const words = `${error.message} ${JSON.stringify(error.error ?? '')}`;
  if (!tooLong.test(words)) return null;
  const named = namedSizes.map((form) => Number(form.exec(words)?.[1]?.replaceAll(',', ''))).find((size) => size >= leastTokens);
  const next = Math.floor(askedTokens * nextShare);
  return named === undefined || named >= askedTokens ? next : named;
}

/** What a request ends with that was too long; the same in fewer words may be asked from now on. */
export function windowTooSmall(model: string, contextTokens: number): KodaError {
  return new KodaError(
    'LIMIT_EXCEEDED',
    `The context of ${model} holds about ${contextTokens} tokens, which is less than the request had. Give its server a larger context, or use another model.`,
    { details: { contextTokens }, recovery: 'use_larger_model' },
  );
}
