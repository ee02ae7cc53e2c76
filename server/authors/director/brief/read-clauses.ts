import { endOfPhrase, headChart, readColor, readNumber, readSize, readUnknown } from './attach.ts';
import { nextBeat } from './beats.ts';
import { fold } from './fold.ts';
import { greetings } from './headlines.ts';
import { addAnother, addBars, addCounter, addSubject, addText, figure, openBackground, openText } from './heads.ts';
import { type Lexeme, type Meaning, type MeaningKind, senseOf } from './lexemes.ts';
import { readManner, turnedInto } from './manners.ts';
import { goesOnBecoming, meets, meetsPronoun, readBecoming, readDeed, readMeeting } from './meetings.ts';
import { readDirection, readHeight, readMotion, readPronoun, readRepeat, readTurns } from './motions.ts';
import { readName } from './names.ts';
import { orbitCore } from './orbit-core.ts';
import { readByline, readCelebration, readGreeting, readList, readOccasion, readOffer } from './phrases.ts';
import { readBesideIt, readNeighbour, readRelation, readSide } from './relations.ts';
import { readScenery } from './scenery-wish.ts';
import type { Language, SubjectRef } from './sense.ts';
import { beginClause, headAhead, isOblique, newState, previous, type State, takeMods } from './state.ts';
import { readTextDeed } from './text-deeds.ts';
import { unsupportedNotes } from './unsupported.ts';
import { verbOf } from './verbs.ts';
import { newMotion, rainbowColors } from './wishes.ts';

/** Reads one lexeme; a number answers where reading goes on, nothing means behind it. */
type Reader<Kind extends MeaningKind> = (
  state: State,
  meaning: Extract<Meaning, { kind: Kind }>,
  at: number,
  lexeme: Lexeme,
) => number | undefined;

type Readers = { readonly [Kind in MeaningKind]?: Reader<Kind> };

const previousKind = (state: State, at: number): string => state.lexemes[at - 1]?.meaning.kind ?? '';

const isThing = ({ kind }: SubjectRef): boolean => ['ball', 'cube', 'shape', 'figure'].includes(kind);

/** "A blue one", "the lowest one", "the next": a noun is meant that was said before. */
const isAnother = (state: State, at: number): boolean =>
  state.language === 'en' &&
  /^(?:one|next|other)$/i.test(state.lexemes[at]?.text ?? '') &&
  ['color', 'size', 'shade', 'ordinal', 'unknown', 'article', 'filler', 'another'].includes(previousKind(state, at)) &&
  state.mods.opened &&
  headAhead(state, at) === null;

function anotherOne(state: State, at: number): undefined {
  const wish = addAnother(state);
  if (wish !== null && !meets(state, at, wish)) readRelation(state, at, wish);
}

const bodyParts =
  /^(?:arm|leg|hand|paw|foot|feet|finger|thumb|toe|head|face|eye|eyelid|ear|nose|snout|mouth|beak|lip|tongue|tooth|teeth|neck|tail|wing|fin|feather|back|belly|tummy|knee|shoulder|hair|fur|claw|horn|trunk)s?$/;
const owners = new Set(['his', 'her', 'its', 'their', 'one', 'both', 'with', 'on', 'a', 'an']);

/** "On one leg", "with its tongue", "opens one eye": a part of who does it is drawn with the whole. */
function isOwnPart(state: State, at: number, { text }: Lexeme): boolean {
  if (state.language !== 'en' || !bodyParts.test(fold(text))) return false;
  if (!state.clause.subjects.some(({ ref }) => ref.kind === 'figure')) return false;
  const before = state.lexemes.slice(Math.max(0, at - 3), at).map((lexeme) => fold(lexeme.text));
  return (
    before.some((word) => ['his', 'her', 'its', 'their', 'one', 'both', 'with', 'on'].includes(word)) &&
    owners.has(before.at(-1) ?? '')
  );
}

const limbs = /^(?:arm|leg|hand|paw|foot|feet|finger|thumb|wing|fin)s?$/;

/** What the whole does with a part of it, and what stands on it: "opens one eye", "a hat on its head". */
function spendPart(state: State, at: number, { text }: Lexeme): undefined {
  takeMods(state);
  const { clause, meeting } = state;
  const [owner, ...others] = clause.subjects.filter(({ ref }) => isThing(ref));
  const worn = others.at(-1);
  if (worn !== undefined && fold(state.lexemes[at - 2]?.text ?? '') === 'on')
    worn.placed ??= { relation: 'on', to: owner ?? null, also: null };
  if (meeting === null) return;
  // What was to be done to somebody is done with the part.
  state.meeting = null;
  clause.meetings = clause.meetings.filter((one) => one !== meeting);
  for (const who of meeting.who)
    who.motion ??= newMotion('act', { program: limbs.test(fold(text)) ? 'wave' : 'look', verb: meeting.said ?? meeting.text });
}

