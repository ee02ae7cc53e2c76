import { describe, expect, it } from 'vitest';
import { concatList, planEncode, planJoin, planThumbnail, toEncoderPixels } from './ffmpeg-args.ts';

const mp4 = { fps: 60, format: 'mp4', crf: 18, speed: 'fast', transparent: false, width: 640, height: 360 } as const;
const target = { frameFormat: 'jpeg', filter: 'zscale', output: '/w/range-0.nut' } as const;
const png = { ...target, frameFormat: 'png' } as const;

function optionValue(options: readonly string[], option: string): string | undefined {
  const at = options.indexOf(option);
  return at < 0 ? undefined : options[at + 1];
}

describe('planEncode and planThumbnail', () => {
  it('A17: returns all arguments for a segment of a final mp4', () => {
    expect(planEncode(mp4, target)).toEqual({
      inputs: [
        {
          options: [
            ...['-probesize', '32', '-analyzeduration', '0', '-fpsprobesize', '0'],
            ...['-f', 'image2pipe', '-c:v', 'mjpeg', '-framerate', '60'],
          ],
          path: null,
        },
      ],
      outputOptions: [
        ...['-nostats', '-stats_period', '0.2', '-progress', 'pipe:2', '-an'],
        '-vf',
        'zscale=matrixin=470bg:rangein=full:matrix=709:range=limited,format=yuv420p,setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709',
        ...['-pix_fmt', 'yuv420p'],
        ...['-color_range', 'tv', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-colorspace', 'bt709'],
        ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '17.2', '-bf', '1'],
        ...['-x264-params', 'subme=2:me=dia:b-adapt=0:rc-lookahead=8:partitions=p8x8,i4x4,i8x8'],
        ...['-g', '120', '-keyint_min', '120', '-sc_threshold', '0', '-flags', '+cgop', '-threads', '3'],
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
        ...['-f', 'nut'],
      ],
      output: '/w/range-0.nut',
    });
  });

  it('A17: encodes a preview as H.264 at CRF 28 with the fastest preset', () => {
    const { outputOptions } = planEncode({ ...mp4, fps: 15, crf: 28, speed: 'ultrafast' }, target);
    expect(optionValue(outputOptions, '-crf')).toBe('28');
    expect(optionValue(outputOptions, '-preset')).toBe('ultrafast');
    expect(optionValue(outputOptions, '-g')).toBe('30');
  });

  it('X9: encodes a small mp4 at the CRF that was asked for, with the slower preset', () => {
    const { outputOptions } = planEncode({ ...mp4, crf: 20, speed: 'medium' }, target);
    expect(optionValue(outputOptions, '-preset')).toBe('medium');
    expect(optionValue(outputOptions, '-crf')).toBe('20');
    expect(optionValue(outputOptions, '-x264-params')).toBe('rc-lookahead=10');
  });

  it.each([
    [12, '11.2'],
    [1, '0.2'],
    [0, '0.0'],
  ])('A17: encodes a final of CRF %i at CRF %s, and lossless stays lossless', (crf, used) => {
    expect(optionValue(planEncode({ ...mp4, crf }, target).outputOptions, '-crf')).toBe(used);
  });

  it('A17: encodes webm as VP9 with constant quality', () => {
    const { outputOptions } = planEncode({ ...mp4, format: 'webm', crf: 24 }, target);
    expect(optionValue(outputOptions, '-c:v')).toBe('libvpx-vp9');
    expect(optionValue(outputOptions, '-crf')).toBe('24');
    // Without it, libvpx treats -crf as a lower bound and targets 200 kbit/s.
    expect(optionValue(outputOptions, '-b:v')).toBe('0');
    expect(outputOptions).not.toContain('-auto-alt-ref');
  });

  it('X9: encodes transparent webm from PNG with alpha, also in its segments', () => {
    const { inputs, outputOptions } = planEncode({ ...mp4, format: 'webm', transparent: true }, png);
    expect(optionValue(inputs[0]?.options ?? [], '-c:v')).toBe('png');
    expect(optionValue(outputOptions, '-pix_fmt')).toBe('yuva420p');
    expect(optionValue(outputOptions, '-auto-alt-ref')).toBe('0');
    expect(optionValue(outputOptions, '-metadata:s:v:0')).toBe('alpha_mode=1');
    expect(outputOptions.slice(-2)).toEqual(['-f', 'webm']);
  });

  it('X9: encodes mov as ProRes 4444 from PNG, with alpha on request', () => {
    const opaque = planEncode({ ...mp4, format: 'mov' }, png);
    expect(optionValue(opaque.inputs[0]?.options ?? [], '-c:v')).toBe('png');
    expect(optionValue(opaque.outputOptions, '-c:v')).toBe('prores_ks');
    expect(optionValue(opaque.outputOptions, '-profile:v')).toBe('4444');
    expect(optionValue(opaque.outputOptions, '-pix_fmt')).toBe('yuv444p10le');
    expect(optionValue(opaque.outputOptions, '-alpha_bits')).toBe('0');
    const { outputOptions } = planEncode({ ...mp4, format: 'mov', transparent: true }, png);
    expect(optionValue(outputOptions, '-pix_fmt')).toBe('yuva444p10le');
    expect(optionValue(outputOptions, '-alpha_bits')).toBe('16');
  });

  it('A19: uses the same number of encoder threads on every machine', () => {
    for (const format of ['mp4', 'webm', 'mov'] as const)
      expect(optionValue(planEncode({ ...mp4, format }, target).outputOptions, '-threads')).toBe('3');
  });

  it('A17: converts colours with accurate swscale if zscale is missing', () => {
    const filter = optionValue(planEncode(mp4, { ...target, filter: 'scale' }).outputOptions, '-vf');
    expect(filter).toMatch(/^scale=in_color_matrix=bt601:in_range=pc:out_color_matrix=bt709:out_range=tv:flags=accurate_rnd/);
  });

  it('passes the pixels that a page has drawn itself to the encoder as they are', () => {
    const { inputs, outputOptions } = planEncode(mp4, { ...target, frameFormat: 'i420' });
    expect(inputs[0]?.options).toEqual([
      ...['-f', 'rawvideo', '-pix_fmt', 'yuv420p', '-video_size', '640x360', '-framerate', '60'],
    ]);
    expect(optionValue(outputOptions, '-vf')).toBe('setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709');
  });

  it('X9: converts PNG from RGB, with the filter that preserves alpha', () => {
    const filter = toEncoderPixels({ format: 'mov', transparent: true }, { frameFormat: 'png', filter: 'zscale' });
    expect(filter).toMatch(/^scale=in_range=pc:out_color_matrix=bt709:out_range=tv:.*,format=yuva444p10le,setparams=range=tv/);
  });

  it('A18: keeps the aspect ratio of a thumbnail and never upscales it', () => {
    const stream = { frameFormat: 'jpeg', width: 1920, height: 1080 } as const;
    const options = { frame: '/w/frame-30', stream, output: '/w/thumbnail.jpg', maxSidePixels: 640 };
    expect(optionValue(planThumbnail(options).outputOptions, '-vf')).toBe(
      "scale='min(640,iw)':'min(640,ih)':force_original_aspect_ratio=decrease",
    );
    // Transparent images get a background, because JPEG would turn transparency into black.
    expect(optionValue(planThumbnail({ ...options, stream: { ...stream, frameFormat: 'png' } }).outputOptions, '-vf')).toContain(
      'overlay',
    );
  });
});

