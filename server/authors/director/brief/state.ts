import type { Style } from '../../../contract/film.ts';
import type { BackgroundWish, Clause, MeetingWish, PlaceWish, SubjectWish, TextDeedWish, TextWish } from './brief.ts';
import { fold } from './fold.ts';
import type { Lexeme, Meaning } from './lexemes.ts';
import type { Language, StyleSource, SubjectRef } from './sense.ts';
import type { BriefAsset } from './uploads.ts';
import { type Modifiers, newClause, noModifiers } from './wishes.ts';

export type Head = SubjectWish | TextWish | BackgroundWish | { readonly type: 'camera' };

/** A noun as it was said, wanted or not. */
export interface Mention {
  readonly ref: SubjectRef;
  readonly plural: boolean;
  /** What was said in front of it. */
  readonly mods: Modifiers;
  /** What is asked of it in the whole clause; null where it is not wanted. */
  readonly wish: SubjectWish | null;
}

/** What the reader of clauses knows at a position in the text. */
export interface State {
  readonly lexemes: readonly Lexeme[];
  readonly language: Language;
  readonly clauses: Clause[];
  clause: Clause;
  /** The lexemes that were read each by itself; what others took with them is not among them. */
  readonly read: Lexeme[];
  readonly mentions: Mention[];
  mods: Modifiers;
  focus: Head | null;
  /** Heads that wait for a motion: "a ball and a cube [bounce]". */
  group: (SubjectWish | TextWish)[];
  /** Things behind a preposition: "on a boat", "with candles". They are where and with what, and do nothing themselves. */
  readonly oblique: Set<SubjectWish>;
  /** Heads that got the last motion of the clause. */
  moved: (SubjectWish | TextWish)[];
  /** A verb that waits for the one to whom it is done. */
  meeting: MeetingWish | null;
  /** A verb between a text and a thing that waits for the other of the two. */
  textDeed: TextDeedWish | null;
  negated: boolean;
  /** A word that no table knows, standing where a thing would stand. */
  unknownNoun: string | null;
  /** "labelled" was read behind a counter: the next words are its label. */
  labelPending: boolean;
  /** A delay for the next text: "after 2 seconds the title appears". */
  delaySeconds: number | null;
  readonly styles: { readonly style: Style; readonly source: StyleSource }[];
  readonly techniques: (Style | null)[];
  readonly durations: { readonly seconds: number; readonly clause: Clause; readonly scope: 'film' | 'clause' | 'open' }[];
  readonly aspects: { readonly width: number; readonly height: number }[];
  readonly backgrounds: { readonly wish: BackgroundWish; readonly clause: Clause }[];
  fps: number | null;
  /** The uploaded sound that was named. */
  sound: BriefAsset | null;
  readonly excluded: { texts: boolean; readonly things: string[] };
  readonly unknown: string[];
  /** A neon sign, a terminal: words that want a dark ground unless somebody names another. */
  wantsDark: boolean;
  /** "A lower third with …": where the texts stand that nobody places. */
  textPosition: TextWish['position'];
  /** "Behind the star …": where the next thing stands; without a neighbour, where the last one stands by somebody who is not named. */
  pendingRelation: PlaceWish | null;
  /** Systems whose middle was named. */
  readonly cored: Set<SubjectWish>;
  readonly notes: string[];
  /** Moved to the first or last scene. */
  readonly placed: { readonly head: SubjectWish | TextWish; readonly clause: Clause; readonly place: 'start' | 'end' }[];
  /** True when a motion found nothing to move. */
  orphanMotion: boolean;
  /** How specific the prompt is, one point a detail. */
  details: number;
}

export function newState(lexemes: readonly Lexeme[], language: Language): State {
  const clause = newClause(false);
  return {
    lexemes,
    language,
    clauses: [clause],
    clause,
    read: [],
    mentions: [],
    mods: noModifiers(),
    focus: null,
    group: [],
    oblique: new Set(),
    moved: [],
    meeting: null,
    textDeed: null,
    negated: false,
    unknownNoun: null,
    labelPending: false,
    delaySeconds: null,
    styles: [],
    techniques: [],
    durations: [],
    aspects: [],
    backgrounds: [],
    fps: null,
    sound: null,
    excluded: { texts: false, things: [] },
    unknown: [],
    wantsDark: false,
    textPosition: null,
    pendingRelation: null,
    cored: new Set(),
    notes: [],
    placed: [],
    orphanMotion: false,
    details: 0,
  };
}

export const takeMods = (state: State): Modifiers => {
  const { mods } = state;
  state.mods = noModifiers();
  return mods;
};

