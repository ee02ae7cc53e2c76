import type { z } from 'zod';

/** What people call the types of a schema. */
export const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};
const units: Readonly<Record<string, string>> = { string: ' characters', array: ' entries' };

/** Says what is wrong with a value, for a sentence that starts with the name of its field: “must be 30 or 60”. */
export function fieldProblem(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined')
        ? 'is missing'
        : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'invalid_value':
      return `must be ${issue.values.length === 1 ? '' : 'one of '}${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `must ${amountOf(issue.origin, 'most', issue.maximum)}`;
    case 'too_small':
      return issue.minimum === 1 && issue.origin in units
        ? 'must not be empty'
        : `must ${amountOf(issue.origin, 'least', issue.minimum)}`;
    case 'invalid_key':
      return 'is not a possible name of a field';
    case 'invalid_format':
      return issue.message.startsWith('must') ? issue.message : 'has the wrong format';
    default:
      return issue.message;
  }
}

function amountOf(origin: string, end: 'most' | 'least', limit: number | bigint): string {
  const unit = units[origin];
  return unit === undefined ? `be at ${end} ${limit}` : `have at ${end} ${limit}${unit}`;
}
