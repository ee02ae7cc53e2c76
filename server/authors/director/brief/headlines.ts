import { fold } from './fold.ts';
import { lookUp } from './lexicon.ts';
import { nounOf } from './nouns.ts';
import { isRequest, verbOf } from './verbs.ts';

/** Words with which people address those who see a film, in the languages that are read. */
export const greetings =
  /^(?:happy|merry|welcome|congrat\w*|thank(?:s| you)|good (?:night|morning|evening|luck|bye)|goodbye|farewell|get well|best wishes|save the date|alles (?:gute|liebe)|frohe[sn]?|guten?|herzlich\w*|willkommen|danke|joyeux|joyeuse?s?|bon(?:ne)? (?:anniversaire|année|fête|chance|voyage|nuit)|bienvenue|félicitations|merci|feli(?:z|ces)|bienvenid[oa]s?|gracias|buen[ao]s? (?:suerte|viaje|noches|días)|auguri|buon)\b/iu;
const days =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)\b|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b|\b(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b/iu;
const months =
  'january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|juni|juli|oktober|dezember|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre';
const date = new RegExp(
  `^(?:\\d{1,2}(?:st|nd|rd|th|\\.)?(?: de| of)? (?:${months})|(?:${months}) \\d{1,2}(?:st|nd|rd|th)?)(?: \\d{4})?$`,
  'iu',
);
const clock = /\b\d{1,2}(?:[:.]\d\d)? ?(?:am|pm|uhr|h|o'clock)\b/iu;
const offer = /(?:-\s?)?\d+ ?% ?(?:off|discount|rabatt|de (?:descuento|réduction)|sur)\b/iu;
const charts = /\b(?:chart|graph|bars?|pie|plot|diagram\w*|graphique|gráfico|balken)\b/iu;
const pair = /^\p{Lu}[\p{L}'’-]* (?:&|and|und|et|y) \p{Lu}[\p{L}'’-]*$/u;
const equation = /(?<![\p{L}\d])\d+(?: ?[+×x*·÷/−-] ?\d+)+ ?= ?(?:\?|\d+)/gu;
/** "The answer 56", "the price 49". */
const said =
  /\b(answer|price|result|sum|word|name|slogan|headline|caption|number|year) (\d+(?:[.,]\d+)*)(?![.,:]?\d|%|\p{L}| ?(?:cm|kg|km|times|to)\b)/giu;
/** "The button Add to basket", "a Delete button". */
const button =
  /\b(button|tab|link|menu|key) (\p{Lu}\p{Ll}+(?: (?:(?:to|in|out|up|now|of|the|your|on) )?\p{L}+){0,2}?)(?= (?:and|then|is|gets|turns|with)\b|[,.;:!?]|$)/gu;
const buttonBehind = /(?<=\b(?:an?|the|click|clicks|press|presses) )(\p{Lu}\p{L}+) (?=(?:button|tab|link|menu)\b)/gu;
/** "Text on a chalkboard: Today: tomato soup 4.50", "written in sand: Marlow". */
const written =
  /\b((?:text|words?|title|message|written|writes|painted|carved|drawn) (?:on|in|across|over|onto|auf|sur|en)\b[^,.;:"“\n]{0,40}): ?([^"“\n]{2,80})$/iu;
/** Two or more words with capitals within a sentence are a name. */
const name = /(?<=[\p{Ll}\d,] )\p{Lu}[\p{Ll}'’]+(?: (?:of|the|&|de|der|von) \p{Lu}[\p{Ll}'’]+| \p{Lu}[\p{Ll}'’]+)+/gu;
const introduced = /\b(introducing|presenting|meet) (\p{Lu}[\p{L}\d'’]+(?: \p{Lu}[\p{L}\d'’]+)*)/giu;

/** "Alles Gute zur Einschulung, Ben! …": whom a greeting is for stands behind a comma. */
const greeted = /^[^,.!?:“\n]{3,60}, \p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?(?:!|(?=\.|,|$))()/u;

const quoted = (text: string): string => `“${text.trim()}”`;
const wordsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean);
const small = new Set('of the and for to in on at a an & with your our my is'.split(' '));

/** Nearly every word with a capital, as titles have. */
function isTitleCase(segment: string): boolean {
  if (isGerman(segment)) return false;
  const words = wordsOf(segment).filter((word) => /\p{L}/u.test(word) && !small.has(word.toLowerCase()));
  return words.length >= 2 && words.every((word) => /^\p{Lu}/u.test(word)) && words.some((word) => /\p{Ll}/u.test(word));
}

/** What a text to be shown does not begin with: an article, a number of things, a colour, a wish. */
const thingStarts = new Set([
  'article',
  'subject',
  'color',
  'size',
  'action',
  'pronoun',
  'whole',
  'motion',
  'camera',
  'scenery',
  'style',
  'background',
  'formation',
  'cameraMove',
]);
function startsLikeThing(segment: string): boolean {
  const [first = ''] = wordsOf(segment);
  if (/^\d+$/.test(first)) return true;
  const key = fold(first.replace(/[^\p{L}\p{N}]/gu, ''));
  return /^\p{Lu}{2,}$/u.test(first) ? false : thingStarts.has(lookUp(key, 'en')[0]?.kind ?? '') || nounOf(key, 'en') !== null;
}

/** "Draw a cat!", "Then it rains!": what is done, or to be done, is no text. */
function tellsOfDeeds(segment: string): boolean {
  return wordsOf(segment).some((word, at) => {
    const key = fold(word.replace(/[^\p{L}]/gu, ''));
    if (/^\p{Lu}{2,}$/u.test(word)) return false;
    return (at === 0 && isRequest(key)) || (key.endsWith('s') && verbOf(key) !== null) || lookUp(key, 'en')[0]?.kind === 'then';
  });
}

/** A prompt that only tells of an event or an offer: no verb of the kind that films have, but a day, a time, a date or a price. */
const tells = (text: string): boolean => days.test(text) || clock.test(text) || offer.test(text);

/** What such a film is called is no part of what it says. */
const aboutFilm =
  /\b(?:banner|poster|video|animation|clip|card|intro|outro|logo|film|scene|slide|gif|ad|reel|invite|invitation)\b|\d:\d/iu;
/** German nouns have capitals. */
const isGerman = (text: string): boolean => /\b(?:der|die|das|dem|den|ein|eine|einen|und|mit|auf|ist)\b/iu.test(text);

const mostWords = 9;

/** Whether a segment of a prompt is to be read rather than drawn. */
function isHeadline(
  segment: string,
  { first, whole, exclaimed }: { first: boolean; whole: string; exclaimed: boolean },
): boolean {
  const text = segment.trim();
  const count = wordsOf(text).length;
  if (count === 0 || count > mostWords || aboutFilm.test(text)) return false;
  if (pair.test(text) || date.test(text)) return true;
  if (first && greetings.test(text)) return count > 1 || exclaimed;
  if (exclaimed && count > 1 && !startsLikeThing(text) && !tellsOfDeeds(text)) return true;
  if (
    tells(whole) &&
    !charts.test(whole) &&
    !/\b(?:with|mit|avec|con|and|show|shows)\b/iu.test(text) &&
    (tells(text) || isTitleCase(text) || (first && !startsLikeThing(text)))
  )
    return true;
  return first && isTitleCase(text) && !startsLikeThing(text);
}

/**
 * Puts quotes around the words of a prompt that are to be read although nobody quoted them: a greeting, a headline, a date, a
 * sum, what a button says, a name. A prompt with quotes of its own says itself what is a text.
 */
export function withQuotes(prompt: string): string {
  if (/["“”«»„]/u.test(prompt)) return prompt;
  let text = prompt
    .replace(written, (_, before: string, words: string) => `${before}: ${quoted(words)}`)
    .replace(equation, quoted);
  text = text.replace(greeted, (words) => (greetings.test(words) ? quoted(words) : words));
  if (!/“/u.test(text)) {
    // Segments end at commas, at the end of a sentence, and in front of "with".
    let first = true;
    text = text.replace(
      /([^,.!?;:\n]+?)(?=$|[,.!?;:\n]| (?:with|mit|avec|con) )([!?]?)/gu,
      (whole, segment: string, mark: string) => {
        const bare = segment.trim();
        const wanted = isHeadline(segment, { first, whole: prompt, exclaimed: mark === '!' });
        if (bare !== '') first = false;
        return wanted ? segment.replace(bare, () => quoted(bare + mark)) : whole;
      },
    );
  }
  const outside = (change: (part: string) => string): string =>
    text.replace(/“[^”]*”|[^“]+/gu, (part) => (part.startsWith('“') ? part : change(part)));
  text = outside((part) => part.replace(said, (_, noun: string, number: string) => `${noun} ${quoted(number)}`));
  text = outside((part) => part.replace(button, (_, noun: string, label: string) => `${noun} ${quoted(label)}`));
  text = outside((part) => part.replace(buttonBehind, (_, label: string) => `${quoted(label)} `));
  text = outside((part) => part.replace(introduced, (_, verb: string, words: string) => `${verb} ${quoted(words)}`));
  if (isGerman(prompt)) return text;
  return outside((part) =>
    part.replace(name, (words, at: number) => {
      // What a film is for is read with it.
      const isFor = /\b(?:for|pour|para)\b[\p{L} ]{0,40}$/u.test(part.slice(Math.max(0, at - 50), at));
      return isFor || nounOf(fold(words), 'en') !== null ? words : quoted(words);
    }),
  );
}
