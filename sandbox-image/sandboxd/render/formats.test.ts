import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countFrames, renderFormatSchema } from '#contract/render.ts';
import type { RenderJob } from '#contract/sandbox/answers.ts';
import { assertSupported, captureFormat, frameRate, gopFrames, planSegments } from './formats.ts';

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
  aspect: null,
  chapters: true,
  verify: false,
  speed: 'fast',
  workers: 1,
  preparesFinal: false,
  timeoutMs: 60_000,
};

describe('formats', () => {
  it('X9: rejects transparency for unsupported formats and lists the supported ones', () => {
    const refused = renderFormatSchema.options.filter((format) => {
      try {
        assertSupported({ ...job, format, transparent: true });
        return false;
      } catch {
        return true;
      }
    });
    expect(refused).toEqual(['mp4', 'jpeg']);
    expect(() => assertSupported({ ...job, transparent: true })).toThrow(
      /mp4 does not support transparency.*webm, mov, gif, png-sequence, png/,
    );
  });

  it('A17: rejects odd sizes only with subsampled chroma', () => {
    expect(() => assertSupported({ ...job, width: 321 })).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }));
    expect(() => assertSupported({ ...job, format: 'webm', height: 181 })).toThrow(/both must be even/);
    for (const format of ['mov', 'gif', 'png', 'png-sequence', 'jpeg'] as const)
      expect(() => assertSupported({ ...job, format, width: 321 })).not.toThrow();
  });

  it('X9: captures PNG for lossless formats and for alpha', () => {
    const lossless = renderFormatSchema.options.filter((format) => captureFormat({ format, transparent: false }) === 'png');
    expect(lossless).toEqual(['mov', 'png-sequence', 'png']);
    expect(captureFormat({ format: 'webm', transparent: true })).toBe('png');
    expect(captureFormat({ format: 'gif', transparent: true })).toBe('png');
  });

  it('X9: rounds the delay of a GIF to hundredths of a second, at least two', () => {
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

describe('planSegments', () => {
  const jpeg = () => 'jpeg' as const;

  it('A17: counts duration × fps frames, at least one', () => {
    expect(countFrames(5, 60)).toBe(300);
    expect(countFrames(0.1, 30)).toBe(3);
    expect(countFrames(7.35, 15)).toBe(110);
    expect(countFrames(0.001, 30)).toBe(1);
  });

  it('A17: splits a film every ten seconds', () => {
    expect(planSegments({ first: 0, count: 300 }, 60, jpeg)).toEqual([{ first: 0, count: 300, frameFormat: 'jpeg' }]);
    expect(planSegments({ first: 90, count: 1500 }, 60, jpeg)).toMatchObject([
      { first: 90, count: 600 },
      { first: 690, count: 600 },
      { first: 1290, count: 300 },
    ]);
  });

  it('splits a film where the format of its frames changes', () => {
    const formatAt = (frame: number) => (frame < 700 ? 'i420' : 'jpeg');
    expect(planSegments({ first: 0, count: 800 }, 60, formatAt)).toEqual([
      { first: 0, count: 600, frameFormat: 'i420' },
      { first: 600, count: 100, frameFormat: 'i420' },
      { first: 700, count: 100, frameFormat: 'jpeg' },
    ]);
  });

  it('A19: covers every frame once, in order, in whole GOPs', () => {
    fc.assert(
      fc.property(fc.nat(9000), fc.integer({ min: 1, max: 36_000 }), fc.integer({ min: 1, max: 120 }), (first, count, fps) => {
        let next = first;
        for (const range of planSegments({ first, count }, fps, jpeg)) {
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
