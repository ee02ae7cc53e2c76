import { sunColor } from '../color.ts';
import type { Clause, SubjectWish, TextWish } from './brief.ts';
import { settleMeetings } from './meetings.ts';
import { joinScenery } from './scenery-wish.ts';
import type { State } from './state.ts';
import { newClause, sameKind } from './wishes.ts';

const isEmpty = (clause: Clause): boolean => clause.subjects.length === 0 && clause.texts.length === 0;
/** Another place is another scene, even without anybody in it. */
const movesOn = (clause: Clause, before: Clause | undefined): boolean =>
  clause.scenery !== null && (before === undefined || (clause.sequenced && clause.scenery.place !== null));

/** More texts than this in one scene crowd it. */
const maxTexts = 3;

const heavenly = new Set(['sun', 'full-moon', 'globe-showing-europe-africa']);
const isCelestial = (ref: SubjectWish['ref']): boolean =>
  ref.kind === 'ball' || (ref.kind === 'figure' && heavenly.has(ref.drawing));

/** The sun in its own colour is the kit's sun. */
const isOwn = ({ ref, color }: SubjectWish): boolean => ref.kind === 'figure' && ref.drawing === 'sun' && color === ref.color;

/** A ball that is said to orbit, or to be orbited, is part of the system and not a thing beside it. */
function foldOrbits(clause: Clause, cored: ReadonlySet<SubjectWish>): void {
  const orbits = clause.subjects.filter((subject) => subject.ref.kind === 'orbit');
  const [orbit, ...more] = orbits;
  if (orbit === undefined) return;
  const balls = clause.subjects.filter(
    (subject) =>
      isCelestial(subject.ref) &&
      subject.standsFor === null &&
      (subject.motion === null || subject.motion.type === 'appear' || (cored.has(orbit) && subject.motion.type === 'spin')),
  );
  // With a middle of its own every ball goes around it.
  const first = cored.has(orbit) ? undefined : balls[0];
  const bodies = first === undefined ? balls : balls.slice(1);
  // One ball and a system: the ball is the centre, unless it comes in numbers.
  if (first !== undefined) {
    if (first.count !== null && first.count > 1) bodies.unshift(first);
    else orbit.color = (isOwn(first) ? sunColor : first.color) ?? orbit.color;
  }
  const colors = bodies.flatMap((body) => (body.color === null ? [] : [body.color]));
  if (colors.length > 0) orbit.colors = colors;
  orbit.count ??=
    more.find((other) => other.count !== null)?.count ??
    (bodies.length > 0 ? bodies.reduce((sum, body) => sum + (body.count ?? (body.plural ? 3 : 1)), 0) : null);
  if (!cored.has(orbit)) orbit.color ??= more.find((other) => other.color !== null)?.color ?? null;
  clause.subjects = clause.subjects.filter(
    (subject) => subject === orbit || (!more.includes(subject) && !balls.includes(subject)),
  );
}

/** One thing named twice in a clause ("planets orbit", "a chart of bars") is one thing. */
function foldRepeats(clause: Clause): void {
  const single = new Set(['bars', 'counter', 'logo', 'loader']);
  clause.subjects = clause.subjects.filter((subject, i, all) => {
    const once = single.has(subject.ref.kind) || subject.ref.kind === 'particles';
    const earlier = once ? all.slice(0, i).find((other) => sameKind(other.ref, subject.ref)) : undefined;
    if (earlier === undefined) return true;
    if (earlier.bars.length === 0) earlier.bars = subject.bars;
    if (subject.ref.kind === 'bars' && subject.ref.chart !== undefined) earlier.ref = subject.ref;
    if (earlier.unit === '') earlier.unit = subject.unit;
    if (earlier.ref.kind === 'logo' && earlier.ref.picture === undefined) earlier.ref = subject.ref;
    earlier.color ??= subject.color;
    if (earlier.colors.length === 0) earlier.colors = subject.colors;
    earlier.amount ??= subject.amount;
    earlier.motion ??= subject.motion;
    return false;
  });
}

/** "Sales rise from 20 in May to 40 in June": what figures are of is no thing beside them. */
function dropStandIns(clause: Clause): void {
  if (clause.subjects.some(({ ref }) => ref.kind === 'bars' || ref.kind === 'counter'))
    clause.subjects = clause.subjects.filter(({ standsFor }) => standsFor === null);
}

/** "loading animation with three dots": the dots are the loader. */
function foldLoaders(clause: Clause): void {
  const loader = clause.subjects.find((subject) => subject.ref.kind === 'loader');
  const dots = clause.subjects.find((subject) => subject.ref.kind === 'shape' && subject.ref.shape === 'circle');
  if (loader === undefined || dots === undefined) return;
  loader.ref = { kind: 'loader', variant: dots.plural ? 'dots' : 'ring' };
  loader.color ??= dots.color;
  clause.subjects = clause.subjects.filter((subject) => subject !== dots);
}

/** Weathers that would hide each other: each has its own moment, and so has everything that is no weather. */
const weathers = new Set(['rain', 'snow', 'leaves']);

