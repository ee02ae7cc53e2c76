import { KodaError } from '#contract/errors.ts';
import { tokensOfPrompt } from '../../tokens.ts';
import type { ModelRequest } from '../model.ts';
import type { Refusal } from './failures.ts';

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
export function smallerWindow({ status, text }: Pick<Refusal, 'status' | 'text'>, requestedTokens: number): number | null {
  if (status === 429 || !tooLong.test(text)) return null;
  const named = namedSizes.map((form) => Number(form.exec(text)?.[1]?.replaceAll(',', ''))).find((size) => size >= minTokens);
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

/** Shorter requests are not compared: tokenizers differ most in short texts. */
const minSentTokens = 3_000;

/**
 * Returns a warning if the service reports having read less than half of a long request. Some servers silently drop what exceeds
 * their context, usually the beginning. Returns `null` otherwise, and if the service reports no usage.
 */
export function unreadText(
  { system, tools, messages }: ModelRequest,
  readTokens: number,
  { model, baseUrl }: { readonly model: string; readonly baseUrl: string },
): string | null {
  const texts = messages.flatMap(({ content }) =>
    content.flatMap((block) => {
      if (block.type === 'text') return [block.text];
      return block.type === 'tool_result' ? [block.shown ?? block.content] : [];
    }),
  );
  const sentTokens = tokensOfPrompt([system, JSON.stringify(tools), ...texts].join('\n'));
  if (readTokens <= 0 || sentTokens < minSentTokens || readTokens >= sentTokens / 2) return null;
  return `${baseUrl} read ${readTokens} of about ${sentTokens} tokens sent to ${model}: it cuts long requests without saying so. Give its server a larger context (Ollama: OLLAMA_CONTEXT_LENGTH; llama.cpp: -c), or set KODA_MODEL_CONTEXT_TOKENS to what it has.`;
}
