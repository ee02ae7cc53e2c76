import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FilmOutline } from '#contract/film.ts';
import { planIssues } from '#contract/plan-rules.ts';
import { begin, commit, type EditHistory, redo, undo } from './plan-editor.ts';
import {
  addQuotedScene,
  addRefusal,
  addScene,
  deleteScene,
  duplicateScene,
  type EditPlan,
  editable,
  isQuoted,
  moveScene,
  nudge,
  placeAt,
  samePlan,
  setDuration,
  setPlan,
  setSceneText,
  setTotal,
  snap,
  toDraft,
} from './plan-edits.ts';

const ripple = { holdTotal: false };
const hold = { holdTotal: true };
const words = { title: 'New', description: 'It turns.', animationNotes: 'In, hold, out.' };

/** Creates a plan with scenes of these lengths; `overlaps` are the overlaps with the previous scene, in seconds. */
function planOf(lengths: readonly number[], overlaps: readonly number[] = []): EditPlan {
  let covered = 0;
  const scenes = lengths.map((durationSeconds, index) => {
    const startSeconds = index === 0 ? 0 : covered - (overlaps[index] ?? 0);
    covered = Math.max(covered, startSeconds + durationSeconds);
    return { number: index + 1, startSeconds, durationSeconds, ...words, title: `Scene ${index + 1}` };
  });
  return editable({
    ...{ title: 'Film', style: 'playful', aspect: '16:9', durationSeconds: covered, fps: 60, scenes, caveat: null },
  });
}
const lengths = (plan: EditPlan) => plan.scenes.map((scene) => scene.durationSeconds);
const starts = (plan: EditPlan) => plan.scenes.map((scene) => scene.startSeconds);
const titles = (plan: EditPlan) => plan.scenes.map((scene) => scene.title);

describe('lengths', () => {
  it('A4: a longer scene moves all later scenes and lengthens the film', () => {
    const plan = setDuration(planOf([2, 3, 2]), 0, 3.5, ripple);
    expect([lengths(plan), starts(plan), plan.durationSeconds]).toEqual([[3.5, 3, 2], [0, 3.5, 6.5], 8.5]);
  });

  it('A4: the longest film is exactly at the limit, whatever its lengths add up to', () => {
    const longest = setDuration(planOf([1.5, 3.46254249999987, 1.5]), 0, 700, { holdTotal: false });
    expect(longest.durationSeconds).toBeLessThanOrEqual(600);
    expect(planIssues(toDraft(longest))).toEqual([]);
  });

  it('A4: with a fixed length, the next scene shrinks, or the previous one for the last', () => {
    const plan = setDuration(planOf([2, 3, 2]), 0, 3, hold);
    expect([lengths(plan), starts(plan), plan.durationSeconds]).toEqual([[3, 2, 2], [0, 3, 5], 7]);
    expect(lengths(setDuration(planOf([2, 3, 2]), 2, 3, hold))).toEqual([2, 2, 3]);
    expect(lengths(setDuration(planOf([2, 3, 2]), 0, 9, hold))).toEqual([3.5, 1.5, 2]);
    const alone = planOf([4]);
    expect(setDuration(alone, 0, 2, hold)).toBe(alone);
  });

  it('A4: no scene is shorter than 1.5 s and no film longer than ten minutes', () => {
    expect(lengths(setDuration(planOf([2, 3]), 1, 0.2, ripple))).toEqual([2, 1.5]);
    expect(setDuration(planOf([300, 299]), 0, 900, ripple).durationSeconds).toBe(600);
  });

  it('A4: overlaps stay when lengths change', () => {
    const plan = setDuration(planOf([3, 3], [0, 0.5]), 0, 4, ripple);
    expect([starts(plan), plan.durationSeconds]).toEqual([[0, 3.5], 6.5]);
  });

  it('A4: steps snap to the grid', () => {
    expect(snap(1.6666, 0.1)).toBe(1.7);
    const plan = planOf([2.4666, 2]);
    expect(lengths(nudge(plan, 0, { direction: 1, stepSeconds: 0.1, ...ripple }))[0]).toBe(2.6);
    expect(lengths(nudge(plan, 0, { direction: -1, stepSeconds: 0.1, ...ripple }))[0]).toBe(2.4);
    expect(lengths(nudge(planOf([2, 2]), 0, { direction: 1, stepSeconds: 1 / 30, ...ripple }))[0]).toBeCloseTo(2 + 1 / 30, 5);
  });

  it('A4: scaling the film scales all scenes', () => {
    expect(lengths(setTotal(planOf([2, 4, 2]), 16))).toEqual([4, 8, 4]);
    const short = setTotal(planOf([2, 4, 2]), 5);
    expect([lengths(short), short.durationSeconds]).toEqual([[1.5, 2, 1.5], 5]);
    // Three scenes need at least 4.5 s.
    expect(setTotal(planOf([2, 4, 2]), 1).durationSeconds).toBe(4.5);
    expect(setTotal(planOf([5]), 9999).durationSeconds).toBe(600);
  });
});

