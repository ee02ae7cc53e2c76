import { describe, expect, it } from 'vitest';
import { concatList, planJoin } from './join-args.ts';

const part = { startSeconds: 0, durationSeconds: 2, filmSeconds: 2 };
const options = { list: '/w/ranges.txt', chapters: null, sounds: [], part, output: '/w/video.mp4' } as const;
const track = {
  src: '/a.wav',
  startSeconds: 0,
  offsetSeconds: 0,
  durationSeconds: null,
  gainDb: 0,
  fadeInSeconds: 0,
  fadeOutSeconds: 0,
};
const sounds = [{ track, path: '/p/a.wav', channels: 2, durationSeconds: 5 }];
const mp4 = { format: 'mp4', transparent: false } as const;

describe('joining the ranges of a film', () => {
  it('A17: copies the picture, and puts the index at the front', () => {
    expect(planJoin(mp4, options)).toEqual({
      inputs: [{ options: ['-f', 'concat', '-safe', '0'], path: '/w/ranges.txt' }],
      outputOptions: [
        ...['-map', '0:v:0', '-c:v', 'copy'],
        ...['-color_range', 'tv', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709'],
        ...['-map_chapters', '-1'],
        ...[
          '-map_metadata:g',
          '-1',
          '-map_metadata:s',
          '-1',
          '-fflags',
          '+bitexact',
          '-flags:v',
          '+bitexact',
          '-flags:a',
          '+bitexact',
        ],
        ...['-movflags', '+faststart', '-f', 'mp4'],
      ],
      output: '/w/video.mp4',
    });
  });

  it('A17: the list of ranges says how long each is, and quotes paths', () => {
    const segments = [
      { path: '/w/a.nut', frames: 300 },
      { path: "/w/it's.nut", frames: 10 },
    ];
    expect(concatList(segments, 30)).toBe("file '/w/a.nut'\nduration 10.000000\nfile '/w/it'\\''s.nut'\nduration 0.333333\n");
  });

  it('X9: sound comes after list and chapters, in the codec of the container', () => {
    const codec = (format: 'mp4' | 'webm' | 'mov') => {
      const plan = planJoin({ format, transparent: false }, { ...options, chapters: '/w/chapters.txt', sounds });
      expect(plan.inputs.map(({ path }) => path)).toEqual(['/w/ranges.txt', '/w/chapters.txt', '/p/a.wav']);
      expect(plan.outputOptions[plan.outputOptions.indexOf('-map_chapters') + 1]).toBe('1');
      expect(plan.outputOptions[plan.outputOptions.indexOf('-filter_complex') + 1]).toContain('[2:a:0]');
      return plan.outputOptions[plan.outputOptions.indexOf('-c:a') + 1];
    };
    expect([codec('mp4'), codec('webm'), codec('mov')]).toEqual(['aac', 'libopus', 'pcm_s24le']);
  });

  it('X9: transparent webm is marked as such when it is joined, too', () => {
    const { outputOptions } = planJoin({ format: 'webm', transparent: true }, options);
    expect(outputOptions).toContain('alpha_mode=1');
    expect(planJoin({ format: 'mov', transparent: true }, options).outputOptions).not.toContain('alpha_mode=1');
  });
});
