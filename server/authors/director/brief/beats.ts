import { fold } from './fold.ts';
import type { Lexeme } from './lexemes.ts';
import { beginClause, type State } from './state.ts';
import { deedVerb, verbOf } from './verbs.ts';

/** How long a noun phrase may be before its verb, in lexemes. */
const phraseReach = 7;

/** What happens at the same time is no next beat. Folded. */
const meanwhile = new Set(
  'while as whereas when with waehrend wobei indem pendant tandis quand lorsque mientras cuando'.split(' '),
);
const insidePhrase = new Set([
  'article',
  'number',
  'color',
  'size',
  'shade',
  'ordinal',
  'another',
  'amount',
  'formation',
  'unknown',
]);
const things = new Set(['ball', 'cube', 'shape']);
const joining = new Set(['and', 'then']);

/** A verb in a finite form: "runs", "open", and not "running". */
function isFiniteVerb({ meaning, text }: Lexeme, { language }: State): boolean {
  const key = fold(text);
  if (meaning.kind === 'meeting') return !/ing$/.test(key);
  if (meaning.kind === 'motion') return !meaning.participle && !/ing$/.test(key);
  if (!['unknown', 'filler', 'manner'].includes(meaning.kind) || (language === 'en' && /ing$|ed$/.test(key))) return false;
  return verbOf(key, language) !== null || deedVerb(key, language) !== null;
}

/** Whether a clause of its own begins at `at`: somebody, and what they do. */
function beginsStory(state: State, at: number, anybody: boolean): boolean {
  let start = at;
  while (joining.has(state.lexemes[start]?.meaning.kind ?? '')) {
    if (meanwhile.has(fold(state.lexemes[start]?.text ?? '').split(' ')[0] ?? '')) return false;
    start += 1;
  }
  let someone = false;
  for (let i = start; i < Math.min(state.lexemes.length, start + phraseReach); i += 1) {
    const lexeme = state.lexemes[i];
    if (lexeme === undefined || meanwhile.has(fold(lexeme.text))) return false;
    const { meaning } = lexeme;
    if (someone && isFiniteVerb(lexeme, state)) return true;
    if (meaning.kind === 'subject') {
      if (someone || !(meaning.ref.kind === 'figure' || (anybody && things.has(meaning.ref.kind)))) return false;
      someone = true;
    } else if (meaning.kind === 'pronoun') someone = true;
    else if (!insidePhrase.has(meaning.kind) && !(someone && meaning.kind === 'filler')) return false;
  }
  return false;
}

/** Whether something has happened in the clause: then what the next one does comes after it. */
const hasHappened = ({ clause }: State): boolean =>
  clause.meetings.length > 0 || clause.subjects.some(({ motion }) => motion !== null && motion.type !== 'appear');

/**
 * "A dog barks, the cat runs away", "… until the cat wakes up": a story goes on with the next beat where somebody else does
 * something. `follows`: a word has said so. Solids on a plain ground move together unless it has. False where the clause goes on.
 */
export function nextBeat(state: State, at: number, { follows }: { readonly follows: boolean }): boolean {
  const isStory = follows || state.clause.subjects.some(({ ref }) => ref.kind === 'figure');
  if (!hasHappened(state) || !beginsStory(state, at, isStory)) return false;
  beginClause(state, true);
  return true;
}
