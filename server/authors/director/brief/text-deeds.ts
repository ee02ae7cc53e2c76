import type { MeetingVerb, TextMeeting } from '../../../contract/film.ts';
import { drawingOf } from '../drawings.ts';
import { programOf } from '../programs.ts';
import type { SubjectWish, TextWish } from './brief.ts';
import { fold } from './fold.ts';
import { type Lexeme, type Meaning, senseOf } from './lexemes.ts';
import { nounOf } from './nouns.ts';
import { headAhead, objectBehind, type State } from './state.ts';
import { deedVerb, verbOf } from './verbs.ts';

const byMeeting: Readonly<Partial<Record<MeetingVerb, TextMeeting>>> = {
  push: 'pushed',
  kick: 'pushed',
  pull: 'pulled',
  chase: 'pulled',
  ride: 'pulled',
  carry: 'carried',
  lift: 'carried',
  throw: 'carried',
  embrace: 'carried',
  eat: 'wiped',
};
const byEffect: Readonly<Record<string, TextMeeting>> = {
  sprout: 'written',
  sparkle: 'wiped',
  'fade-out': 'wiped',
  'blow-away': 'wiped',
};
const stamps = /^(?:stamp|print|press|stempel|drueck|tamponn|imprim|estamp|sell)/;
const spells = /^(?:form|spell|assemble|make up|become|gather|bild|ergeb|form|deletre)/;
const rubs = /^(?:rub|radier|wisch|gomm|effac|borr)/;

const meetingOf = (lexeme: Lexeme): MeetingVerb | undefined => senseOf(lexeme, 'meeting')?.verb;

/** What somebody does to words by this verb; null when it is nothing that can be seen. */
function howOf(lexeme: Lexeme, { language }: State): TextMeeting | null {
  const key = fold(lexeme.text);
  const [word = ''] = key.split(' ');
  if (stamps.test(key)) return 'stamped';
  if (spells.test(key)) return 'made';
  const manner = senseOf(lexeme, 'manner')?.manner;
  if (manner?.exit !== undefined || rubs.test(key)) return 'wiped';
  if (manner?.entrance === 'pieces' || manner?.entrance === 'particles') return 'made';
  const met = meetingOf(lexeme);
  const known = deedVerb(word, language)?.deed;
  const own = verbOf(word, language)?.act.program;
  return (
    (met === undefined ? undefined : byMeeting[met]) ??
    byEffect[own ?? ''] ??
    (known === undefined ? undefined : (byEffect[known.effect ?? ''] ?? byMeeting[known.verb])) ??
    null
  );
}

const between = new Set<Meaning['kind']>(['article', 'filler', 'size', 'color', 'shade', 'direction', 'unknown', 'manner']);
const reach = 4;

/** Whether words that are to be read stand behind the verb at `at`, with nothing between that it could be done to. */
function isTextBehind({ lexemes }: State, at: number): boolean {
  for (let i = at + 1; i <= at + reach; i += 1) {
    const meaning = lexemes[i]?.meaning;
    if (meaning?.kind === 'quote' || meaning?.kind === 'greeting') return true;
    if (meaning?.kind === 'textNoun') return !meaning.saying;
    if (meaning === undefined || !between.has(meaning.kind)) return false;
  }
  return false;
}

const isActor = (head: State['group'][number]): head is SubjectWish =>
  head.type === 'subject' && ['ball', 'cube', 'shape', 'figure', 'logo', 'wave'].includes(head.ref.kind);

const agents = new Set(['by', 'with', 'from', 'of', 'von', 'vom', 'mit', 'aus', 'par', 'avec', 'de', 'por', 'con']);

/** Whether who does it, or what it is done with, stands behind: "is rubbed out by an eraser", "assembled from pieces". */
function isAgentBehind(state: State, at: number): boolean {
  const said = `${state.lexemes[at - 1]?.text ?? ''} ${state.lexemes[at]?.text ?? ''}`;
  if (state.language === 'en' && !/\b(?:is|are|gets?|was|being|been)\b/i.test(said)) return false;
  for (let i = at + 1; i <= at + reach; i += 1) {
    const lexeme = state.lexemes[i];
    if (lexeme === undefined || lexeme.meaning.kind === 'mark') return false;
    if (agents.has(fold(lexeme.text))) {
      const next = state.lexemes[i + 1];
      const head = next?.meaning.kind === 'subject' ? next : headAhead(state, i);
      return head?.meaning.kind === 'subject' && head.meaning.ref.kind !== 'particles';
    }
  }
  return false;
}

