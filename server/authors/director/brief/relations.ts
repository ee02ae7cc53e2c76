import type { Relation } from '../../../contract/film.ts';
import { natureOf } from '../natures.ts';
import type { SubjectWish } from './brief.ts';
import { fold } from './fold.ts';
import type { Meaning } from './lexemes.ts';
import type { Direction } from './sense.ts';
import { headAhead, type State } from './state.ts';

/** Words that say where one thing stands beside another, folded; the same table for all languages. */
const phrases: Readonly<Record<Relation, string>> = {
  beside:
    'next to|right next to|beside|besides|alongside|by the side of|at the side of|close to|near|near to|adjacent to|neben|nahe|a cote de|pres de|al lado de|junto a|cerca de',
  left: 'left of|to the left of|on the left of|on the left side of|to the left side of|left from|links von|links neben|a gauche de|a la izquierda de',
  right:
    'right of|to the right of|on the right of|on the right side of|to the right side of|right from|rechts von|rechts neben|a droite de|a la derecha de',
  above: 'above|over|high above|ueber|oberhalb von|au-dessus de|au dessus de|encima de|por encima de',
  below: 'below|under|underneath|beneath|unter|unterhalb von|sous|au-dessous de|en dessous de|debajo de|bajo',
  on: 'on|on top of|upon|atop|onto|auf|sur|sobre',
  behind: 'behind|in back of|at the back of|hinter|derriere|detras de',
  front: 'in front of|vor|devant|delante de|frente a',
  between: 'between|in between|in the middle of|amid|zwischen|entre',
  around: 'around|all around|round|circled around|surrounding|rund um|autour de|alrededor de',
  inside: "inside|inside of|within|in the inside of|in der mitte von|a l'interieur de|dentro de",
};
/** "A heart surrounded by stars": what comes second stands around what came first. */
const inverted = ['surrounded by', 'encircled by', 'framed by', 'umgeben von', 'entoure de', 'rodeado de'];

const table: readonly { readonly words: string; readonly relation: Relation; readonly inverted: boolean }[] = [
  ...Object.entries(phrases).flatMap(([relation, list]) =>
    list.split('|').map((words) => ({ words, relation: relation as Relation, inverted: false })),
  ),
  ...inverted.map((words) => ({ words, relation: 'around' as const, inverted: true })),
].sort((a, b) => b.words.length - a.words.length);

/** What may stand between the words of a relation and the noun. */
const insidePhrase = new Set<Meaning['kind']>(
  'formation article color shade rainbow size number amount another style gradient pronoun filler unknown'.split(
    ' ',
  ) as Meaning['kind'][],
);
const reach = 8;
const longestPhrase = 6;

/** The first of `table` (longest first, folded) whose words stand in front of the noun at `at`. `pronoun`: one stands between. */
export function phraseBefore<Row extends { readonly words: string }>(
  { lexemes }: State,
  at: number,
  table: readonly Row[],
): { readonly row: Row; readonly pronoun: boolean } | null {
  let pronoun = false;
  for (let i = at - 1; i >= Math.max(0, at - reach); i -= 1) {
    const lexeme = lexemes[i];
    if (lexeme === undefined || lexeme.meaning.kind === 'then') return null;
    const said = ` ${lexemes
      .slice(Math.max(0, i + 1 - longestPhrase), i + 1)
      .map(({ text }) => fold(text))
      .join(' ')
      .replaceAll("d'", 'de ')
      .replace(/ une?$/u, '')}`;
    const row = table.find(({ words }) => said.endsWith(` ${words}`));
    if (row !== undefined) return { row, pronoun };
    if (!insidePhrase.has(lexeme.meaning.kind)) return null;
    pronoun ||= lexeme.meaning.kind === 'pronoun';
  }
  return null;
}

/** Whether the words say where one thing stands beside another. */
export const isRelation = (text: string): boolean => table.some(({ words }) => words === fold(text));

const solid = ({ ref }: SubjectWish): boolean => ['ball', 'cube', 'shape', 'figure', 'logo'].includes(ref.kind);
/** Who does this is on the way, and "over" and "on" tell the way rather than the place. */
const travelling = new Set(['bounce', 'jump', 'roll', 'slide', 'drop', 'fly', 'swing']);

/**
 * "A red cube next to a blue ball": notes where things stand when `wish` has just been read at `at`. Things that have
 * no place of their own (particles, charts) are arranged with nothing.
 */
