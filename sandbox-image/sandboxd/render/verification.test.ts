import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseStatistics, planComparison, sampleFrames } from './verification.ts';

describe('verification', () => {
  const files = { captured: '/w/c', truth: '/w/t', filter: 'zscale' } as const;
  const stream = { frameFormat: 'png', width: 320, height: 180 } as const;

  it('X9: samples the first, middle and last frame, each once, in order', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.integer({ min: 1, max: 5000 }), (first, count) => {
        const frames = sampleFrames({ first, count });
        expect(frames.length).toBe(Math.min(11, count));
        expect(new Set(frames).size).toBe(frames.length);
        expect(frames).toEqual(frames.toSorted((a, b) => a - b));
        expect(frames[0]).toBe(first);
        expect(frames.at(-1)).toBe(first + count - 1);
        if (count >= 11) expect(frames).toContain(first + Math.round((count - 1) / 2));
      }),
    );
  });

  it('X9: parses one PSNR per pair, with 100 dB for identical images', () => {
    const text = 'n:1 mse_avg:0.50 psnr_avg:51.14 psnr_y:50.00 \nn:2 mse_avg:0.00 psnr_avg:inf psnr_y:inf \n';
    expect(parseStatistics(text)).toEqual([51.14, 100]);
    expect(parseStatistics('')).toEqual([]);
  });

  it('X9: compares JPEG with subsampled chroma, and PNG with alpha', () => {
    const graph = (format: 'mp4' | 'mov', frameFormat: 'jpeg' | 'png') =>
      planComparison({ format }, { ...files, stream: { ...stream, frameFormat }, statistics: '/w/psnr.txt' }).outputOptions[1] ??
      '';
    expect(graph('mp4', 'jpeg')).toMatch(/format=yuv420p.*\[captured\];.*format=yuv420p\[truth\]/);
    expect(graph('mov', 'png')).toBe(
      '[0:v]format=gbrap[captured];[1:v]format=gbrap[truth];[captured][truth]psnr=stats_file=/w/psnr.txt',
    );
  });

  it('X9: escapes paths in the filter graph', () => {
    const statistics = "/w/it's a:b,[c];d/psnr.txt";
    const plan = planComparison({ format: 'mov' }, { ...files, stream, statistics });
    expect(plan.outputOptions[1]).toContain("stats_file=/w/it\\\\\\'s a\\\\:b\\,\\[c\\]\\;d/psnr.txt");
  });
});
