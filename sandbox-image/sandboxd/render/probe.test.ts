import { describe, expect, it } from 'vitest';
import { assertExpected, type Probe } from './probe.ts';

const job = { format: 'mp4', width: 320, height: 180, transparent: false } as const;
const expected = { frames: 60, fps: 30, chapters: 2, sound: true };
const good: Probe = {
  durationSeconds: 2,
  sizeBytes: 1000,
  frames: 60,
  codec: 'h264',
  pixelFormat: 'yuv420p',
  width: 320,
  height: 180,
  fps: 30,
  capturedFrames: null,
  captureFallback: null,
  colour: 'tv bt709 bt709 bt709',
  audio: { codec: 'aac', sampleRate: 48_000, channels: 2, durationSeconds: 2.02 },
  chapters: 2,
  verification: null,
};

describe('assertExpected', () => {
  it('A18: accepts the expected file, to within a frame', () => {
    expect(() => assertExpected(job, good, expected)).not.toThrow();
    const silent = { ...good, audio: null };
    expect(() => assertExpected(job, silent, { ...expected, sound: false })).not.toThrow();
  });

  const audio = good.audio;
  it.each<[string, Partial<Probe>, RegExp]>([
    ['lost frames', { frames: 59 }, /59 frames of 320×180 instead of 60/],
    ['another size', { width: 640 }, /640×180/],
    ['another length', { durationSeconds: 2.1 }, /2\.1 s instead of 2 s/],
    ['colour tags of JPEG', { colour: 'pc bt709 bt709 bt470bg' }, /"pc bt709 bt709 bt470bg" instead of those of BT\.709/],
    ['sound that ends too early', { audio: audio && { ...audio, durationSeconds: 1.9 } }, /1\.9 s of sound/],
    ['no sound', { audio: null }, /no sound/],
    ['lost chapters', { chapters: 0 }, /0 chapters instead of 2/],
  ])('A18, X9: rejects %s', (_what, broken, words) => {
    expect(() => assertExpected(job, { ...good, ...broken }, expected)).toThrow(
      expect.objectContaining({ code: 'ENCODE_FAILED', message: expect.stringMatching(words) }),
    );
  });

  it('X9: rejects unexpected sound, and opaque pixels instead of transparent ones', () => {
    expect(() => assertExpected(job, good, { ...expected, sound: false })).toThrow(/instead of none/);
    expect(() => assertExpected({ ...job, format: 'webm', transparent: true }, good, expected)).toThrow(/without alpha/);
    const alpha = { ...good, pixelFormat: 'yuva420p' };
    expect(() => assertExpected({ ...job, format: 'webm', transparent: true }, alpha, expected)).not.toThrow();
  });
});
