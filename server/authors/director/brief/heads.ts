import type { BackgroundWish, CounterWish, SubjectWish, TextWish } from './brief.ts';
import { isCounted, labelAt, labelBefore, newCounter, rangeAt, readCounter, shareOf, tailOf } from './counters.ts';
import type { Lexeme, Meaning } from './lexemes.ts';
import type { SubjectRef } from './sense.ts';
import { beginClause, previous, type State, takeMods } from './state.ts';
import { meetsText } from './text-deeds.ts';
import { opensText, unquoted } from './texts.ts';
import { newMotion, newSubject, newText, noModifiers, sameKind } from './wishes.ts';

type Of<Kind extends Meaning['kind']> = Extract<Meaning, { kind: Kind }>;

function addHead(state: State, head: SubjectWish | TextWish): void {
  if (head.type === 'subject') state.clause.subjects.push(head);
  else state.clause.texts.push(head);
  state.focus = head;
  state.group.push(head);
  meetsText(state, head);
  state.details += 1;
}

/** The same sort of thing from an earlier clause: what "the ball" means. */
function earlier(state: State, ref: SubjectRef, color: string | null): SubjectWish | null {
  // "the moon" is not the red ball of before, though both are balls; nor is "the blue ball".
  const { color: own } = ref as { color?: string };
  const wanted = own ?? color;
  for (const clause of [...state.clauses].reverse()) {
    const found = clause.subjects.findLast(
      (subject) =>
        sameKind(subject.ref, ref) &&
        subject.standsFor === null &&
        (wanted === null || subject.color === wanted || (own === undefined && subject.color === null)),
    );
    if (found !== undefined) return found;
  }
  return null;
}

/** "A red ball and a blue one", "one candle lights the next": the same sort of thing as the last. False when there is none. */
export function addAnother(state: State): SubjectWish | null {
  const last = state.clauses
    .flatMap(({ subjects }) => subjects)
    .findLast(({ ref }) => ['ball', 'cube', 'shape', 'figure'].includes(ref.kind));
  if (last === undefined) return null;
  const { color: _, ...ref } = last.ref as SubjectRef & { color?: string };
  return addSubject(state, { ref: (state.mods.colors.length > 0 ? ref : last.ref) as SubjectRef, plural: false });
}

export function addSubject(state: State, { ref, plural }: { ref: SubjectRef; plural: boolean }): SubjectWish | null {
  const mods = takeMods(state);
  if (state.negated) {
    state.excluded.things.push(ref.kind);
    return null;
  }
  const { color, festive } = ref as { color?: string; festive?: true };
  const wish = newSubject(ref, { mods, plural });
  wish.color ??= festive && plural ? null : (color ?? null);
  const known = wish.definite ? earlier(state, ref, wish.color) : null;
  if (known !== null) {
    if (state.clause.subjects.includes(known)) {
      // "a ball … the ball": still the one of this clause.
      state.focus = known;
      if (known.motion === null && !state.group.includes(known)) state.group.push(known);
      else if (known.motion !== null) state.moved = [known];
      refine(known, wish);
      if (mods.motion !== null) known.motion = mods.motion;
      return known;
    }
    wish.color ??= known.color;
    if (wish.colors.length === 0) wish.colors = [...known.colors];
    wish.size ??= known.size;
    wish.count ??= plural || known.count === null || known.count === 1 ? known.count : null;
  }
  if (mods.times !== null) {
    wish.motion ??= newMotion('bounce');
    wish.motion.times = mods.times;
  }
  addHead(state, wish);
  return wish;
}

function refine(known: SubjectWish, wish: SubjectWish): void {
  known.color = wish.color ?? known.color;
  known.colors = wish.colors.length > 0 ? wish.colors : known.colors;
  known.size = wish.size ?? known.size;
  known.count = wish.count ?? known.count;
}

/** "count from 0 to 100": answers where reading goes on. */
export function addCounter(state: State, at: number, down: boolean): number {
  const { focus } = state;
  // "a counter counts from 0 to 100" is one counter.
  const running = focus?.type === 'subject' && focus.ref.kind === 'counter' && focus.counter?.to === null ? focus : null;
  const subject = running ?? addSubject(state, { ref: { kind: 'counter' }, plural: false });
  if (subject === null) return at + 1;
  const counter = subject.counter ?? newCounter(down);
  counter.down ||= down;
  subject.counter = counter;
  const end = readCounter(state.lexemes, at + 1, counter);
  if (counter.label === '' && !counter.down) takeLabel(state, at + 1, counter);
  return counter.down ? readFinish(state, end) : end;
}

