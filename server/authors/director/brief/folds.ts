import { shaded } from '../color.ts';
import { fold } from './fold.ts';
import { formationAt } from './formations.ts';
import { type Lexeme, lexeme } from './lexemes.ts';
import { lookUp } from './lexicon.ts';

type Fold = (
  first: Lexeme,
  second: Lexeme | undefined,
  third: Lexeme | undefined,
  fourth: Lexeme | undefined,
) => { readonly made: Lexeme; readonly used: number } | null;

const isDash = (one: Lexeme | undefined): boolean => one?.meaning.kind === 'mark' && one.meaning.mark === 'dash';
const joinText = (...parts: (Lexeme | undefined)[]): string =>
  parts
    .map((part) => part?.text ?? '')
    .join(' ')
    .trim();

/** "Ten thousand", "twenty five": before anything is counted. */
export const numberFolds: readonly Fold[] = [
  (first, second) =>
    first.meaning.kind === 'number' && second?.meaning.kind === 'scale'
      ? { made: lexeme({ kind: 'number', value: first.meaning.value * second.meaning.value }, joinText(first, second)), used: 2 }
      : null,
  (first, second) =>
    first.meaning.kind === 'number' &&
    second?.meaning.kind === 'number' &&
    first.meaning.value >= 20 &&
    first.meaning.value % 10 === 0 &&
    second.meaning.value < 10 &&
    !/\d/.test(first.text + second.text)
      ? { made: lexeme({ kind: 'number', value: first.meaning.value + second.meaning.value }, joinText(first, second)), used: 2 }
      : null,
];

/** Numbers and what they count: "8 seconds", "half a minute", "three times", "60 fps", "360 degrees". */
export const countFolds: readonly Fold[] = [
  (first, second, third) => {
    if (first.meaning.kind !== 'number') return null;
    const counted = isDash(second) ? third : second;
    const used = isDash(second) ? 3 : 2;
    const what = counted?.meaning;
    const value = first.meaning.value;
    const text = joinText(first, counted);
    if (what?.kind === 'unit')
      return { made: lexeme({ kind: 'duration', seconds: value * what.seconds, clock: false }, text), used };
    if (what?.kind === 'times') return { made: lexeme({ kind: 'repeat', times: value }, text), used };
    if (what?.kind === 'fps') return { made: lexeme({ kind: 'frameRate', fps: value }, text), used };
    if (what?.kind === 'symbol')
      return { made: lexeme({ kind: 'figure', value, prefix: what.prefix, suffix: what.suffix }, text), used };
    if (what?.kind === 'degrees') return { made: lexeme({ kind: 'turns', turns: value / 360 }, text), used };
    return null;
  },
  (first, second, third) => {
    if (first.meaning.kind !== 'half') return null;
    const unit = second?.meaning.kind === 'unit' ? second : third;
    if (unit?.meaning.kind !== 'unit' || (unit === third && second?.meaning.kind !== 'article')) return null;
    return {
      made: lexeme({ kind: 'duration', seconds: unit.meaning.seconds / 2, clock: false }, joinText(first, unit)),
      used: unit === second ? 2 : 3,
    };
  },
  (first, second) =>
    first.meaning.kind === 'article' &&
    !first.meaning.definite &&
    second?.meaning.kind === 'unit' &&
    second.meaning.seconds >= 1 &&
    !/^(?:s|m|h|min)$/.test(second.text)
      ? { made: lexeme({ kind: 'duration', seconds: second.meaning.seconds, clock: false }, joinText(first, second)), used: 2 }
      : null,
  (first) =>
    first.meaning.kind === 'multiple'
      ? { made: lexeme({ kind: 'repeat', times: first.meaning.value }, first.text, first.senses), used: 1 }
      : null,
];

/** "A row of", "in a circle"; "three times in a row" is no row. */
const formationFold: Fold = (first, second, third, fourth) => {
  const found = formationAt(first, second, third, fourth);
  return found === null
    ? null
    : { made: lexeme(found.meaning, joinText(first, second, found.used === 3 ? third : undefined)), used: found.used };
};

/** "dark blue", "rouge foncé": designed shades; the names of CSS ("darkblue") are the ones written as one word. */
const shadeFold: Fold = (first, second) => {
  const [shade, color] = first.meaning.kind === 'shade' ? [first, second] : [second, first];
  if (shade?.meaning.kind !== 'shade' || color?.meaning.kind !== 'color' || shade.meaning.compared) return null;
  // Behind the colour only where adjectives follow: in English "a blue light" is not light blue.
  if (first === color && !shade.senses.some((sense) => sense.kind === 'shade' && lookUp(fold(shade.text), 'en').length === 0))
    return null;
  const hex = shaded(color.meaning.hex, shade.meaning.shade);
  return { made: lexeme({ kind: 'color', hex }, joinText(first, second)), used: 2 };
};

/** "1 minute 30 seconds", "1 min and 5 s". */
const joinDurations: Fold = (first, second, third) => {
  const next = second?.meaning.kind === 'and' ? third : second;
  if (
    first.meaning.kind !== 'duration' ||
    next?.meaning.kind !== 'duration' ||
    first.meaning.seconds < 60 ||
    next.meaning.seconds >= 60
  )
    return null;
  return {
    made: lexeme(
      { kind: 'duration', seconds: first.meaning.seconds + next.meaning.seconds, clock: false },
      joinText(first, next),
    ),
    used: next === second ? 2 : 3,
  };
};

/** Lexemes with what several of them say together; at each place the first rule that answers wins. */
export function applyFolds(lexemes: readonly Lexeme[], rules: readonly Fold[]): Lexeme[] {
  const result: Lexeme[] = [];
  for (let at = 0; at < lexemes.length; ) {
    const first = lexemes[at];
    if (first === undefined) break;
    const folded = rules
      .map((rule) => rule(first, lexemes[at + 1], lexemes[at + 2], lexemes[at + 3]))
      .find((outcome) => outcome !== null);
    result.push(folded?.made ?? first);
    at += folded?.used ?? 1;
  }
  return result;
}

export const phraseFolds = [shadeFold, joinDurations, formationFold];
