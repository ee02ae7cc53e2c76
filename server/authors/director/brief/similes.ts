import { fold } from './fold.ts';
import { type Lexeme, lexeme, type Meaning } from './lexemes.ts';

const like = new Set(['like', 'wie', 'comme', 'como']);
/** What something looks like is what is to be seen. */
const looks =
  /^(?:looks?|looking|shaped|shapes?|forms?|formed|drawn|dressed|made|is|are|sieht|aussieht|geformt|ressemble|forme|parece|forma)$/;
/** A simile says how something is done, so it stands behind a verb, or behind where that leads. */
const deeds = new Set<Meaning['kind']>(['motion', 'manner', 'direction', 'meeting', 'speed', 'repeat', 'inTurn', 'quote']);
const inPhrase = new Set<Meaning['kind']>(['article', 'color', 'shade', 'size', 'speed', 'number', 'style', 'unknown', 'filler']);
const maxWords = 6;

/** Where a noun phrase that begins at `start` ends; null when there is none. */
function endOfNoun(lexemes: readonly Lexeme[], start: number): number | null {
  for (let at = start; at < Math.min(lexemes.length, start + maxWords); at += 1) {
    const kind = lexemes[at]?.meaning.kind;
    if (kind === undefined || (!inPhrase.has(kind) && kind !== 'subject')) return null;
    if (kind === 'subject') return lexemes[at + 1]?.meaning.kind === 'subject' ? at + 2 : at + 1;
  }
  return null;
}

/** "Flips up like a shop sign", "stretches like warm toffee": what something is done like is not in the film. */
export function withoutSimiles(lexemes: readonly Lexeme[]): Lexeme[] {
  const kept: Lexeme[] = [];
  for (let at = 0; at < lexemes.length; at += 1) {
    const one = lexemes[at];
    if (one === undefined) break;
    const before = kept.at(-1);
    const end =
      like.has(fold(one.text)) && before !== undefined && deeds.has(before.meaning.kind) && !looks.test(fold(before.text))
        ? endOfNoun(lexemes, at + 1)
        : null;
    if (end === null) kept.push(one);
    else {
      const said = lexemes.slice(at, end).map(({ text }) => text);
      kept.push(lexeme({ kind: 'filler' }, said.join(' ')));
      at = end - 1;
    }
  }
  return kept;
}
