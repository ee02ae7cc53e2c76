import { fold } from './fold.ts';
import { addText, notListed } from './heads.ts';
import type { Lexeme, Meaning } from './lexemes.ts';
import { lookUp } from './lexicon.ts';
import type { State } from './state.ts';
import { unquoted } from './texts.ts';
import { noModifiers } from './wishes.ts';

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const wordsOf = (lexemes: readonly Lexeme[]): string =>
  lexemes
    .map(({ text }) => text)
    .join(' ')
    .replace(/\s+/gu, ' ')
    .trim();

const sentenceEnds = new Set(['stop', 'newline', 'item', 'arrow', 'semicolon', 'colon', 'bracket']);
const isEnd = ({ meaning }: Lexeme): boolean => meaning.kind === 'mark' && sentenceEnds.has(meaning.mark);
const isComma = ({ meaning }: Lexeme): boolean => meaning.kind === 'mark' && meaning.mark === 'comma';

/** What a heading may be made of; everything else in front of the colon is about the film. */
const headingKinds = new Set<Meaning['kind']>(['unknown', 'number', 'filler', 'and', 'for', 'in', 'on', 'to', 'scene']);
/** "Create an animation of our three benefits": what comes before the heading itself. */
const preludes = new Set<Meaning['kind']>([
  'action',
  'article',
  'whole',
  'filler',
  'unsupported',
  'for',
  'and',
  'in',
  'on',
  'to',
]);
const maxHeadingWords = 7;
const maxItemWords = 7;
const fewestItems = 2;

/** The words of the sentence in front of `at`, without what only asks for them; '' when nothing of them is a heading. */
function headingBefore({ lexemes }: State, at: number): string {
  let start = at;
  while (start > 0 && lexemes[start - 1] !== undefined && !isEnd(lexemes[start - 1] as Lexeme)) start -= 1;
  while (start < at && preludes.has(lexemes[start]?.meaning.kind ?? 'unknown')) start += 1;
  const heading = lexemes.slice(start, at).filter(({ meaning }) => headingKinds.has(meaning.kind) || meaning.kind === 'article');
  if (!heading.some(({ meaning }) => meaning.kind === 'unknown') || heading.length > maxHeadingWords) return '';
  return wordsOf(heading);
}

/** "fast, simple and secure": the last two of a list. */
function splitLast(item: readonly Lexeme[]): (readonly Lexeme[])[] {
  const at = item.findIndex(({ meaning, text }) => meaning.kind === 'and' && /\p{L}/u.test(text));
  if (at < 0) return [item];
  return [item.slice(0, at), item.slice(at + 1)].filter((part) => part.length > 0);
}

/**
 * "Three benefits: saves time, cuts costs, works offline": words behind a colon that name nothing to be drawn are
 * texts, each with its turn, under the heading in front of it. Answers where reading goes on; null when it is no list.
 */
export function readList(state: State, at: number): number | null {
  const { lexemes, clause } = state;
  if (clause.subjects.length > 0 || clause.texts.length > 0 || state.negated) return null;
  if (lexemes.some(({ meaning }) => meaning.kind === 'quote')) return null;
  const heading = headingBefore(state, at);
  if (heading === '') return null;
  const items: (readonly Lexeme[])[] = [];
  let end = at + 1;
  for (let i = at + 1; i <= lexemes.length; i += 1) {
    const lexeme = lexemes[i];
    if (lexeme !== undefined && !isComma(lexeme) && !isEnd(lexeme)) continue;
    const item = lexemes.slice(end, i);
    const listed = item.length > 0 && item.length <= maxItemWords && !item.some(({ meaning }) => notListed.has(meaning.kind));
    if (!listed) break;
    items.push(...splitLast(item[0]?.meaning.kind === 'and' ? item.slice(1) : item));
    end = i + 1;
    if (lexeme === undefined || isEnd(lexeme)) break;
  }
  if (items.length < fewestItems) return null;
  const said = new Set(heading.split(' '));
  state.unknown.splice(0, state.unknown.length, ...state.unknown.filter((word) => !said.has(word)));
  state.mods = noModifiers();
  state.unknownNoun = null;
  addText(state, capitalized(heading), 'title');
  for (const item of items) addText(state, capitalized(wordsOf(item)), null);
  clause.inTurn = true;
  return Math.min(end, lexemes.length);
}

