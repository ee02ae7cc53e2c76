import { describe, expect, it } from 'vitest';
import { type Adjustment, decideAfter, maxAttempts } from './decision.ts';

const fewer: Adjustment = { id: 'fewer', change: 'One at a time instead of two.', avoids: ['OUT_OF_MEMORY', 'TIMEOUT'] };
const failure = (code: string) => ({ code, message: `${code}.` });
const first = { attempts: 1, isLast: false };

describe('the decision after a step', () => {
  it.each([
    [true, 'complete'],
    [false, 'continue'],
  ] as const)('V4: of a success, with nothing left to do: %s, is to %s', (isLast, kind) => {
    expect(decideAfter({ failure: null, attempts: 1, isLast })).toEqual({ kind });
  });

  it.each([
    ['TIMEOUT', null],
    ['SERVICE_UNAVAILABLE', null],
    ['RATE_LIMITED', null],
    ['SANDBOX_DEAD', null],
    ['GENERATION_FAILED', null],
  ])('V4: retries what may pass by itself, such as %s', (code, adjustment) => {
    for (let attempts = 1; attempts < maxAttempts; attempts++)
      expect(decideAfter({ ...first, attempts, failure: failure(code) })).toEqual({
        kind: 'retry',
        attempt: attempts,
        adjustment,
      });
  });

  it.each(['TIMEOUT', 'SERVICE_UNAVAILABLE', 'OUT_OF_MEMORY', 'VALIDATION_ERROR'])('V4: ends %s after three attempts', (code) => {
    const observed = { ...first, failure: failure(code), attempts: maxAttempts };
    expect(maxAttempts).toBe(3);
    expect(decideAfter({ ...observed, adjustments: [fewer], mayHaveChanged: true })).toEqual({ kind: 'error', ...failure(code) });
  });

  it.each([
    'UNAUTHORIZED',
    'FORBIDDEN',
    'NOT_PERMITTED',
    'PERMISSION_DENIED',
    'COMMAND_BLOCKED',
    'NOT_FOUND',
    'FILE_NOT_FOUND',
    'TOOL_NOT_FOUND',
    'CANCELLED',
  ])('V4: never tries %s again, whatever could be adjusted', (code) => {
    const adjustments = [{ ...fewer, avoids: [...fewer.avoids, 'NOT_FOUND', 'FORBIDDEN', 'CANCELLED'] }] as const;
    expect(decideAfter({ ...first, failure: failure(code), adjustments, mayHaveChanged: true })).toEqual({
      kind: 'error',
      ...failure(code),
    });
  });

  it('V4: changes how it works only for a failure that this may avoid, and before it tries the same again', () => {
    expect(decideAfter({ ...first, failure: failure('OUT_OF_MEMORY'), adjustments: [fewer] })).toEqual({
      ...{ kind: 'retry', attempt: 1, adjustment: fewer },
    });
    expect(decideAfter({ ...first, failure: failure('TIMEOUT'), adjustments: [fewer] })).toMatchObject({ adjustment: fewer });
    expect(decideAfter({ ...first, failure: failure('RATE_LIMITED'), adjustments: [fewer] })).toMatchObject({ adjustment: null });
    expect(decideAfter({ ...first, failure: failure('OUT_OF_MEMORY') })).toMatchObject({ kind: 'error' });
  });

  it('V4: repeats what was wrong in itself only if the author could have corrected it', () => {
    const wrong = { ...first, failure: failure('VALIDATION_ERROR') };
    expect(decideAfter(wrong)).toMatchObject({ kind: 'error' });
    expect(decideAfter({ ...wrong, mayHaveChanged: true })).toMatchObject({ kind: 'retry' });
    expect(decideAfter({ ...first, failure: failure('something else') })).toMatchObject({ kind: 'error' });
  });
});
