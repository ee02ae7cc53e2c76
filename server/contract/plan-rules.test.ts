import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyCharacter } from '../../test/fixtures/characters.ts';
import { noHints, parseBrief } from '../authors/director/brief/parse-brief.ts';
import { applyFeedback } from '../authors/director/feedback/apply-feedback.ts';
import { changePlan } from '../authors/director/feedback/plan-change.ts';
import { applyPlanEdits } from '../authors/director/feedback/plan-edits.ts';
import { planDraft } from '../authors/director/plan/draft.ts';
import { planFilm } from '../authors/director/plan/plan-film.ts';
import type { Film, PlanDraft, Scene } from './film.ts';
import { filmSchema } from './film.ts';
import { planFaults, validatePlan } from './plan-rules.ts';

const scene = (number: number, startSeconds: number, durationSeconds: number): Scene => ({
  number,
  title: `Scene ${number}`,
  startSeconds,
  durationSeconds,
  description: 'A ball bounces.',
  animationNotes: 'Entry, hold, exit.',
});
const draft = (durationSeconds: number, scenes: Scene[]): PlanDraft => ({
  title: 'Film',
  style: 'playful',
  aspect: '16:9',
  durationSeconds,
  fps: 60,
  scenes,
  caveat: null,
});
const even = (count: number, each: number): PlanDraft =>
  draft(
    count * each,
    Array.from({ length: count }, (_, i) => scene(i + 1, i * each, each)),
  );

describe('validatePlan', () => {
  it('A4: accepts scenes that cover the film, overlaps included', () => {
    expect(validatePlan(even(3, 2))).toEqual([]);
    expect(validatePlan(draft(5, [scene(1, 0, 3), scene(2, 2.5, 2.5)]))).toEqual([]);
  });

  it('A4: a scene under 1.5 s is refused', () => {
    expect(validatePlan(draft(3, [scene(1, 0, 1.2), scene(2, 1.2, 1.8)]))).toEqual([expect.stringContaining('at least 1.5 s')]);
  });

  it('A4: up to 7 scenes under 30 s, up to 15 beyond', () => {
    expect(validatePlan(even(7, 2))).toEqual([]);
    expect(validatePlan(even(8, 2))).toEqual([expect.stringContaining('at most 7')]);
    expect(validatePlan(even(15, 2))).toEqual([]);
    expect(validatePlan(even(8, 4))).toEqual([]);
  });

  it('A4: gaps, early ends and scenes beyond the end are named with their times', () => {
    expect(validatePlan(draft(6, [scene(1, 0, 2), scene(2, 3, 3)]))).toEqual([expect.stringContaining('from 2 s to 3 s')]);
    expect(validatePlan(draft(6, [scene(1, 0, 4)]))).toEqual([expect.stringContaining('end at 4 s')]);
    expect(validatePlan(draft(3, [scene(1, 0, 4)]))).toEqual([expect.stringContaining('after the film')]);
  });

  it('A4: numbers and starts are in order', () => {
    expect(validatePlan(draft(4, [scene(2, 0, 2), scene(1, 2, 2)]))).toHaveLength(2);
    expect(validatePlan(draft(4, [scene(1, 2, 2), scene(2, 0, 2)]))).toEqual([expect.stringContaining('starts before')]);
  });

  it('A4: a draft that is none is refused field by field', () => {
    expect(validatePlan({ ...even(1, 2), durationSeconds: 0 })).toEqual([expect.stringContaining('durationSeconds')]);
    expect(validatePlan({ ...even(1, 2), scenes: [] })).not.toEqual([]);
  });

  it('A4: each fault names its place, in the plan or in one of its scenes', () => {
    const places = (plan: PlanDraft) => planFaults(plan).map(({ sceneIndex, field }) => [sceneIndex, field]);
    expect(places(even(8, 2))).toEqual([[null, 'scenes']]);
    expect(places(draft(3, [scene(1, 0, 1.2), scene(2, 1.2, 1.8)]))).toEqual([[0, 'durationSeconds']]);
    expect(places(draft(6, [scene(1, 0, 2), scene(2, 3, 3)]))).toEqual([[1, 'startSeconds']]);
    expect(places(draft(6, [scene(1, 0, 4)]))).toEqual([[null, 'durationSeconds']]);
    expect(places({ ...even(1, 2), title: '' })).toEqual([[null, 'title']]);
    const wordless = draft(4, [scene(1, 0, 2), { ...scene(2, 2, 2), description: '' }]);
    expect(places(wordless)).toEqual([[1, 'description']]);
  });
});