/** "sales up 40 %", "the price drops from 99 €": the words in front of a figure name it, and are no things. */
function takeLabel(state: State, at: number, counter: CounterWish): void {
  const label = labelBefore(state.lexemes, at);
  if (label === null) return;
  counter.label = label.words.join(' ');
  const unknown = state.unknown.filter((word) => !label.spent.includes(word));
  state.unknown.splice(0, state.unknown.length, ...unknown);
  state.unknownNoun = null;
}

/** "Countdown 3 2 1 go", "10 to 0, then liftoff": what a countdown runs to has the scene behind it. Answers where reading goes on. */
function readFinish(state: State, at: number): number {
  let start = at;
  let joint = '';
  for (let meaning = state.lexemes[start]?.meaning; meaning !== undefined; meaning = state.lexemes[start]?.meaning) {
    const joins =
      meaning.kind === 'mark' ? ['comma', 'dash', 'arrow'].includes(meaning.mark) : ['then', 'and'].includes(meaning.kind);
    if (!joins) break;
    joint = meaning.kind === 'mark' ? meaning.mark : meaning.kind;
    start += 1;
  }
  const kind = state.lexemes[start]?.meaning.kind;
  // "then a rocket flies" is a scene of things.
  const phrase = state.lexemes.slice(start, start + 3).findIndex(({ meaning }) => meaning.kind === 'mark');
  const words = state.lexemes.slice(start, phrase < 0 ? start + 3 : start + phrase);
  const thing = joint === 'comma' ? ['subject'] : ['subject', 'motion'];
  if (kind !== 'quote' && words.some(({ meaning }) => thing.includes(meaning.kind))) return at;
  const isWord = kind === 'unknown' || kind === 'greeting' || (kind === 'motion' && joint === 'comma');
  const wording = isWord ? unquoted(state, start, true) : null;
  if (wording === null && kind !== 'quote') return at;
  beginClause(state, true);
  if (wording === null) return start;
  addText(state, wording.text.charAt(0).toUpperCase() + wording.text.slice(1), 'title');
  return wording.end;
}

const isYear = (value: number, text: string): boolean => /^(?:19|20)\d\d$/.test(text) && value >= 1900;

/** "10 000 users", "$1.2M revenue", "85%": a number that stands for itself counts up. Null when the number is something else. */
export function figure(state: State, at: number, lexeme: Lexeme): number | null {
  const { meaning } = lexeme;
  const next = state.lexemes[at + 1];
  if (meaning.kind !== 'number' && meaning.kind !== 'figure') return null;
  const { focus } = state;
  const prior = previous(state, at)?.meaning.kind;
  if (focus?.type === 'subject' && focus.ref.kind === 'bars' && (prior === 'to' || meaning.kind === 'figure')) return at + 1;
  if (focus?.type === 'subject' && focus.ref.kind === 'loader' && (prior === 'to' || meaning.kind === 'figure')) {
    // "a loading bar fills to 80 %" ends there: it is a number that counts.
    focus.ref = { kind: 'counter', gauge: focus.ref.variant === 'bar' ? 'bar' : 'ring' };
    focus.motion = null;
    const suffix = meaning.kind === 'figure' ? meaning.suffix : '%';
    focus.counter = { ...newCounter(false), from: 0, to: meaning.value, suffix };
    return at + 1;
  }
  const range = rangeAt(state.lexemes, at, prior === 'from');
  if (range !== null) return addCounter(state, at - 1, range.down);
  if (
    meaning.kind === 'number' &&
    (meaning.value < 100 ||
      isYear(meaning.value, lexeme.text) ||
      !(next?.meaning.kind === 'unknown' || (meaning.value >= 1000 && next !== undefined && isCounted(next))))
  )
    return null;
  const subject =
    focus?.type === 'subject' && focus.ref.kind === 'counter'
      ? focus
      : addSubject(state, { ref: { kind: 'counter' }, plural: false });
  if (subject === null) return at + 1;
  const counter = subject.counter ?? newCounter(false);
  subject.counter = counter;
  const hasEnd = state.lexemes.slice(at + 1, at + 6).some(({ meaning: { kind } }) => kind === 'to');
  if (prior === 'from' && counter.from === null && hasEnd) counter.from = meaning.value;
  else counter.to = meaning.value;
  if (meaning.kind === 'figure') {
    counter.prefix = meaning.prefix || counter.prefix;
    counter.suffix = meaning.suffix || counter.suffix;
  }
  const end = meaning.kind === 'figure' ? shareOf(state.lexemes, at + 1, counter) : labelAt(state.lexemes, at + 1, counter);
  if (counter.label !== '') return end;
  takeLabel(state, at, counter);
  const tail = counter.label === '' ? null : tailOf(state.lexemes, end);
  if (tail === null) return end;
  counter.label = `${counter.label} ${tail.words}`;
  return tail.end;
}

