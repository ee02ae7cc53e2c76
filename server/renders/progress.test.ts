import { describe, expect, it } from 'vitest';
import { ProgressTracker } from './progress.ts';

const frames = (framesDone: number, stage: 'capturing' | 'encoding' = 'capturing') =>
  ({ type: 'progress', stage, framesDone, framesTotal: 100, secondsLeft: 3 }) as const;

describe('progress of a render', () => {
  it('A18: tells at most five times a second', () => {
    const tracker = new ProgressTracker();
    let told = 0;
    for (let ms = 0; ms < 10_000; ms += 10) if (tracker.frames(frames(Math.floor(ms / 100)), ms)) told++;
    expect(told).toBeGreaterThan(40);
    expect(told).toBeLessThanOrEqual(50);
  });

  it('A18: tells a new stage at once', () => {
    const tracker = new ProgressTracker();
    expect(tracker.frames(frames(10), 0)).toMatchObject({ stage: 'capturing', percent: 9.6 });
    expect(tracker.frames(frames(11), 1)).toBeNull();
    expect(tracker.frames(frames(12, 'encoding'), 2)).toMatchObject({ stage: 'encoding', percent: 11.5 });
    expect(tracker.publishing(100, 3)).toMatchObject({ stage: 'publishing', percent: 98, secondsLeft: null });
  });

  it('X3: does not let a sandbox write a row for every word it says, whatever the words', () => {
    const tracker = new ProgressTracker();
    let told = 0;
    for (let count = 0; count < 10_000; count++)
      if (tracker.frames(frames(10, count % 2 === 0 ? 'capturing' : 'encoding'), count / 10)) told++;
    expect(told).toBeLessThan(30);
  });

  it('A18: never goes back, and is complete only when it is', () => {
    const tracker = new ProgressTracker();
    const told = [50, 20, 60, 100].map((done, index) => tracker.frames(frames(done), index * 1000)?.percent ?? null);
    expect(told).toEqual([48, null, 57.6, 96]);
  });

  it.each([
    [0, 0, 0],
    [5, 0, 0],
    [-5, 10, 0],
    [5, -10, 0],
    [1e15, 1, 96],
  ])('A18: is a number, whatever the sandbox says: %d of %d frames', (framesDone, framesTotal, percent) => {
    const report = new ProgressTracker().frames({ ...frames(0), framesDone, framesTotal }, 0);
    expect(report?.percent).toBe(percent);
  });
});
