import { programOf } from '../programs.ts';
import type { MotionWish, SubjectWish, TextWish } from './brief.ts';
import { isFigureAhead } from './counters.ts';
import { fold } from './fold.ts';
import { standIn } from './heads.ts';
import { type Lexeme, type Meaning, senseOf } from './lexemes.ts';
import { entranceOfMotion } from './manners.ts';
import { nextScene, readDeed } from './meetings.ts';
import type { Camera, Direction, Entrance } from './sense.ts';
import { agentsAmong, beginClause, headAhead, objectBehind, previous, type State } from './state.ts';
import { again, newMotion } from './wishes.ts';

type MotionMeaning = Extract<Meaning, { kind: 'motion' }>;
type Actor = SubjectWish | TextWish;

const cameraOfMotion: Readonly<Partial<Record<MotionWish['type'], Camera>>> = {
  slide: 'dolly',
  spin: 'orbit',
  grow: 'push-in',
  fly: 'dolly',
  float: 'dolly',
  shrink: 'dolly',
};

/** A motion word: it waits for the thing behind it, drives the camera, or moves the things in front of it. */
export function readMotion(state: State, at: number, lexeme: Lexeme, meaning: MotionMeaning): void {
  if (state.negated || (state.unknownNoun !== null && isFigureAhead(state.lexemes, at))) return;
  if (state.focus?.type === 'camera') {
    state.clause.camera = cameraOfMotion[meaning.motion] ?? 'push-in';
    return;
  }
  const motion = newMotion(meaning.motion, meaning.act ?? null);
  motion.direction = meaning.direction ?? state.mods.direction;
  const behind = headAhead(state, at);
  const actors = state.clause.subjects.length + state.clause.texts.length;
  // "a spinning cube", "bounce a ball": the thing comes behind the word.
  const attributive =
    behind !== null &&
    behind.meaning.kind !== 'background' &&
    behind.meaning.kind !== 'scenery' &&
    (meaning.participle
      ? state.mods.opened || actors === 0 || previousIsJoint(state, at)
      : actors === 0 && state.unknownNoun === null && (motion.act === null || fold(lexeme.text) === motion.act.verb));
  if (attributive) {
    motion.times = state.mods.times ?? state.mods.count;
    state.mods.motion = motion;
    return;
  }
  motion.times = state.mods.times;
  state.mods.times = null;
  if (readDeed(state, at, lexeme, motion)) return;
  // "Open a door": the door opens.
  if (motion.act !== null && causative.has(motion.act.program) && behind !== null && objectBehind(state, at)) {
    state.mods = { ...state.mods, motion };
    state.group = [];
    return;
  }
  assign(state, motion, { lexeme, participle: meaning.participle, at });
}

/** What somebody does to a thing, and the thing does by itself as well. */
const causative = new Set(
  'open close click press fill empty flip fold unfold flatten switch-on switch-off melt shatter crumble inflate deflate topple ring shake tilt charge freeze burn boil dissolve'.split(
    ' ',
  ),
);

const previousIsJoint = (state: State, at: number): boolean => {
  const before = previous(state, at);
  return (
    before === undefined || before.meaning.kind === 'and' || before.meaning.kind === 'mark' || before.meaning.kind === 'then'
  );
};

function assign(
  state: State,
  motion: MotionWish,
  { lexeme, participle, at }: { lexeme: Lexeme; participle: boolean; at: number },
): void {
  const standing = standIn(state);
  if (standing !== null) {
    // "a heart and a rocket fly" moves both, "a ball bounces and a rocket flies" the rocket alone.
    const alone = participle || (state.language === 'en' && /s$/.test(lexeme.text));
    const others = state.group.filter((actor) => actor !== standing && actor.type === 'subject' && actor.motion === null);
    give(alone ? [standing] : [...others, standing], motion, { state, lexeme });
    return;
  }
  const still = state.group.filter((actor) => actor.type === 'text' || actor.motion === null || actor.motion.type === 'appear');
  const agents = agentsAmong(state, still, at);
  // "Slides under the table and stops": the table does neither.
  const waiting = agents.length > 0 || state.moved.length > 0 ? agents : still;
  if (waiting.length > 0) {
    const nearest = waiting.at(-1);
    // "… and confetti falls" moves the confetti alone, not the title before it.
    const singular = participle || (state.language === 'en' && /s$/.test(lexeme.text));
    const alone =
      motion.act !== null && nearest?.type === 'subject' ? [nearest] : waiting.filter((actor) => actor.type === nearest?.type);
    give(singular && nearest !== undefined ? alone : waiting, motion, {
      state,
      lexeme,
    });
    return;
  }
  if (state.moved.length > 0) {
    moveOn(state, motion, lexeme);
    return;
  }
  // "then explode": whoever was there before does it.
  const before = state.clauses.findLast((clause) => clause !== state.clause && clause.subjects.length > 0);
  if (before === undefined) {
    if (motion.act !== null) {
      state.unknown.push(lexeme.text);
      return;
    }
    state.orphanMotion = true;
    state.mods.motion = motion;
    return;
  }
  const actors = before.subjects.map(again);
  state.clause.subjects.push(...actors);
  give(actors, motion, { state, lexeme });
}

/** "pops up" says how a text comes in, more exactly than the motion that it is for things. */
const entranceFor = (lexeme: Lexeme, motion: MotionWish): Entrance =>
  senseOf(lexeme, 'manner')?.manner.entrance ??
  (motion.act !== null && programOf(motion.act.program).air ? 'rise' : entranceOfMotion[motion.type]);

