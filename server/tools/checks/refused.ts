import type { Refusal } from '../context.ts';
import { failed, type ToolAnswer } from '../tool.ts';

/** Returns the error result of a call that reports unfinished work as done: the evidence and the remaining attempts. */
export function refused({ title, problems, remarks, attempts }: Refusal): ToolAnswer {
  const subject = title === null ? 'The film' : `“${title}”`;
  const list = [...problems, ...remarks].map((problem) => `\n- ${problem}`).join('');
  const details = { problems, remarks, attempts_left: attempts?.left ?? null };
  if (problems.length === 0) {
    const words = `${subject} works, but this looks wrong. Mend it; when it is meant so, call this again as it is:${list}`;
    return failed('CHECK_FAILED', words, details);
  }
  if (attempts?.left === 0)
    return failed('CHECK_FAILED', `${subject} failed its check ${attempts.made} times and was given up:${list}`, details);
  const count = attempts === null ? '' : ` (attempt ${attempts.made} of ${attempts.made + attempts.left})`;
  return failed(
    'CHECK_FAILED',
    `${subject} is not done: its check found problems${count}. Mend them, then call this again:${list}`,
    details,
  );
}
