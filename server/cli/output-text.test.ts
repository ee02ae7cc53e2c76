import { describe, expect, it } from 'vitest';
import { sampleProbe, sampleSettings } from '../../test/fixtures/renders.ts';
import { describeRender, describeResult, formatUsage, sanitizeText } from './output-text.ts';

describe('sanitizeText', () => {
  it.each([
    ['writes to the clipboard', '\u001b]52;c;ZWNobyBvd25lZA==\u0007'],
    ['sets the title', '\u001b]0;root@host\u001b\\'],
    ['draws over the line before', '\u001b[1A\u001b[2K'],
    ['does so with one letter (C1)', '\u009b2J\u009d0;x\u009c'],
    ['begins the line anew', 'rm -rf ~\recho hello'],
    ['deletes what stands there', 'ab\b\b\u007f'],
    ['turns the direction', 'cod\u202Egnp.exe'],
  ])('A20: holds nothing that %s', (_what, text) => {
    expect(sanitizeText(`a${text}b`)).not.toMatch(/[^\P{Cc}\n\t]|[\u202A-\u202E]/u);
  });

  it('A20: keeps newlines, tabs and all scripts', () => {
    const text = 'Ünï 日本 עברית 🎈\n\t– done';
    expect(sanitizeText(text)).toBe(text);
  });
});

const none = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 };

describe('formatUsage', () => {
  it('T17: shows tokens and dollars', () => {
    expect(formatUsage({ inputTokens: 11_800, cachedInputTokens: 9_000, outputTokens: 600, costUsd: 0.0849 })).toBe(
      'Model: 12,400 tokens (11,800 in, 9,000 of them cached; 600 out), $0.08',
    );
    expect(formatUsage({ ...none, inputTokens: 20, outputTokens: 1, costUsd: 0.0001 })).toBe(
      'Model: 21 tokens (20 in; 1 out), less than $0.01',
    );
  });

  it('T17: omits an unknown price, and the built-in director', () => {
    expect(formatUsage({ ...none, inputTokens: 20, outputTokens: 1 })).toBe('Model: 21 tokens (20 in; 1 out)');
    expect(formatUsage(none)).toBeNull();
  });
});

describe('koda render output', () => {
  it('A18: describes the request in one line', () => {
    expect(describeRender(sampleSettings())).toBe('1920×1080, 60 fps, 6 s, mp4');
    const part = sampleSettings({ format: 'webm', transparent: true, range: { fromFrame: 30, toFrame: 91 } });
    expect(describeRender(part)).toBe('1920×1080, 60 fps, frames 30-90, webm, transparent');
    expect(describeRender(sampleSettings({ range: { scene: 'scene-2' }, preset: 'youtube' }))).toContain(
      'scene-2, mp4, for youtube',
    );
    expect(describeRender(sampleSettings({ format: 'png', range: { fromFrame: 30, toFrame: 31 } }))).toBe('1920×1080, png');
  });

  it('X5: shows the number of reused frames', () => {
    const [known] = describeResult({ probe: sampleProbe({ capturedFrames: 60 }), renderTimeMs: 1234 });
    expect(known).toBe('6.00 s, 360 frames at 60 fps (60 captured, 300 reused), h264, 0.00 MB, rendered in 1.2 s');
    for (const capturedFrames of [360, 363, null]) {
      const [line] = describeResult({ probe: sampleProbe({ capturedFrames }), renderTimeMs: null });
      expect(line).toBe('6.00 s, 360 frames at 60 fps, h264, 0.00 MB');
    }
  });

  it('X9: describes audio, chapters and single images', () => {
    const audio = { codec: 'aac', sampleRate: 48_000, channels: 2, durationSeconds: 6 };
    expect(describeResult({ probe: sampleProbe({ audio, chapters: 3 }), renderTimeMs: null })[0]).toContain(
      'aac 48 kHz, 3 chapters',
    );
    const still = sampleProbe({ frames: 1, capturedFrames: 1, codec: 'png' });
    expect(describeResult({ probe: still, renderTimeMs: null })).toEqual(['1920×1080, 1 frame, png, 0.00 MB']);
  });

  it('says why a film was captured twice', () => {
    const probe = sampleProbe({ captureFallback: 'The page shows an element <video>.' });
    expect(describeResult({ probe, renderTimeMs: null })[1]).toBe(
      'Captured twice, so it took longer: The page shows an element <video>.',
    );
  });

  it('X5: shows the result of the verification', () => {
    const verification = { frames: 8, lowestPsnrDb: 46.21, meanPsnrDb: 48 };
    expect(describeResult({ probe: sampleProbe({ verification }), renderTimeMs: null })[1]).toBe(
      'Verified: 8 frames against plain screenshots, PSNR 48.0 dB on average, 46.2 dB at worst',
    );
  });
});
