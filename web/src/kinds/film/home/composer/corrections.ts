import type { Correction, SceneChoice } from '#kinds/film/contract/reading.ts';
import { editBetween, movedPosition, movedRange, type TextRange } from './ranges.ts';

/** What a person changed in a reading. Every part is bound to words of the request. */
export interface Corrections {
  readonly corrections: readonly Correction[];
  readonly choices: readonly SceneChoice[];
  readonly order: readonly number[];
}

export const noCorrections: Corrections = { corrections: [], choices: [], order: [] };

export const isCorrected = ({ corrections, choices, order }: Corrections): boolean =>
  corrections.length + choices.length + order.length > 0;

/** Returns the corrections for a text that was edited. Those whose words are gone end. */
export function follow(all: Corrections, before: string, after: string): Corrections {
  const edit = isCorrected(all) ? editBetween(before, after) : null;
  if (edit === null) return all;
  if (after.trim() === '') return noCorrections;
  return {
    corrections: all.corrections.flatMap(({ use, ...range }) => {
      const moved = movedRange(range, edit, before);
      return moved === null ? [] : [{ ...moved, use }];
    }),
    choices: all.choices.map((choice) => ({ ...choice, at: movedPosition(choice.at, edit) })),
    order: all.order.map((at) => movedPosition(at, edit)),
  };
}

/** Adds a correction of some words. What earlier ones said about the same words ends. */
export function withCorrection(all: Corrections, ranges: readonly TextRange[], use: Correction['use']): Corrections {
  let corrections = all.corrections;
  for (const { start, end } of ranges) {
    const others = corrections.flatMap((one) =>
      [
        { ...one, end: Math.min(one.end, start) },
        { ...one, start: Math.max(one.start, end) },
      ].filter((part) => part.start < part.end),
    );
    corrections = [...others, { start, end, use }];
  }
  return { ...all, corrections: corrections.toSorted((one, other) => one.start - other.start) };
}

/** Adds a choice for the scene that shows the word at `at`, and keeps what else was chosen for it. */
export function withChoice(all: Corrections, { at, ...chosen }: SceneChoice): Corrections {
  const before = all.choices.find((choice) => choice.at === at);
  return { ...all, choices: [...all.choices.filter((choice) => choice.at !== at), { ...before, at, ...chosen }] };
}

/** Moves the scene at `from` to the place of the scene at `to`. `starts` has the position of each scene's first word. */
export function withMove(all: Corrections, starts: readonly number[], from: number, to: number): Corrections {
  const order = [...starts];
  order.splice(to, 0, ...order.splice(from, 1));
  return { ...all, order };
}

/** Removes what was said about some words, so that the rules read them again. */
export function withoutCorrection(all: Corrections, ranges: readonly TextRange[]): Corrections {
  const isFree = (one: TextRange) => ranges.every(({ start, end }) => one.end <= start || one.start >= end);
  return { ...all, corrections: all.corrections.filter(isFree) };
}
