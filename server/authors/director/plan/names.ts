import type { Formation, Subject } from '../../../contract/film.ts';
import { cssColors, lazily } from '../brief/word-rows.ts';
import { distance, shaded, sunColor } from '../color.ts';
import { drawingOf } from '../drawings.ts';

const numbers = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];
export const numberWord = (value: number): string => numbers[value] ?? String(value);
export const timesWord = (times: number): string => (times === 1 ? 'once' : times === 2 ? 'twice' : `${numberWord(times)} times`);

const plainNames = [
  'red',
  'orange',
  'gold',
  'yellow',
  'green',
  'teal',
  'turquoise',
  'skyblue',
  'blue',
  'navy',
  'purple',
  'violet',
  'pink',
  'crimson',
  'brown',
  'white',
  'silver',
  'gray',
  'black',
  'coral',
  'lavender',
  'maroon',
  'beige',
  'orchid',
  'salmon',
  'olive',
  'indigo',
  'tan',
  'limegreen',
  'dodgerblue',
];
const spoken: Readonly<Record<string, string>> = {
  skyblue: 'sky-blue',
  limegreen: 'bright green',
  dodgerblue: 'bright blue',
  gray: 'grey',
  darkblue: 'dark blue',
  lightblue: 'light blue',
  hotpink: 'hot pink',
  darkred: 'dark red',
  darkgreen: 'dark green',
  lightgreen: 'light green',
  lightgray: 'light grey',
  darkgray: 'dark grey',
};
const hexOf = (name: string): string => cssColors().get(name) ?? '#000000';
const exact = lazily(() => new Map([...cssColors()].reverse().map(([name, hex]) => [hex, name])));
/** "dark blue" and its like, as the brief understands them. */
const shades = lazily(
  () =>
    new Map(
      (['deep', 'pastel', 'light', 'dark'] as const).flatMap((tint) =>
        ['red', 'orange', 'yellow', 'green', 'teal', 'turquoise', 'blue', 'purple', 'pink', 'brown', 'gray'].map(
          (name) => [shaded(hexOf(name), tint), `${tint} ${spoken[name] ?? name}`] as const,
        ),
      ),
    ),
);

/** A word for a colour: the shade or the CSS name when it is one that people say, else the nearest plain one. */
export function colorName(hex: string): string {
  const shade = shades().get(hex);
  if (shade !== undefined) return shade;
  const name = exact().get(hex);
  const said = name !== undefined && (plainNames.includes(name) || spoken[name] !== undefined) ? name : nearest(hex);
  return spoken[said] ?? said;
}

function nearest(hex: string): string {
  return plainNames.reduce((best, next) => (distance(hexOf(next), hex) < distance(hexOf(best), hex) ? next : best));
}

const plurals: Readonly<Record<string, string>> = {
  box: 'boxes',
  child: 'children',
  mouse: 'mice',
  goose: 'geese',
  fish: 'fish',
  sheep: 'sheep',
};
export const pluralOf = (noun: string): string =>
  plurals[noun] ??
  (/man$/.test(noun)
    ? noun.replace(/man$/, 'men')
    : /(?:s|x|z|ch|sh)$/.test(noun)
      ? `${noun}es`
      : /[^aeiou]y$/.test(noun)
        ? `${noun.slice(0, -1)}ies`
        : `${noun}s`);
const article = (phrase: string): string => (/^[aeiou]/i.test(phrase) ? 'an' : 'a');

const coreName = (color: string): string => {
  const named = colorName(color);
  return color === sunColor ? 'the sun' : `${article(named)} ${named} core`;
};

const formations: Readonly<Record<Formation, string>> = {
  row: 'a row of',
  column: 'a stack of',
  grid: 'a grid of',
  circle: 'a circle of',
  pile: 'a pile of',
  pyramid: 'a pyramid of',
};

/** "three red balls", "a row of five candles". */
function together({ count, formation }: { count: number; formation?: Formation | undefined }, many: string): string {
  return `${formation === undefined ? '' : `${formations[formation]} `}${numberWord(count)} ${many}`;
}

/** "a red ball", "three gold stars", "the logo", "confetti"; `definite` for the second mention. */
export function subjectName(subject: Subject, definite = false): string {
  switch (subject.kind) {
    case 'ball':
    case 'cube':
    case 'shape': {
      const noun = subject.kind === 'shape' ? subject.shape : subject.kind;
      const adjective = subject.size >= 1.35 ? 'big ' : subject.size <= 0.7 ? 'small ' : '';
      const phrase = `${adjective}${colorName(subject.color)} `;
      if (subject.count === 1) return definite ? `the ${noun}` : `${article(phrase)} ${phrase}${noun}`;
      return definite ? `the ${pluralOf(noun)}` : together(subject, `${phrase}${pluralOf(noun)}`);
    }
    case 'figure': {
      const adjective = subject.size >= 1.35 ? 'big ' : subject.size <= 0.7 ? 'small ' : '';
      const natural = drawingOf(subject.drawing).color === subject.color ? '' : `${colorName(subject.color)} `;
      const phrase = `${adjective}${natural}`;
      if (subject.count === 1)
        return definite ? `the ${subject.noun}` : `${article(`${phrase}${subject.noun}`)} ${phrase}${subject.noun}`;
      return definite ? `the ${pluralOf(subject.noun)}` : together(subject, `${phrase}${pluralOf(subject.noun)}`);
    }
    case 'logo':
      return 'the logo';
    case 'bars':
      if (subject.chart !== undefined) return `${definite ? 'the' : 'a'} ${subject.chart} chart`;
      return definite ? 'the bars' : `${numberWord(subject.bars.length)} bars`;
    case 'counter':
      return 'the number';
    case 'particles':
      return particleNames[subject.preset];
    case 'wave':
      return subject.lines === 1 ? 'one wave' : `${numberWord(subject.lines)} wave lines`;
    case 'orbit':
      return definite
        ? 'the system'
        : `${numberWord(subject.bodies)} ${subject.bodies === 1 ? 'planet' : 'planets'} around ${coreName(subject.color)}`;
    case 'loader':
      return subject.variant === 'bar'
        ? 'the progress bar'
        : subject.variant === 'dots'
          ? 'three loading dots'
          : 'the loading ring';
  }
}

export const particleNames = {
  confetti: 'confetti',
  snow: 'snow',
  stars: 'stars',
  sparkles: 'sparkles',
  rain: 'rain',
  bubbles: 'bubbles',
  fireworks: 'fireworks',
  leaves: 'leaves',
} as const;

/** Whether a verb after the name takes its plural form. */
export function isMany(subject: Subject): boolean {
  switch (subject.kind) {
    case 'ball':
    case 'cube':
    case 'shape':
    case 'figure':
      return subject.count > 1;
    case 'bars':
      return subject.chart === undefined;
    case 'particles':
      return !['confetti', 'snow', 'rain'].includes(subject.preset);
    case 'wave':
      return subject.lines > 1;
    case 'orbit':
      return subject.bodies > 1;
    case 'loader':
      return subject.variant === 'dots';
    default:
      return false;
  }
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "a, b and c". */
export function listed(parts: readonly string[]): string {
  return parts.length <= 1 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}
