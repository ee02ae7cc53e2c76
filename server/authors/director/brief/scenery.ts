import type { PlaceName } from '../../../contract/film.ts';
import { toOklch } from '../color.ts';
import { fold } from './fold.ts';
import { type Lexeme, type MeaningKind, senseOf } from './lexemes.ts';
import { placeByKind } from './nouns.ts';
import type { Language, Scenery, Sense, SubjectRef } from './sense.ts';
import { lazily, phrasesOf, rowsOf } from './word-rows.ts';

/** What places are called; whether the place or a thing is meant is for this file to say. */
const nouns = lazily(() => {
  const made: Record<Language, Map<string, PlaceName>> = { en: new Map(), de: new Map(), fr: new Map(), es: new Map() };
  for (const row of rowsOf('places'))
    for (const [language, word] of phrasesOf(row))
      if (row.sense.kind === 'scenery' && row.sense.place !== undefined) made[language].set(fold(word), row.sense.place);
  return made;
});

/** Where a language has no lexicon: the places and weathers that drawings show. */
export const shownPlaces: Readonly<Partial<Record<string, Scenery>>> = {
  'beach-with-umbrella': { place: 'beach' },
  'desert-island': { place: 'beach' },
  cityscape: { place: 'city' },
  'night-with-stars': { place: 'city', time: 'night' },
  desert: { place: 'desert' },
  mountain: { place: 'mountains' },
  'snow-capped-mountain': { place: 'mountains' },
  'national-park': { place: 'forest' },
  motorway: { place: 'road' },
  station: { place: 'station' },
  'water-wave': { place: 'sea' },
  sunrise: { time: 'dawn' },
  sunset: { time: 'dusk' },
  'cloud-with-rain': { weather: 'rain' },
  'umbrella-with-rain-drops': { weather: 'rain' },
  'cloud-with-snow': { weather: 'snow' },
  'cloud-with-lightning-and-rain': { weather: 'storm' },
  fog: { weather: 'fog' },
};

