import { fold } from '../../server/authors/director/brief/fold.ts';
import { nounOf } from '../../server/authors/director/brief/nouns.ts';
import { nameOfSubject } from '../../server/authors/director/feedback/matching.ts';
import { colorName } from '../../server/authors/director/plan/names.ts';
import type { Film, Subject } from '../../server/contract/film.ts';
import type { Fact } from './sentences.ts';

/** What kit bodies are called by those who do not know the kit. */
const names: Readonly<Record<string, readonly string[]>> = {
  ball: ['ball', 'sphere', 'sun', 'moon', 'globe', 'planet', 'marble', 'orb', 'earth', 'snowball', 'football', 'basketball'],
  cube: ['cube', 'box', 'block', 'crate', 'dice', 'die', 'present', 'gift', 'package'],
  bars: ['chart', 'bar', 'bar chart', 'graph', 'line graph', 'pie', 'pie chart', 'diagram', 'line'],
  counter: ['number', 'counter', 'countdown', 'percentage', 'price', 'digit'],
  circle: ['circle', 'dot', 'disc'],
  square: ['square', 'tile', 'rectangle'],
  cylinder: ['cylinder', 'coin', 'tube'],
  loader: ['loader', 'spinner', 'loading bar', 'progress bar'],
  orbit: ['planet', 'solar system', 'sun', 'electron', 'atom'],
  wave: ['wave', 'line'],
  logo: ['logo'],
  leaves: ['leaf', 'foliage'],
  bubbles: ['bubble'],
  rain: ['raindrop', 'drop'],
};

const singular = (word: string): string =>
  word
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1');
/** A name and its last word: a "toy train" is a train. */
const forms = (noun: string): string[] => [singular(noun), singular(noun.split(' ').at(-1) ?? '')];

function namesOf(subject: Subject): string[] {
  const own = nameOfSubject(subject);
  return [...forms(own), ...(names[own] ?? [])];
}

/** Nouns of one thing have the same drawing of their own: "grandad" and "grandfather". */
function isSameDrawing(subject: Subject, noun: string): boolean {
  const own = nounOf(fold(noun), 'en');
  return subject.kind === 'figure' && own?.relative === null && own.drawing === subject.drawing;
}
const isNamed = (subject: Subject, noun: string): boolean =>
  namesOf(subject).some((name) => forms(noun).includes(name)) || isSameDrawing(subject, noun);
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const subjectsOf = (film: Film): Subject[] => film.scenes.flatMap(({ subjects }) => subjects);
const textsOf = (film: Film): string => plain(film.scenes.flatMap(({ texts }) => texts.map(({ text }) => text)).join(' '));
/** What the hours of a place are called. */
const hours: Readonly<Record<string, string>> = {
  dawn: 'dawn sunrise daybreak morning',
  day: 'day afternoon noon',
  dusk: 'dusk sunset evening',
  night: 'night',
};
/** What is seen in a place, besides its name. */
const seen: Readonly<Record<string, string>> = {
  window: 'window sill windowsill pane',
  garden: 'backyard yard',
  storm: 'thunderstorm',
};
/** The words of places, times and weather that the film has. */
const settingOf = (film: Film): string =>
  plain(
    film.scenes
      .map(({ place }) =>
        place === undefined
          ? ''
          : [JSON.stringify(place), hours[place.time], seen[place.name], seen[place.weather ?? '']].join(' '),
      )
      .join(' '),
  );
const sameColor = (one: string, other: string): boolean =>
  plain(one)
    .split(' ')
    .some((word) => plain(other).split(' ').includes(word)) ||
  (
    [
      ['purple', 'violet'],
      ['gold', 'golden'],
      ['grey', 'gray'],
      ['teal', 'turquoise'],
    ] as const
  ).some((pair) => pair.some((word) => one.includes(word)) && pair.some((word) => other.includes(word)));

/** Where something is first to be seen: the scene's number; null when it never is. */
function firstOf(film: Film, what: string): number | null {
  const index = film.scenes.findIndex(
    ({ subjects, texts, description }) =>
      subjects.some((subject) => isNamed(subject, what)) ||
      texts.some(({ text }) => plain(text).includes(plain(what))) ||
      plain(description).includes(singular(what)),
  );
  return index < 0 ? null : index;
}

