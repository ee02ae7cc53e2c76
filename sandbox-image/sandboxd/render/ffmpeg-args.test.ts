import { describe, expect, it } from 'vitest';
import { concatList, planConcat, planEncode, planThumbnail } from './ffmpeg-args.ts';

const mp4 = { fps: 60, format: 'mp4', crf: 18, speed: 'veryfast' } as const;
const target = { filter: 'zscale', output: '/w/video.mp4', final: true } as const;

/** The value that follows an option. */
function optionValue(options: readonly string[], option: string): string | undefined {
  const at = options.indexOf(option);
  return at < 0 ? undefined : options[at + 1];
}

describe('FFmpeg arguments', () => {
  it('A17: a final mp4, in full', () => {
    expect(planEncode(mp4, target)).toEqual({
      inputOptions: [
        ...['-probesize', '32', '-analyzeduration', '0', '-fpsprobesize', '0'],
        ...['-f', 'image2pipe', '-c:v', 'mjpeg', '-framerate', '60'],
      ],
      input: null,
      outputOptions: [
        ...['-nostats', '-stats_period', '0.2', '-progress', 'pipe:2', '-an'],
        '-vf',
        'zscale=matrixin=470bg:rangein=full:matrix=709:range=limited,format=yuv420p,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
        ...['-color_range', 'tv', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709'],
        ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-pix_fmt', 'yuv420p'],
        ...['-g', '120', '-keyint_min', '120', '-sc_threshold', '0', '-flags', '+cgop', '-threads', '4'],
        ...['-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact'],
        ...['-movflags', '+faststart', '-f', 'mp4'],
      ],
      output: '/w/video.mp4',
    });
  });

  it('A17: a preview is H.264 at CRF 28, as fast as can be', () => {
    const { outputOptions } = planEncode({ fps: 15, format: 'mp4', crf: 28, speed: 'ultrafast' }, target);
    expect(optionValue(outputOptions, '-crf')).toBe('28');
    expect(optionValue(outputOptions, '-preset')).toBe('ultrafast');
    expect(optionValue(outputOptions, '-g')).toBe('30');
  });

  it('A17: webm is VP9 with constant quality', () => {
    const { outputOptions } = planEncode({ ...mp4, format: 'webm', crf: 24 }, { ...target, output: '/w/video.webm' });
    expect(optionValue(outputOptions, '-c:v')).toBe('libvpx-vp9');
    expect(optionValue(outputOptions, '-crf')).toBe('24');
    // Without it libvpx takes -crf for a floor only and aims at 200 kbit/s.
    expect(optionValue(outputOptions, '-b:v')).toBe('0');
    expect(outputOptions.slice(-2)).toEqual(['-f', 'webm']);
    expect(outputOptions).not.toContain('-movflags');
  });

  it('A19: the encoder gets the same arguments whatever the machine, so ranges and runs are alike', () => {
    const range = planEncode(mp4, { ...target, output: '/w/range-0.nut', final: false });
    const film = planEncode(mp4, target);
    expect(range.outputOptions.slice(0, -2)).toEqual(film.outputOptions.slice(0, -4));
    expect(range.outputOptions.slice(-2)).toEqual(['-f', 'nut']);
    expect(optionValue(film.outputOptions, '-threads')).toBe('4');
  });

  it('A17: without zscale the careful swscale does the colours', () => {
    const filter = optionValue(planEncode(mp4, { ...target, filter: 'scale' }).outputOptions, '-vf');
    expect(filter).toMatch(/^scale=in_color_matrix=bt601:in_range=pc:out_color_matrix=bt709:out_range=tv:flags=accurate_rnd/);
  });

  it('A17: ranges are joined by copying, and the index goes to the front', () => {
    expect(planConcat('mp4', { list: '/w/list', output: '/w/video.mp4' })).toEqual({
      inputOptions: ['-f', 'concat', '-safe', '0'],
      input: '/w/list',
      outputOptions: [
        ...['-c', 'copy', '-map_metadata', '-1', '-fflags', '+bitexact', '-flags:v', '+bitexact'],
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

  it('A18: the thumbnail keeps its shape and is never blown up', () => {
    const { outputOptions } = planThumbnail({ frame: '/w/middle.jpg', output: '/w/thumbnail.jpg', maxSidePixels: 640 });
    expect(optionValue(outputOptions, '-vf')).toBe("scale='min(640,iw)':'min(640,ih)':force_original_aspect_ratio=decrease");
  });
});
