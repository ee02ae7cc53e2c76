import { describe, expect, it } from 'vitest';
import { type ErrorCode, errorEnvelopeSchema, KodaError } from '#contract/errors.ts';
import { errorResponse } from './errors.ts';

describe('error responses', () => {
  it.each<[ErrorCode, number]>([
    ['BAD_REQUEST', 400],
    ['UNAUTHORIZED', 401],
    ['NOT_FOUND', 404],
    ['RATE_LIMITED', 429],
    ['INTERNAL_ERROR', 500],
    ['LLM_RESPONSE', 502],
    ['LLM_CONNECTION', 503],
    ['CIRCUIT_OPEN', 503],
  ])('V6, G9: %s is status %i with the envelope', async (code, status) => {
    const response = errorResponse(new KodaError(code, 'What failed. What to do.', { recovery: 'retry' }));
    expect(response.status).toBe(status);
    expect(errorEnvelopeSchema.parse(await response.json())).toEqual({
      error: { code, message: 'What failed. What to do.', recovery: { action: 'retry' } },
    });
  });

  it.each<[ErrorCode, number | null, string | null]>([
    ['RATE_LIMITED', 12_300, '13'],
    ['RATE_LIMITED', null, '5'],
    ['CIRCUIT_OPEN', 29_001, '30'],
    ['BAD_REQUEST', 12_300, null],
  ])('V6, T15: %s after which to wait %j ms has the header retry-after %j', (code, retryAfterMs, header) => {
    const response = errorResponse(new KodaError(code, 'x', { details: retryAfterMs === null ? {} : { retryAfterMs } }));
    expect(response.headers.get('retry-after')).toBe(header);
  });
});
