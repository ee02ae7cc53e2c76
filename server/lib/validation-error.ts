import type { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { maxPromptCharacters } from '#contract/project.ts';

/** Fields with user-written text. Exceeding their limit is TOO_LARGE, not a malformed request. */
const textFields = ['prompt', 'content', 'feedback'];

/**
 * Converts a zod error: its first issue becomes the message, all of them become the details. `place`: path of the validated
 * value in the request. Defaults to the request itself.
 */
export function validationError(error: z.ZodError, place: readonly string[] = []): KodaError {
  const problems = validationProblems(error, place);
  const [issue] = error.issues;
  const first = issue && deepest(issue);
  const field = problems[0]?.field ?? '';
  const details = { field, problems };
  if (first?.code === 'too_big' && first.maximum === maxPromptCharacters && textFields.includes(String(first.path.at(-1)))) {
    return new KodaError(
      'TOO_LARGE',
      `The text in "${field}" is too long: at most ${maxPromptCharacters} characters. Shorten it.`,
      {
        details,
        recovery: 'shorten_text',
      },
    );
  }
  const where = field === '' ? 'The request' : `The field "${field}"`;
  return new KodaError('VALIDATION_ERROR', `${where} is not valid: ${problems[0]?.message ?? 'unknown issue'}`, {
    details,
    recovery: 'correct_request',
  });
}

/** Returns an error's issues with what was expected, each at its innermost place, as `field` and `message`. */
export function validationProblems(error: z.ZodError, place: readonly PropertyKey[] = []): { field: string; message: string }[] {
  return error.issues.map((issue) => {
    const { path, message } = deepest({ ...issue, path: [...place, ...issue.path] });
    return { field: path.map(String).join('.'), message };
  });
}

/** Finds the issue of a union's most likely member. If each refuses the value itself, the message lists what they expect. */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union' || issue.message !== 'Invalid input') return issue;
  const members = issue.errors.flatMap(([first]) => (first === undefined ? [] : [deepest(first)]));
  const inside = members.filter(({ path }) => path.length > 0).toSorted((a, b) => b.path.length - a.path.length)[0];
  if (inside !== undefined) return { ...inside, path: [...issue.path, ...inside.path] };
  const expected = [...new Set(members.flatMap(expectedBy))];
  return expected.length === 0 ? issue : { ...issue, message: `expected ${listed(expected)}` };
}

/** Returns what an issue's schema accepts, in words. */
function expectedBy(issue: z.core.$ZodIssue): string[] {
  switch (issue.code) {
    case 'invalid_value':
      return issue.values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)));
    case 'invalid_type':
      return [issue.expected];
    default:
      return [issue.message.replace(/^Invalid input: expected /, '').replace(/^expected /, '')];
  }
}

const listed = (words: readonly string[]) =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter((part) => part !== '').join(' or ');
