import type { FilmText, TextMeeting } from '../../../contract/film.ts';
import { listed } from './names.ts';

type Program = FilmText['entrance'];

/** What a text does when it comes, and when it leaves. */
const programs: Readonly<Record<Program, readonly [enters: string, leaves: string]>> = {
  rise: ['rises into place', 'sinks away'],
  pop: ['pops in', 'shrinks away'],
  letters: ['builds letter by letter', 'goes letter by letter'],
  fade: ['fades in', 'fades out'],
  typewriter: ['is typed', 'is deleted letter by letter'],
  slide: ['slides in', 'slides out'],
  drop: ['drops in letter by letter', 'lifts off letter by letter'],
  decode: ['is decoded sign by sign', 'is scrambled'],
  write: ['is written by hand', 'is wiped away'],
  flip: ['flips in', 'flips out'],
  flicker: ['flickers on like a neon sign', 'flickers off'],
  glitch: ['comes in through a glitch', 'breaks up in a glitch'],
  particles: ['is assembled from its own pixels', 'dissolves into particles'],
  wind: ['is blown together', 'is blown away'],
  stamp: ['is stamped', 'is lifted off'],
  pieces: ['is put together from its letters', 'falls apart'],
  wipe: ['is uncovered', 'is wiped away'],
};

const emphases: Readonly<Record<NonNullable<FilmText['emphasis']>, string>> = {
  underline: 'is underlined',
  strike: 'is struck out',
  mark: 'is highlighted',
  pulse: 'swells once',
  shake: 'shakes',
  glow: 'begins to glow',
  glitch: 'glitches',
  wave: 'hops in a wave',
  blink: 'blinks',
  grow: 'grows',
  shrink: 'gets smaller and smaller',
  stretch: 'is stretched',
  spin: 'turns around',
};

const parts = { words: ', word by word', letters: ', letter by letter' } as const;
const sides = { left: ' from the left', right: ' from the right', top: ' from above', bottom: ' from below' } as const;

/** How a text comes in: "slides in from the left, word by word". */
export const entersWords = ({ entrance, from, by }: FilmText): string =>
  `${programs[entrance][0]}${from === undefined ? '' : sides[from]}${by === undefined ? '' : parts[by]}`;

/** What a text and a subject do with each other. */
const meets: Readonly<Record<TextMeeting, (other: string) => string>> = {
  written: (other) => `is written by ${other}`,
  wiped: (other) => `is wiped away by ${other}`,
  made: (other) => `is put together by ${other}`,
  stamped: (other) => `is stamped by ${other}`,
  pushed: (other) => `is pushed in by ${other}`,
  pulled: (other) => `is pulled in by ${other}`,
  carried: (other) => `is carried in by ${other}`,
  lands: (other) => `falls on ${other}`,
};

/** All that a text does, in its order, for a sentence that it is the subject of. */
export function textDoes(text: FilmText, place: string, other = ''): string {
  const { met } = text;
  if (met !== undefined && other !== '') return meets[met.how](other);
  const { counts, emphasis, times, becomes, exit, face } = text;
  const said = face === 'mono' ? ' in monospace' : face === 'hand' && text.entrance !== 'write' ? ' in handwriting' : '';
  return listed([
    `${entersWords(text)}${said}${place}`,
    ...(counts === true ? ['counts up to its numbers'] : []),
    ...(emphasis === undefined
      ? []
      : [`${emphases[emphasis]}${times === undefined || times === 1 ? '' : ` ${times === 2 ? 'twice' : `${times} times`}`}`]),
    ...(becomes === undefined ? [] : [`turns into “${becomes.slice(0, 60)}”`]),
    ...(exit === undefined ? [] : [programs[exit][1]]),
  ]);
}
