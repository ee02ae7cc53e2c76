import type { Approval } from '../../../server/contract/project.ts';
import { maxPromptCharacters } from '../../../server/contract/project.ts';

/** How long an answer to a question may be. */
const maxAnswerCharacters = 2000;

/** How many characters the words may have that go to this gate; null = a message. */
export function maxCharacters(gate: Approval['type'] | null): number {
  return gate === 'question' ? maxAnswerCharacters : maxPromptCharacters;
}

/**
 * What stands in the box after the arrow up (`-1`) or down (`1`): an earlier or a later one of what the user said, oldest
 * first. Null when the key is the text's own: something else is written there.
 */
export function recall(said: readonly string[], text: string, direction: -1 | 1): string | null {
  const at = text === '' ? said.length : said.lastIndexOf(text);
  if (at === -1 || (text === '' && direction === 1)) return null;
  const next = at + direction;
  if (next < 0) return null;
  return said[next] ?? '';
}
