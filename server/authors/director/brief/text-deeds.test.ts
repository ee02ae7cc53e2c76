import { describe, expect, it } from 'vitest';
import { noHints, parseBrief } from './parse-brief.ts';

/** What the first text of a prompt and a thing do with each other. */
function met(prompt: string): string {
  const [text] = parseBrief(prompt, noHints).clauses.flatMap(({ texts }) => texts);
  const { thing, how, effect } = text?.met ?? {};
  const noun = thing?.ref.kind === 'figure' ? thing.ref.noun : (thing?.ref.kind ?? 'nothing');
  return `${text?.text ?? ''}: ${how ?? 'meets'} ${noun}${effect === undefined ? '' : ` ${effect}`}`;
}

describe('words and things that meet', () => {
  it.each([
    ['A pencil writes "Hello"', 'Hello: written pencil'],
    ['a cat eats the word FISH', 'FISH: wiped cat'],
    ['the word DRAFT is rubbed out by an eraser', 'DRAFT: wiped eraser'],
    ['six balloons form the name ANNA', 'ANNA: made shape'],
    ['a truck pulls the words FRESH BREAD into the frame', 'FRESH BREAD: pulled truck'],
    ['the title "Wow" falls on a tent and flattens it', 'Wow: lands tent flatten'],
    ['the title "Wow" rises out of darkness with drifting particles', 'Wow: meets nothing'],
    ['a title "Hello", and a dog kicks a ball', 'Hello: meets nothing'],
  ])('A9: reads “%s”', (prompt, story) => {
    expect(met(prompt)).toBe(story);
  });

  it('A9: what something is done like is not in the film', () => {
    const { clauses } = parseBrief('the word OPEN flips up like a shop sign', noHints);
    expect(clauses.flatMap(({ subjects }) => subjects)).toEqual([]);
    const looks = parseBrief('a cloud shaped like a heart drifts by', noHints);
    expect(looks.clauses.flatMap(({ subjects }) => subjects).length).toBe(2);
  });
});
