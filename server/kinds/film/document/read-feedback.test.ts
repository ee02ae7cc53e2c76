import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changeKey } from '#contract/project.ts';
import type { Film } from '#kinds/film/contract/film.ts';
import { filmOf } from '#kinds/film/contract/outline.ts';
import { feedbackReadingSchema } from '#kinds/film/contract/reading.ts';
import { noFacts } from '../../../../test/fixtures/facts.ts';
import type { AuthorContext } from '../../../projects/assignment.ts';
import type { AuthorRun } from '../../../projects/author.ts';
import { builtInAuthor } from '../author/author.ts';
import { planFilm } from '../author/plan-film.ts';
import { planOf, withoutUnknownIcons } from './document.ts';
import { changesBetween } from './film-changes.ts';
import { printFilm } from './print.ts';
import { feedbackReading } from './read-feedback.ts';

const hints = { style: 'smooth' as const, aspect: null, durationSeconds: null };
const planned = (prompt: string): Film => withoutUnknownIcons(planFilm({ prompt, hints, answers: [], assets: [], seed: 1 }).film);
const animals = planned('Favourite animals:\n- Cats\n- Bears\n- Dogs');
const bars = planned('as a bar chart\n\nSales\nOslo: 12\nRome: 30\nParis: 20');
const film: Film = {
  ...animals,
  scenes: [
    ...planned('Hello world').scenes,
    ...animals.scenes.map((scene) => ({ ...scene, id: 'scene-2' })),
    ...bars.scenes.map((scene) => ({ ...scene, id: 'scene-3' })),
  ],
};
const read = (text: string, of = film) => feedbackReading(of, text, { assets: [] });
const marked = (text: string, of = film) => read(text, of).spans.map(({ start, end, state }) => [text.slice(start, end), state]);

/** The built-in author calls nothing. */
const noRun = undefined as unknown as AuthorRun;
const context: AuthorContext = {
  ...noFacts,
  projectId: 'prj_0123456789abcdef0123',
  plan: { ...planOf(film), id: 'plan_1', revision: 1, accepted: false },
};

/** Returns the film of the plan that follows a request for changes. */
async function revised(text: string): Promise<Film | null> {
  const approval = { id: 'apr_1', type: 'plan' as const, content: '', options: [] };
  const settled = [{ approval, response: { outcome: 'changes' as const, text } }];
  const proposal = await builtInAuthor.revise({ ...context, settled } as unknown as AuthorContext, noRun);
  return proposal === null ? null : filmOf(proposal.plan);
}

/** Returns the film that a finished film is changed into. */
async function written(text: string): Promise<Film | null> {
  const messages = [{ id: 'msg_1', role: 'user' as const, content: text, at: '2026-01-01T00:00:00.000Z', queued: false }];
  const todo = { id: 'todo_1', key: changeKey('msg_1'), title: text, status: 'pending' as const, attempts: 0 };
  const files = async () => [...printFilm(film), { path: 'src/formats/title.tsx', content: '' }];
  const facts = { ...context, messages } as unknown as AuthorContext;
  const done = await builtInAuthor.write({ context: facts, todo, evidence: null, files }, noRun);
  return done?.plan ? filmOf(done.plan) : film;
}

