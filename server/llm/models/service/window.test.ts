import { describe, expect, it } from 'vitest';
import { smallerWindow } from './window.ts';

const refusal = (status: number, message: string, more: Record<string, unknown> = {}) => ({
  status,
  text: `${status} ${message} ${JSON.stringify({ message, ...more })}`,
});

describe('a request that is longer than the context', () => {
  it.each([
    ['Anthropic', 400, 'prompt is too long: 211463 tokens > 200000 maximum', {}, 200_000],
    [
      'Anthropic, with the answer',
      400,
      'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200,000',
      {},
      200_000,
    ],
    [
      'vLLM',
      400,
      "This model's maximum context length is 32768 tokens. However, you requested 36000 tokens (28000 in the messages, 8000 in the completion).",
      {},
      32_768,
    ],
    ['llama.cpp', 400, 'the request exceeds the available context size (8192 tokens), try increasing it', {}, 8_192],
    [
      'llama.cpp, older',
      500,
      'the request exceeds the available context size. try increasing the context size or enable context shift',
      { type: 'exceed_context_size_error', n_prompt_tokens: 14_429, n_ctx: 8_192 },
      8_192,
    ],
    [
      'LM Studio',
      400,
      'Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 16384 tokens, which is not enough.',
      {},
      16_384,
    ],
    ['a server that tells no size', 400, 'Prompt exceeds maximum context length', {}, 200_000],
    ['a server that counts otherwise', 400, 'maximum context length is 262144 tokens', {}, 200_000],
  ])('X2: is detected in the message of %s, with the available size', (_who, status, message, more, expected) => {
    expect(smallerWindow(refusal(status, message, more), 250_000)).toBe(expected);
  });

  it.each([
    [400, 'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens'],
    [400, 'messages.1.content.0: image exceeds 5 MB maximum'],
    [400, 'tools.3: unknown field "eager_input_streaming" in this context'],
    [429, 'prompt is too long for the context window of 1000 tokens per minute'],
    [500, 'oops'],
  ])('X2: is not detected in %i %s', (status, message) => {
    expect(smallerWindow(refusal(status, message), 250_000)).toBeNull();
  });
});