const mostPieces = 12;
const contacts = new Set<MeetingVerb>(['hit', 'knock', 'land-on', 'collide', 'bounce-off', 'kick']);

/** What becomes of a thing that words fall on: the verb's own program, or what it does to an object. */
function effectOf(lexeme: Lexeme, { language }: State): { readonly effect?: string } | null {
  const met = meetingOf(lexeme);
  if (met !== undefined) return contacts.has(met) ? (met === 'knock' ? { effect: 'topple' } : {}) : null;
  const key = fold(lexeme.text);
  const own = verbOf(key, language)?.act.program;
  if (own !== undefined && programOf(own).way === 'stay' && own !== 'work') return { effect: own };
  const known = deedVerb(key, language)?.deed;
  return known?.verb === 'do' && known.effect !== undefined && !(known.effect in byEffect) ? { effect: known.effect } : null;
}

const verbs = new Set<Meaning['kind']>(['motion', 'meeting', 'manner', 'textNoun', 'filler', 'unknown', 'technique']);
/** "Eight stars form the name": behind who does it a noun is a verb. */
const isVerbByPlace = (state: State, at: number, { text, meaning }: Lexeme): boolean =>
  meaning.kind === 'subject' && spells.test(fold(text)) && state.lexemes[at - 1]?.meaning.kind === 'subject';

/** "Falls on a car and crushes it": what becomes of whom the words have met already. */
function crushes(state: State, at: number, lexeme: Lexeme): boolean {
  const met = state.clause.texts.findLast((text) => text.met?.how === 'lands')?.met;
  if (met == null || state.focus !== met.thing || state.lexemes[at + 1]?.meaning.kind !== 'pronoun') return false;
  const effect = effectOf(lexeme, state);
  if (effect === null) return false;
  Object.assign(met, effect);
  return true;
}

/**
 * "A pen writes APPROVED", "the name is washed away by a wave", "50% OFF squashes the shoes": a verb between words that are to be
 * read and a thing. False when it is about something else.
 */
export function readTextDeed(state: State, at: number, lexeme: Lexeme): boolean {
  if (state.negated || !(verbs.has(lexeme.meaning.kind) || isVerbByPlace(state, at, lexeme))) return false;
  if (crushes(state, at, lexeme)) return true;
  const { focus } = state;
  const text = focus?.type === 'text' && focus.text !== null ? focus : null;
  if (text === null) {
    const thing = [...state.moved, ...state.group].findLast(isActor);
    if (thing === undefined || (lexeme.meaning.kind === 'textNoun' && !/^(?:writ|schreib|écri|escri)/.test(fold(lexeme.text))))
      return false;
    const how = isTextBehind(state, at) ? howOf(lexeme, state) : null;
    if (how === null) return false;
    state.textDeed = { how, thing, text: null };
    state.group = state.group.filter((head) => head !== thing);
    state.moved = [thing];
    return true;
  }
  if (isAgentBehind(state, at)) {
    const how = howOf(lexeme, state);
    if (how === null) return false;
    state.textDeed = { how, thing: null, text };
    return true;
  }
  const tells = state.language !== 'en' || /s$/.test(fold(lexeme.text).split(' ')[0] ?? '');
  if (!tells || !objectBehind(state, at)) return false;
  const effect = effectOf(lexeme, state);
  if (effect === null) return false;
  state.textDeed = { how: 'lands', ...effect, thing: null, text };
  return true;
}

/** The text, or the thing, that a verb waited for. */
export function meetsText(state: State, head: SubjectWish | TextWish): void {
  const { textDeed } = state;
  if (textDeed === null) return;
  const text = textDeed.text ?? (head.type === 'text' ? head : null);
  const thing = textDeed.thing ?? (head.type === 'subject' ? head : null);
  if (text === null || thing === null || !isActor(thing)) return;
  state.textDeed = null;
  const { how, effect } = textDeed;
  // The kit's waves are a whole sea: one that does something is a body.
  const wave = thing.ref.kind === 'wave' ? nounOf('tide', 'en') : null;
  if (wave !== null) {
    const { drawing, noun, relative } = wave;
    thing.ref = { kind: 'figure', drawing, noun, relative, color: drawingOf(drawing).color };
  }
  // A piece for each letter, where nobody says how many.
  if (how === 'made' && thing.plural) thing.count ??= Math.min(mostPieces, [...(text.text ?? '')].length);
  thing.motion = null;
  text.met = { thing, how, ...(effect === undefined ? {} : { effect }) };
  state.group = state.group.filter((other) => other !== thing);
}
