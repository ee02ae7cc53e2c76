import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countFrames, renderFormatSchema } from '../../../server/contract/render.ts';
import type { RenderJob } from '../../../server/contract/sandboxd.ts';
import { assertPossible, frameRate, gopFrames, pictureFormat, planRanges } from './formats.ts';

const job: RenderJob = {
  id: 'test',
  source: 'dev',
  width: 320,
  height: 180,
  fps: 30,
  durationSeconds: 2,
  format: 'mp4',
  crf: 18,
  transparent: false,
  range: null,
  parameters: null,
  verify: false,
  speed: 'veryfast',
  workers: 1,
  timeoutMs: 60_000,
};

describe('output formats', () => {
  it('X9: transparency is refused where the file has no place for it, with the formats that have', () => {
    const refused = renderFormatSchema.options.filter((format) => {
      try {
        assertPossible({ ...job, format, transparent: true });
        return false;
      } catch {
        return true;
      }
    });
    expect(refused).toEqual(['mp4', 'jpeg']);
    expect(() => assertPossible({ ...job, transparent: true })).toThrow(
      /mp4 has no transparency.*webm, mov, gif, png-sequence, png/,
    );
  });

  it('A17: odd sizes are refused only where colours are halved', () => {
    expect(() => assertPossible({ ...job, width: 321 })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    expect(() => assertPossible({ ...job, format: 'webm', height: 181 })).toThrow(/both must be even/);
    for (const format of ['mov', 'gif', 'png', 'png-sequence', 'jpeg'] as const)
      expect(() => assertPossible({ ...job, format, width: 321 })).not.toThrow();
  });

  it('X9: pictures are captured without loss where the format keeps them so, and where there is alpha', () => {
    const lossless = renderFormatSchema.options.filter((format) => pictureFormat({ format, transparent: false }) === 'png');
    expect(lossless).toEqual(['mov', 'png-sequence', 'png']);
    expect(pictureFormat({ format: 'webm', transparent: true })).toBe('png');
    expect(pictureFormat({ format: 'gif', transparent: true })).toBe('png');
  });

  it('X9: a GIF has a rate that hundredths of a second can tell, and none that browsers slow down', () => {
    const hundredths = (fps: number) => {
      const { numerator, denominator } = frameRate({ format: 'gif', fps });
      expect(numerator).toBe(100);
      return denominator;
    };
    expect([120, 60, 50].map(hundredths)).toEqual([2, 2, 2]);
    expect([30, 25, 24, 15, 10, 1].map(hundredths)).toEqual([3, 4, 4, 7, 10, 100]);
    expect(frameRate({ format: 'mp4', fps: 60 })).toEqual({ numerator: 60, denominator: 1 });
  });
});

describe('planning of frame ranges', () => {
  it('A17: a film has duration × fps frames, and at least one', () => {
    expect(countFrames(5, 60)).toBe(300);
    expect(countFrames(0.1, 30)).toBe(3);
    expect(countFrames(7.35, 15)).toBe(110);
    expect(countFrames(0.001, 30)).toBe(1);
  });

  it('A17: a short film is one range, a long one is cut every ten seconds', () => {
    expect(planRanges({ first: 0, count: 300 }, 60)).toEqual([{ first: 0, count: 300 }]);
    expect(planRanges({ first: 90, count: 1500 }, 60)).toEqual([
      { first: 90, count: 600 },
      { first: 690, count: 600 },
      { first: 1290, count: 300 },
    ]);
  });

  it('A19: ranges cover every frame once, in order, on whole GOPs', () => {
    fc.assert(
      fc.property(fc.nat(9000), fc.integer({ min: 1, max: 36_000 }), fc.integer({ min: 1, max: 120 }), (first, count, fps) => {
        let next = first;
        for (const range of planRanges({ first, count }, fps)) {
          expect(range.first).toBe(next);
          expect((range.first - first) % gopFrames(fps)).toBe(0);
          expect(range.count).toBeGreaterThan(0);
          next += range.count;
        }
        expect(next).toBe(first + count);
      }),
    );
  });
});
