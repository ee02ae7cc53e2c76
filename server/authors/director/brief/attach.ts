import { fold } from './fold.ts';
import { addText, figure, openBackground } from './heads.ts';
import type { Lexeme } from './lexemes.ts';
import { headAhead, previous, type State } from './state.ts';

/** Verbs of change in front of a colour, folded; as `turn` they would spin, as `go` cross the frame. */
const changes =
  /^(?:turn(?:s|ing|ed)?|becom(?:e|es|ing)|go(?:es)?|chang(?:e|es|ing|ed)|fad(?:e|es|ing)|switch(?:es)?|wird|werden|faerbt|wechselt|verwandelt|devient|deviennent|passe|vire|change|cambia|vuelve|pasa)\b/;
const fromWords = new Set(['from', 'von', 'vom', 'de', 'du']);
const toWords = new Set(['to', 'into', 'zu', 'nach', 'in', 'au', 'a']);
/** How far the verb may stand in front of the colour. */
const changeReach = 6;

/** "Turns red", "goes from red to green": true when the colour is one that something turns. */
function readChange(state: State, hex: string, at: number): boolean {
  const subject = state.focus?.type === 'subject' ? state.focus : state.moved.findLast((head) => head.type === 'subject');
  if (subject?.type !== 'subject') return false;
  let verb = -1;
  for (let i = at - 1; i >= Math.max(0, at - changeReach) && verb < 0; i -= 1) {
    const lexeme = state.lexemes[i];
    const text = fold(lexeme?.text ?? '');
    if (changes.test(text)) verb = i;
    else if (!fromWords.has(text) && !toWords.has(text) && lexeme?.meaning.kind !== 'color' && lexeme?.meaning.kind !== 'article')
      return false;
  }
  if (verb < 0) return false;
  // The verb is spent with its colour.
  const told = state.unknown.lastIndexOf(state.lexemes[verb]?.text ?? '');
  if (told >= 0) state.unknown.splice(told, 1);
  const last = fold(state.lexemes[at - 1]?.text ?? '');
  if (fromWords.has(last)) subject.color = hex;
  else {
    if (subject.becomes !== null) subject.color = subject.becomes;
    subject.becomes = hex;
  }
  const { motion } = subject;
  if (motion?.type === 'act' ? changes.test(motion.act?.verb ?? '') : motion?.type === 'spin' && motion.turns === null)
    subject.motion = null;
  return true;
}

export function readColor(state: State, hex: string, at: number): void {
  const before = previous(state, at);
  const { focus } = state;
  state.details += 1;
  if (headAhead(state, at) === null && readChange(state, hex, at)) return;
  if (focus?.type === 'background' && headAhead(state, at) === null) {
    focus.colors.push(hex);
    return;
  }
  const ahead = headAhead(state, at);
  if (ahead !== null || focus === null || focus.type === 'camera') {
    // "… on dark blue": a ground needs no noun.
    if (ahead === null && before?.meaning.kind === 'on') groundOf(state, hex);
    else state.mods.colors.push(hex);
    return;
  }
  if (before?.meaning.kind === 'on') {
    groundOf(state, hex);
    return;
  }
  if (focus.type === 'background') return;
  if (focus.type === 'text') {
    focus.color = hex;
    return;
  }
  const listing =
    before?.meaning.kind === 'and' ||
    (state.lexemes[at - 1]?.meaning.kind === 'mark' && state.lexemes[at - 2]?.meaning.kind === 'color');
  if (listing && focus.color !== null) focus.colors = [...(focus.colors.length > 0 ? focus.colors : [focus.color]), hex];
  else focus.color = hex;
}

function groundOf(state: State, hex: string): void {
  openBackground(state);
  if (state.focus?.type === 'background') state.focus.colors.push(hex);
}

export function readSize(state: State, factor: number, at: number): void {
  const { focus } = state;
  if (headAhead(state, at) === null && focus !== null && (focus.type === 'subject' || focus.type === 'text')) focus.size = factor;
  else state.mods.size = factor;
}

export function readNumber(state: State, value: number, at: number, lexeme: Lexeme): number | undefined {
  const counted = figure(state, at, lexeme);
  if (counted !== null) return counted;
  // "the number 42" is to be seen.
  if (isNumberWord(state.lexemes[at - 1]) && headAhead(state, at) === null) {
    addText(state, lexeme.text, 'title');
    return undefined;
  }
  const next = state.lexemes[at + 1]?.meaning;
  const whole = Math.round(value);
  state.mods.opened = true;
  if (next?.kind === 'motion' && !next.participle) state.mods.times = whole;
  else if (headAhead(state, at) !== null) state.mods.count = whole;
  else if (state.focus?.type === 'subject' && state.focus.count === null && previous(state, at)?.meaning.kind === 'mark')
    state.focus.count = null;
  else state.mods.count = whole;
  return undefined;
}

export function readUnknown(state: State, at: number, lexeme: Lexeme): void {
  state.unknown.push(lexeme.text);
  const before = state.lexemes[at - 1];
  const starts =
    before === undefined ||
    ['article', 'number', 'color', 'size', 'unknown', 'shade', 'mark', 'amount', 'another', 'and'].includes(before.meaning.kind);
  // An unknown noun stands where a thing would: behind an article, or at the head of the phrase.
  const isAdjective = state.lexemes[at + 1]?.meaning.kind === 'scenery';
  if (starts && !isAdjective && headAhead(state, at) === null) state.unknownNoun = lexeme.text;
}

const maxHeadingWords = 4;

const numberWords = new Set(['number', 'zahl', 'nummer', 'nombre', 'chiffre', 'numero']);
const isNumberWord = (before: Lexeme | undefined): boolean => before !== undefined && numberWords.has(fold(before.text));

/** "Chart of monthly sales": the words behind the chart. */
function wordsBehind({ lexemes }: State, at: number): { readonly words: readonly string[]; readonly end: number } {
  const link = lexemes[at + 1];
  const words: string[] = [];
  let end = at + 2;
  if (link === undefined || !['of', 'about', 'showing', 'for', 'our', 'von', 'de'].includes(link.text.toLowerCase()))
    return { words, end: at + 1 };
  for (let next = lexemes[end]; next !== undefined && words.length < maxHeadingWords; next = lexemes[end]) {
    const small = next.meaning.kind === 'article' || ['our', 'my', 'the'].includes(next.text.toLowerCase());
    const named = next.meaning.kind === 'unknown' || (next.meaning.kind === 'subject' && next.meaning.ref.kind === 'figure');
    if (!named && !small) break;
    if (!small) words.push(next.text);
    end += 1;
  }
  return { words, end };
}

/**
 * "Growth chart", "chart of sales": the words next to it name the chart, unless a text in quotes does. Answers where
 * reading goes on.
 */
export function headChart(state: State, at: number): number | undefined {
  const before = state.lexemes[at - 1];
  if (state.negated || state.lexemes.some((lexeme) => lexeme.meaning.kind === 'quote')) return undefined;
  const behind = wordsBehind(state, at);
  const isNamed = before?.meaning.kind === 'unknown';
  const heading = isNamed ? before.text : behind.words.join(' ');
  if (heading === '') return undefined;
  const { focus, group } = state;
  addText(state, heading.charAt(0).toUpperCase() + heading.slice(1), null);
  if (isNamed) state.unknown.splice(state.unknown.lastIndexOf(heading), 1);
  state.focus = focus;
  state.group = group.filter((head) => head.type === 'subject');
  return isNamed ? undefined : behind.end;
}

export function endOfPhrase(state: State): void {
  state.negated = false;
  state.unknownNoun = null;
  state.labelPending = false;
}