describe('scenes', () => {
  it('A5: keep texts and lengths when moved, and are renumbered', () => {
    const plan = moveScene(planOf([2, 3, 4]), 2, 0);
    expect([titles(plan), lengths(plan), starts(plan)]).toEqual([
      ['Scene 3', 'Scene 1', 'Scene 2'],
      [4, 2, 3],
      [0, 4, 6],
    ]);
    expect(plan.scenes.map((scene) => scene.number)).toEqual([1, 2, 3]);
    const still = planOf([2, 3]);
    expect(moveScene(still, 1, 1)).toBe(still);
    expect(moveScene(still, 1, 7)).toBe(still);
  });

  it('A5: move past scenes whose middle they have crossed', () => {
    const plan = planOf([2, 2, 2]);
    expect([-9, -1.1, -0.9, 0, 0.9, 1.1, 99].map((moved) => placeAt(plan, 1, moved))).toEqual([0, 0, 1, 1, 1, 2, 2]);
    // Drags a long scene just past a short one.
    expect(placeAt(planOf([6, 2]), 0, 1.1)).toBe(1);
  });

  it('A5: can be added, duplicated and deleted, except the last one', () => {
    const plan = addScene(planOf([2, 3]), 0, words);
    expect([titles(plan), lengths(plan), starts(plan)]).toEqual([
      ['Scene 1', 'New', 'Scene 2'],
      [2, 2, 3],
      [0, 2, 4],
    ]);
    expect(titles(addScene(plan, -1, words))[0]).toBe('New');
    expect(titles(duplicateScene(plan, 0, (title) => `${title} again`))).toEqual(['Scene 1', 'Scene 1 again', 'New', 'Scene 2']);
    expect(titles(deleteScene(plan, 1))).toEqual(['Scene 1', 'Scene 2']);
    const alone = planOf([2]);
    expect(deleteScene(alone, 0)).toBe(alone);
  });

  it('A4 A5: can show a part of the request, for as long as it takes to read', () => {
    const text = 'Say “calm” to everyone, and then say it again';
    const plan = addQuotedScene(planOf([2]), text);
    expect([isQuoted(planOf([2]), text), isQuoted(plan, text)]).toEqual([false, true]);
    expect(plan.scenes[1]).toMatchObject({ title: text, description: '“Say "calm" to everyone, and then say it again”' });
    expect(lengths(addQuotedScene(plan, 'Calm'))).toEqual([2, 4, 2]);
  });

  it('A4: are limited to 15 and ten minutes', () => {
    const full = planOf(Array(15).fill(2));
    expect([addRefusal(full), addScene(full, 0, words)]).toEqual(['scenes', full]);
    expect(addRefusal(planOf([599]))).toBe('length');
    expect(addScene(planOf([598.3]), 0, words).durationSeconds).toBe(600);
  });
});

describe('texts and settings', () => {
  it('A5: change nothing else; equal values change nothing', () => {
    const plan = planOf([2, 3]);
    expect(setSceneText(plan, 1, { description: 'It spins.' }).scenes[1]?.description).toBe('It spins.');
    expect(setSceneText(plan, 1, { title: 'Scene 2' })).toBe(plan);
    expect(setPlan(plan, { style: 'cinematic' }).style).toBe('cinematic');
    expect(setPlan(plan, { fps: 60 })).toBe(plan);
  });

  it('A5: an unchanged plan is sent as received', () => {
    const draft: FilmOutline = toDraft(planOf([2, 3.3333, 2]));
    expect(toDraft(editable(draft))).toEqual(draft);
  });
});