/** Sequence words and full stops begin a clause; an empty one is used again. */
export function beginClause(state: State, sequenced: boolean): void {
  state.mods = noModifiers();
  state.focus = null;
  state.group = [];
  state.moved = [];
  state.meeting = null;
  state.textDeed = null;
  state.negated = false;
  state.unknownNoun = null;
  state.delaySeconds = null;
  state.pendingRelation = null;
  const { clause } = state;
  const empty =
    clause.subjects.length === 0 &&
    clause.texts.length === 0 &&
    clause.background === null &&
    clause.scenery === null &&
    clause.camera === null &&
    clause.still === null;
  if (empty) {
    clause.sequenced ||= sequenced && state.clauses.length > 1;
    return;
  }
  state.clause = newClause(sequenced);
  state.clauses.push(state.clause);
}

/** How far a word looks for what it belongs to, in lexemes; it keeps the work linear. */
const reach = 12;

const skippable = new Set<Meaning['kind']>(['article', 'filler', 'stop']);

/** The nearest lexeme before `at` that says something. */
export function previous(state: State, at: number): Lexeme | undefined {
  for (let i = at - 1; i >= Math.max(0, at - reach); i -= 1) {
    const lexeme = state.lexemes[i];
    if (lexeme !== undefined && !skippable.has(lexeme.meaning.kind)) return lexeme;
  }
  return undefined;
}

const insidePhrase = new Set<Meaning['kind']>([
  'color',
  'shade',
  'rainbow',
  'size',
  'number',
  'speed',
  'amount',
  'another',
  'style',
  'motion',
  'article',
  'gradient',
  'ordinal',
  'formation',
  'height',
  'unknown',
]);

/** Adjectives without a wish of their own, which may stand inside a noun phrase. */
const passable = new Set(
  'very really quite new nice cool beautiful pretty great good awesome amazing stunning lovely perfect same glossy matte shiny plastic flat 2d 3d geometric abstract simple colored coloured bit interesting random stylish whole sehr ganz schoene schoenes schoener tolle coole tres beau belle joli jolie muy bonito bonita'.split(
    ' ',
  ),
);

const prepositions = new Set(
  `in on at under over above below behind beside near with from to into onto through across around between against along inside
toward towards down off out past beyond for of im auf unter ueber an am mit von vom zu zum zur aus durch um bei neben hinter vor dans
sur sous avec de du a au aux par vers derriere devant en sobre bajo con del al por hacia tras`.split(/\s+/),
);

/** Whether the noun at `at` stands behind a preposition. */
export function isOblique(state: State, at: number): boolean {
  for (let i = at - 1; i >= Math.max(0, at - reach); i -= 1) {
    const lexeme = state.lexemes[i];
    if (lexeme === undefined) return false;
    const words = fold(lexeme.text).split(' ');
    const { kind } = lexeme.meaning;
    if (prepositions.has(words.at(-1) ?? '') && kind !== 'formation' && kind !== 'article') return true;
    if (!insidePhrase.has(kind) && kind !== 'filler') return false;
  }
  return false;
}

const relatives = new Set(['that', 'which', 'who', 'qui', 'que', 'der', 'die', 'das']);

/** Those of `heads` that can be whose verb stands at `at`: "a ball on a box that falls" is the box, without "that" the ball. */
export function agentsAmong<Some extends Head>(state: State, heads: readonly Some[], at: number): readonly Some[] {
  const before = state.lexemes[at - 1];
  if (relatives.has(fold(before?.text ?? ''))) return heads.slice(-1);
  // "A globe with planes circling it".
  if (before?.meaning.kind === 'subject' && /ing$/.test(state.lexemes[at]?.text ?? '')) return heads.slice(-1);
  return heads.filter((head) => head.type !== 'subject' || !state.oblique.has(head));
}

/** The head that a modifier at `at` stands in front of, if it stands in one's noun phrase. */
export function headAhead(state: State, at: number): Lexeme | null {
  for (let i = at + 1; i < Math.min(state.lexemes.length, at + reach); i += 1) {
    const lexeme = state.lexemes[i];
    if (lexeme === undefined) return null;
    const { kind } = lexeme.meaning;
    if (kind === 'subject' || kind === 'textNoun' || kind === 'background' || kind === 'bars' || kind === 'quote') return lexeme;
    // "A blue one".
    if (kind === 'number' && i > at && /^ones?$/i.test(lexeme.text)) return lexeme;
    if (kind === 'mark' && lexeme.meaning.kind === 'mark' && lexeme.meaning.mark === 'bracket') continue;
    if (kind === 'article' && i > at + 1) return null;
    if (kind === 'motion' && lexeme.meaning.kind === 'motion' && !lexeme.meaning.participle) return null;
    if (kind === 'filler' && passable.has(fold(lexeme.text))) continue;
    if (!insidePhrase.has(kind)) return null;
  }
  return null;
}

/** A noun phrase right behind: "opens the door", and not "opens in the morning". */
export const objectBehind = (state: State, at: number): boolean =>
  ['article', 'number', 'color', 'size', 'subject', 'amount', 'formation', 'another'].includes(
    state.lexemes[at + 1]?.meaning.kind ?? '',
  ) && headAhead(state, at)?.meaning.kind === 'subject';
