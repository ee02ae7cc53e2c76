import { APIError } from '@anthropic-ai/sdk';
import { KodaError } from '#contract/errors.ts';

/** Error messages for requests that exceed the model's context. */
const tooLong =
  /prompt is too long|exceeds? (?:the )?(?:available |maximum |model['’]?s )?context|context (?:length|size|window|limit) (?:of|is|exceeded|has been exceeded)|maximum context length|exceed_context_size|exceed context limit/i;
/** Sizes in such messages: `211463 tokens > 200000 maximum`, `maximum context length is 32768`, `"n_ctx": 8192`. */
const namedSizes = [
  />\s*(\d[\d,]*)/,
  /context (?:length|size|window|limit)\b[^\d]{0,30}?(\d[\d,]*)/i,
  /\bn_ctx\b\D{0,4}(\d[\d,]*)/,
];
/** Smaller numbers in the message mean something else. */
const minTokens = 1_000;
/** Used if the service gives no size, or one that should have been enough, because the two count tokens differently. */
const nextShare = 0.8;

/**
 * Returns the context size after a service rejected a request as too long: the size that it reported, but less than
 * requested. `null` if the error is about something else.
 */
export function smallerWindow(error: unknown, requestedTokens: number): number | null {
  if (!(error instanceof APIError) || error.status === 429) return null;
  const message = `${error.message} ${JSON.stringify(error.error ?? '')}`;
  if (!tooLong.test(message)) return null;
  const named = namedSizes.map((form) => Number(form.exec(message)?.[1]?.replaceAll(',', ''))).find((size) => size >= minTokens);
  const next = Math.floor(requestedTokens * nextShare);
  return named === undefined || named >= requestedTokens ? next : named;
}

export function windowTooSmall(model: string, contextTokens: number): KodaError {
  return new KodaError(
    'LIMIT_EXCEEDED',
    `The context of ${model} holds about ${contextTokens} tokens, which is too small for the request. Configure its server for a larger context, or use another model.`,
    { details: { contextTokens }, recovery: 'use_larger_model' },
  );
}
