import { expect, it } from 'vitest';
import { issuesOf } from './issues.ts';
import { type EditPlan, editable } from './plan-edits.ts';

const words = { description: 'It drops.', animationNotes: 'Squash' };
const plan: EditPlan = editable({
  ...{ title: 'Ball', style: 'playful', aspect: '16:9', durationSeconds: 4, fps: 60, caveat: null },
  scenes: [
    { number: 1, title: 'Drop', startSeconds: 0, durationSeconds: 2, ...words },
    { number: 2, title: 'Roll', startSeconds: 2, durationSeconds: 2, ...words },
  ],
});

it('A4: reports a missing text at its field', () => {
  expect(issuesOf(plan)).toEqual([]);
  const [first, second] = plan.scenes;
  if (!first || !second) throw new Error('expected two scenes');
  expect(issuesOf({ ...plan, title: '', scenes: [first, { ...second, description: '' }] })).toEqual([
    { sceneIndex: null, field: 'title', reason: 'Add a title.' },
    {
      sceneIndex: 1,
      field: 'description',
      reason: 'Say what happens in this scene. Koda builds the scene from this description.',
    },
  ]);
});

it("A4: all other rules speak in the server's words", () => {
  const many = Array.from({ length: 8 }, (_, index) => ({
    number: index + 1,
    title: 'S',
    startSeconds: 2 * index,
    durationSeconds: 2,
    ...words,
  }));
  expect(issuesOf(editable({ ...plan, durationSeconds: 16, scenes: many }))).toEqual([
    { sceneIndex: null, field: 'scenes', reason: expect.stringContaining('8 scenes are too many for 16 s') },
  ]);
});