const range = { startSeconds: 0, durationSeconds: 2, filmSeconds: 2 };
const options = { list: '/w/ranges.txt', chapters: null, audioInputs: [], range, output: '/w/video.mp4' } as const;
const track = {
  src: '/a.wav',
  startSeconds: 0,
  offsetSeconds: 0,
  durationSeconds: null,
  gainDb: 0,
  fadeInSeconds: 0,
  fadeOutSeconds: 0,
};
const audioInputs = [{ track, path: '/p/a.wav', channels: 2, durationSeconds: 5 }];

describe('planJoin', () => {
  it('A17: copies the video stream and puts the index at the front', () => {
    expect(planJoin({ format: 'mp4', transparent: false }, options)).toEqual({
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

  it('A17: lists the duration of each segment and quotes paths', () => {
    const segments = [
      { path: '/w/a.nut', frames: 300 },
      { path: "/w/it's.nut", frames: 10 },
    ];
    expect(concatList(segments, 30)).toBe("file '/w/a.nut'\nduration 10.000000\nfile '/w/it'\\''s.nut'\nduration 0.333333\n");
  });

  it("X9: adds audio inputs after list and chapters, in the container's codec", () => {
    const codec = (format: 'mp4' | 'webm' | 'mov') => {
      const plan = planJoin({ format, transparent: false }, { ...options, chapters: '/w/chapters.txt', audioInputs });
      expect(plan.inputs.map(({ path }) => path)).toEqual(['/w/ranges.txt', '/w/chapters.txt', '/p/a.wav']);
      expect(plan.outputOptions[plan.outputOptions.indexOf('-map_chapters') + 1]).toBe('1');
      expect(plan.outputOptions[plan.outputOptions.indexOf('-filter_complex') + 1]).toContain('[2:a:0]');
      return plan.outputOptions[plan.outputOptions.indexOf('-c:a') + 1];
    };
    expect([codec('mp4'), codec('webm'), codec('mov')]).toEqual(['aac', 'libopus', 'pcm_s24le']);
  });

  it('X9: tags transparent webm when joining', () => {
    const { outputOptions } = planJoin({ format: 'webm', transparent: true }, options);
    expect(outputOptions).toContain('alpha_mode=1');
    expect(planJoin({ format: 'mov', transparent: true }, options).outputOptions).not.toContain('alpha_mode=1');
  });
});