export function addBars(state: State, at: number, { bars, unit, heading, chart }: Of<'bars'>): void {
  const { focus } = state;
  const waiting = state.clause.subjects.find((subject) => subject.ref.kind === 'bars' && subject.bars.length === 0);
  const subject =
    waiting ??
    (focus?.type === 'subject' && focus.ref.kind === 'bars' && focus.bars.length === 0
      ? focus
      : addSubject(state, { ref: { kind: 'bars', ...(chart === undefined ? {} : { chart }) }, plural: true }));
  if (subject === null) return;
  subject.bars = bars;
  subject.unit = unit;
  // "Sales: Q1 10, Q2 20": a sentence that begins with the name of its figures.
  const before = heading === null ? labelBefore(state.lexemes, at) : null;
  const isHeading = before !== null && at === before.spent.length + 1 && state.lexemes[at - 1]?.meaning.kind === 'mark';
  if (isHeading) state.unknown.splice(0, state.unknown.length, ...state.unknown.filter((word) => !before.spent.includes(word)));
  const words = heading ?? (isHeading ? before.words.join(' ') : null);
  if (words !== null) addText(state, words.charAt(0).toUpperCase() + words.slice(1), null);
}

const unpositioned = (state: State): TextWish | null =>
  state.focus?.type === 'text' && state.focus.text === null ? state.focus : null;

/** Texts longer than this are cut: no film holds still long enough to read them. */
const maxTextCharacters = 160;

export function addText(state: State, words: string, role: TextWish['role']): void {
  const text = words.length > maxTextCharacters ? `${words.slice(0, maxTextCharacters - 1).trimEnd()}…` : words;
  if (text !== words)
    state.notes.push(
      `The text “${text.slice(0, 30)}…” was cut to ${maxTextCharacters} characters, more cannot be read in a film.`,
    );
  const waiting = unpositioned(state);
  if (waiting !== null) {
    waiting.text = text;
    waiting.role = role ?? waiting.role;
    return;
  }
  if (state.negated) {
    state.mods = noModifiers();
    return;
  }
  const { focus } = state;
  if (state.labelPending && focus?.type === 'subject' && focus.counter !== null) {
    focus.counter.label = text;
    state.labelPending = false;
    return;
  }
  const wish = newText(takeMods(state));
  wish.text = text;
  wish.role = role;
  wish.position ??= state.textPosition;
  wish.delaySeconds = state.delaySeconds;
  state.delaySeconds = null;
  addHead(state, wish);
}

