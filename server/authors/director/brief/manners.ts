import type { MotionType, TextManner } from '../../../contract/film.ts';
import type { TextWish } from './brief.ts';
import { fold } from './fold.ts';
import { type Lexeme, type Meaning, senseOf } from './lexemes.ts';
import type { Entrance } from './sense.ts';
import type { State } from './state.ts';
import { verbOf } from './verbs.ts';

const between = new Set<Meaning['kind']>(['article', 'filler', 'size', 'color', 'shade', 'manner', 'style', 'in', 'on']);
/** How far a word about a text may stand in front of it. */
const reach = 4;

/** Whether words that are to be read come right behind: "a typed 'Hello'", "types the word …". */
function isTextAhead({ lexemes }: State, at: number): boolean {
  for (let i = at + 1; i <= at + reach; i += 1) {
    const kind = lexemes[i]?.meaning.kind;
    if (kind === 'quote' || kind === 'textNoun' || kind === 'greeting') return true;
    if (kind === undefined || !between.has(kind)) return false;
  }
  return false;
}

/** The text that something is said about, when it is said about a text: the one in focus, or the last one that was read. */
function textMeant(state: State, lexeme: Lexeme): TextWish | null {
  const { focus, clause } = state;
  if (focus?.type === 'text') return focus;
  if (focus?.type === 'subject' && verbOf(fold(lexeme.text)) !== null) return null;
  // What can be said of things as well is said of the thing that was named last.
  if (lexeme.meaning.kind !== 'manner' && (focus?.type === 'subject' || clause.subjects.length > 0)) return null;
  const own = clause.texts.at(-1);
  if (own !== undefined || clause.subjects.length > 0) return own ?? null;
  const before = state.clauses.findLast((one) => one !== clause && one.texts.length + one.subjects.length > 0);
  return lexeme.meaning.kind === 'manner' || before?.subjects.length === 0 ? (before?.texts.at(-1) ?? null) : null;
}

const isDark = (manner: TextManner, text: string): boolean =>
  (manner.entrance === 'flicker' && /neon|leucht/.test(fold(text))) || manner.face === 'mono';

/** What a text does: its entrance, its emphasis, its exit. False when the word is about something else. */
export function readManner(state: State, at: number, lexeme: Lexeme): boolean {
  const manner = senseOf(lexeme, 'manner')?.manner;
  if (manner === undefined || state.negated) return false;
  // "A cube spins under the title": what things do as well is done by the thing that was named.
  const isDeed = lexeme.meaning.kind !== 'manner' && state.focus?.type === 'subject';
  const ahead = !isDeed && isTextAhead(state, at) && !(state.focus?.type === 'text' && state.focus.text !== null);
  const text = ahead ? null : textMeant(state, lexeme);
  if (text === null && !ahead) {
    if (lexeme.meaning.kind !== 'manner') return false;
    // "The candle flickers": what a text would do as its manner is what a thing does by its verb.
    if (state.focus?.type === 'subject' && verbOf(fold(lexeme.text)) !== null) return false;
    if (state.focus?.type === 'subject' || Object.keys(manner).length === 0) state.unknown.push(lexeme.text);
  }
  if (isDark(manner, lexeme.text)) state.wantsDark = true;
  if (text !== null) text.manner = { ...text.manner, ...manner };
  else state.mods.manner = { ...state.mods.manner, ...manner };
  state.unknownNoun = null;
  state.details += 1;
  return true;
}

/** A text that is told to do what things do comes in this way. */
export const entranceOfMotion: Readonly<Record<MotionType, Entrance>> = {
  act: 'slide',
  bounce: 'pop',
  roll: 'slide',
  slide: 'slide',
  spin: 'letters',
  float: 'rise',
  pulse: 'pop',
  grow: 'pop',
  shrink: 'fade',
  drop: 'letters',
  jump: 'pop',
  swing: 'letters',
  explode: 'pop',
  fly: 'slide',
  appear: 'fade',
};

/** What stands between two texts of which one turns into the other. */
const turning =
  /^(?:chang|turn|transform|morph|becom|switch|werd|wird|verwandel|wechsel|devien|se transform|transforme|convier|cambia|pasa|replaced)/;

/** "'old' changes to 'new'": the text at `at` is what the one before turns into. */
export function turnedInto(state: State, at: number, words: string): boolean {
  const { focus, lexemes } = state;
  const from = focus?.type === 'text' ? focus : state.clause.texts.at(-1);
  if (from === undefined || from.text === null) return false;
  for (let i = at - 1; i >= Math.max(0, at - 1 - reach); i -= 1) {
    const lexeme = lexemes[i];
    if (lexeme === undefined || lexeme.meaning.kind === 'mark' || lexeme.meaning.kind === 'quote') return false;
    if (!turning.test(fold(lexeme.text))) continue;
    from.manner = { ...from.manner, becomes: words };
    const last = state.unknown.lastIndexOf(lexeme.text);
    if (last >= 0) state.unknown.splice(last, 1);
    return true;
  }
  return false;
}

/** The slots of a text as somebody wanted them, with what follows from them: words one after another need a way to come. */
export function mannered({ by, ...manner }: TextManner): TextManner {
  const { entrance, from, face } = manner;
  const comes =
    entrance ??
    (from !== undefined
      ? 'slide'
      : by === 'letters'
        ? 'letters'
        : by === 'words'
          ? 'rise'
          : face === 'mono'
            ? 'typewriter'
            : undefined);
  const fades = by === 'letters' && (comes === 'fade' || comes === 'rise');
  const parts = by === undefined || fades || (by === 'letters' && (comes === 'letters' || comes === 'typewriter')) ? {} : { by };
  return { ...manner, ...(comes === undefined ? {} : { entrance: fades ? 'letters' : comes }), ...parts };
}
