import { drawingOf, isSilhouette } from '../drawings.ts';
import { disambiguate, everydayBrands } from './ambiguity.ts';
import { capitalsAt, hasCapitals } from './capitals.ts';
import { findCharts } from './charts.ts';
import { fold } from './fold.ts';
import { applyFolds, countFolds, numberFolds, phraseFolds } from './folds.ts';
import { type Lexeme, lexeme, type Meaning, type Reading } from './lexemes.ts';
import { detectLanguage, isForeign, lookUp, maxPhraseWords } from './lexicon.ts';
import { foreignColor, maxNounWords, nounOf, nounsIn, type Tongue } from './nouns.ts';
import { readPlaces, shownPlaces } from './scenery.ts';
import type { Language, Sense, SubjectRef } from './sense.ts';
import { withoutSimiles } from './similes.ts';
import { corrected, isForeign as isForeignText } from './spelling.ts';
import { type Token, tokenize } from './tokens.ts';
import type { BriefAsset } from './uploads.ts';
import { pictureOf } from './uploads.ts';
import { verbOf } from './verbs.ts';
import { cssColors } from './word-rows.ts';

/** "l'étoile", "ball's": what stands around the apostrophe is no part of the word. */
function bareKeys(key: string): string[] {
  if (!key.includes("'")) return [key];
  return [key, key.replace(/'s$/, ''), key.replace(/^(?:[ldjcsnmt]|qu)'/, '')];
}

function senses(key: string, language: Language): readonly Sense[] {
  for (const bare of bareKeys(key)) {
    const found = lookUp(bare, language);
    if (found.length > 0) return found;
  }
  return [];
}

type Word = Extract<Token, { type: 'word' }>;

const purposes = new Set(['for', 'fuer', 'pour', 'para']);
const beforePurpose = 4;

/** "An intro for our little bakery": whom a film is for is not in it. */
function isPurpose(tokens: readonly Token[], start: number): boolean {
  for (let at = start - 1; at >= Math.max(0, start - beforePurpose); at -= 1) {
    const token = tokens[at];
    if (token?.type !== 'word') return false;
    if (purposes.has(token.key)) return true;
  }
  return false;
}

/** A noun of Unicode's that begins here: a name of several words, or one word that is no other part of speech. */
/** "10 000 users", "85% of customers": what a figure counts is its label. */
function isCounted(tokens: readonly Token[], start: number): boolean {
  const before = tokens[start - 1];
  const figure = before?.type === 'word' && before.key === 'of' ? tokens[start - 2] : before;
  return figure?.type === 'number' && (figure.value >= 100 || figure.prefix !== '' || figure.suffix !== '');
}

const isVerb = (token: Token | undefined): boolean => token?.type === 'word' && verbOf(token.key) !== null;

function figureAt(tokens: readonly Token[], start: number, language: Tongue, isNoun: (word: Word) => boolean): Phrase | null {
  if (isPurpose(tokens, start) || isCounted(tokens, start)) return null;
  let found: Phrase | null = null;
  const keys: string[] = [];
  const texts: string[] = [];
  for (let at = start; at < tokens.length && keys.length < maxNounWords; at += 1) {
    const token = tokens[at];
    // "E-mail", "ice-cream".
    if (token?.type === 'mark' && token.mark === 'dash' && at > start && tokens[at + 1]?.type === 'word') continue;
    if (token?.type !== 'word') break;
    keys.push(token.key);
    texts.push(token.text);
    // "Traffic light": a name of several words is no chance.
    const named = keys.length > 1 || isNoun(token) ? nounOf(keys.join(' '), language) : null;
    if (named === null) continue;
    // "A pink heart" is the kit's heart in pink, whatever else has that name; a "hot air balloon" is no balloon.
    const lexicon = language === 'others' ? 'en' : language;
    const [described, head] = keys.length > 1 ? [lookUp(keys[0] ?? '', lexicon)[0]?.kind, lookUp(token.key, lexicon)[0]] : [];
    const isPlain = described === undefined || described === 'filler' || (described === 'motion' && token.key !== 'heart');
    if (head?.kind === 'subject' && !isPlain) continue;
    // "The bee flies away" is no bee fly.
    const next = tokens[at + 1];
    if (keys.length > 1 && named.plural && language === 'en' && found !== null && verbOf(token.key) !== null && !isVerb(next))
      continue;
    const { drawing, noun, plural, relative } = named;
    const scenery = language === 'others' ? shownPlaces[drawing] : undefined;
    if (scenery !== undefined) {
      found = { end: at + 1, text: texts.join(' '), senses: [{ kind: 'scenery', ...scenery }] };
      continue;
    }
    const color = isSilhouette(drawing) ? {} : { color: drawingOf(drawing).color };
    const ref = { kind: 'figure', drawing, noun, ...color, relative } as const;
    found = { end: at + 1, text: texts.join(' '), senses: [{ kind: 'subject', ref, plural }] };
  }
  return found;
}

