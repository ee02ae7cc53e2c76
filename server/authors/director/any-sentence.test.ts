import fc from 'fast-check';
import { parseSync } from 'vite';
import { describe, expect, it } from 'vitest';
import { type Film, filmText } from '../../contract/film.ts';
import { noHints, parseBrief } from './brief/parse-brief.ts';
import { emitAll } from './emit/emit.ts';
import { applyFeedback } from './feedback/apply-feedback.ts';
import { planFilm } from './plan/plan-film.ts';

/** The film of a prompt, as the director plans it: what it does not understand it shows as words. */
const planned = (prompt: string): Film => planFilm(parseBrief(prompt, noHints), { seed: 11 });

/** Every scene shows something, and the code of all of them is TypeScript. */
function expectWhole(film: Film): void {
  expect(() => filmText(film)).not.toThrow();
  expect(film.scenes.length).toBeGreaterThan(0);
  for (const { subjects, texts, place } of film.scenes)
    expect(subjects.length + texts.length + (place === undefined ? 0 : 1)).toBeGreaterThan(0);
  for (const { path, content } of emitAll(film)) if (path.endsWith('.tsx')) expect(parseSync(path, content).errors).toEqual([]);
}

const words = [
  ...'a the two red huge tiny cat dog ball cube robot moon tree box bird sea city night rain snow title text title:'.split(' '),
  ...'jumps chases opens eats throws builds becomes turns into pushes over under behind on of with and then while until'.split(
    ' ',
  ),
  ...'it its them one another next twice 3 40% 2021 “Hello” , . ! ? : SALE forever slowly together by from to at in'.split(' '),
];

describe('whatever somebody types', () => {
  it('A4, X3: words in any order give a film that is valid and shows something', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 24 }), (said) =>
        expectWhole(planned(said.join(' '))),
      ),
      { numRuns: 60, examples: [[['on', 'red', 'a', 'night', 'a']]] },
    );
  });

  it('A9, X3: and any words about a film leave it valid', () => {
    const film = planned('a cat chases a ball, then a dog opens a door');
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 14 }), (said) =>
        expectWhole(applyFeedback(film, said.join(' '), []).film),
      ),
      { numRuns: 40 },
    );
  });

  it.each([
    ['a contradiction', 'a square circle that is completely red and completely blue and does not move while it runs'],
    ['impossible physics', 'a ball falls upwards through itself and lands on its own shadow'],
    ['too many', '300 cats, 500 dogs and 1000 balls each throw 400 stars into 90 boxes'],
    ['code', 'const x = () => { while (true) fetch("http://x"); } // <script>alert(1)</script>'],
    ['an insult', 'you are a useless idiot and I hate this'],
    ['emoji alone', '🐱➡️🐭🧀'],
    ['another script', 'Красный шар прыгает три раза'],
    ['a script without spaces', '赤い傘が風に飛ばされる'],
    ['right to left', 'كرة حمراء تقفز ثلاث مرات'],
    ['a brand', 'the Coca-Cola bear drives a Ferrari to McDonald’s'],
    ['marks alone', '?!… --- ((())) ***'],
    ['one letter', 'x'],
    ['words of the language that this is written in', '__proto__ constructor toString'],
    [
      'a page of a novel',
      'It was a bright cold day in April, and the clocks were striking. A man went up the stairs slowly. '.repeat(60),
    ],
    ['one word without end', 'ha'.repeat(2000)],
  ])('A4, X3: %s gives a film or an honest sentence, never a blank frame', (_, prompt) => {
    expectWhole(planned(prompt));
  });
});