/** Figures, charts and weather do nothing of their own accord. */
const canAct = ({ ref }: SubjectWish): boolean => ['ball', 'cube', 'shape', 'figure', 'logo', 'orbit'].includes(ref.kind);

function give(all: readonly Actor[], motion: MotionWish, { state, lexeme }: { state: State; lexeme: Lexeme }): void {
  const things = all.filter((actor) => actor.type === 'subject');
  // Who has a part in a meeting does the next thing in the next scene.
  const later = things.length > 0 && things.length === all.length ? nextScene(state, things) : null;
  const actors = later ?? all;
  for (const actor of actors) {
    if (actor.type === 'text') actor.manner = { entrance: entranceFor(lexeme, motion), ...actor.manner };
    else if (motion.act === null || canAct(actor)) actor.motion = { ...motion };
  }
  state.moved = [...actors];
  state.group = [];
  state.details += 1;
}

/** "rolls in and bounces": a thing does one after the other, so the second motion is the next clause. */
function moveOn(state: State, motion: MotionWish, lexeme: Lexeme): void {
  const subjects = state.moved.filter((actor) => actor.type === 'subject');
  if (subjects.length === 0) {
    for (const actor of state.moved)
      if (actor.type === 'text') actor.manner = { ...actor.manner, entrance: entranceFor(lexeme, motion) };
    return;
  }
  const current = subjects[0]?.motion?.type;
  if (motion.type === 'appear' || current === motion.type) {
    for (const subject of subjects) if (subject.motion !== null) subject.motion.times ??= motion.times;
    return;
  }
  if (current === 'appear') {
    give(subjects, motion, { state, lexeme });
    return;
  }
  const clones = subjects.map(again);
  beginClause(state, true);
  state.clause.subjects.push(...clones);
  give(clones, motion, { state, lexeme });
}

const movedMotions = (state: State): MotionWish[] =>
  state.moved.flatMap((actor) => (actor.type === 'subject' && actor.motion !== null ? [actor.motion] : []));

/** "three times", "twice". */
export function readRepeat(state: State, times: number): void {
  const motions = movedMotions(state);
  const held = state.focus?.type === 'subject' ? state.focus.motion : null;
  if (motions.length > 0) for (const motion of motions) motion.times = times;
  else if (held !== null) held.times = times;
  else if (state.focus?.type === 'text' && state.focus.text !== null)
    state.focus.manner = { ...state.focus.manner, times: Math.min(10, times) };
  else state.mods.times = times;
  state.details += 1;
}

export function readTurns(state: State, turns: number): void {
  for (const motion of movedMotions(state)) motion.turns = turns;
}

export function readHeight(state: State, factor: number): void {
  for (const motion of movedMotions(state)) if (motion.type === 'bounce' || motion.type === 'jump') motion.height = factor;
}

const opposite: Readonly<Record<Direction, Direction>> = { left: 'right', right: 'left', up: 'down', down: 'up' };

export const sideOf = { left: 'left', right: 'right', up: 'top', down: 'bottom' } as const;

/** "from the left" travels to the right. */
export function readDirection(state: State, at: number, direction: Direction): void {
  const before = previous(state, at);
  const travel = before?.meaning.kind === 'from' ? opposite[direction] : direction;
  const motions = movedMotions(state);
  if (motions.length > 0) for (const motion of motions) motion.direction ??= travel;
  else if (state.mods.motion !== null) state.mods.motion.direction ??= travel;
  else if (state.focus?.type === 'text') {
    const { focus } = state;
    if (before?.meaning.kind === 'from') focus.manner = { entrance: 'slide', ...focus.manner, from: sideOf[direction] };
    else if (direction === 'up' || direction === 'down') focus.position ??= sideOf[direction] === 'top' ? 'top' : 'bottom';
  }
  // "Lass ihn von links fallen": the verb comes behind.
  else if (before?.meaning.kind === 'from') state.mods.direction = travel;
}

/** "it", "they": in a new clause the things of the one before; behind a meeting the one to whom it was done. */
export function readPronoun(state: State): void {
  const met = state.clause.meetings.at(-1)?.whom ?? null;
  if (met !== null) {
    state.moved = [met];
    state.group = [];
    state.focus = met;
    return;
  }
  if (state.clause.subjects.length > 0) {
    state.moved = state.clause.subjects.filter((subject) => subject.motion !== null);
    state.group = state.clause.subjects.filter((subject) => subject.motion === null);
    state.focus = state.clause.subjects.at(-1) ?? null;
    return;
  }
  const index = state.clauses.findLastIndex((clause) => clause !== state.clause && clause.subjects.length > 0);
  const before = state.clauses[index];
  if (before === undefined) return;
  if (!state.clause.sequenced && state.clause.texts.length === 0 && before.subjects.every((subject) => subject.motion === null)) {
    // "There is a ball. It bounces.": one scene, told in two sentences.
    state.clauses.splice(state.clauses.indexOf(state.clause), 1);
    state.clause = before;
    state.group = [...before.subjects];
  } else {
    const actors = before.subjects.map(again);
    state.clause.subjects.push(...actors);
    state.group = [...actors];
  }
  state.focus = state.clause.subjects.at(-1) ?? null;
}