interface Phrase {
  readonly end: number;
  readonly text: string;
  readonly senses: readonly Sense[];
  /** What the lexicon knows it by. */
  readonly key?: string;
}

/** The longest run of words from `start` that the lexicon knows; hyphens inside it do not matter. */
function phraseAt(tokens: readonly Token[], start: number, language: Language): Phrase {
  const words: string[] = [];
  const texts: string[] = [];
  let best: Phrase = { end: start + 1, text: '', senses: [] };
  for (let at = start; at < tokens.length && words.length < maxPhraseWords; at += 1) {
    const token = tokens[at];
    if (token?.type === 'mark' && token.mark === 'dash' && at > start && tokens[at + 1]?.type === 'word') continue;
    if (token?.type !== 'word') break;
    words.push(token.key);
    texts.push(token.text);
    const found = words.length === 1 ? senses(token.key, language) : lookUp(words.join(' '), language);
    if (found.length > 0 || at === start) best = { end: at + 1, text: texts.join(' '), senses: found, key: words.join(' ') };
  }
  return best;
}

function tokensToLexemes(
  tokens: readonly Token[],
  { language, tongue }: { readonly language: Language; readonly tongue: Tongue },
  assets: readonly BriefAsset[],
): Lexeme[] {
  let nouns: ReadonlySet<Token> | null = null;
  // A name ("Northwind Coffee") is no thing; German nouns have capitals, and the other languages' tables hold few other words.
  const isName = (text: string, at: number): boolean => at > 0 && /^\p{Lu}/u.test(text);
  const isNoun = (word: Word): boolean => {
    const at = tokens.indexOf(word);
    if (language !== 'de' && isName(word.text, at)) return false;
    if (tongue !== 'en') return true;
    // "Two gears".
    const before = tokens[at - 1];
    const count = before?.type === 'word' ? lookUp(before.key, 'en')[0]?.kind : before?.type;
    if (count === 'number' && nounOf(word.key, 'en')?.plural === true) return true;
    if (nouns === null) {
      const read = tokens.filter((token) => token.type === 'word' || token.type === 'mark');
      const are = nounsIn(read.map((token) => (token.type === 'word' ? token.key : ',')));
      nouns = new Set(read.filter((_, at) => are[at] === true));
    }
    return nouns.has(word);
  };
  const charts = new Map(findCharts(tokens, language).map((span) => [span.start, span]));
  const capitals = hasCapitals(tokens);
  const isKnown = (key: string): boolean =>
    lookUp(key, language).some(({ kind }) => kind !== 'greeting') || nounOf(key, tongue) !== null;
  const lexemes: Lexeme[] = [];
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at];
    const chart = charts.get(at);
    if (token === undefined) break;
    const shouted = capitals ? capitalsAt(tokens, at, isKnown) : null;
    if (chart !== undefined) {
      lexemes.push(lexeme(chart.meaning, chart.meaning.bars.map((bar) => `${bar.label} ${bar.value}`.trim()).join(', ')));
      at = chart.end;
    } else if (shouted !== null) {
      lexemes.push(lexeme({ kind: 'quote', text: shouted.text }, shouted.text));
      at = shouted.end;
    } else if (token.type === 'word') {
      const said = phraseAt(tokens, at, language);
      // The lexicon's own things are the better choice, unless Unicode's name is longer: "hot air balloon".
      const figure = said.senses.length === 0 || said.senses[0]?.kind !== 'filler' ? figureAt(tokens, at, tongue, isNoun) : null;
      const other =
        said.senses.length === 0 ||
        tongue === 'others' ||
        isForeign(said.key ?? '', language) ||
        isFew(said, tokens[at - 1]) ||
        isVerbNoun(said, [tokens[at - 1], tokens[at + 1]], language) ||
        isEverydayBrand(said, tokens[at - 1], tokens[at + 1]);
      const named = figure !== null && (other || figure.end > said.end) ? figure : said;
      const unread = named.senses.length === 0;
      const phrase = !unread ? named : tongue === 'others' ? colorAt(token, at) : verbAt(token, at, tokens[at - 1], language);
      lexemes.push(lexeme(phrase.senses[0] ?? { kind: 'unknown' }, phrase.text, phrase.senses));
      at = phrase.end;
    } else {
      lexemes.push(fromToken(token, assets));
      at += 1;
    }
  }
  return lexemes;
}

