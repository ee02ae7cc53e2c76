import { describe, expect, it } from 'vitest';
import type { FilmOutline, Scene } from './film.ts';
import { planIssues, validatePlan } from './plan-rules.ts';

const scene = (number: number, startSeconds: number, durationSeconds: number): Scene => ({
  number,
  title: `Scene ${number}`,
  startSeconds,
  durationSeconds,
  description: 'A ball bounces.',
  animationNotes: 'Entry, hold, exit.',
});
const draft = (durationSeconds: number, scenes: Scene[]): FilmOutline => ({
  title: 'Film',
  style: 'playful',
  aspect: '16:9',
  durationSeconds,
  fps: 60,
  scenes,
  caveat: null,
});
const even = (count: number, each: number): FilmOutline =>
  draft(
    count * each,
    Array.from({ length: count }, (_, i) => scene(i + 1, i * each, each)),
  );

describe('validatePlan', () => {
  it('A4: accepts scenes that cover the film, overlaps included', () => {
    expect(validatePlan(even(3, 2))).toEqual([]);
    expect(validatePlan(draft(5, [scene(1, 0, 3), scene(2, 2.5, 2.5)]))).toEqual([]);
  });

  it('A4: refuses a scene shorter than 1.5 s', () => {
    expect(validatePlan(draft(3, [scene(1, 0, 1.2), scene(2, 1.2, 1.8)]))).toEqual([expect.stringContaining('at least 1.5 s')]);
  });

  it('A4: allows 7 scenes below 30 s and 15 from 30 s', () => {
    expect(validatePlan(even(7, 2))).toEqual([]);
    expect(validatePlan(even(8, 2))).toEqual([expect.stringContaining('at most 7')]);
    expect(validatePlan(even(15, 2))).toEqual([]);
    expect(validatePlan(even(8, 4))).toEqual([]);
  });

  it('A4: reports gaps, early ends and late scenes with their times', () => {
    expect(validatePlan(draft(6, [scene(1, 0, 2), scene(2, 3, 3)]))).toEqual([expect.stringContaining('from 2 s to 3 s')]);
    expect(validatePlan(draft(6, [scene(1, 0, 4)]))).toEqual([expect.stringContaining('end at 4 s')]);
    expect(validatePlan(draft(3, [scene(1, 0, 4)]))).toEqual([expect.stringContaining('after the film')]);
  });

  it('A4: refuses scenes out of order', () => {
    expect(validatePlan(draft(4, [scene(2, 0, 2), scene(1, 2, 2)]))).toHaveLength(2);
    expect(validatePlan(draft(4, [scene(1, 2, 2), scene(2, 0, 2)]))).toEqual([expect.stringContaining('starts before')]);
  });

  it('A4: reports each invalid field of a malformed draft', () => {
    expect(validatePlan({ ...even(1, 2), durationSeconds: 0 })).toEqual([expect.stringContaining('durationSeconds')]);
    expect(validatePlan({ ...even(1, 2), scenes: [] })).not.toEqual([]);
  });

  it('A4: locates each issue in the plan or in a scene', () => {
    const places = (plan: FilmOutline) => planIssues(plan).map(({ sceneIndex, field }) => [sceneIndex, field]);
    expect(places(even(8, 2))).toEqual([[null, 'scenes']]);
    expect(places(draft(3, [scene(1, 0, 1.2), scene(2, 1.2, 1.8)]))).toEqual([[0, 'durationSeconds']]);
    expect(places(draft(6, [scene(1, 0, 2), scene(2, 3, 3)]))).toEqual([[1, 'startSeconds']]);
    expect(places(draft(6, [scene(1, 0, 4)]))).toEqual([[null, 'durationSeconds']]);
    expect(places({ ...even(1, 2), title: '' })).toEqual([[null, 'title']]);
    const wordless = draft(4, [scene(1, 0, 2), { ...scene(2, 2, 2), description: '' }]);
    expect(places(wordless)).toEqual([[1, 'description']]);
  });
});
