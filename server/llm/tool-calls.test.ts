import { expect, it } from 'vitest';
import { maxAttempts } from '../tools/decision.ts';
import type { ExecutedCall } from './loop-detection.ts';
import { decide, resultMessage } from './tool-calls.ts';

const call = { name: 'sandbox_read_file', input: { path: 'src/a.ts' } };
const failed = (code: string): ExecutedCall => ({
  ...call,
  isError: true,
  content: JSON.stringify({ error: { code, message: code } }),
});
const done: ExecutedCall = { ...call, isError: false, content: '{}' };
const other: ExecutedCall = { name: 'sandbox_write_file', input: {}, isError: false, content: '{}' };

it('V4: continues after a first call, and after one that has recovered from its last failure', () => {
  expect(decide(call, [])).toEqual({ kind: 'continue' });
  expect(decide(call, [done])).toEqual({ kind: 'continue' });
  expect(decide(call, [failed('TIMEOUT'), done])).toEqual({ kind: 'continue' });
  // The other call may have fixed the problem.
  expect(decide(call, [failed('FILE_NOT_FOUND'), other])).toEqual({ kind: 'continue' });
});

it('V4: makes a failed call at most three times', () => {
  for (let failures = 1; failures < maxAttempts; failures++) {
    expect(decide(call, Array(failures).fill(failed('CHECK_FAILED')))).toMatchObject({ kind: 'retry', attempt: failures });
  }
  expect(decide(call, Array(maxAttempts).fill(failed('CHECK_FAILED')))).toEqual({
    kind: 'error',
    code: 'CHECK_FAILED',
    message: 'CHECK_FAILED',
  });
});

it.each(['UNAUTHORIZED', 'FORBIDDEN', 'NOT_PERMITTED', 'COMMAND_BLOCKED', 'NOT_FOUND', 'FILE_NOT_FOUND', 'TOOL_NOT_FOUND'])(
  'V4: %s is never tried again',
  (code) => {
    expect(decide(call, [failed(code)])).toEqual({ kind: 'error', code, message: code });
  },
);

it('46.3: shows the model each text of a failure once', () => {
  const problems = ['src/a.ts(1,7): error TS2304: x.', 'Nothing is visible at 1.00 s.'];
  const result = {
    ...({ status: 'error', code: 'CHECK_FAILED', message: `Not done:\n- ${problems.join('\n- ')}` } as const),
    details: { problems, error: { message: `Not done:\n- ${problems.join('\n- ')}` }, attempts_left: 2 },
  };
  const [block] = resultMessage({ call: { type: 'tool_use', id: 'a', ...call }, result, durationMs: 1, warning: null }).content;
  const shown = block?.type === 'tool_result' ? (block.shown ?? '') : '';
  expect(shown.match(/TS2304/g)).toHaveLength(1);
  expect(shown).toContain('error.details.attempts_left: 2');
});
