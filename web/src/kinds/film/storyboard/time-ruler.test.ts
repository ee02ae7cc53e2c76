import { describe, expect, it } from 'vitest';
import type { Todo } from '#contract/project.ts';
import { assignLanes, filmTicks, rulerTicks, sceneStatuses } from './time-ruler.tsx';

const scene = (startSeconds: number, durationSeconds: number) => ({ startSeconds, durationSeconds });

describe('lanes of the ruler', () => {
  it('A4: consecutive scenes share a lane', () => {
    expect(assignLanes([scene(0, 2), scene(2, 3), scene(5, 1)])).toEqual({ lanes: [0, 0, 0], count: 1 });
  });
  it('A4: overlapping scenes use separate lanes, and free lanes are reused', () => {
    expect(assignLanes([scene(0, 3), scene(2.5, 3), scene(5.4, 2)])).toEqual({ lanes: [0, 1, 0], count: 2 });
  });
  it('A4: ignores overlaps from rounding', () => {
    expect(assignLanes([scene(0, 2.004), scene(2, 1)]).count).toBe(1);
  });
  it('A4: an empty plan has one lane', () => {
    expect(assignLanes([])).toEqual({ lanes: [], count: 1 });
  });
});

describe('marks of the ruler', () => {
  it('A4: are round and few', () => {
    expect(rulerTicks(8, 12)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(rulerTicks(8, 6)).toEqual([0, 2, 4, 6, 8]);
    expect(rulerTicks(4.5, 12)).toEqual([0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5]);
    for (const duration of [1.5, 7.3, 30, 90, 600, 86_400, 1e9]) expect(rulerTicks(duration, 12).length).toBeLessThanOrEqual(13);
  });
  it('A4: end with the film, also between two round marks', () => {
    expect(filmTicks(7.3, 6)).toEqual([0, 2, 4, 6, 7.3]);
    expect(filmTicks(8, 6)).toEqual([0, 2, 4, 6, 8]);
    expect(filmTicks(8.0004, 6)).toEqual([0, 2, 4, 6, 8.0004]);
  });
  it('A15: are few, whatever length a page reports', () => {
    expect(rulerTicks(9000, 8)).toEqual([0, 1200, 2400, 3600, 4800, 6000, 7200, 8400]);
    for (const duration of [3601, 1e5, 1e9, 1e300]) expect(rulerTicks(duration, 8).length).toBeLessThanOrEqual(9);
  });
});

it('A6: shows the progress of each scene from its todo', () => {
  const todo = (key: string, status: Todo['status']): Todo => ({ id: `todo_${key}`, title: key, key, status, attempts: 0 });
  const todos = [todo('setup', 'done'), todo('scene:1', 'done'), todo('scene:12', 'active'), todo('change:msg_1', 'pending')];
  expect([...sceneStatuses(todos)]).toEqual([
    [1, 'done'],
    [12, 'active'],
  ]);
});