const beforeNouns = new Set(
  'a an the of in on with for from at by our my your its their his her this that some any no'.split(' '),
);

/** A colour in a language that has no lexicon. */
function colorAt({ key, text }: Word, at: number): Phrase {
  const hex = cssColors().get(foreignColor(key) ?? '');
  return { end: at + 1, text, senses: hex === undefined ? [] : [{ kind: 'color', hex }] };
}

/** A verb that no lexicon knows. */
function verbAt({ key, text }: Word, at: number, before: Token | undefined, language: Language): Phrase {
  // "In 3 steps", "the look of it": behind a number, an article or a preposition stands a noun.
  const isNoun = before?.type === 'number' || (before?.type === 'word' && beforeNouns.has(before.key) && !key.endsWith('ing'));
  const verb = isNoun ? null : verbOf(key, language);
  const senses = verb === null ? [] : ([{ kind: 'motion', motion: 'act', direction: null, ...verb }] as const);
  return { end: at + 1, text, senses };
}

/** "A fly" is an insect, "fly" is what birds do; "a rainbow" stands in the sky, "rainbow balls" have its colours. */
function isVerbNoun(
  { senses: [sense], text }: Phrase,
  [before, after]: readonly [Token | undefined, Token | undefined],
  language: Language,
): boolean {
  // "Two drops".
  const isCount = before?.type === 'number' || (before?.type === 'word' && lookUp(before.key, language)[0]?.kind === 'number');
  if (isCount && language === 'en') return sense?.kind === 'motion' && /s$/.test(text) && !isVerb(before);
  if (before?.type !== 'word' || lookUp(before.key, language)[0]?.kind !== 'article') return false;
  if (sense?.kind === 'motion' || sense?.kind === 'meeting') return true;
  // "A cursor clicks"; "with a cursor" is how a text is typed.
  if (sense?.kind === 'manner')
    return (
      after?.type === 'word' &&
      verbOf(after.key, language) !== null &&
      !['manner', 'textNoun'].includes(lookUp(after.key, language)[0]?.kind ?? '')
    );
  // "A truck", "a crane"; "a truck shot" is the camera's.
  if (sense?.kind === 'cameraMove' && !/camera/i.test(text))
    return after?.type !== 'word' || lookUp(after.key, 'en')[0]?.kind !== 'camera';
  return sense?.kind === 'rainbow' && !(after?.type === 'word' && lookUp(after.key, 'en')[0]?.kind === 'subject');
}

const few = 10;
/** "Two leaves", "five bubbles": so few are things, and no weather. */
const isFew = ({ senses: [sense] }: Phrase, before: Token | undefined): boolean => {
  if (sense?.kind !== 'subject' || sense.ref.kind !== 'particles' || before === undefined) return false;
  const [number] = before.type === 'word' ? lookUp(before.key, 'en') : [];
  const count = before.type === 'number' ? before.value : number?.kind === 'number' ? number.value : few;
  return count < few;
};