function weatherInTurn(clause: Clause): Clause[] {
  const falling = clause.subjects.filter(({ ref }) => ref.kind === 'particles' && weathers.has(ref.preset));
  if (falling.length < 2) return [clause];
  const rest = clause.subjects.filter((subject) => !falling.includes(subject));
  const first = { ...clause, subjects: rest };
  const later = falling.map((subject) => ({ ...clause, subjects: [subject], texts: [], durationSeconds: null, sequenced: true }));
  return isEmpty(first) ? later : [first, ...later];
}

/** Texts that come one after another, without a picture, each get a scene. */
function inTurn(clause: Clause): Clause[] {
  if (!clause.inTurn || clause.subjects.length > 0 || clause.texts.length < 2) return [clause];
  return clause.texts.map((text, i) => ({
    ...clause,
    texts: [{ ...text, role: 'title' as const }],
    sequenced: i > 0 || clause.sequenced,
    durationSeconds: null,
  }));
}

/** Takes everything of `from` into `into`. */
export function absorb(into: Clause, from: Clause): void {
  into.subjects.push(...from.subjects);
  into.texts.push(...from.texts);
  into.meetings.push(...from.meetings);
  into.camera ??= from.camera;
  into.still ??= from.still;
  into.background ??= from.background;
  joinScenery(into, from);
  if (into.speed === 1) into.speed = from.speed;
  if (into.durationSeconds !== null || from.durationSeconds !== null)
    into.durationSeconds = (into.durationSeconds ?? 0) + (from.durationSeconds ?? 0);
}

/** A sentence that only describes what the scene before already has ("The ball is red."). */
function describes(clause: Clause, before: Clause): boolean {
  return (
    clause.texts.length === 0 &&
    clause.subjects.length > 0 &&
    clause.subjects.every(
      (subject) =>
        subject.definite && subject.motion === null && before.subjects.some((other) => sameKind(other.ref, subject.ref)),
    )
  );
}

function applyDescription(clause: Clause, before: Clause): void {
  for (const subject of clause.subjects) {
    const known = before.subjects.find((other) => sameKind(other.ref, subject.ref));
    if (known === undefined) continue;
    known.color = subject.color ?? known.color;
    known.size = subject.size ?? known.size;
    known.count = subject.count ?? known.count;
  }
}

/**
 * Sentences to scenes: "then", list items and arrows always set apart; a full stop alone does so only when the
 * next sentence shows something new. A sentence that is all text belongs to the picture before it.
 */
export function arrange(state: State): Clause[] {
  moveToPlaces(state);
  const scenes: Clause[] = [];
  let opening: Clause | null = null;
  for (const clause of state.clauses) {
    clause.texts = clause.texts.filter((text) => text.text !== null);
    settleMeetings(clause, state.unknown);
    foldOrbits(clause, state.cored);
    foldRepeats(clause);
    foldLoaders(clause);
    dropStandIns(clause);
    const before = scenes.at(-1);
    if (isEmpty(clause) && !movesOn(clause, before)) {
      if (before !== undefined) absorb(before, clause);
      else if (clause.background !== null || clause.camera !== null || clause.still !== null || clause.speed !== 1)
        opening = clause;
      continue;
    }
    const soft = before !== undefined && !clause.sequenced;
    if (soft && describes(clause, before)) applyDescription(clause, before);
    else if (
      soft &&
      clause.subjects.length === 0 &&
      !movesOn(clause, before) &&
      before.texts.length + clause.texts.length <= maxTexts
    )
      absorb(before, clause);
    else if (
      soft &&
      before.subjects.length === 0 &&
      scenes.length === 1 &&
      before.texts.length + clause.texts.length <= maxTexts &&
      !before.sequenced
    ) {
      // "Title 'Hello'. A ball bounces.": the title opens the scene of the ball.
      const texts = before.texts;
      absorb(before, clause);
      before.texts = [...texts, ...clause.texts];
    } else scenes.push(clause);
  }
  const first = scenes[0];
  if (opening !== null && first !== undefined) absorb(first, opening);
  return scenes.flatMap(inTurn).flatMap(weatherInTurn);
}

/** "… at the end" gets a scene of its own behind the others, "… at the start" one before them. */
function moveToPlaces(state: State): void {
  for (const place of ['start', 'end'] as const) {
    const moved = state.placed.filter((one) => one.place === place);
    const heads = new Set<SubjectWish | TextWish>(moved.map((one) => one.head));
    const rest = state.clauses.flatMap((clause) => [...clause.subjects, ...clause.texts]).filter((head) => !heads.has(head));
    if (heads.size === 0 || rest.length === 0) continue;
    const target = newClause(true);
    for (const clause of state.clauses) {
      target.subjects.push(...clause.subjects.filter((subject) => heads.has(subject)));
      target.texts.push(...clause.texts.filter((text) => heads.has(text)));
      clause.subjects = clause.subjects.filter((subject) => !heads.has(subject));
      clause.texts = clause.texts.filter((text) => !heads.has(text));
    }
    if (place === 'end') state.clauses.push(target);
    else {
      const [first] = state.clauses;
      if (first !== undefined) first.sequenced = true;
      state.clauses.unshift(target);
    }
  }
}
