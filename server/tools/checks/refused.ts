import type { Refusal } from '../context.ts';
import { failed, type ToolAnswer } from '../define.ts';

/** The answer to a call that says that work is done which is not: the evidence, and what is left to be tried. */
export function refused({ title, problems, attempts }: Refusal): ToolAnswer {
  const subject = title === null ? 'The film' : `“${title}”`;
  const list = problems.map((problem) => `\n- ${problem}`).join('');
  const details = { problems, attempts_left: attempts?.left ?? null };
  if (attempts?.left === 0)
    return failed('CHECK_FAILED', `${subject} failed its check ${attempts.made} times and was given up:${list}`, details);
  const count = attempts === null ? '' : ` (attempt ${attempts.made} of ${attempts.made + attempts.left})`;
  return failed(
    'CHECK_FAILED',
    `${subject} is not done: its check found problems${count}. Mend them, then call this again:${list}`,
    details,
  );
}
