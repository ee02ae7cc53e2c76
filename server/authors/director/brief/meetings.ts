import type { MeetingVerb, MotionType } from '../../../contract/film.ts';
import type { Clause, MeetingWish, MotionWish, SubjectWish } from './brief.ts';
import { goesTo } from './destinations.ts';
import { fold } from './fold.ts';
import { standIn } from './heads.ts';
import type { Lexeme, Meaning } from './lexemes.ts';
import type { ActWish } from './sense.ts';
import { agentsAmong, beginClause, headAhead, objectBehind, type State } from './state.ts';
import { deedVerb } from './verbs.ts';
import { again, newMotion, sameKind } from './wishes.ts';

type MeetingMeaning = Extract<Meaning, { kind: 'meeting' }>;

/** "The cat is chased by a dog": who comes behind the word is the one who does it. */
const agents = new Set(['by', 'von', 'vom', 'par', 'por']);

/** Snow and charts meet nobody. */
const isBody = (head: State['group'][number]): head is SubjectWish =>
  head.type === 'subject' && ['ball', 'cube', 'shape', 'figure', 'logo'].includes(head.ref.kind);

/** What one does alone with a verb that wants another: "a ball lands on the floor". */
const alone: Readonly<Partial<Record<MeetingVerb, MotionType | ActWish>>> = {
  knock: { program: 'topple', verb: 'topple' },
  eat: { program: 'eat', verb: 'eat' },
  circle: { program: 'circle', verb: 'circle' },
  carry: { program: 'walk', verb: 'walk' },
  collide: { program: 'shake', verb: 'shake' },
  merge: 'shrink',
  chase: 'slide',
  follow: 'slide',
  push: 'slide',
  pull: 'slide',
  hit: 'roll',
  kick: 'fly',
  'bounce-off': 'bounce',
  'jump-over': 'jump',
  'land-on': 'drop',
  throw: 'fly',
};

/** Whether two nouns in front of the verb at `at` are joined: "a dog and a cat chase". */
const isJoined = (state: State, at: number): boolean =>
  state.lexemes.slice(Math.max(0, at - 4), at).some(({ meaning }) => meaning.kind === 'and') && state.group.length === 2;

/** Whoever is waiting for a verb, or has just had one ("rolls in and hits …"), or was there in the clause before. */
function actorsOf(state: State, at: number): SubjectWish[] {
  const standing = standIn(state);
  const still = state.group.filter(isBody);
  const agents = agentsAmong(state, still, at);
  // "… their windows glow, and in the last one somebody draws the curtain": one alone, who stands right before it.
  const alone = state.language === 'en' && /[^s]s$/.test(state.lexemes[at]?.text ?? '') && !isJoined(state, at);
  const nearest = alone ? agents.slice(-1) : agents;
  const waiting = agents.length > 0 || state.moved.some(isBody) ? [...nearest] : still;
  if (standing !== null || waiting.length > 0) return [...new Set([...waiting, ...(standing === null ? [] : [standing])])];
  const moved = state.moved.filter(isBody);
  if (moved.length > 0) return moved;
  const before = state.clauses.findLast((clause) => clause !== state.clause && clause.subjects.length > 0);
  const lead = before?.subjects.find(isBody);
  if (lead === undefined || state.clause.subjects.length > 0) return [];
  const actor = again(lead);
  state.clause.subjects.push(actor);
  return [actor];
}

/** How far behind a verb its agent may stand: "is pushed off to the left by an arm". */
const agentReach = 6;

/** Whether the verb at `at` is a passive: "chased by a dog". */
function agentBehind(state: State, at: number): boolean {
  // "Is wiped with a sponge": what it is done with does it.
  const isDone = /^(?:is|are|gets?|was|were|being)$/i.test(state.lexemes[at - 1]?.text ?? '');
  for (let i = at + 1; i <= at + agentReach; i += 1) {
    const lexeme = state.lexemes[i];
    if (lexeme === undefined || ['mark', 'then', 'subject', 'motion', 'meeting'].includes(lexeme.meaning.kind)) return false;
    if (agents.has(fold(lexeme.text)) || (isDone && fold(lexeme.text) === 'with'))
      return headAhead(state, i)?.meaning.kind === 'subject';
  }
  return false;
}

/** Who has a part in a meeting of the clause already does the next thing in the next scene. */
export function nextScene(state: State, actors: readonly SubjectWish[]): SubjectWish[] {
  const busy = new Set(state.clause.meetings.flatMap(({ who, whom }) => (whom === null ? [] : [...who, whom])));
  if (!actors.some((actor) => busy.has(actor))) return [...actors];
  const clones = actors.map(again);
  const fresh = state.clause.subjects.filter((subject) => !busy.has(subject) && state.group.includes(subject));
  state.clause.subjects = state.clause.subjects.filter((subject) => !fresh.includes(subject));
  beginClause(state, true);
  state.clause.subjects.push(...clones, ...fresh);
  return clones;
}