export function readRelation(state: State, at: number, wish: SubjectWish): void {
  const before = state.clauses.flatMap((clause) => clause.subjects).filter((subject) => subject !== wish && solid(subject));
  const other = before.at(-1);
  const { pendingRelation } = state;
  state.pendingRelation = null;
  if (!solid(wish)) return;
  const found = phraseBefore(state, at, table) ?? containedBy(state, at, wish, other);
  if (found === null) {
    if (pendingRelation?.to != null && wish.placed === null && pendingRelation.to !== wish) wish.placed = pendingRelation;
    else if (other !== undefined) joinBetween(state, at, wish, before);
    return;
  }
  const { relation, inverted } = found.row;
  if (other === undefined) {
    // "Behind a star is a ball": who stands there is still to come.
    state.pendingRelation = { relation, to: wish, also: null };
    return;
  }
  const [who, to] = found.pronoun || inverted ? [wish, other] : [other, wish];
  if ((relation === 'on' || relation === 'above') && travelling.has(who.motion?.type ?? '')) return;
  // "The sun shines on a flower".
  if (relation === 'on' && who.ref.kind === 'figure' && /moon|^sun(?:$|-)/.test(who.ref.drawing)) return;
  // Both cannot stand at each other's side.
  if (who.placed === null && to.placed?.to !== who) who.placed = { relation, to, also: null };
}

const containers = [{ words: 'in' }, { words: 'im' }, { words: 'dans' }, { words: 'en' }] as const;
const metresOf = ({ ref }: SubjectWish): number | null =>
  ref.kind === 'figure' ? (natureOf(ref.drawing)?.metres ?? null) : null;

/** "Four rowers in a boat", "a cat in a box", and not "a man in a hat": what is no smaller holds the other. */
function containedBy(state: State, at: number, wish: SubjectWish, other: SubjectWish | undefined) {
  const found = other === undefined ? null : phraseBefore(state, at, containers);
  if (found === null || other === undefined || !(wish.ref.kind === 'figure' || wish.ref.kind === 'cube')) return null;
  const [outer, inner] = [metresOf(wish), metresOf(other)];
  if (outer !== null && inner !== null && outer < inner * 0.6) return null;
  return { row: { relation: 'inside' as const, inverted: false }, pronoun: found.pronoun };
}

/** "A heart between a star and a cube": the second of the two. */
function joinBetween(state: State, at: number, wish: SubjectWish, before: readonly SubjectWish[]): void {
  const middle = before.findLast(({ placed }) => placed?.relation === 'between');
  const [last] = before.slice(-1);
  const joined = state.lexemes.slice(Math.max(0, at - 4), at).some(({ meaning }) => meaning.kind === 'and');
  if (!joined || middle?.placed?.to == null || middle.placed.to !== last || middle.placed.also !== null) return;
  if (!middle.placed.to.plural) middle.placed = { ...middle.placed, also: wish };
}

/** "A cat beside it": true where the pronoun at `at` is whom the thing before it stands by. */
export function readBesideIt(state: State, at: number): boolean {
  const { focus } = state;
  const found = focus?.type === 'subject' && headAhead(state, at) === null ? phraseBefore(state, at, table) : null;
  if (found === null || found.pronoun) return false;
  readNeighbour(state, at, found.row.relation);
  return true;
}

/** "A cat beside it", "eine Katze daneben": the thing that was named last stands by the one before it, or by somebody whom others know. */
export function readNeighbour(state: State, at: number, relation: Relation): void {
  // "À côté de la maison": the neighbour is named.
  if (/^(?:d[eu']|of|von|vo[nm]|l'|una?$)/.test(fold(state.lexemes[at + 1]?.text ?? ''))) return;
  const here = state.clauses.flatMap((clause) => clause.subjects).filter(solid);
  const [last, other] = [here.at(-1), here.at(-2)];
  if (last === undefined || last.placed !== null) return;
  if (other === undefined) state.pendingRelation = { relation, to: null, also: null };
  else if (other.placed?.to !== last) last.placed = { relation, to: other, also: null };
}

/** "… on the left": a side of the frame, unless "of" something follows. True when it was one. */
export function readSide(state: State, at: number, direction: Direction): boolean {
  const { focus, lexemes } = state;
  if ((direction !== 'left' && direction !== 'right') || focus?.type !== 'subject' || !solid(focus)) return false;
  const said = lexemes
    .slice(Math.max(0, at - 2), at)
    .map(({ text }) => fold(text))
    .join(' ');
  const next = fold(lexemes[at + 1]?.text ?? '');
  const after = ['side', 'half', 'seite'].includes(next) ? fold(lexemes[at + 2]?.text ?? '') : next;
  if (!/^(?:on the|at the|on|at|auf der|a|a la)$/u.test(said.trim()) && !/ (?:on|at)$/u.test(said)) return false;
  if (['of', 'from', 'von', 'neben', 'de'].includes(after) || focus.placed !== null) return false;
  focus.placed = { relation: direction, to: null, also: null };
  return true;
}