describe('the reading of feedback', () => {
  it.each([
    ['make it 12 seconds, dark', ['Theme becomes midnight', 'Length becomes 12 s']],
    ['make the title blue', ['Text becomes blue']],
    ['navy background', ['Background becomes navy']],
    ['background #123456', ['Background becomes #123456']],
    ['vertical', ['Frame becomes 9:16']],
    ['replace Bears with Owls', ['Scene 2: “Bears” becomes “Owls”']],
    ['remove Bears', ['Scene 2: “Bears” is left out']],
    ['add item Foxes', ['Scene 2: “Foxes” is new']],
    ['as a checklist', ['Scene 2: is shown as “Checklist”']],
    ['scene 3: highlight Paris', ['Scene 3: “Paris” is highlighted']],
    ['replace 30 with 31', ['Scene 3: “30” becomes “31”']],
    ['move scene 3 to the start', ['Scene 3, “Sales”, moves to place 1']],
    ['mach es dunkel', ['Theme becomes midnight']],
    ['bitte entferne Bears und mach es quadratisch', ['Frame becomes 1:1', 'Scene 2: “Bears” is left out']],
    ['ersetze Bears durch Eulen', ['Scene 2: “Bears” becomes “Eulen”']],
    ['Scene 2: title: Pets', ['Scene 2: “Favourite animals” becomes “Pets”']],
  ])('A9: says what “%s” changes', (text, changes) => {
    expect(read(text).changes).toEqual(changes);
  });

  it('A9: names scenes that are new or left out, and the length that follows', () => {
    const { changes } = read('remove the last scene. End with See you soon.');
    expect(changes).toEqual([
      expect.stringMatching(/^Length becomes [\d.]+ s$/),
      'Scene 3, “Sales”, is left out',
      'Scene 3, “See you soon”, is new',
    ]);
    expect(read('scene 2 longer').changes).toEqual([
      expect.stringMatching(/^Length becomes/),
      expect.stringMatching(/^Scene 2 lasts/),
    ]);
  });

  it('A9: names no scene where the film has only one', () => {
    expect(read('remove Bears', animals).changes).toEqual(['“Bears” is left out']);
    expect(read('sort it', animals).changes).toEqual(['the order changes']);
  });

  it('A9: marks each request, and what it changes', () => {
    const text = 'Please make it dark, wobble the frobnitz and remove  Bears.';
    expect(marked('Please make it dark, wobble the frobnitz')).toEqual([
      ['make it dark', 'instruction'],
      ['wobble the frobnitz', 'not-understood'],
    ]);
    expect(marked(text).at(-1)).toEqual(['remove  Bears.', 'instruction']);
    expect(read(text).spans.map(({ changes }) => changes)).toEqual([
      ['Theme becomes midnight'],
      [],
      ['Scene 2: “Bears” is left out'],
    ]);
  });

  it.each(['qwertz', 'thanks!', 'was soll das?'])('A9: says that “%s” changes nothing', (text) => {
    expect(read(text)).toMatchObject({ changes: [], render: null });
    expect(read(text).spans.every(({ state }) => state === 'not-understood')).toBe(true);
  });

  it('A9: says why a request is impossible', () => {
    expect(read('remove scene 9').spans).toMatchObject([{ state: 'impossible', note: expect.stringContaining('no such scene') }]);
    expect(read('make it 2 seconds').spans).toMatchObject([{ state: 'impossible', note: expect.stringContaining('at least') }]);
  });

  it('A9: takes quoted text as one request, whatever it says', () => {
    const text = 'Add a scene that says “Make it dark, faster. Remove Bears!”';
    expect(marked(text)).toEqual([[text, 'instruction']]);
    expect(read(text)).toMatchObject({
      changes: [expect.stringContaining('Length'), 'Scene 4, “Make it dark, faster. Remove Bears!”, is new'],
    });
  });

  it('A9: tells a request for a video from a change', () => {
    expect(read('render it in 4k')).toMatchObject({ changes: [], render: 'in 4k as MP4', spans: [{ state: 'instruction' }] });
  });

  it('A9: says what is too much for one message', () => {
    const text = Array.from({ length: 14 }, (_, at) => `add item Animal${at}x`).join('\n');
    expect(marked(text)).toHaveLength(13);
    expect(read(text).spans.at(-1)).toMatchObject({ state: 'impossible', end: text.length });
    expect(read(`make it dark. ${'x'.repeat(3000)}`).spans.at(-1)).toMatchObject({ state: 'impossible', start: 2000, end: 3014 });
  });
});

const requests = [
  ...['make it dark', 'make the title blue', 'green background', 'square', 'faster but smoother', '10 seconds', 'scene 2 longer'],
  ...[
    'replace Bears with Owls',
    'remove Bears',
    'add item Foxes',
    'add item Foxes to scene 2',
    'sort it',
    'as a table',
    'qwertz',
  ],
  ...['swap scenes 1 and 3', 'move scene 3 to the start', 'remove scene 2', 'end with See you soon', 'highlight Paris'],
  ...['second item: Tea', 'title: Pets', 'Hello should be Hi', 'add Berlin 12', 'mach es dunkel', 'entferne Cats', 'langsamer'],
  ...['add a scene that says “Bye, all”', 'start with 3 stars', 'playful', 'use the chalk theme', 'render it in 4k', 'thanks'],
];
const message = fc
  .tuple(fc.constantFrom('', '', 'Scene 2: ', 'please '), fc.array(fc.constantFrom(...requests), { minLength: 1, maxLength: 4 }))
  .chain(([start, parts]) => fc.constantFrom(', ', '. ', '\n', ' and ').map((joint) => `${start}${parts.join(joint)}`));

describe('what the reading of feedback says', () => {
  it('A9: is what happens to a plan and to a finished film', async () => {
    await fc.assert(
      fc.asyncProperty(message, async (text) => {
        const { changes, spans } = feedbackReadingSchema.parse(read(text));
        const [plan, finished] = [await revised(text), await written(text)];
        expect(plan && changesBetween(film, plan)).toEqual(changes);
        expect(finished && changesBetween(film, finished)).toEqual(changes);
        expect(changes?.length === 0).toBe(JSON.stringify(plan) === JSON.stringify(film));
        for (const [at, { start, end }] of spans.entries()) {
          expect(start).toBeGreaterThanOrEqual(spans[at - 1]?.end ?? 0);
          expect(text.slice(start, end)).toMatch(/^\S(?:[\s\S]*\S)?$/u);
        }
      }),
      { numRuns: 150 },
    );
  });
});
