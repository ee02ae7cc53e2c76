import { describe, expect, it } from 'vitest';
import { sampleProbe, sampleSettings } from '../../test/fixtures/renders.ts';
import { describeRender, describeResult } from './render-words.ts';

describe('what koda render says', () => {
  it('A18: what is asked, in one line', () => {
    expect(describeRender(sampleSettings())).toBe('1920×1080, 60 fps, 6 s, mp4');
    const part = sampleSettings({ format: 'webm', transparent: true, range: { fromFrame: 30, toFrame: 91 } });
    expect(describeRender(part)).toBe('1920×1080, 60 fps, frames 30-90, webm without background');
    expect(describeRender(sampleSettings({ range: { scene: 'scene-2' }, preset: 'youtube' }))).toContain(
      'scene-2, mp4, for youtube',
    );
    expect(describeRender(sampleSettings({ format: 'png', range: { fromFrame: 30, toFrame: 31 } }))).toBe('1920×1080, png');
  });

  it('X5: how many frames were known from before', () => {
    const [known] = describeResult({ probe: sampleProbe({ capturedFrames: 60 }), renderTimeMs: 1234 });
    expect(known).toBe('6.00 s, 360 frames at 60 fps (60 captured, 300 known from before), h264, 0.00 MB, rendered in 1.2 s');
    for (const capturedFrames of [360, 363, null]) {
      const [line] = describeResult({ probe: sampleProbe({ capturedFrames }), renderTimeMs: null });
      expect(line).toBe('6.00 s, 360 frames at 60 fps, h264, 0.00 MB');
    }
  });

  it('X9: the sound, the chapters, and a single picture', () => {
    const audio = { codec: 'aac', sampleRate: 48_000, channels: 2, durationSeconds: 6 };
    expect(describeResult({ probe: sampleProbe({ audio, chapters: 3 }), renderTimeMs: null })[0]).toContain(
      'aac 48 kHz, 3 chapters',
    );
    const still = sampleProbe({ frames: 1, capturedFrames: 1, codec: 'png' });
    expect(describeResult({ probe: still, renderTimeMs: null })).toEqual(['1920×1080, 1 frame, png, 0.00 MB']);
  });

  it('X5: what the verification found', () => {
    const verification = { frames: 8, lowestPsnrDb: 46.21, meanPsnrDb: 48 };
    expect(describeResult({ probe: sampleProbe({ verification }), renderTimeMs: null })[1]).toBe(
      'Verified: 8 frames against plain screenshots, PSNR 48.0 dB on average, 46.2 dB at worst',
    );
  });
});
