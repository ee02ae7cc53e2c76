import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleSettings } from '../../test/fixtures/renders.ts';
import { workerCount } from './run-render.ts';

const preview = (durationSeconds: number) =>
  sampleSettings({ kind: 'preview', width: 640, height: 360, fps: 15, crf: 28, durationSeconds });

describe('how many browsers a render is captured with', () => {
  it('A18: a short preview takes one, a longer one more, up to what is configured', () => {
    // 3.456 megapixels a second.
    const counts = [1, 5, 8, 9, 12, 20, 60].map((seconds) => workerCount(preview(seconds), 3));
    expect(counts).toEqual([1, 1, 1, 2, 2, 3, 3]);
  });

  it('A18: only the part that is rendered counts', () => {
    expect(workerCount({ ...preview(60), range: { fromFrame: 30, toFrame: 60 } }, 4)).toBe(1);
    expect(workerCount({ ...preview(60), range: { fromFrame: 0, toFrame: 200 } }, 4)).toBe(2);
  });

  it('A18: a final takes all, however short it is', () => {
    expect(workerCount(sampleSettings({ durationSeconds: 0.5, width: 1280, height: 720 }), 4)).toBe(4);
  });

  it('A18: never none, never more than configured', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.01, max: 600, noNaN: true }), fc.integer({ min: 1, max: 16 }), (seconds, configured) => {
        const count = workerCount(preview(seconds), configured);
        return Number.isInteger(count) && count >= 1 && count <= configured;
      }),
    );
  });
});