/** Of a clause that comes after the one before it. */
const conjunctions = /^(?:until|till|bis|jusqu'a|hasta)$/;

const readers: Readers = {
  subject: (state, meaning, at, lexeme) => {
    const mention = { ref: meaning.ref, plural: meaning.plural, mods: state.mods };
    if (meaning.ref.kind === 'counter') {
      state.mentions.push({ ...mention, wish: null });
      return addCounter(state, at, false);
    }
    if (state.focus?.type === 'camera' && meaning.ref.kind === 'orbit') {
      state.clause.camera = 'orbit';
      return undefined;
    }
    state.unknownNoun = null;
    // "A toy train", "a rubber stamp": of two nouns side by side the first says of what sort the second is.
    const next = state.lexemes[at + 1]?.meaning;
    if (
      meaning.ref.kind === 'figure' &&
      !meaning.plural &&
      state.language === 'en' &&
      next?.kind === 'subject' &&
      isThing(next.ref)
    )
      return undefined;
    if (isOwnPart(state, at, lexeme)) return spendPart(state, at, lexeme);
    if (orbitCore(state, at, meaning.ref)) return undefined;
    const wish = addSubject(state, meaning);
    state.mentions.push({ ...mention, wish });
    if (wish !== null && isOblique(state, at)) state.oblique.add(wish);
    else if (wish !== null) state.oblique.delete(wish);
    if (wish !== null && !meets(state, at, wish)) readRelation(state, at, wish);
    return meaning.ref.kind === 'bars' ? headChart(state, at) : undefined;
  },
  countdown: (state, _meaning, at) => addCounter(state, at, true),
  motion: (state, meaning, at, lexeme) => {
    // "Falls asleep", "goes wild": the second word says what.
    const next = state.lexemes[at + 1]?.meaning;
    if (meaning.motion === 'drop' && next?.kind === 'motion' && next.motion === 'act' && !next.participle) return undefined;
    readMotion(state, at, lexeme, meaning);
    return undefined;
  },
  manner: (state, _meaning, at, lexeme) => {
    const verb = verbOf(fold(lexeme.text));
    if (verb !== null) readMotion(state, at, lexeme, { kind: 'motion', motion: 'act', direction: null, ...verb });
    return undefined;
  },
  meeting: (state, meaning, at, lexeme) => {
    readMeeting(state, at, { ...lexeme, meaning });
    return undefined;
  },
  color: (state, { hex }, at) => {
    readColor(state, hex, at);
    return undefined;
  },
  rainbow: (state, _meaning, at) => {
    const { focus } = state;
    if (headAhead(state, at) === null && focus?.type === 'subject') focus.colors = [...rainbowColors];
    else state.mods.rainbow = true;
    return undefined;
  },
  shade: (state, { shade }) => {
    if (state.focus?.type === 'background') state.focus.shade = shade === 'dark' || shade === 'deep' ? 'dark' : 'light';
    else state.mods.shade = shade;
    return undefined;
  },
  gradient: (state) => {
    openBackground(state);
    return undefined;
  },
  background: (state) => {
    openBackground(state);
    return undefined;
  },
  scenery: (state, meaning) => {
    readScenery(state, meaning);
    return undefined;
  },
  size: (state, { factor }, at) => {
    readSize(state, factor, at);
    return undefined;
  },
  speed: (state, { factor }, _at, lexeme) => {
    if (state.negated) return undefined;
    state.clause.speed = factor;
    const style = senseOf(lexeme, 'style');
    if (style !== null) state.styles.push({ style: style.style, source: style.source });
    return undefined;
  },
  height: (state, { factor }) => {
    readHeight(state, factor);
    return undefined;
  },
  amount: (state, { factor }) => {
    state.mods.amount = factor;
    state.mods.opened = true;
    return undefined;
  },
  formation: (state, { as, usual }, at) => {
    const before = previous(state, at);
    // "Three times in a row" is how often, and no row.
    if (before?.meaning.kind === 'repeat') return undefined;
    if (headAhead(state, at) === null) {
      const { focus } = state;
      if (focus?.type === 'subject') focus.formation = as;
      return undefined;
    }
    state.mods.formation = as;
    if (usual === 0) return undefined;
    state.mods.usual = usual * (state.mods.count ?? 1);
    state.mods.count = null;
    state.mods.opened = true;
    return undefined;
  },
  another: (state) => {
    state.mods.another = true;
    state.mods.opened = true;
    return undefined;
  },
  article: (state, { definite }) => {
    state.mods.definite = definite;
    state.mods.opened = true;
    return undefined;
  },
  number: (state, { value }, at, lexeme) => {
    if (isAnother(state, at)) return anotherOne(state, at);
    if (goesOnBecoming(state, at, value)) return undefined;
    return readNumber(state, value, at, lexeme);
  },
  figure: (state, _meaning, at, lexeme) => readOffer(state, at, lexeme) ?? figure(state, at, lexeme) ?? undefined,
  repeat: (state, { times }) => {
    readRepeat(state, times);
    return undefined;
  },
  turns: (state, { turns }) => {
    readTurns(state, turns);
    return undefined;
  },
  bars: (state, meaning, at) => {
    addBars(state, at, meaning);
    return undefined;
  },
  textNoun: (state, meaning, at) => openText(state, at, meaning),
  quote: (state, { text }, at) => {
    if (turnedInto(state, at, text)) return undefined;
    if (greetings.test(text)) readCelebration(state, text);
    const next = state.lexemes[at + 1]?.meaning;
    const named = next?.kind === 'textNoun' && !next.saying && state.focus?.type !== 'text' ? next.role : null;
    addText(state, text, named);
    return named === null ? undefined : at + 2;
  },
  greeting: (state, _meaning, at, lexeme) => {
    const style = senseOf(lexeme, 'style');
    if (style !== null) state.styles.push({ style: style.style, source: style.source });
    return readGreeting(state, at, lexeme);
  },
  occasion: (state, { words }, at) => readOccasion(state, at, words) ?? undefined,
  filler: (state, _meaning, at, lexeme) =>
    readBecoming(state, at, lexeme) || readDeed(state, at, lexeme) ? undefined : (readByline(state, at, lexeme) ?? undefined),
  inTurn: (state) => {
    state.clause.inTurn = true;
    // One text alone comes word by word.
    const { focus } = state;
    if (focus?.type === 'text' && state.clause.texts.length === 1) focus.manner = { ...focus.manner, by: 'words' };
    return undefined;
  },
  duration: (state, { seconds, clock }, at) => {
    const before = previous(state, at)?.meaning.kind;
    if (before === 'after' || (clock && before === 'on')) {
      state.delaySeconds = seconds;
      return undefined;
    }
    const whole = [state.lexemes[at + 1], state.lexemes[at + 2], previous(state, at)].some(
      (near) => near?.meaning.kind === 'total' || near?.meaning.kind === 'whole',
    );
    state.durations.push({
      seconds,
      clause: state.clause,
      scope: whole ? 'film' : before === 'for' && state.moved.length > 0 ? 'clause' : 'open',
    });
    state.details += 1;
    return undefined;
  },
  frameRate: (state, { fps }) => {
    state.fps = fps;
    return undefined;
  },
  style: (state, { style, source }, _at, lexeme) => {
    if (state.negated) return undefined;
    state.styles.push({ style, source });
    const pace = senseOf(lexeme, 'speed');
    if (pace !== null && state.clause.speed === 1) state.clause.speed = pace.factor;
    return undefined;
  },
  technique: (state, { style }) => {
    if (!state.negated) state.techniques.push(style);
    return undefined;
  },
  aspect: (state, { aspect }) => {
    const [width = 16, height = 9] = aspect.split(':').map(Number);
    state.aspects.push({ width, height });
    state.details += 1;
    return undefined;
  },
  ratio: (state, { width, height }) => {
    state.aspects.push({ width, height });
    state.details += 1;
    return undefined;
  },
  standing: (state, { relation }, at) => {
    readNeighbour(state, at, relation);
    return undefined;
  },
  direction: (state, { direction }, at) => {
    if (!readSide(state, at, direction)) readDirection(state, at, direction);
    return undefined;
  },
  place: (state, { place }, at, lexeme) => {
    const { focus } = state;
    // "A thank-you end card" is such a film as a whole, and no place in one.
    if (fold(lexeme.text) === 'end card' && !['on', 'in', 'article'].includes(previousKind(state, at))) return undefined;
    if (focus === null && place === 'bottom' && fold(lexeme.text) === 'lower third') state.textPosition = 'bottom';
    if (place === 'start' || place === 'end') {
      if (focus?.type === 'text' || focus?.type === 'subject') state.placed.push({ head: focus, clause: state.clause, place });
    } else if (focus?.type === 'text' && previousKind(state, at - (previousKind(state, at) === 'article' ? 1 : 0)) === 'from')
      focus.manner = { entrance: 'slide', ...focus.manner, from: place === 'bottom' ? 'bottom' : 'top' };
    else if (focus?.type === 'text') focus.position = place === 'middle' ? 'center' : place;
    return undefined;
  },
  camera: (state) => {
    if (!state.negated) state.focus = { type: 'camera' };
    return undefined;
  },
  cameraMove: (state, { camera }, _at, lexeme) => {
    const { focus } = state;
    const zooms = /^zoom/.test(fold(lexeme.text));
    if (zooms && focus !== null && (focus.type === 'subject' || focus.type === 'text')) {
      if (focus.type === 'text') focus.manner = { ...focus.manner, entrance: 'pop' };
      else focus.motion ??= newMotion(camera === 'push-in' ? 'grow' : 'shrink');
      return undefined;
    }
    if (state.negated) return undefined;
    state.clause.camera = camera;
    if (camera === 'static') state.clause.still ??= 'camera';
    return undefined;
  },
  still: (state) => {
    state.clause.still = 'everything';
    return undefined;
  },
  scene: (state, _meaning, at) => {
    const next = state.lexemes[at + 1]?.meaning.kind;
    if (next !== 'number') return undefined;
    beginClause(state, true);
    return at + 2;
  },
  pronoun: (state, _meaning, at) => {
    if (!meetsPronoun(state) && !readBesideIt(state, at)) readPronoun(state);
    return undefined;
  },
  // biome-ignore lint/suspicious/noThenProperty: the key is a kind of lexeme
  then: (state, _meaning, at, lexeme) => {
    if (isAnother(state, at)) anotherOne(state, at);
    else if (!readBecoming(state, at, lexeme)) beginClause(state, true);
    return undefined;
  },
  not: (state) => {
    state.negated = true;
    return undefined;
  },
  and: (state) => {
    if (state.unknownNoun !== null) state.mods = { ...state.mods, colors: [], size: null, count: null };
    endOfPhrase(state);
    return undefined;
  },
  mark: (state, { mark }, at) => {
    if (mark === 'item' || mark === 'arrow') beginClause(state, true);
    else if (mark === 'stop' || mark === 'newline' || mark === 'semicolon') beginClause(state, false);
    else if (mark === 'comma') {
      if (!nextBeat(state, at + 1, { follows: false })) endOfPhrase(state);
    }
    // "Launch teaser: the title …": what was announced is nothing to be drawn.
    else if (mark === 'colon') {
      const end = readList(state, at);
      if (end !== null) return end;
      state.unknownNoun = null;
    }
    return undefined;
  },
  sound: (state, { asset }) => {
    if (state.negated) state.excluded.things.push('sound');
    else state.sound = asset;
    return undefined;
  },
  unsupported: (state, { name }) => {
    if (!state.negated) state.notes.push(unsupportedNotes[name] ?? `There is no ${name} in these films.`);
    else if (name === 'sound') state.excluded.things.push(name);
    else if (name === 'shadow') state.notes.push('Shadows stay: they are part of how things touch the ground here.');
    return undefined;
  },
  to: (state, _meaning, at, lexeme) => {
    if (conjunctions.test(fold(lexeme.text))) nextBeat(state, at + 1, { follows: true });
    return undefined;
  },
  unknown: (state, _meaning, at, lexeme) => {
    if (fold(lexeme.text) === 'before' && nextBeat(state, at + 1, { follows: true })) return undefined;
    if (/^(?:core|kern)$/i.test(lexeme.text) && orbitCore(state, at, { kind: 'ball' })) return undefined;
    const named = readName(state, at);
    if (named !== null) return named;
    if (isOwnPart(state, at, lexeme)) return spendPart(state, at, lexeme);
    if (readBecoming(state, at, lexeme) || readDeed(state, at, lexeme)) return undefined;
    readUnknown(state, at, lexeme);
    return undefined;
  },
};

/** Reads lexemes from left to right into clauses. Total: every sequence of lexemes gives a state. */
export function readClauses(lexemes: readonly Lexeme[], language: Language): State {
  const state = newState(lexemes, language);
  for (let at = 0; at < lexemes.length; ) {
    const lexeme = lexemes[at];
    if (lexeme === undefined) break;
    state.read.push(lexeme);
    const reader = readers[lexeme.meaning.kind] as Reader<MeaningKind> | undefined;
    const next =
      readTextDeed(state, at, lexeme) || readManner(state, at, lexeme) ? at + 1 : reader?.(state, lexeme.meaning, at, lexeme);
    at = next !== undefined && next > at ? next : at + 1;
  }
  if (state.wantsDark && state.backgrounds.length === 0)
    state.backgrounds.push({ wish: { type: 'background', colors: [], shade: 'dark' }, clause: state.clause });
  return state;
}
