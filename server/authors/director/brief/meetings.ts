import type { MeetingVerb, MotionType } from '../../../contract/film.ts';
import type { Clause, MeetingWish, SubjectWish } from './brief.ts';
import { fold } from './fold.ts';
import { standIn } from './heads.ts';
import type { Lexeme, Meaning } from './lexemes.ts';
import type { ActWish } from './sense.ts';
import { agentsAmong, type State } from './state.ts';
import { again, newMotion } from './wishes.ts';

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

/** Whoever is waiting for a verb, or has just had one ("rolls in and hits …"), or was there in the clause before. */
function actorsOf(state: State, at: number): SubjectWish[] {
  const standing = standIn(state);
  const still = state.group.filter(isBody);
  const agents = agentsAmong(state, still, at);
  const waiting = agents.length > 0 || state.moved.some(isBody) ? [...agents] : still;
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
  const isPassive = agents.has(fold(state.lexemes[at + 1]?.text ?? ''));
  state.meeting = { verb: meaning.verb, who: actors, whom: null, isPassive, text };
  state.clause.meetings.push(state.meeting);
  state.group = [];
  state.moved = actors;
  state.details += 1;
}

/** The thing that was just read is the one to whom the last verb is done. False when no verb waits for one. */
export function meets(state: State, wish: SubjectWish): boolean {
  const { meeting } = state;
  state.meeting = null;
  if (meeting === null || meeting.who.includes(wish) || !isBody(wish)) return false;
  meeting.whom = wish;
  state.group = state.group.filter((head) => head !== wish);
  state.moved = meeting.who;
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
      const motion = alone[meeting.verb];
      if (motion === undefined) unknown.push(meeting.text);
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
