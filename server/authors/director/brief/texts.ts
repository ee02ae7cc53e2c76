import { fold } from './fold.ts';
import type { Lexeme, Meaning } from './lexemes.ts';
import type { State } from './state.ts';

const ends = new Set<Meaning['kind']>(['then', 'quote', 'duration', 'bars', 'ratio', 'whole', 'aspect']);
const connectors = new Set<Meaning['kind']>(['in', 'on', 'and', 'filler', 'from', 'for', 'to']);
const wishes = new Set<Meaning['kind']>([
  'color',
  'shade',
  'rainbow',
  'background',
  'scenery',
  'style',
  'aspect',
  'duration',
  'subject',
  'textNoun',
  'size',
  'motion',
  'direction',
  'place',
  'camera',
  'scene',
  'manner',
  'not',
]);
const maxWords = 14;

const isCapital = (text: string): boolean => /^\p{Lu}/u.test(text);

/** Whether a text can begin with it: "the title to Summer sale", not "the title to the left". */
export const opensText = ({ meaning: { kind }, text }: Lexeme): boolean =>
  isCapital(text) || !(wishes.has(kind) || ['action', 'speed', 'height', 'article', 'rainbow', 'style'].includes(kind));

/** "… in gold", "… on a blue background", "… and a cube": the words after a text that are about it, not of it. */
function startsWish(lexemes: readonly Lexeme[], at: number): boolean {
  const kind = lexemes[at]?.meaning.kind;
  if (kind === undefined || !connectors.has(kind)) return false;
  const next = lexemes[at + 1];
  const after = next?.meaning.kind === 'article' ? lexemes[at + 2] : next;
  return after !== undefined && wishes.has(after.meaning.kind) && (!isCapital(after.text) || next?.meaning.kind === 'article');
}

export interface Wording {
  readonly text: string;
  readonly end: number;
}

/**
 * Words of a text without quotes, from `start`: all to the end of the phrase after "saying" or a colon, otherwise
 * only the words that look like a name (capitals).
 */
export function unquoted(state: Pick<State, 'lexemes' | 'language'>, start: number, open: boolean): Wording | null {
  const { lexemes } = state;
  const words: string[] = [];
  let at = start;
  for (; at < lexemes.length && words.length < maxWords; at += 1) {
    const lexeme = lexemes[at];
    if (lexeme === undefined || lexeme.meaning.kind === 'mark' || ends.has(lexeme.meaning.kind)) break;
    if (startsWish(lexemes, at)) break;
    const named =
      isCapital(lexeme.text) ||
      /^\d/.test(lexeme.text) ||
      (words.length > 0 &&
        ['of', 'the', 'and', 'in', 'to', 'a', 'for'].includes(fold(lexeme.text)) &&
        isCapital(lexemes[at + 1]?.text ?? ''));
    if (!open && !named) break;
    if (
      open &&
      words.length > 0 &&
      lexeme.meaning.kind === 'motion' &&
      !named &&
      state.language === 'en' &&
      /s$/.test(lexeme.text)
    )
      break;
    words.push(lexeme.text);
  }
  return words.length === 0 ? null : { text: words.join(' '), end: at };
}