/** The place that a noun can stand for; a German compound is a kind of its last part. `key` is folded. */
export function placeSense(key: string, language: Language): Extract<Sense, { kind: 'scenery' }> | null {
  const bare = key.replace(/^(?:[ld]|qu)'/, '');
  const own = nouns()[language].get(bare) ?? (language === 'en' ? placeByKind(bare) : undefined);
  const compound =
    own === undefined && language === 'de'
      ? [...nouns().de].find(([noun]) => noun.length > 3 && bare.length > noun.length && bare.endsWith(noun))?.[1]
      : undefined;
  const place = own ?? compound;
  return place === undefined ? null : { kind: 'scenery', place };
}

/** Words in front of a place; what stands in a place is no thing there. */
const locating = new Set(
  `in at on over through across down up near along inside within above amid around into onto from im am an auf uber durch bei in ans aufs vor aus dans a au aux
sur en par sous devant pres sobre por bajo junto entre desde ueber`.split(/\s+/),
);
/** What may stand between such a word and the noun. */
const inPhrase = new Set<MeaningKind>(
  'article shade size color style speed amount another filler unknown pronoun scenery height'.split(' ') as MeaningKind[],
);
const ends = new Set<MeaningKind>(['then']);
const sentenceMarks = new Set(['stop', 'newline', 'semicolon', 'item', 'arrow']);
/** "A beach with a ball": what comes first is where it plays. */
const having = new Set('with where full mit wo voll avec ou con donde'.split(' '));
const purposes = new Set(['for', 'fur', 'fuer', 'pour', 'para', 'called', 'named', 'of', 'about']);
const ways = new Set('to towards toward from nach zum zur zur vers hacia'.split(' '));
const roofed = new Set<PlaceName | undefined>(['room', 'bedroom', 'window', 'kitchen', 'classroom', 'table', 'stage']);
/** Where one of these is, a noun that stands alone is no place. */
const acting = new Set<MeaningKind>(['subject', 'textNoun', 'bars', 'countdown', 'occasion', 'greeting', 'figure']);
const beginnings = /^(?:starts?|begins?|beginnt|fangt|faengt|commence|empieza|comienza|suddenly|then)/;
const outside =
  /\b(?:front|outside|behind|beside|next|near|around|above|over|vor|hinter|neben|uber|ueber|devant|derriere|frente|detras|sobre)\b/;
const reach = 5;

const textOf = (lexeme: Lexeme | undefined): string => fold(lexeme?.text ?? '');
const isEnd = ({ meaning }: Lexeme): boolean =>
  ends.has(meaning.kind) || (meaning.kind === 'mark' && sentenceMarks.has(meaning.mark));

/** Where the noun phrase of the noun at `at` begins: at the word that locates it, else null. */
function locatedFrom(lexemes: readonly Lexeme[], at: number): number | null {
  for (let i = at - 1; i >= Math.max(0, at - reach); i -= 1) {
    const lexeme = lexemes[i];
    if (lexeme === undefined) return null;
    const word = textOf(lexeme).split(' ').at(-1) ?? '';
    // "An alien waves": the French "à" is no English article.
    const isArticle = lexeme.meaning.kind === 'article' && lexemes[at - 1]?.meaning.kind === 'subject';
    if (!isArticle && lexeme.meaning.kind !== 'meeting' && lexeme.meaning.kind !== 'motion' && locating.has(word)) return i;
    // "In a pine forest": what stands right before the place says of which kind it is.
    const isKind = i === at - 1 && lexeme.meaning.kind === 'subject' && !lexeme.meaning.plural;
    // "Over a sleeping village".
    const isParticiple = i === at - 1 && lexeme.meaning.kind === 'motion' && /ing$|ed$/.test(word);
    if (!inPhrase.has(lexeme.meaning.kind) && !isKind && !isParticiple) return null;
  }
  return null;
}

/** The words of the sentence around `at`. */
function sentenceAround(lexemes: readonly Lexeme[], at: number): { readonly start: number; readonly end: number } {
  let [start, end] = [at, at];
  while (start > 0 && !isEnd(lexemes[start - 1] as Lexeme)) start -= 1;
  while (end + 1 < lexemes.length && !isEnd(lexemes[end + 1] as Lexeme)) end += 1;
  return { start, end };
}

/** Whether the words at `at` are to be read on the screen, or name somebody. */
function isWording(lexemes: readonly Lexeme[], at: number, start: number, language: Language): boolean {
  const lexeme = lexemes[at];
  if (lexeme?.meaning.kind === 'quote') return true;
  if (language !== 'de' && at > start && /^\p{Lu}/u.test(lexeme?.text ?? '')) return true;
  const noun = lexemes.findLastIndex(({ meaning }, i) => i >= start && i < at && meaning.kind === 'textNoun');
  if (noun < 0) return false;
  const saying = lexemes[noun]?.meaning;
  const next = lexemes[noun + 1]?.meaning;
  return (
    (saying?.kind === 'textNoun' && saying.saying && next?.kind !== 'quote') ||
    (next?.kind === 'mark' && next.mark === 'colon' && lexemes[noun + 2]?.meaning.kind !== 'quote')
  );
}

const isThing = (lexeme: Lexeme, language: Language): boolean =>
  acting.has(lexeme.meaning.kind) &&
  !(lexeme.meaning.kind === 'subject' && (weatherOf(lexeme) !== null || placeSense(textOf(lexeme), language) !== null));

const weatherOf = ({ meaning }: Lexeme): 'rain' | 'snow' | null =>
  meaning.kind === 'subject' &&
  meaning.ref.kind === 'particles' &&
  (meaning.ref.preset === 'rain' || meaning.ref.preset === 'snow')
    ? meaning.ref.preset
    : null;

const determining = new Set<MeaningKind>(['article', 'shade', 'size', 'color', 'scenery']);

/** A verb ("parks", "to forest") is a place where a noun has to stand. */
function mayBePlace(lexemes: readonly Lexeme[], at: number): boolean {
  const kind = lexemes[at]?.meaning.kind ?? 'mark';
  const before = lexemes[at - 1];
  if (kind !== 'motion') return ['unknown', 'subject', 'filler'].includes(kind);
  // "In a pine forest".
  const ofKind = before?.meaning.kind === 'subject' && !before.meaning.plural && locatedFrom(lexemes, at) !== null;
  return before !== undefined && (ofKind || determining.has(before.meaning.kind) || locating.has(textOf(before)));
}

/** The hour at which a sky has this colour. */
function hourOf(hex: string): Scenery['time'] {
  const { l, c, h } = toOklch(hex);
  if (l < 0.42) return 'night';
  return c > 0.05 && (h < 110 || h > 300) ? 'dusk' : 'day';
}

const behind = /^(?:behind|hinter|derriere|detras(?: de)?)$/;
const luminary = (lexeme: Lexeme): boolean =>
  lexeme.meaning.kind === 'subject' &&
  lexeme.meaning.ref.kind === 'figure' &&
  /moon|^sun(?:$|-)/.test(lexeme.meaning.ref.drawing);

/** "The sun sets behind the mountains", "a rainy street", "mountains behind it": behind what happens, a place is where it does. */
function isBackground(lexemes: readonly Lexeme[], at: number, near: readonly Lexeme[]): boolean {
  const before = lexemes[at - 1]?.meaning.kind === 'article' ? lexemes[at - 2] : lexemes[at - 1];
  if (behind.test(textOf(before))) return near.some(luminary);
  const weather = senseOf(lexemes[at - 1], 'scenery');
  return behind.test(textOf(lexemes[at + 1])) || weather?.weather !== undefined || weather?.time !== undefined;
}

/** What the word at `at` says of where and when the film plays, and from where on its words are spent; null when it is a thing. */
function sceneryAt(
  lexemes: readonly Lexeme[],
  at: number,
  language: Language,
): { readonly scenery: Scenery; readonly from: number } | null {
  const lexeme = lexemes[at] as Lexeme;
  const sense = senseOf(lexeme, 'scenery') ?? (mayBePlace(lexemes, at) ? placeSense(textOf(lexeme), language) : null);
  if (sense === null) return null;
  const { kind: _, ...scenery } = sense;
  const { start, end } = sentenceAround(lexemes, at);
  if (isWording(lexemes, at, start, language)) return null;
  const near = lexemes.slice(start, end + 1);
  const from = locatedFrom(lexemes, at);
  const front = from === null ? at : from;
  // "A sunny day" is one, and so is a day that another hour follows.
  const isDay = senseOf(lexemes[at - 1], 'scenery') !== null;
  if (scenery.paired === true && !isDay && !near.some((other) => (senseOf(other, 'scenery')?.time ?? 'day') !== 'day'))
    return null;
  if (near.some(({ meaning }) => meaning.kind === 'bars')) return null;
  if (scenery.place === undefined || lexeme.meaning.kind === 'scenery')
    return { scenery, from: scenery.place === undefined ? at : front };
  // "In front of the house", "over the table": who is there sees it from outside.
  const isOutside =
    from !== null &&
    roofed.has(scenery.place) &&
    outside.test(
      near
        .slice(Math.max(0, from - start - 2), at - start)
        .map(textOf)
        .join(' '),
    );
  if (isOutside) return null;
  if (from !== null) return { scenery, from };
  if (!roofed.has(scenery.place) && isBackground(lexemes, at, near)) return { scenery, from: at };
  // "Drives to the beach": out of doors, where somebody goes is where the film plays.
  const way = lexemes[at - 1]?.meaning.kind === 'article' ? at - 2 : at - 1;
  if (!roofed.has(scenery.place) && ways.has(textOf(lexemes[way]))) return { scenery, from: way };
  if (lexemes.slice(Math.max(start, at - reach), at).some((one) => purposes.has(textOf(one)))) return null;
  const next = lexemes[at + 1];
  if (lexeme.meaning.kind === 'subject' && roofed.has(scenery.place)) return null;
  if (having.has(textOf(next))) return { scenery, from: at };
  if (next !== undefined && ['motion', 'meeting'].includes(next.meaning.kind) && scenery.place !== 'sky') return null;
  if (near.some((other) => other !== lexeme && isThing(other, language))) return null;
  const told = near.some((other, i) => start + i !== at && senseOf(other, 'scenery') !== null);
  return told || lexeme.meaning.kind !== 'subject' ? { scenery, from: at } : null;
}

/** Places, hours and weathers take the place of their words, so that no word is read twice. */
export function readPlaces(lexemes: readonly Lexeme[], language: Language, isThere: (ref: SubjectRef) => boolean): Lexeme[] {
  const found = lexemes.map(({ meaning }, at) =>
    meaning.kind === 'subject' && meaning.ref.kind !== 'particles' && isThere(meaning.ref)
      ? null
      : sceneryAt(lexemes, at, language),
  );
  const somewhere = found.some((one, at) => one !== null && lexemes[at - 1]?.meaning.kind !== 'color');
  const spent = new Set<number>();
  const made = lexemes.map((lexeme, at): Lexeme => {
    const scenery = found[at]?.scenery;
    if (scenery !== undefined) {
      // "A dark blue night": the colour of the ground is named.
      if (scenery.time !== undefined && lexemes[at - 1]?.meaning.kind === 'color')
        return { ...lexeme, meaning: { kind: 'background' } };
      // "Night falls": that is how it comes.
      if (scenery.time !== undefined && lexemes[at + 1]?.meaning.kind === 'motion') spent.add(at + 1);
      for (let i = found[at]?.from ?? at; i < at; i += 1)
        if (
          ['article', 'filler', 'in', 'on', 'from', 'after', 'place', 'to'].includes(lexemes[i]?.meaning.kind ?? '') ||
          (i === at - 1 && ['subject', 'motion'].includes(lexemes[i]?.meaning.kind ?? ''))
        )
          spent.add(i);
      const times = scenery.place === 'sky' ? skyColors(lexemes, at, spent) : [];
      return { ...lexeme, meaning: { kind: 'scenery', ...scenery, ...(times.length > 0 ? { times } : {}) } };
    }
    const weather = somewhere ? weatherOf(lexeme) : null;
    if (weather === null || ['color', 'number'].includes(lexemes[at - 1]?.meaning.kind ?? '')) return lexeme;
    // "Rain runs down the pane": that is how rain is.
    for (let i = at + 1; i <= at + 2; i += 1) if (lexemes[i]?.meaning.kind === 'motion') spent.add(i);
    if (['motion', 'amount'].includes(lexemes[at - 1]?.meaning.kind ?? '')) spent.add(at - 1);
    const begins = lexemes.slice(Math.max(0, at - 3), at).some((one) => beginnings.test(textOf(one)));
    return { ...lexeme, meaning: { kind: 'scenery', weather, ...(begins ? { begins } : {}) } };
  });
  return made.filter((_, at) => !spent.has(at));
}

/** "The sky turns from blue to orange": hours, by the colours that the sky has then. */
function skyColors(lexemes: readonly Lexeme[], at: number, spent: Set<number>): NonNullable<Scenery['time']>[] {
  const times: NonNullable<Scenery['time']>[] = [];
  for (let i = at + 1; i < Math.min(lexemes.length, at + 9); i += 1) {
    const lexeme = lexemes[i];
    if (lexeme === undefined || isEnd(lexeme) || isThing(lexeme, 'en')) break;
    const time = lexeme.meaning.kind === 'color' ? hourOf(lexeme.meaning.hex) : undefined;
    if (time === undefined) continue;
    times.push(time);
    spent.add(i);
  }
  return times;
}
