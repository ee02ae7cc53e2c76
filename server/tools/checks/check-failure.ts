import type { CheckFailure } from '../context.ts';
import { sheetImages } from '../images.ts';
import { failed, type ToolResult } from '../tool.ts';

/** Returns the error result for a call that reports unfinished work as done: the evidence and the remaining attempts. */
export function checkFailureResult(failure: CheckFailure, contactSheet: string | null): ToolResult {
  return { ...failureResult(failure), images: sheetImages(contactSheet) };
}

function failureResult({ title, problems, warnings, attempts }: CheckFailure): Extract<ToolResult, { status: 'error' }> {
  const subject = title === null ? 'The work' : `“${title}”`;
  const list = [...problems, ...warnings].map((problem) => `\n- ${problem}`).join('');
  const details = { attempts_left: attempts?.left ?? null };
  if (problems.length === 0) {
    const text = `${subject} works, but this looks wrong. Fix it, or call this again unchanged if it is intended:${list}`;
    return failed('CHECK_FAILED', text, details);
  }
  if (attempts?.left === 0)
    return failed('CHECK_FAILED', `${subject} failed its check ${attempts.made} times and is marked as failed:${list}`, details);
  const count = attempts === null ? '' : ` (attempt ${attempts.made} of ${attempts.made + attempts.left})`;
  return failed(
    'CHECK_FAILED',
    `${subject} is not done: its check found problems${count}. Fix them, then call this again:${list}`,
    details,
  );
}