/** What links a greeting with whom or what it greets. */
const links = new Set(
  'to for from my our your dear the a an and zu zum zur im in an von fuer mein meine liebe lieber und du ihr pour mon ma mes a au en chere cher et de la le para mi mis a al el y querida querido'.split(
    ' ',
  ),
);
const companions = new Set('with mit avec con while waehrend then dann'.split(' '));
/** Whom everybody greets: they may end a greeting. */
const everybody = new Set('all everyone everybody you alle tous todos'.split(' '));
const openers = new Set('to for zu zum zur im in fuer pour au a en para'.split(' '));
const greetsNothing = new Set<Meaning['kind']>(
  'mark quote then textNoun manner motion duration aspect ratio background camera cameraMove style figure bars greeting occasion place'.split(
    ' ',
  ) as Meaning['kind'][],
);
const maxGreeted = 8;
const isName = ({ text }: Lexeme): boolean => /^\p{Lu}/u.test(text);

/** What is celebrated says how: a birthday is playful. */
export function readCelebration(state: State, words: string): void {
  for (const word of fold(words).split(' '))
    for (const sense of lookUp(word, state.language))
      if (sense.kind === 'style') state.styles.push({ style: sense.style, source: sense.source });
}

/** "happy birthday anna", "Alles Gute, Oma", "welcome to our new office": whom a greeting greets belongs to it. */
export function readGreeting(state: State, at: number, lexeme: Lexeme): number {
  const { lexemes } = state;
  const [next, after] = [lexemes[at + 1], lexemes[at + 2]];
  const addressed = next !== undefined && isComma(next) && after !== undefined && isName(after);
  const words: string[] = [];
  let kept = 0;
  let open = false;
  const start = addressed ? at + 2 : at + 1;
  for (let i = start; i < lexemes.length && words.length < maxGreeted; i += 1) {
    const one = lexemes[i];
    // "thank you for watching": behind its link a verb is what is thanked for.
    const isDeed = open && kept < words.length && one?.meaning.kind === 'motion';
    if (one === undefined || (!isDeed && greetsNothing.has(one.meaning.kind) && !(isName(one) && one.meaning.kind !== 'mark')))
      break;
    const said = fold(one.text);
    if (companions.has(said)) break;
    const isLink = links.has(said);
    open ||= openers.has(said);
    if (
      !open &&
      !isLink &&
      !isName(one) &&
      one.meaning.kind !== 'unknown' &&
      one.meaning.kind !== 'number' &&
      !everybody.has(said)
    )
      break;
    words.push(one.text);
    if (!isLink) kept = words.length;
  }
  readCelebration(state, lexeme.text);
  const greeted = words.slice(0, kept).join(' ');
  addText(state, greeted === '' ? lexeme.text : `${lexeme.text}${addressed ? ', ' : ' '}${greeted}`, null);
  return greeted === '' ? at + 1 : start + kept;
}

/** "… 'Always through' by Robert Frost": who said it stands below. */
export function readByline(state: State, at: number, lexeme: Lexeme): number | null {
  if (!['by', 'par', 'por'].includes(fold(lexeme.text)) || state.lexemes[at - 1]?.meaning.kind !== 'quote') return null;
  const name = unquoted(state, at + 1, false);
  if (name === null) return null;
  addText(state, `— ${name.text}`, 'subtitle');
  return name.end;
}

const offerSize = 1.9;
const reductions = new Set(['off', 'discount', 'rabatt', 'reduziert', 'reduction', 'descuento']);

/** "50% off": an offer is read, not counted up to. */
export function readOffer(state: State, at: number, lexeme: Lexeme): number | null {
  const { meaning } = lexeme;
  const next = state.lexemes[at + 1];
  if (meaning.kind !== 'figure' || !meaning.suffix.endsWith('%') || next === undefined || state.negated) return null;
  if (!reductions.has(fold(next.text))) return null;
  addText(state, wordsOf([lexeme, next]), null);
  // Beside other words it is still what the film is about.
  const [offer] = state.clause.texts.slice(-1);
  if (offer !== undefined && state.clause.texts.length > 1) offer.size ??= offerSize;
  return at + 2;
}

const introductions = new Set(['for', 'to', 'fuer', 'pour', 'para', 'an']);
const maxBetween = 2;

/** "A birthday card for Anna": what such a card says, with the name it is for, unless the words are given. */
export function readOccasion(state: State, at: number, words: string): number | null {
  state.styles.push({ style: 'playful', source: 'implied' });
  const { lexemes } = state;
  if (state.negated || lexemes.some(({ meaning }) => meaning.kind === 'quote' || meaning.kind === 'greeting')) return null;
  for (let i = at + 1; i <= at + maxBetween; i += 1) {
    if (!introductions.has(fold(lexemes[i]?.text ?? ''))) continue;
    const name = unquoted(state, i + 1, false);
    if (name === null) break;
    addText(state, `${words}, ${name.text}!`, 'title');
    return name.end;
  }
  addText(state, `${words}!`, 'title');
  return null;
}