/** "title", "saying", "caption": opens a text and takes its words when they follow without quotes. */
export function openText(state: State, at: number, { role, saying, many }: Of<'textNoun'>): number {
  if (state.negated) {
    state.excluded.texts = true;
    state.mods = noModifiers();
    return at + 1;
  }
  const { focus } = state;
  const [painted] = state.mods.colors;
  if (
    !saying &&
    focus?.type === 'text' &&
    focus.text !== null &&
    painted !== undefined &&
    state.lexemes[at + 1]?.meaning.kind !== 'quote'
  ) {
    // "the name Luna in pink letters": the letters are its own.
    focus.color = painted;
    takeMods(state);
    return at + 1;
  }
  if (saying && focus?.type === 'subject' && focus.ref.kind === 'counter' && focus.counter !== null) {
    state.labelPending = true;
    return at + 1;
  }
  if (unpositioned(state) === null || !saying) {
    const existing =
      state.mods.definite && state.mods.colors.length === 0
        ? state.clause.texts.findLast((text) => text.text !== null)
        : undefined;
    const next = state.lexemes[at + 1];
    if (existing !== undefined && next?.meaning.kind === 'motion') {
      // "… 'Hello'. The title fades in."
      takeMods(state);
      state.focus = existing;
      state.group = [existing];
      return at + 1;
    }
    const wish = newText(takeMods(state));
    wish.role = saying ? null : role;
    wish.position = state.textPosition;
    wish.delaySeconds = state.delaySeconds;
    state.delaySeconds = null;
    addHead(state, wish);
  }
  const next = state.lexemes[at + 1];
  const behind = state.lexemes[at + 2];
  const linked =
    next?.meaning.kind === 'mark'
      ? ['colon', 'equals', 'dash', 'arrow'].includes(next.meaning.mark)
      : // "Change the title to Summer sale", not "move the title to the left".
        next?.meaning.kind === 'to' && behind !== undefined && opensText(behind);
  if (state.lexemes[linked ? at + 2 : at + 1]?.meaning.kind === 'quote') return linked ? at + 2 : at + 1;
  const wording = unquoted(state, linked ? at + 2 : at + 1, saying || linked);
  if (wording === null) return at + 1;
  addText(state, wording.text, null);
  return many === true && linked ? readMore(state, wording.end) : wording.end;
}

/** What no text of a list is: wishes about the film, and things to be shown. */
export const notListed = new Set<Meaning['kind']>(
  'style aspect ratio duration frameRate technique background scenery camera cameraMove textNoun subject quote whole not'.split(
    ' ',
  ) as Meaning['kind'][],
);
/** Adjectives: alone between commas they are about the film. */
const adjectives = new Set<Meaning['kind']>(['speed', 'size', 'color', 'shade', 'rainbow', 'manner', 'inTurn']);
const introductions = new Set<Meaning['kind']>(['on', 'in', 'article', 'then', 'for']);

/** "…: move fast, ship small, sleep well": what stands between commas are texts, and each has its turn. */
function readMore(state: State, at: number): number {
  const mark = state.lexemes[at]?.meaning;
  if (mark?.kind !== 'mark' || (mark.mark !== 'comma' && mark.mark !== 'semicolon')) return at;
  const start = state.lexemes[at + 1]?.meaning.kind === 'and' ? at + 2 : at + 1;
  const kinds: Meaning['kind'][] = [];
  for (let i = start; i < state.lexemes.length; i += 1) {
    const meaning = state.lexemes[i]?.meaning;
    if (meaning === undefined || meaning.kind === 'mark') break;
    // "ship small": behind "kinetic text:" an everyday noun is a word as any other.
    kinds.push(meaning.kind === 'subject' && meaning.ref.kind === 'figure' ? 'unknown' : meaning.kind);
  }
  const [first] = kinds;
  if (first === undefined || introductions.has(first)) return at;
  if (kinds.some((kind) => notListed.has(kind)) || kinds.every((kind) => adjectives.has(kind))) return at;
  const wording = unquoted(state, start, true);
  if (wording === null) return at;
  addText(state, wording.text, null);
  state.clause.inTurn = true;
  return readMore(state, wording.end);
}

/** Colours before "background" belong to it; colours behind it are read while it has the focus. */
export function openBackground(state: State): void {
  const mods = takeMods(state);
  const shade = mods.shade === 'dark' || mods.shade === 'deep' ? 'dark' : mods.shade === null ? null : 'light';
  if (state.negated) return;
  const waiting = state.focus?.type === 'background' ? state.focus : null;
  const wish: BackgroundWish = waiting ?? { type: 'background', colors: [], shade: null };
  wish.colors.push(...mods.colors);
  wish.shade = shade ?? wish.shade;
  if (waiting === null) {
    state.backgrounds.push({ wish, clause: state.clause });
    state.clause.background = wish;
  }
  state.focus = wish;
  state.details += 1;
}

/** "A cat jumps": there is no cat, so a ball does what the cat should. */
export function standIn(state: State): SubjectWish | null {
  const { unknownNoun } = state;
  if (unknownNoun === null) return null;
  state.unknownNoun = null;
  const wish = addSubject(state, { ref: { kind: 'ball' }, plural: false });
  if (wish !== null) {
    wish.standsFor = unknownNoun;
    wish.definite = false;
  }
  return wish;
}