function thing(film: Film, { noun, count, colour }: Fact): boolean {
  if (noun === undefined) return true;
  const found = subjectsOf(film).filter((subject) => isNamed(subject, noun));
  if (found.length === 0) return settingOf(film).includes(singular(noun)) || textsOf(film).includes(plain(noun));
  const colored =
    colour === undefined ||
    found.some(
      (subject) =>
        sameColor(colorName(subject.color), colour) ||
        ('becomes' in subject && subject.becomes !== undefined && sameColor(colorName(subject.becomes), colour)),
    );
  const most = Math.max(
    ...film.scenes.map(({ subjects }) =>
      subjects
        .filter((subject) => isNamed(subject, noun))
        .reduce((sum, subject) => sum + ('count' in subject && subject.kind !== 'particles' ? subject.count : 1), 0),
    ),
  );
  return colored && (count === undefined || found.some(({ kind }) => kind === 'particles') || most === count);
}

/** Whether whoever is meant does more than stand there. */
function moves(film: Film, { noun, times }: Fact): boolean {
  if (noun === undefined) return true;
  const met = film.scenes.flatMap(({ meetings = [], texts }) => [
    ...meetings.flatMap(({ who, whom }) => [who, whom]),
    ...texts.flatMap((text) => text.met?.id ?? []),
  ]);
  const movers = subjectsOf(film).filter(
    (subject) =>
      isNamed(subject, noun) &&
      (!['appear', 'float'].includes(subject.motion.type) || met.includes(subject.id) || subject.kind === 'particles'),
  );
  if (movers.length === 0) return film.scenes.some(({ texts }) => texts.some(({ text }) => plain(text).includes(plain(noun))));
  return times === undefined || movers.some(({ motion }) => 'times' in motion && motion.times === times);
}

function hasNumber(film: Film, value: number): boolean {
  return (
    subjectsOf(film).some(
      (subject) =>
        (subject.kind === 'counter' && (subject.from === value || subject.to === value)) ||
        (subject.kind === 'bars' && subject.bars.some((bar) => bar.value === value)),
    ) || ` ${textsOf(film)} `.includes(` ${value} `)
  );
}

const formations: Readonly<Record<string, string>> = {
  row: 'row',
  line: 'row',
  queue: 'row',
  tower: 'column',
  stack: 'column',
  column: 'column',
  circle: 'circle',
  ring: 'circle',
  pile: 'pile',
  heap: 'pile',
  pyramid: 'pyramid',
  grid: 'grid',
};

/**
 * Whether a planned film has a fact, as far as its document can tell; null where only eyes can. It is no judge of what the
 * film looks like: a fact that holds here may still not be seen.
 */
export function holds(fact: Fact, film: Film): boolean | null {
  switch (fact.kind) {
    case 'thing':
      return thing(film, fact);
    case 'text':
      return fact.text === undefined ? null : textsOf(film).includes(plain(fact.text));
    case 'motion':
      return moves(film, fact);
    case 'meeting': {
      const { noun = '', whom = '' } = fact;
      const idsOf = (name: string) =>
        subjectsOf(film)
          .filter((subject) => isNamed(subject, name))
          .map(({ id }) => id);
      return film.scenes.some(
        ({ meetings = [], texts }) =>
          meetings.some((one) => idsOf(noun).includes(one.who) && idsOf(whom).includes(one.whom)) ||
          texts.some(({ text, met }) => {
            const [subject, words] = met?.how === 'lands' ? [whom, noun] : [noun, whom];
            const isWords = /^(?:word|text|name|title|letter)s?$/.test(words) || plain(text).includes(plain(words));
            return met !== undefined && isWords && idsOf(subject).includes(met.id);
          }),
      );
    }
    case 'number':
      return fact.value === undefined
        ? null
        : hasNumber(film, fact.value) && (fact.from === undefined || typeof fact.from !== 'number' || hasNumber(film, fact.from));
    case 'place':
      return fact.place === undefined
        ? null
        : `${settingOf(film)} ${subjectsOf(film).flatMap(namesOf).join(' ')}`.includes(singular(fact.place));
    case 'arrangement': {
      const formation = formations[fact.as ?? ''];
      if (formation === undefined) return null;
      return subjectsOf(film).some(
        (subject) => isNamed(subject, fact.noun ?? '') && 'formation' in subject && subject.formation === formation,
      );
    }
    case 'order': {
      const [first, then] = [firstOf(film, fact.first ?? ''), firstOf(film, fact.then ?? '')];
      return first !== null && then !== null && first <= then;
    }
    case 'change':
      if (fact.what !== 'colour' || typeof fact.to !== 'string') return null;
      return subjectsOf(film).some(
        (subject) =>
          isNamed(subject, fact.noun ?? '') &&
          'becomes' in subject &&
          subject.becomes !== undefined &&
          sameColor(colorName(subject.becomes), String(fact.to)),
      );
    default:
      return null;
  }
}
