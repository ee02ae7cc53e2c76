import { fold } from '../brief/fold.ts';
import { lex } from '../brief/lex.ts';
import type { Lexeme } from '../brief/lexemes.ts';
import type { Language } from '../brief/sense.ts';
import type { BriefAsset } from '../brief/uploads.ts';
import type { Facts } from './facts.ts';
import { moreWords, readLexeme, slightWords } from './read-lexeme.ts';

const lessWords = new Set([
  'less',
  'fewer',
  'weniger',
  'moins',
  'menos',
  'decrease',
  'reduce',
  'verringere',
  'diminue',
  'disminuye',
  'least',
]);
const strongWords = new Set([
  'much',
  'lot',
  'way',
  'far',
  'viel',
  'beaucoup',
  'mucho',
  'really',
  'significantly',
  'considerably',
]);
const insteadWords = new Set(['instead', 'stattdessen']);

function emptyFacts(lexemes: readonly Lexeme[], language: Language): Facts {
  return {
    lexemes,
    language,
    words: new Set(lexemes.flatMap((lexeme) => fold(lexeme.text).split(' '))),
    actions: [],
    subjects: [],
    textNoun: null,
    quotes: [],
    wording: null,
    background: false,
    gradient: false,
    camera: false,
    whole: false,
    pronoun: false,
    scenes: [],
    sceneNoun: false,
    colors: [],
    rainbow: false,
    shade: null,
    size: null,
    speed: null,
    height: null,
    length: null,
    style: null,
    aspect: null,
    fps: null,
    seconds: null,
    repeat: null,
    number: null,
    percent: null,
    figure: null,
    bars: null,
    turns: null,
    motions: [],
    act: null,
    cameraMove: null,
    manner: {},
    direction: null,
    place: null,
    scenery: null,
    negated: false,
    too: false,
    another: false,
    more: 0,
    intensity: 1,
    sound: null,
    unsupported: [],
    unknown: [],
  };
}

/** What one clause says. */
export function factsOf(lexemes: readonly Lexeme[], language: Language): Facts {
  const facts = emptyFacts(lexemes, language);
  for (let at = 0; at < lexemes.length; at += 1) {
    const lexeme = lexemes[at];
    if (lexeme !== undefined) at += readLexeme(facts, lexeme, at);
  }
  const has = (set: ReadonlySet<string>): boolean => [...facts.words].some((word) => set.has(word));
  facts.more = has(lessWords) ? -1 : has(moreWords) ? 1 : 0;
  facts.intensity = has(slightWords) ? 0.5 : has(strongWords) && facts.more === 0 ? 2 : 1;
  if (has(insteadWords) && facts.actions.length === 0) facts.actions.push('change');
  return facts;
}

const breaks = new Set(['but', 'aber', 'mais', 'pero', 'sondern']);

/** Feedback in clauses: at full stops, commas and joining words. Quotes and texts stay whole. */
export function readFeedback(
  text: string,
  assets: readonly BriefAsset[],
): {
  readonly clauses: readonly Facts[];
  readonly language: Language;
  readonly lexemes: readonly Lexeme[];
} {
  const { lexemes, language } = lex(text, assets);
  const parts: Lexeme[][] = [[]];
  for (const lexeme of lexemes) {
    const { kind } = lexeme.meaning;
    const mark = lexeme.meaning.kind === 'mark' ? lexeme.meaning.mark : null;
    const cut =
      kind === 'and' ||
      kind === 'then' ||
      (kind === 'filler' && breaks.has(fold(lexeme.text))) ||
      (mark !== null && ['comma', 'stop', 'newline', 'item', 'semicolon', 'bracket'].includes(mark));
    if (cut) parts.push([]);
    else parts.at(-1)?.push(lexeme);
  }
  return { clauses: parts.filter((part) => part.length > 0).map((part) => factsOf(part, language)), language, lexemes };
}
