import type { InspectReport } from '#contract/sandboxd.ts';

export interface ExpectedText {
  readonly scene: { readonly number: number; readonly startSeconds: number; readonly durationSeconds: number };
  readonly text: string;
}

/** Time within which texts enter after a scene's start and leave before its end. */
const edgeSeconds = 0.7;
/** Maximum number of reported differences, because several often have one cause. */
const maxDifferences = 5;

/**
 * Returns a sentence for each expected text that was not visible at any captured timestamp. Skips scenes with no frame
 * captured after their entrance.
 */
export function unseenTexts(
  expected: readonly ExpectedText[],
  { frames, seen }: Pick<InspectReport, 'frames' | 'seen'>,
): string[] {
  if (seen === null) return [];
  return expected
    .filter(({ scene: { startSeconds, durationSeconds } }) =>
      frames.some(
        ({ seconds }) =>
          seconds >= startSeconds + durationSeconds * 0.6 && seconds <= startSeconds + durationSeconds - edgeSeconds,
      ),
    )
    .filter(({ text }) => !isVisible(text, seen.texts))
    .slice(0, maxDifferences)
    .map(({ scene, text }) => `Scene ${scene.number} should show “${text}”, but the film does not.`);
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\s\u200b]+/gu, '')
    .toLowerCase();

function isVisible(text: string, texts: readonly string[]): boolean {
  const expectedLetters = lettersOf(text).slice(0, 60);
  const all = texts.map(lettersOf);
  return expectedLetters === '' || all.some((one) => one.includes(expectedLetters)) || all.join('').includes(expectedLetters);
}
