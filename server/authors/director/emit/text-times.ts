import type { FilmText, Style } from '../../../contract/film.ts';
import { manners } from './style.ts';

/** Words to read; scripts without spaces count two characters a word. */
export function wordCount(text: string): number {
  const dense = [...text].filter((character) =>
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(character),
  ).length;
  return text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length + Math.floor(dense / 2);
}

/** 0.5 s and 0.3 s a word, 1.2 s at least. */
export const readingSeconds = (text: string): number => Math.max(1.2, 0.5 + 0.3 * wordCount(text));

interface Extent {
  readonly signs: number;
  readonly words: number;
}

const perSign =
  (seconds: number, most: number) =>
  (base: number, { signs }: Extent): number =>
    Math.min(most, base + signs * seconds);
const perWord =
  (seconds: number, most: number) =>
  (base: number, { words }: Extent): number =>
    Math.min(most, base + words * seconds);
const asOne =
  (factor: number) =>
  (base: number): number =>
    base * factor;

/** Seconds that all parts of a text need to enter, from those that one thing needs in the film's style. */
const revealing: Readonly<Record<FilmText['entrance'], (base: number, extent: Extent) => number>> = {
  typewriter: (_, { signs }) => Math.min(2.4, 0.3 + signs * 0.055),
  letters: perSign(0.03, 1.4),
  drop: perSign(0.035, 1.6),
  decode: perSign(0.06, 2),
  write: perSign(0.07, 2.2),
  flicker: asOne(1.8),
  stamp: () => 0.5,
  pieces: perSign(0.09, 2.2),
  wipe: asOne(2),
  glitch: asOne(1.2),
  particles: asOne(2.4),
  wind: asOne(2.4),
  rise: perWord(0.06, 1.3),
  pop: perWord(0.06, 1.3),
  flip: perWord(0.12, 1.4),
  slide: asOne(1.1),
  fade: asOne(1.1),
};

export function revealSeconds({ text, entrance, by, from }: FilmText, style: Style, speed: number): number {
  const extent = { signs: [...text].length, words: wordCount(text) };
  const base = manners[style].enterSeconds;
  const natural = Math.max(revealing[entrance](base, extent), from === undefined ? 0 : 0.7);
  const inParts = by === 'words' ? base + extent.words * 0.26 : by === 'letters' ? base + extent.signs * 0.05 : 0;
  return Math.min(2.6, Math.max(natural, inParts)) / (entrance === 'typewriter' ? speed : Math.sqrt(speed));
}

/** Words leave faster than they came, unless their pixels have to be seen on their way. */
export function leaveSeconds({ exit = 'fade' }: FilmText, style: Style): number {
  return exit === 'particles' || exit === 'wind' || exit === 'pieces'
    ? 1.5
    : exit === 'wipe'
      ? 1.1
      : exit === 'glitch' || exit === 'decode'
        ? 0.7
        : manners[style].exitSeconds;
}

/** How long an emphasis takes, and how long words stand before it. */
const emphasising: Readonly<Partial<Record<NonNullable<FilmText['emphasis']>, number>>> = {
  glitch: 1.6,
  blink: 0.55,
  grow: 1.8,
  shrink: 2,
  stretch: 1.8,
  spin: 1,
};
const repeats = new Set<FilmText['emphasis']>(['blink', 'pulse', 'spin', 'shake']);
export const emphasisSeconds = ({ emphasis, times = 1 }: Pick<FilmText, 'emphasis' | 'times'>): number =>
  emphasis === undefined ? 0 : (emphasising[emphasis] ?? 0.7) * (repeats.has(emphasis) ? times : 1);
export const beforeEmphasis = 0.25;
/** A film that ends on words which leave does not end on their last trace. */
export const emptySeconds = 0.15;

/** How long a text is there at least, from the moment when it begins to come in: to be read, emphasised, turned, gone. */
export function textSeconds(text: FilmText, style: Style): number {
  const { entrance, by, emphasis, exit, becomes, met } = text;
  const special = by !== undefined || !['rise', 'pop', 'letters', 'fade', 'slide'].includes(entrance);
  return (
    (special ? revealSeconds(text, style, 1) : manners[style].enterSeconds * 0.7) +
    readingSeconds(text.text) +
    (emphasis === undefined ? 0 : beforeEmphasis + emphasisSeconds(text)) +
    (met === undefined ? 0 : 1.6) +
    (becomes === undefined ? 0 : 0.8 + readingSeconds(becomes)) +
    (exit === undefined ? 0 : leaveSeconds(text, style))
  );
}