/** "Like apple" is a look; an apple is a thing. */
const isEverydayBrand = ({ senses: [sense], text }: Phrase, before: Token | undefined, after: Token | undefined): boolean =>
  sense?.kind === 'style' &&
  everydayBrands.has(fold(text)) &&
  !(before?.type === 'word' && before.key === 'like') &&
  !(after?.type === 'word' && ['style', 'logo', 'like', 'look', 'inspired', 'aesthetic'].includes(after.key));

/** What the name of an upload stands for where it is written in a text. */
function uploadMeaning(asset: BriefAsset): Meaning {
  switch (asset.kind) {
    case 'image':
      return { kind: 'subject', ref: { kind: 'logo', picture: pictureOf(asset) }, plural: false };
    case 'audio':
      return { kind: 'sound', asset };
    case 'font':
      return { kind: 'unsupported', name: 'font' };
  }
}

function fromToken(token: Exclude<Token, { type: 'word' }>, assets: readonly BriefAsset[]): Lexeme {
  const named = (name: string) => assets.find((asset) => asset.name.toLowerCase() === name.toLowerCase());
  switch (token.type) {
    case 'quote':
    case 'upload': {
      const text = token.type === 'quote' ? token.text : token.name;
      const asset = named(text);
      return lexeme(asset === undefined ? { kind: 'quote', text } : uploadMeaning(asset), text);
    }
    case 'color':
      return lexeme({ kind: 'color', hex: token.hex }, token.hex);
    case 'ratio':
      return lexeme({ kind: 'ratio', width: token.width, height: token.height }, token.text);
    case 'clock':
      return lexeme({ kind: 'duration', seconds: token.seconds, clock: true }, token.text);
    case 'mark':
      return lexeme({ kind: 'mark', mark: token.mark }, '');
    case 'number':
      return token.prefix === '' && token.suffix === ''
        ? lexeme({ kind: 'number', value: token.value }, token.text)
        : lexeme({ kind: 'figure', value: token.value, prefix: token.prefix, suffix: token.suffix }, token.text);
  }
}

/** Fewer words tell nothing of the language. */
const leastWords = 5;

/** Whether a language's tables know half of the words at least: "bola" is Spanish, and Portuguese as well. */
function isSpoken(tokens: readonly Token[], language: Language): boolean {
  const words = tokens.flatMap((token) => (token.type === 'word' && /^\p{Ll}/u.test(token.text) ? [bareKeys(token.key)] : []));
  const isKnown = (key: string) => !isForeign(key, language) || nounOf(key, language) !== null || verbOf(key, language) !== null;
  const known = words.filter((keys) => keys.some(isKnown));
  return words.length < leastWords || known.length * 2 > words.length;
}

/**
 * Text to lexemes in the language that most of its words belong to; names of `assets` stand for what was uploaded. What
 * `isThere` already is a thing, and no place to play in.
 */
export function lex(
  text: string,
  assets: readonly BriefAsset[] = [],
  isThere: (ref: SubjectRef) => boolean = () => false,
): Reading {
  const typed = tokenize(
    text,
    assets.map(({ name }) => name),
  );
  const spoken = detectLanguage(typed.flatMap((token) => (token.type === 'word' ? bareKeys(token.key).slice(-1) : [])));
  const isOther = spoken === 'en' ? isForeignText(typed) : !isSpoken(typed, spoken);
  const language = isOther ? 'en' : spoken;
  const tokens = language === 'en' && !isOther ? corrected(typed) : typed;
  const plain = tokensToLexemes(tokens, { language, tongue: isOther ? 'others' : spoken }, assets);
  // Number words first ("ten thousand"), then what they count, then sums of durations.
  const counted = applyFolds(applyFolds(plain, numberFolds), countFolds);
  return {
    language,
    lexemes: readPlaces(withoutSimiles(disambiguate(applyFolds(counted, phraseFolds))), language, isThere),
  };
}
