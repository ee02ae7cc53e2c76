import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { aspectSchema } from '../contract/project.ts';
import {
  presetSchema,
  type RenderRequest,
  renderRequestSchema,
  renderSettingsSchema,
  resolutionSchema,
} from '../contract/render.ts';
import { renderTimeoutMs, resolveSettings } from './presets.ts';

const film = { aspect: '16:9', durationSeconds: 8 } as const;
const ask = (request: Partial<RenderRequest>, plan: Parameters<typeof resolveSettings>[1] = film) =>
  resolveSettings(renderRequestSchema.parse(request), plan);

describe('render settings', () => {
  it('A17: a preview is 640×360 at 15 fps, H.264 CRF 28', () => {
    expect(ask({ kind: 'preview' })).toEqual({
      kind: 'preview',
      width: 640,
      height: 360,
      fps: 15,
      format: 'mp4',
      crf: 28,
      durationSeconds: 8,
      preset: null,
      transparent: false,
      range: null,
      parameters: null,
      verify: false,
    });
  });

  it.each([
    ['9:16', 360, 640],
    ['1:1', 640, 640],
    ['4:5', 512, 640],
  ] as const)('A17: a preview of %s has 640 pixels on its longer side', (aspect, width, height) => {
    expect(ask({ kind: 'preview' }, { aspect, durationSeconds: 5 })).toMatchObject({ width, height });
  });

  it('A17: a final is 1080p, 60 fps, mp4 CRF 18, unless asked otherwise', () => {
    expect(ask({})).toEqual({
      kind: 'final',
      width: 1920,
      height: 1080,
      fps: 60,
      format: 'mp4',
      crf: 18,
      durationSeconds: 8,
      preset: null,
      transparent: false,
      range: null,
      parameters: null,
      verify: false,
    });
    expect(ask({ resolution: '720p', fps: 30, format: 'webm', durationSeconds: 2.5 })).toMatchObject({
      width: 1280,
      height: 720,
      fps: 30,
      format: 'webm',
      durationSeconds: 2.5,
    });
    expect(ask({ resolution: '4k' }, { aspect: '9:16', durationSeconds: 600 })).toMatchObject({
      width: 2160,
      height: 3840,
      fps: 60,
    });
  });

  it.each([
    ['youtube', 1920, 1080, 60],
    ['reels', 1080, 1920, 30],
    ['tiktok', 1080, 1920, 30],
    ['twitter', 1920, 1080, 30],
  ] as const)('A17: %s gets %d×%d at %d fps, whatever else is asked', (preset, width, height, fps) => {
    expect(ask({ preset, resolution: '4k', fps: 60 })).toMatchObject({ width, height, fps, preset });
  });

  it.each([
    ['reels', 90],
    ['tiktok', 180],
    ['twitter', 140],
  ] as const)('A17: %s takes %d s, and not a moment more', (preset, limit) => {
    expect(ask({ preset }, { ...film, durationSeconds: limit })).toMatchObject({ durationSeconds: limit });
    const refusal = expect.objectContaining({ code: 'LIMIT_EXCEEDED', recovery: 'shorten_film' });
    expect(() => ask({ preset }, { ...film, durationSeconds: limit + 0.1 })).toThrow(refusal);
    expect(() => ask({ preset, durationSeconds: limit + 1 })).toThrow(refusal);
    // A part of a film that is too long may be rendered.
    expect(ask({ preset, durationSeconds: limit }, { ...film, durationSeconds: 500 })).toMatchObject({ durationSeconds: limit });
  });

  it('A17: YouTube has no limit', () => {
    expect(ask({ preset: 'youtube' }, { ...film, durationSeconds: 600 })).toMatchObject({ durationSeconds: 600 });
  });

  it('A17: whatever is asked, the settings are valid and both sides even', () => {
    const requests = fc.record(
      {
        kind: fc.constantFrom('preview' as const, 'final' as const),
        resolution: fc.constantFrom(...resolutionSchema.options),
        fps: fc.constantFrom(30 as const, 60 as const),
        format: fc.constantFrom('mp4' as const, 'webm' as const),
        preset: fc.constantFrom(...presetSchema.options),
      },
      { requiredKeys: ['kind'] },
    );
    fc.assert(
      fc.property(
        requests,
        fc.constantFrom(...aspectSchema.options),
        fc.double({ min: 0.5, max: 90, noNaN: true }),
        (request, aspect, durationSeconds) => {
          const settings = renderSettingsSchema.parse(ask(request, { aspect, durationSeconds }));
          expect(settings.width % 2).toBe(0);
          expect(settings.height % 2).toBe(0);
        },
      ),
    );
  });

  it('A18: the time limit grows with the work, and fits a timer', () => {
    const short = renderTimeoutMs(ask({ kind: 'preview' }));
    const long = renderTimeoutMs(ask({ resolution: '4k' }, { ...film, durationSeconds: 600 }));
    expect(short).toBeLessThan(200_000);
    expect(long).toBeGreaterThan(36_000 * 5_000);
    expect(long).toBeLessThan(2 ** 31);
  });
});