/**
 * "A boy opens a door", "a cat flies a plane", "the cheese is stolen by a mouse": an object right behind makes a meeting of
 * any verb. False when there is nobody who does it or nobody to whom it is done.
 */
export function readDeed(state: State, at: number, { text }: Lexeme, motion: MotionWish | null = null): boolean {
  if (state.negated || state.lexemes[at - 1]?.meaning.kind === 'article') return false;
  const isPassive = agentBehind(state, at);
  const behind = state.lexemes[at + 1]?.meaning.kind;
  if (!isPassive && behind !== 'pronoun' && !objectBehind(state, at)) return false;
  const known = deedVerb(fold(text), state.language);
  const waits = state.unknownNoun !== null || state.group.some(isBody) || state.moved.some(isBody);
  if (known === null || !(waits || state.clauses.length > 1)) return false;
  const actors = actorsOf(state, at);
  if (actors.length === 0) return false;
  const { verb, effect } = known.deed;
  meet(state, nextScene(state, actors), {
    verb,
    said: known.verb,
    text,
    isPassive,
    ...(effect === undefined ? {} : { effect }),
    ...(motion === null ? {} : { alone: motion }),
  });
  return true;
}

const becoming =
  /^(?:turn(?:s|ed|ing)? into|gr[eo]w(?:s|ing)? into|becom(?:e|es|ing)|became|morph|transform|chang(?:e|es|ed|ing) into|wird|werden|verwandel|devien|se transform|se conviert|se vuelve)/;

const splitting = /^(?:split|divid|multipl|doubl|teilt|verdoppel|vermehr|se divise|se dedouble|se divide|se multiplica)/;

/** The number behind the verb at `at` that counts nothing else: "splits into two", "becomes 2". */
function numberBehind({ lexemes }: State, at: number): number | null {
  const ahead = [1, 2, 3].map((step) => lexemes[at + step]);
  const found = ahead.findIndex((lexeme) => lexeme?.meaning.kind === 'number');
  const linking = ahead.slice(0, found).every((lexeme) => ['in', 'to', 'article', 'filler'].includes(lexeme?.meaning.kind ?? ''));
  const number = ahead[found]?.meaning;
  const next = lexemes[at + found + 2]?.meaning.kind;
  const counts = next === 'subject' || next === 'color' || next === 'size';
  return found < 0 || !linking || counts || number?.kind !== 'number' || number.value > mostParts ? null : number.value;
}
const mostParts = 24;

/** "A cell splits into two": it becomes so many of its sort. */
function becomesSeveral(state: State, lead: SubjectWish, count: number, text: string): void {
  const whom: SubjectWish = { ...again(lead), count, plural: count > 1 };
  const [who = lead] = nextScene(state, [lead]);
  meet(state, [who], { verb: 'become', text, isPassive: false });
  state.clause.subjects.push(whom);
  if (state.meeting !== null) setWhom(state, state.meeting, whom);
  state.meeting = null;
}

/** "… then four, then eight": it goes on as it did. False where nothing has become several. */
export function goesOnBecoming(state: State, at: number, count: number): boolean {
  const { clause } = state;
  if (clause.subjects.length > 0 || headAhead(state, at) !== null || count > mostParts) return false;
  const last = state.clauses.findLast((one) => one !== clause && one.meetings.length > 0)?.meetings.at(-1);
  if (last?.verb !== 'become' || last.whom === null || !last.who.some(({ ref }) => sameKind(ref, last.whom?.ref ?? ref)))
    return false;
  const lead = again(last.whom);
  clause.subjects.push(lead);
  becomesSeveral(state, lead, count, last.text);
  return true;
}

/** "A caterpillar turns into a butterfly": one thing becomes another. False where it is a colour, or nobody is there. */
export function readBecoming(state: State, at: number, { text }: Lexeme): boolean {
  const key = fold(text);
  const several = becoming.test(key) || splitting.test(key) ? numberBehind(state, at) : null;
  if (state.negated || (several === null && (!becoming.test(key) || headAhead(state, at)?.meaning.kind !== 'subject')))
    return false;
  if (!(state.unknownNoun !== null || state.group.some(isBody) || state.moved.some(isBody))) return false;
  const who = actorsOf(state, at);
  const [lead] = who;
  if (lead === undefined) return false;
  if (several !== null) {
    becomesSeveral(state, lead, several, text);
    return true;
  }
  meet(state, nextScene(state, who), { verb: 'become', text, isPassive: false });
  return true;
}

type Met = Omit<MeetingWish, 'who' | 'whom' | 'to'>;

function meet(state: State, who: SubjectWish[], met: Met): void {
  state.meeting = { ...met, who, whom: null, to: null };
  state.clause.meetings.push(state.meeting);
  state.group = [];
  state.moved = who;
  state.details += 1;
}

