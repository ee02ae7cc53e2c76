import { expect, it } from 'vitest';
import { planSchema } from '#contract/project.ts';
import { filmOf, filmOutlineOf } from '#kinds/film/contract/outline.ts';
import { draftOf } from '../../../../test/fixtures/plans.ts';
import { upgradedPlan } from './older-plan.ts';

const scene = (number: number, startSeconds: number, durationSeconds: number) => ({
  ...{ number, title: `Scene ${number}`, startSeconds, durationSeconds },
  ...{ description: `What ${number} shows.`, animationNotes: `How ${number} moves.` },
});
const outline = {
  ...({ title: 'Ball', style: 'playful', aspect: '9:16', durationSeconds: 6, fps: 30 } as const),
  scenes: [scene(1, 0, 4), scene(2, 3, 3)],
  caveat: 'Without sound.',
};
const film = { ...draftOf(outline).document, theme: 'luxe' };
const identity = { id: 'plan_0123456789abcdef0123', revision: 3, accepted: true };

it('A22: gives a plan without a document one whose scenes are code, with the same outline', () => {
  const plan = planSchema.parse(upgradedPlan({ ...identity, ...outline, film: null }));
  expect(plan).toMatchObject({ ...identity, title: 'Ball', caveat: 'Without sound.', sections: [{ title: 'Scene 1' }, {}] });
  expect(filmOutlineOf(plan)).toEqual({
    ...outline,
    scenes: outline.scenes.map((one) => ({ ...one, id: `scene-${one.number}` })),
  });
});

it('A22: keeps the document, the applied change and the mark of unwritten edits', () => {
  const change = { messageId: 'msg_1', summary: 'Done.' };
  const plan = planSchema.parse(upgradedPlan({ ...identity, ...outline, film, change, edited: true }));
  expect(plan).toMatchObject({ ...identity, change, edited: true, document: film });
  expect(filmOf(plan)).toEqual(film);
});

it('A22: gives a plan from before chips those of its film', () => {
  const { chips, ...before } = { ...identity, ...draftOf(outline) };
  expect(upgradedPlan(before)).toEqual({ ...before, chips });
  expect(upgradedPlan({ ...before, document: { lines: [] } })).not.toHaveProperty('chips');
});

it('A22: returns a current plan as it is', () => {
  const plan = { ...identity, ...draftOf(outline) };
  expect(upgradedPlan(plan)).toBe(plan);
});