const words = [
  'a',
  'the',
  'red',
  'dark blue',
  '#12f',
  'three',
  '3',
  '40',
  '10 000',
  '$1.2M',
  '85%',
  'ball',
  'balls',
  'cube',
  'star',
  'stars',
  'logo',
  'confetti',
  'snow',
  'bar chart',
  'Q1 20, Q2 30, Q3 5',
  '10, 20, 30',
  'counter',
  'count from 1 to 9',
  'countdown',
  'planets',
  'wave',
  'loader',
  'bounces',
  'spins',
  'rolls in',
  'explodes',
  'jumping',
  'twice',
  'three times',
  'title',
  "'Hello'",
  '"A rather long title that goes on and on"',
  'saying',
  'subtitle',
  'background',
  'on',
  'gradient',
  'then',
  'finally',
  'and',
  ',',
  '.',
  '\n',
  '1.',
  '- ',
  '→',
  'not',
  'without',
  'no text',
  'playful',
  'smooth',
  'more cinematic',
  'faster',
  'slowly',
  'bigger',
  'higher',
  '8 seconds',
  '0:12',
  '2 minutes',
  '3 hours',
  '0 s',
  '45 s',
  'vertical',
  '1:1',
  '21:9',
  '30 fps',
  'make it',
  'add',
  'remove',
  'replace',
  'with',
  'add a scene',
  'scene 2',
  'in scene 1',
  'at the end',
  'longer',
  'shorter',
  'it',
  'them',
  '🎉',
  '❤️',
  'zwei',
  'Ball',
  'hüpft',
  'größer',
  'étoile',
  'rouge',
  'pelota',
  'salta',
  'cat',
  'flurb',
  '资产',
  'instead',
  'camera',
  'zoom in',
  'everything',
  'less',
  'one more',
  'another',
  'darker',
  'rainbow',
  'at the start',
  'after 2 seconds',
];
const prompts = fc.oneof(
  { weight: 4, arbitrary: fc.array(fc.constantFrom(...words), { maxLength: 24 }).map((parts) => parts.join(' ')) },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter, maxLength: 200 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 200 }) },
);
const runs = 200;
const hints = fc.record({
  style: fc.constantFrom(null, 'playful' as const, 'smooth' as const, 'cinematic' as const),
  aspect: fc.constantFrom(null, '9:16' as const),
  durationSeconds: fc.oneof(fc.constant(null), fc.double({ min: 0, max: 700, noNaN: true })),
  answers: fc.oneof(fc.constant([]), fc.tuple(fc.oneof(prompts, fc.constantFrom('playful', 'bouncing-ball', 'duration-15')))),
  assets: fc.constantFrom([], [{ name: 'logo.png', path: '/assets/logo.png', kind: 'image' as const, width: 320, height: 80 }]),
});

/** Everything that must hold of any film. */
function expectSound(film: Film, prompt: string): void {
  const brief = parseBrief(prompt, noHints);
  expect(validatePlan(planDraft(film, brief))).toEqual([]);
  const parsed = filmSchema.safeParse(JSON.parse(JSON.stringify(film)));
  expect(parsed.error?.issues ?? []).toEqual([]);
  expect(JSON.parse(JSON.stringify(film))).toEqual(film);
  const ids = film.scenes.flatMap((one) => [...one.subjects.map((subject) => subject.id), ...one.texts.map((text) => text.id)]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(film.scenes.every((one, i) => one.number === i + 1 && one.id === `scene-${i + 1}`)).toBe(true);
}

describe('films of the built-in director', () => {
  it('A4, X1: any prompt gives a valid, serialisable film that lasts what was asked', () => {
    fc.assert(
      fc.property(prompts, hints, fc.nat(1000), (prompt, hint, seed) => {
        const brief = parseBrief(prompt, hint);
        const film = planFilm(brief, { seed });
        expect(validatePlan(planDraft(film, brief))).toEqual([]);
        expectSound(film, prompt);
        if (brief.durationSeconds !== null) expect(film.durationSeconds).toBe(brief.durationSeconds);
        expect(planFilm(brief, { seed })).toEqual(film);
      }),
      { numRuns: runs },
    );
  }, 60_000);

  it('A9: any feedback leaves a valid film', () => {
    fc.assert(
      fc.property(prompts, fc.array(prompts, { minLength: 1, maxLength: 4 }), (prompt, says) => {
        let film = planFilm(parseBrief(prompt, noHints), { seed: 3 });
        for (const say of says) {
          const result = applyFeedback(film, say);
          expect(result.explanation.length).toBeGreaterThan(0);
          if (!result.understood) expect(result.film).toBe(film);
          film = result.film;
          expectSound(film, prompt);
        }
      }),
      {
        numRuns: runs,
        examples: [
          ['2 minutes balls rainbow', ['after 2 seconds', '']],
          ['a city at night', ['8 seconds', 'slower']],
        ],
      },
    );
  }, 60_000);

  it('A5: any wish at the approval and any edit of the plan leave a valid film', () => {
    fc.assert(
      fc.property(
        prompts,
        prompts,
        prompts,
        fc.array(fc.nat(20), { maxLength: 6 }),
        fc.double({ min: 0, max: 90, noNaN: true }),
        (prompt, say, text, order, seconds) => {
          const brief = parseBrief(prompt, noHints);
          const film = changePlan(planFilm(brief, { seed: 5 }), brief, say).film;
          expectSound(film, prompt);
          const plan = planDraft(film, brief);
          const chosen = order.flatMap((at) => plan.scenes[at % plan.scenes.length] ?? []);
          const scenes = [...(chosen.length > 0 ? chosen : plan.scenes)].map((one, i) => ({
            ...one,
            number: i + 1,
            durationSeconds: i === 0 ? seconds : one.durationSeconds,
            description: i === 1 && text !== '' ? text.slice(0, 900) : one.description,
          }));
          expectSound(applyPlanEdits(film, { ...plan, scenes }), prompt);
        },
      ),
      { numRuns: runs },
    );
  }, 60_000);
});
