import { fold } from './fold.ts';
import type { Lexeme, Meaning } from './lexemes.ts';
import { verbOf } from './verbs.ts';

interface Context {
  readonly before: Lexeme | undefined;
  readonly after: Lexeme | undefined;
  /** The modifiers, articles and numbers right in front. */
  readonly run: readonly Lexeme[];
}

type Rule = (lexeme: Lexeme, context: Context) => Meaning | null;

const isEdge = (lexeme: Lexeme | undefined): boolean => lexeme === undefined || lexeme.meaning.kind === 'mark';
const isShape = (meaning: Meaning, shape: string): boolean =>
  meaning.kind === 'subject' && meaning.ref.kind === 'shape' && meaning.ref.shape === shape;
/** Names of makers that are ordinary words as well: they count when written as names. */
export const everydayBrands = new Set(['apple', 'linear', 'notion', 'stripe', 'matrix', 'marvel', 'google', 'mario', 'party']);

const possessive = /^(?:his|her|its|their|seine?n?|ihre?n?|son|sa|ses|leurs?|sus?)$/;
const beginsPhrase = new Set<Meaning['kind']>(['subject', 'color', 'size', 'number', 'shade', 'unknown', 'scenery', 'textNoun']);

/** A word that means several things is settled by its neighbours. The first rule that answers wins. */
const rules: readonly Rule[] = [
  // "Her brother", "its wings": whose it is says nothing here.
  ({ meaning, text }, { after }) =>
    meaning.kind === 'pronoun' && possessive.test(fold(text)) && after !== undefined && beginsPhrase.has(after.meaning.kind)
      ? { kind: 'article', definite: false }
      : null,
  // "The dog takes it", "takes 5 seconds".
  ({ meaning }, { after }) =>
    meaning.kind === 'total' && (after?.meaning.kind === 'pronoun' || after?.meaning.kind === 'article')
      ? { kind: 'unknown' }
      : null,
  // "Coins rain into a box".
  ({ meaning }, { before, after }) =>
    meaning.kind === 'subject' &&
    meaning.ref.kind === 'particles' &&
    before?.meaning.kind === 'subject' &&
    before.meaning.plural &&
    after !== undefined &&
    !isEdge(after) &&
    after.meaning.kind !== 'and'
      ? { kind: 'motion', motion: 'drop', direction: null, participle: false }
      : null,
  // "in 8 seconds, square": alone between commas it is the format.
  ({ meaning, text }, { before, after, run }) =>
    isShape(meaning, 'square') &&
    fold(text) === 'square' &&
    run.length === 0 &&
    isEdge(before) &&
    isEdge(after) &&
    (before !== undefined || after !== undefined)
      ? { kind: 'aspect', aspect: '1:1' }
      : null,
  ({ meaning, text }, { after }) =>
    isShape(meaning, 'square') && fold(text) === 'square' && (after?.meaning.kind === 'whole' || after?.text === 'format')
      ? { kind: 'aspect', aspect: '1:1' }
      : null,
  // "stars" twinkle all over the place; "five stars" and "gold stars" are things.
  ({ meaning }, { run }) =>
    isShape(meaning, 'star') &&
    meaning.kind === 'subject' &&
    meaning.plural &&
    !run.some(
      ({ meaning: { kind } }) =>
        kind === 'number' || kind === 'color' || kind === 'another' || kind === 'rainbow' || kind === 'formation',
    )
      ? { kind: 'subject', ref: { kind: 'particles', preset: 'stars' }, plural: true }
      : null,
  // "a moon circles a planet".
  ({ meaning, text }, { before }) =>
    isShape(meaning, 'circle') && /^circl/.test(fold(text)) && before?.meaning.kind === 'subject'
      ? { kind: 'subject', ref: { kind: 'orbit' }, plural: false }
      : null,
  // "A bell rings", "the alien waves": behind who does it.
  ({ meaning, text }, { before }) => {
    if (meaning.kind !== 'subject' || !meaning.plural || before?.meaning.kind !== 'subject') return null;
    const verb = verbOf(fold(text));
    return verb === null ? null : { kind: 'motion', motion: 'act', direction: null, ...verb };
  },
  // "the ball leaves".
  ({ meaning, text }, { before }) =>
    meaning.kind === 'subject' && fold(text) === 'leaves' && before?.meaning.kind === 'subject' ? { kind: 'filler' } : null,
  // "the second scene": seconds have been joined with their numbers before.
  ({ meaning, text }) =>
    meaning.kind === 'unit' && /^second$|^segundo$|^seconde$/.test(fold(text)) ? { kind: 'ordinal', value: 2 } : null,
  ({ meaning, text }, { before }) =>
    meaning.kind === 'style' &&
    meaning.source === 'implied' &&
    everydayBrands.has(text) &&
    before?.text !== 'like' &&
    text !== 'party'
      ? { kind: 'unknown' }
      : null,
  // Figures that nothing counts, and single letters that only are units behind a number.
  ({ meaning, text }) => (meaning.kind === 'unit' ? (text.length <= 2 ? { kind: 'filler' } : { kind: 'unknown' }) : null),
];

const inRun = new Set<Meaning['kind']>([
  'formation',
  'article',
  'number',
  'color',
  'shade',
  'size',
  'another',
  'rainbow',
  'amount',
  'speed',
]);

/** No noun phrase has more words in front than this; it keeps the work linear. */
const maxRun = 8;

/** Settles words of several meanings by what stands around them. */
export function disambiguate(lexemes: readonly Lexeme[]): Lexeme[] {
  return lexemes.map((lexeme, i) => {
    const run: Lexeme[] = [];
    for (let at = i - 1; at >= Math.max(0, i - maxRun); at -= 1) {
      const before = lexemes[at];
      if (before === undefined || !inRun.has(before.meaning.kind)) break;
      run.push(before);
    }
    const context = { before: lexemes[i - 1], after: lexemes[i + 1], run };
    for (const rule of rules) {
      const meaning = rule(lexeme, context);
      if (meaning !== null) return { ...lexeme, meaning };
    }
    return lexeme;
  });
}