/** A verb for what one thing does to another: whom it is done to comes behind it. */
export function readMeeting(state: State, at: number, { meaning, text }: Lexeme & { readonly meaning: MeetingMeaning }): void {
  if (state.negated) return;
  const actors = state.lexemes[at - 1]?.meaning.kind === 'article' ? [] : actorsOf(state, at);
  if (actors.length === 0) {
    const motion = alone[meaning.verb];
    const others = state.group.filter((head) => head.type === 'subject' && head.motion === null);
    if (others.length === 0 || motion === undefined) state.unknown.push(text);
    else
      for (const one of others)
        if (one.type === 'subject') one.motion = typeof motion === 'string' ? newMotion(motion) : newMotion('act', motion);
    return;
  }
  const isPassive = agentBehind(state, at);
  meet(state, nextScene(state, actors), { verb: meaning.verb, isPassive, text });
}

/** "Gives the girl a flower": of two things without a word between them the second is given, and the first has it. */
function takes(state: State, at: number, wish: SubjectWish): boolean {
  const last = state.clause.meetings.at(-1);
  const had = last?.whom;
  if (last?.verb !== 'carry' || had == null || last.to !== null || !isBody(wish) || had === wish || state.focus !== wish)
    return false;
  let start = at - 1;
  while (start > 0 && insideObject.has(state.lexemes[start]?.meaning.kind ?? '')) start -= 1;
  const { meaning } = state.lexemes[start] ?? {};
  if (meaning?.kind !== 'subject' || state.clause.subjects.at(-2) !== had) return false;
  [last.to, last.whom] = [had, wish];
  state.group = state.group.filter((head) => head !== wish);
  return true;
}
const insideObject = new Set(['article', 'color', 'size', 'number', 'shade', 'unknown', 'filler']);

/** To whom it is done; who has met somebody in the clause already meets the next one in a scene of their own. */
function setWhom(state: State, meeting: MeetingWish, whom: SubjectWish): void {
  const { clause } = state;
  const isBusy = clause.meetings.some(
    (other) => other !== meeting && other.whom !== null && (other.whom === whom || other.who.includes(whom)),
  );
  meeting.whom = whom;
  if (!isBusy) return;
  meeting.whom = again(whom);
  clause.meetings = clause.meetings.filter((other) => other !== meeting);
  clause.subjects = clause.subjects.filter((subject) => !meeting.who.includes(subject));
  beginClause(state, true);
  state.clause.subjects.push(...meeting.who, meeting.whom);
  state.clause.meetings.push(meeting);
  state.moved = meeting.who;
}

/** The thing that was just read is the one to whom the last verb is done, or where it leads. False when no verb waits for one. */
export function meets(state: State, at: number, wish: SubjectWish): boolean {
  const { meeting } = state;
  state.meeting = null;
  if (meeting === null) return takes(state, at, wish) || goesTo(state, at, wish, isBody);
  if (meeting.who.includes(wish) || !isBody(wish)) return false;
  state.group = state.group.filter((head) => head !== wish);
  setWhom(state, meeting, wish);
  // What somebody has become does the next thing.
  state.moved = meeting.verb === 'become' ? [meeting.whom ?? wish] : meeting.who;
  return true;
}

/** "Takes it away", "hugs her": the last one who does not do it. False when no verb waits for one. */
export function meetsPronoun(state: State): boolean {
  const { meeting, clause } = state;
  if (meeting === null) return false;
  const others = (subjects: readonly SubjectWish[]): SubjectWish | undefined =>
    subjects.findLast((one) => isBody(one) && !meeting.who.some((who) => who === one || sameKind(who.ref, one.ref)));
  const here = others(clause.subjects);
  const before = here ?? others(state.clauses.flatMap((one) => (one === clause ? [] : one.subjects)));
  if (before === undefined) return false;
  state.meeting = null;
  const whom = here ?? again(before);
  if (here === undefined) clause.subjects.push(whom);
  setWhom(state, meeting, whom);
  return true;
}

/** Without an object several do it to each other ("two cars collide"); what one alone cannot do is reported as not read. */
export function settleMeetings(clause: Clause, unknown: string[]): void {
  clause.meetings = clause.meetings.flatMap((meeting): MeetingWish[] => {
    const [first, second] = meeting.who;
    if (first === undefined) return [];
    if (meeting.whom !== null) {
      return meeting.isPassive ? [{ ...meeting, isPassive: false, who: [meeting.whom], whom: first }] : [meeting];
    }
    if (second !== undefined) return [{ ...meeting, who: [first], whom: second }];
    const count = first.count ?? (first.plural ? 2 : 1);
    if (count < 2) {
      const motion = meeting.alone ?? alone[meeting.verb];
      if (motion === undefined) unknown.push(meeting.text);
      else if (typeof motion !== 'string' && 'type' in motion) first.motion ??= motion;
      else first.motion ??= typeof motion === 'string' ? newMotion(motion) : newMotion('act', motion);
      return [];
    }
    const other: SubjectWish = { ...first, count: Math.floor(count / 2), color: first.colors[1] ?? first.color, colors: [] };
    first.count = count - Math.floor(count / 2);
    first.color = first.colors[0] ?? first.color;
    first.colors = [];
    clause.subjects.splice(clause.subjects.indexOf(first) + 1, 0, other);
    return [{ ...meeting, who: [first], whom: other }];
  });
}
