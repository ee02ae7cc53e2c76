import type { MeetingVerb } from '../../../contract/film.ts';
import { programOf } from '../programs.ts';
import type { MotionWish, SubjectWish } from './brief.ts';
import { phraseBefore } from './relations.ts';
import type { State } from './state.ts';

/** Prepositions of the way to, from and past a thing, folded, in all languages; `verb`: what who goes there does. */
const phrases: Readonly<Partial<Record<MeetingVerb, string>>> = {
  into: "into|inside|down into|ins|in den|in die|in das|in eine|in einen|in ein|dans|dentro de|a l'interieur de|hacia dentro de",
  'land-on': 'onto|on to|on top of|auf|sur|encima de|sobre',
  'out-of': 'out of|from inside|aus|hors de|fuera de',
  off: 'off|off of|down from|from the top of|von',
  reach: 'to|towards|toward|up to|over to|zu|zum|zur|bis zu|bis zum|vers|jusqu a|hacia|hasta',
  hit: 'against|gegen|contre|contra',
  circle: 'around|all around|round|um|rund um|autour de|alrededor de',
  past: 'past|by|across|through|behind|in front of|under|over|beneath|along|durch|hinter|vor|unter|ueber|entlang|a travers|derriere|devant|sous|a traves de|detras de|delante de|bajo',
};
/** For what falls or leaps these say where to; for everybody else, where they are. */
const ends = { into: 'in|im|en', 'land-on': 'on|upon', reach: 'at' } as const;

const rows = (from: Readonly<Partial<Record<MeetingVerb, string>>>) =>
  Object.entries(from)
    .flatMap(([verb, list]) => list.split('|').map((words) => ({ words, verb: verb as MeetingVerb })))
    .sort((one, other) => other.words.length - one.words.length);
const table = rows(phrases);
const tableOfFalls = [...table, ...rows(ends)];

/** Brings whom it is done to somewhere. */
const bringing = new Set<MeetingVerb>(['carry', 'throw', 'lift', 'push', 'pull', 'kick', 'hit', 'pour', 'do']);
const behind = new Set([
  'behind',
  'hinter',
  'derriere',
  'detras de',
  'under',
  'beneath',
  'unter',
  'sous',
  'bajo',
  'through',
  'durch',
]);
const changing = /^(?:turn|change|transform|morph|convert|make)$/;
const falls = new Set(['drop', 'jump']);
const fallsTo = new Set(['dive', 'land', 'descend', 'sink', 'flutter-down', 'sit', 'topple', 'somersault']);
const travelling = new Set(['roll', 'slide', 'drop', 'fly', 'jump', 'float']);

const isFall = ({ type, act }: MotionWish): boolean => falls.has(type) || (act !== null && fallsTo.has(act.program));
const travels = (motion: MotionWish): boolean =>
  travelling.has(motion.type) || isFall(motion) || (motion.act !== null && programOf(motion.act.program).way !== 'stay');

/**
 * "Rolls into a box", "pops out of a hat", "puts the ball on the table": a thing behind a preposition of the way is where
 * somebody goes or brings something. False when nobody is on the way there.
 */
export function goesTo(state: State, at: number, wish: SubjectWish, isBody: (head: SubjectWish) => boolean): boolean {
  if (!isBody(wish)) return false;
  const { clause } = state;
  const last = clause.meetings.at(-1);
  if (last !== undefined && last.whom !== null && last.whom !== wish && last.to === null && bringing.has(last.verb)) {
    const found = phraseBefore(state, at, tableOfFalls)?.row.verb;
    // "Pulls a rabbit out of a hat": it comes out of there. "Turns a frog into a prince": it becomes one.
    const own = found === 'out-of' ? found : found === 'into' && changing.test(last.said ?? '') ? 'become' : null;
    if (own !== null) {
      clause.meetings.unshift({ verb: own, who: [last.whom], whom: wish, to: null, isPassive: false, text: last.text });
      return true;
    }
    if (found === undefined || !['into', 'land-on', 'reach'].includes(found) || last.who.includes(wish)) return false;
    last.to = wish;
    state.group = state.group.filter((head) => head !== wish);
    return true;
  }
  const who = state.moved.filter((head): head is SubjectWish => head.type === 'subject' && head !== wish && isBody(head));
  const [motion] = who.flatMap((one) => one.motion ?? []);
  if (motion === undefined || clause.meetings.some((meeting) => meeting.who.some((one) => who.includes(one)))) return false;
  const found = phraseBefore(state, at, isFall(motion) ? tableOfFalls : table);
  if (found === null || found.pronoun) return false;
  const { verb, words } = found.row;
  if (verb !== 'out-of' && !travels(motion)) return false;
  const said = state.language === 'en' ? { said: `${motion.act?.verb ?? motion.type} ${words}` } : {};
  const hidden = verb === 'past' && behind.has(words) ? { effect: 'behind' } : {};
  clause.meetings.push({ verb, who, whom: wish, to: null, isPassive: false, text: words, ...said, ...hidden });
  state.group = state.group.filter((head) => head !== wish);
  return true;
}
