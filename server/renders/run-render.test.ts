import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleSettings } from '../../test/fixtures/renders.ts';
import { ProgressTracker, workerCount } from './run-render.ts';

const preview = (durationSeconds: number) =>
  sampleSettings({ kind: 'preview', width: 640, height: 360, fps: 15, crf: 28, durationSeconds });

describe('workerCount', () => {
  it('A18: uses one browser for a short preview, and more for longer ones up to the limit', () => {
    const counts = [1, 5, 8, 9, 12, 20, 60].map((seconds) => workerCount(preview(seconds), 3));
    expect(counts).toEqual([1, 1, 1, 2, 2, 3, 3]);
  });

  it('A18: counts only the rendered range', () => {
    expect(workerCount({ ...preview(60), range: { fromFrame: 30, toFrame: 60 } }, 4)).toBe(1);
    expect(workerCount({ ...preview(60), range: { fromFrame: 0, toFrame: 200 } }, 4)).toBe(2);
  });

  it('A18: uses all browsers for a final of any length', () => {
    expect(workerCount(sampleSettings({ durationSeconds: 0.5, width: 1280, height: 720 }), 4)).toBe(4);
  });

  it('A18: uses at least one and at most the configured number', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 600, noNaN: true }), fc.integer({ min: 1, max: 16 }), (seconds, configured) => {
        const count = workerCount(preview(seconds), configured);
        return Number.isInteger(count) && count >= 1 && count <= configured;
      }),
    );
  });
});

const frames = (framesDone: number, stage: 'capturing' | 'encoding' = 'capturing') =>
  ({ type: 'progress', stage, framesDone, framesTotal: 100, secondsLeft: 3 }) as const;

describe('ProgressTracker', () => {
  it('A18: reports at most five times per second', () => {
    const tracker = new ProgressTracker();
    let told = 0;
    for (let ms = 0; ms < 10_000; ms += 10) if (tracker.frames(frames(Math.floor(ms / 100)), ms)) told++;
    expect(told).toBe(50);
  });

  it('A18: reports a new stage at once', () => {
    const tracker = new ProgressTracker();
    expect(tracker.frames(frames(10), 0)).toMatchObject({ stage: 'capturing', percent: 9.6 });
    expect(tracker.frames(frames(11), 1)).toBeNull();
    expect(tracker.frames(frames(12, 'encoding'), 2)).toMatchObject({ stage: 'encoding', percent: 11.5 });
    expect(tracker.publishing(100, 3)).toMatchObject({ stage: 'publishing', percent: 98, secondsLeft: null });
  });

  it('X3: limits the reports of a sandbox that keeps changing its stage', () => {
    const tracker = new ProgressTracker();
    let told = 0;
    for (let count = 0; count < 10_000; count++)
      if (tracker.frames(frames(10, count % 2 === 0 ? 'capturing' : 'encoding'), count / 10)) told++;
    expect(told).toBe(16);
  });

  it('A18: never decreases, and reaches 100 % only at the end', () => {
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