const plans = fc
  .array(fc.tuple(fc.double({ min: 1.5, max: 8, noNaN: true }), fc.double({ min: 0, max: 1.4, noNaN: true })), {
    minLength: 1,
    maxLength: 7,
  })
  .map((list) =>
    planOf(
      list.map(([length]) => length),
      list.map(([, overlap]) => overlap),
    ),
  )
  .filter((plan) => planIssues(toDraft(plan)).length === 0);
const place = fc.nat(8);
const length = fc.oneof(fc.double({ min: -5, max: 700, noNaN: true }), fc.constantFrom(Number.NaN, Infinity));
type Operation = (plan: EditPlan) => EditPlan;
const operations: fc.Arbitrary<Operation> = fc.oneof(
  fc.tuple(place, length, fc.boolean()).map(
    ([index, seconds, holdTotal]): Operation =>
      (plan) =>
        setDuration(plan, index, seconds, { holdTotal }),
  ),
  fc.tuple(place, fc.boolean(), fc.boolean()).map(
    ([index, longer, holdTotal]): Operation =>
      (plan) =>
        nudge(plan, index, { direction: longer ? 1 : -1, stepSeconds: 0.1, holdTotal }),
  ),
  fc.tuple(place, place).map(
    ([from, to]): Operation =>
      (plan) =>
        moveScene(plan, from, to),
  ),
  place.map(
    (index): Operation =>
      (plan) =>
        addScene(plan, index - 1, words),
  ),
  place.map(
    (index): Operation =>
      (plan) =>
        duplicateScene(plan, index, (title) => title),
  ),
  place.map(
    (index): Operation =>
      (plan) =>
        deleteScene(plan, index),
  ),
  length.map(
    (seconds): Operation =>
      (plan) =>
        setTotal(plan, seconds),
  ),
  fc.tuple(place, fc.string({ minLength: 1, maxLength: 40 })).map(
    ([index, title]): Operation =>
      (plan) =>
        setSceneText(plan, index, { title }),
  ),
);

describe('any edits of any plan', () => {
  it("A4: keep scenes in order, long enough, without gaps and up to the film's end", () => {
    fc.assert(
      fc.property(plans, fc.array(operations, { maxLength: 12 }), (first, steps) => {
        const plan = steps.reduce((film, step) => step(film), first);
        // The number of scenes is checked during editing; edits cannot violate any other rule.
        const issues = planIssues(toDraft(plan)).filter((issue) => issue.field !== 'scenes');
        expect(issues).toEqual([]);
        expect(new Set(plan.scenes.map((scene) => scene.key)).size).toBe(plan.scenes.length);
        expect(toDraft(editable(toDraft(plan)))).toEqual(toDraft(plan));
      }),
      { numRuns: 500 },
    );
  });

  it('A4: keep a fixed length if no scenes overlap', () => {
    const linear = fc
      .array(fc.double({ min: 1.5, max: 8, noNaN: true }), { minLength: 2, maxLength: 7 })
      .map((list) => planOf(list));
    fc.assert(
      fc.property(linear, place, length, (plan, index, seconds) => {
        expect(setDuration(plan, index, seconds, hold).durationSeconds).toBeCloseTo(plan.durationSeconds, 3);
      }),
    );
  });

  it('A5: can be undone and redone one by one without a difference', () => {
    fc.assert(
      fc.property(plans, fc.array(operations, { maxLength: 12 }), (first, steps) => {
        const last = steps.reduce<EditHistory<EditPlan>>((history, step) => commit(history, step(history.present)), begin(first));
        const changed = last.past.length;
        let back = last;
        for (let at = changed - 1; at >= 0; at -= 1) {
          back = undo(back);
          expect(back.present).toBe(last.past[at]);
        }
        expect(back.present).toBe(first);
        expect(undo(back)).toBe(back);
        let forth = back;
        for (let at = 0; at < changed; at += 1) forth = redo(forth);
        expect(forth.present).toBe(last.present);
        expect(samePlan(redo(forth).present, last.present)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
