import { maxPromptCharacters } from '#contract/project.ts';

/** The character count appears from this length. */
const countFrom = maxPromptCharacters * 0.8;

interface HintInput {
  readonly count: number;
  readonly block: string | null;
  readonly isStopped: boolean;
  readonly hasFailed: boolean;
  /** Whether the film became another one after Create was pressed. */
  readonly isChanged: boolean;
}

/** Says why no film can be created, or how long a long text is, or the key that creates one. */
export function hintOf({ count, block, isStopped, hasFailed, isChanged }: HintInput): {
  readonly text: string;
  readonly isBad: boolean;
} {
  const limit = maxPromptCharacters.toLocaleString('en');
  if (count >= countFrom)
    return { text: `${count.toLocaleString('en')} of ${limit} characters`, isBad: count > maxPromptCharacters };
  if (block !== null) return { text: block, isBad: true };
  if (hasFailed) return { text: 'The text could not be read', isBad: true };
  if (isStopped) return { text: 'Choose below how to go on', isBad: false };
  if (isChanged) return { text: 'The film has changed: press again', isBad: false };
  return { text: 'Ctrl + Enter', isBad: false };
}
