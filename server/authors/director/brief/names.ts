import { fold } from './fold.ts';
import { addText } from './heads.ts';
import { senseOf } from './lexemes.ts';
import type { State } from './state.ts';
import { unquoted } from './texts.ts';

/** Films that are made for somebody, whose name they show. */
const occasions = new Set(
  'intro outro opener trailer teaser promo ad advert commercial banner invitation bumper ident launch vorspann abspann werbung einladung generique publicite annonce anuncio invitacion presentacion'.split(
    ' ',
  ),
);
const introductions = new Set(['for', 'fuer', 'pour', 'para']);

/** How many words may stand between "for" and a name: "for our little bakery Sweet Dreams". */
const maxBetween = 3;

/** Whether the word at `at` stands behind "for", with nothing between them but small words, or behind "logo:". */
function isIntroduced({ lexemes }: State, at: number): boolean {
  const before = lexemes[at - 1]?.meaning;
  if (before?.kind === 'mark' && before.mark === 'colon') return true;
  for (let i = at - 1; i >= Math.max(0, at - 1 - maxBetween); i -= 1) {
    const lexeme = lexemes[i];
    if (lexeme === undefined) return false;
    if (introductions.has(fold(lexeme.text))) return true;
    const small = ['article', 'filler', 'unknown', 'size'].includes(lexeme.meaning.kind) && /^\p{Ll}/u.test(lexeme.text);
    if (!small) return false;
  }
  return false;
}

/**
 * "A logo reveal for Northwind Coffee": the name is a title, although nobody put it into quotes. Answers where
 * reading goes on; null when the word at `at` begins no name, or the words of the film are given in quotes.
 */
export function readName(state: State, at: number): number | null {
  const { lexemes } = state;
  if (state.negated || !/^\p{Lu}/u.test(lexemes[at]?.text ?? '') || !isIntroduced(state, at)) return null;
  if (state.clauses.some(({ texts }) => texts.length > 0)) return null;
  const quotes = lexemes.flatMap(({ meaning }) => (meaning.kind === 'quote' ? [meaning.text.toLowerCase()] : []));
  const isLogo = lexemes.some((lexeme) => senseOf(lexeme, 'subject')?.ref.kind === 'logo');
  const forSomebody = isLogo || (quotes.length === 0 && lexemes.some(({ text }) => occasions.has(fold(text))));
  const wording = forSomebody ? unquoted(state, at, false) : null;
  // A logo has its name and, in quotes, what it says; where the quotes say the name it is there already.
  if (wording === null || quotes.some((quote) => quote.includes(wording.text.toLowerCase()))) return null;
  // "for my channel …": what is named is spent with its name.
  const before = lexemes[at - 1];
  if (before?.meaning.kind === 'unknown') state.unknown.splice(state.unknown.lastIndexOf(before.text), 1);
  state.unknownNoun = null;
  addText(state, wording.text, 'title');
  return wording.end;
}
