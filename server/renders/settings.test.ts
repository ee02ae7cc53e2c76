import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import {
  aspectSchema,
  frameSize,
  presetSchema,
  type RenderRequest,
  renderFormatSchema,
  renderRequestSchema,
  renderSettingsSchema,
  resolutionSchema,
} from '#contract/render.ts';
import { platforms } from '#contract/render-rules.ts';
import { renderTimeoutMs, resolveSettings } from './settings.ts';

const film = { aspect: '16:9', fps: 60, durationSeconds: 8, fixedParts: [] } as const;
type Subject = Parameters<typeof resolveSettings>[1];
const ask = (request: Partial<RenderRequest>, plan: Partial<Subject> = {}) =>
  resolveSettings(renderRequestSchema.parse(request), { ...film, ...plan });
const rejection = (message: RegExp, code = 'VALIDATION_ERROR') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) });

/** Returns the settings or the validation error. Any other error indicates a bug and is thrown. */
function resolveOrReject(request: Partial<RenderRequest>, plan: Partial<Subject>) {
  try {
    return ask(request, plan);
  } catch (error) {
    if (error instanceof KodaError) return error;
    throw error;
  }
}

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
      aspect: null,
      transparent: false,
      range: null,
      parameters: null,
      verify: false,
      fileSize: 'normal',
    });
  });

  it.each([
    ['9:16', 360, 640],
    ['1:1', 640, 640],
    ['4:5', 512, 640],
  ] as const)('A17: a preview of %s has 640 pixels on its longer side', (aspect, width, height) => {
    expect(ask({ kind: 'preview' }, { aspect, durationSeconds: 5 })).toMatchObject({ width, height });
  });

  it('A17: a final is 1080p, 60 fps, mp4 CRF 18 by default', () => {
    expect(ask({})).toEqual({
      kind: 'final',
      width: 1920,
      height: 1080,
      fps: 60,
      format: 'mp4',
      crf: 18,
      durationSeconds: 8,
      preset: null,
      aspect: null,
      transparent: false,
      range: null,
      parameters: null,
      verify: false,
      fileSize: 'normal',
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

  it.each(presetSchema.options.flatMap((preset) => aspectSchema.options.map((aspect) => [preset, aspect] as const)))(
    'F1: %s lays a film of %s out in its own shape, and refuses one with code scenes of another shape',
    (preset, aspect) => {
      const wanted = platforms[preset].aspect;
      const size = frameSize(wanted, '1080p');
      expect(ask({ preset }, { aspect })).toMatchObject({ ...size, aspect: wanted === aspect ? null : wanted });
      const ofCode = { aspect, fixedParts: ['The opening', 'The end'] };
      if (wanted === aspect) expect(ask({ preset }, ofCode)).toMatchObject({ ...size, aspect: null });
      else expect(() => ask({ preset }, ofCode)).toThrow(rejection(/“The opening”, “The end” are code .* Leave out the preset/));
      expect(ask({ resolution: '720p' }, ofCode)).toMatchObject({ ...frameSize(aspect, '720p'), aspect: null });
    },
  );

  it.each(aspectSchema.options)('F1: a film is laid out anew in %s if that is asked for', (aspect) => {
    const own = film.aspect === aspect;
    expect(ask({ aspect })).toMatchObject({ ...frameSize(aspect, '1080p'), aspect: own ? null : aspect });
    if (!own) expect(() => ask({ aspect }, { fixedParts: ['The end'] })).toThrow(rejection(/Leave out the aspect/));
    const wanted = platforms.reels.aspect;
    if (aspect === wanted) expect(ask({ aspect, preset: 'reels' })).toMatchObject({ aspect });
    else expect(() => ask({ aspect, preset: 'reels' })).toThrow(rejection(/Leave out the preset or the aspect/));
  });

  it.each([
    ['mp4', 30, 30],
    ['webm', 30, 30],
    ['png-sequence', 30, 30],
    ['mp4', 60, 60],
    ['gif', 30, 25],
  ] as const)('F8: %s of a film at %d fps has %d fps unless another rate is requested', (format, fps, wanted) => {
    expect(ask({ format }, { fps })).toMatchObject({ fps: wanted });
    expect(ask({ format, fps: 24 }, { fps })).toMatchObject({ fps: 24 });
  });

  it.each([
    ['reels', 90],
    ['tiktok', 180],
    ['twitter', 140],
  ] as const)('A17: %s takes %d s, and not a moment more', (preset, limit) => {
    expect(ask({ preset }, { ...film, durationSeconds: limit })).toMatchObject({ durationSeconds: limit });
    const tooLong = expect.objectContaining({ code: 'LIMIT_EXCEEDED', recovery: 'shorten_film' });
    expect(() => ask({ preset }, { ...film, durationSeconds: limit + 0.1 })).toThrow(tooLong);
    expect(() => ask({ preset, durationSeconds: limit + 1 })).toThrow(tooLong);
    // A range within the limit may be rendered even if the film exceeds it.
    expect(ask({ preset, durationSeconds: limit }, { ...film, durationSeconds: 500 })).toMatchObject({ durationSeconds: limit });
  });

  it('A17: YouTube has no limit', () => {
    expect(ask({ preset: 'youtube' }, { ...film, durationSeconds: 600 })).toMatchObject({ durationSeconds: 600 });
  });

  it('A17: any request yields an error with a reason or valid settings with an even size and at least one frame', () => {
    const requests = fc.record(
      {
        kind: fc.constantFrom('preview' as const, 'final' as const),
        resolution: fc.constantFrom(...resolutionSchema.options),
        fps: fc.constantFrom(30 as const, 60 as const),
        format: fc.constantFrom(...renderFormatSchema.options),
        preset: fc.constantFrom(...presetSchema.options),
        crf: fc.integer({ min: 0, max: 63 }),
        transparent: fc.boolean(),
        range: fc.oneof(
          fc.record({ fromFrame: fc.nat(9000), toFrame: fc.integer({ min: 1, max: 9000 }) }),
          fc.record({ fromSeconds: fc.double({ min: 0, max: 90, noNaN: true }) }),
          fc.record({ scene: fc.constantFrom('scene-1', 'scene-9', 'intro') }),
        ),
        atSeconds: fc.double({ min: 0, max: 90, noNaN: true }),
      },
      { requiredKeys: ['kind'] },
    );
    fc.assert(
      fc.property(
        requests,
        fc.constantFrom(...aspectSchema.options),
        fc.double({ min: 0.5, max: 90, noNaN: true }),
        (request, aspect, durationSeconds) => {
          const asked = resolveOrReject(request, { aspect, durationSeconds, scenes: [{ id: 'scene-1', durationSeconds }] });
          if (asked instanceof KodaError) {
            expect(['VALIDATION_ERROR', 'NOT_FOUND', 'LIMIT_EXCEEDED']).toContain(asked.code);
            return;
          }
          const settings = renderSettingsSchema.parse(asked);
          const { range, fps } = settings;
          if (range !== null && 'fromFrame' in range) {
            expect(range.fromFrame).toBeLessThan(range.toFrame);
            expect(range.toFrame).toBeLessThanOrEqual(Math.max(1, Math.round(durationSeconds * fps)));
          }
          expect(settings.width % 2).toBe(0);
          expect(settings.height % 2).toBe(0);
        },
      ),
    );
  });

  it('A18: the timeout grows with the work and fits a timer', () => {
    const short = renderTimeoutMs(ask({ kind: 'preview' }));
    const long = renderTimeoutMs(ask({ resolution: '4k' }, { ...film, durationSeconds: 600 }));
    expect(short).toBeLessThan(200_000);
    expect(long).toBeGreaterThan(36_000 * 5_000);
    expect(long).toBeLessThan(2 ** 31);
    const part = renderTimeoutMs(
      ask({ resolution: '4k', range: { fromFrame: 0, toFrame: 30 } }, { ...film, durationSeconds: 600 }),
    );
    expect(part).toBeLessThan(600_000);
  });
});

describe('formats', () => {
  it.each([
    ['mp4', { width: 1920, height: 1080, fps: 60, crf: 18 }],
    ['webm', { width: 1920, height: 1080, fps: 60, crf: 24 }],
    ['mov', { width: 1920, height: 1080, fps: 60 }],
    ['gif', { width: 1280, height: 720, fps: 25 }],
    ['png-sequence', { width: 1920, height: 1080, fps: 60 }],
    ['png', { width: 1920, height: 1080, range: { fromFrame: 240, toFrame: 241 } }],
    ['jpeg', { width: 1920, height: 1080, range: { fromFrame: 240, toFrame: 241 } }],
  ] as const)('X9: %s has defaults of its own', (format, expected) => {
    expect(ask({ format })).toMatchObject({ format, transparent: false, ...expected });
  });

  it.each(['mp4', 'jpeg'] as const)('X9: %s cannot be transparent; the error lists the formats that can', (format) => {
    expect(() => ask({ format, transparent: true })).toThrow(rejection(/webm, mov, gif, png-sequence, png/));
  });

  it.each(['webm', 'mov', 'gif', 'png-sequence', 'png'] as const)('X9: %s can be transparent', (format) => {
    expect(ask({ format, transparent: true })).toMatchObject({ transparent: true });
  });

  it('X9: accepts a quality within the scale of formats that have one', () => {
    expect(ask({ crf: 30 })).toMatchObject({ crf: 30 });
    expect(ask({ format: 'webm', crf: 63 })).toMatchObject({ crf: 63 });
    expect(() => ask({ crf: 52 })).toThrow(rejection(/0 to 51/));
    expect(() => ask({ format: 'gif', crf: 10 })).toThrow(rejection(/mp4, webm/));
    expect(() => ask({ format: 'gif', fileSize: 'small' })).toThrow(rejection(/mp4, webm/));
  });

  it.each([
    [{ preset: 'reels', format: 'webm' }, /Accepted formats: mp4/],
    [{ preset: 'youtube', format: 'gif' }, /mp4, webm, mov/],
    [{ preset: 'youtube', format: 'mov', transparent: true }, /cannot be transparent/],
  ] as const)('A17: %o does not go together', (request, message) => {
    expect(() => ask(request)).toThrow(rejection(message));
  });
});

describe('ranges of a film', () => {
  const plan = {
    ...film,
    scenes: [
      { id: 'scene-1', durationSeconds: 5 },
      { id: 'scene-2', durationSeconds: 3 },
    ],
  };

  it.each([
    [
      { fromFrame: 30, toFrame: 90 },
      { fromFrame: 30, toFrame: 90 },
    ],
    [
      { fromSeconds: 1.5, toSeconds: 3 },
      { fromFrame: 45, toFrame: 90 },
    ],
    [{ fromSeconds: 7 }, { fromFrame: 210, toFrame: 240 }],
    [
      { fromSeconds: 0, toSeconds: 0.5 },
      { fromFrame: 0, toFrame: 15 },
    ],
    [{ scene: 'scene-2' }, { scene: 'scene-2' }],
    [{ scene: 'intro' }, { scene: 'intro' }],
  ] as const)('X5: %o is rendered as %o', (range, expected) => {
    expect(ask({ fps: 30, range }, plan)).toMatchObject({ range: expected, durationSeconds: 8 });
  });

  it.each([
    [{ fromFrame: 90, toFrame: 90 }, /240/],
    [{ fromFrame: 0, toFrame: 241 }, /240/],
    [{ fromSeconds: 8 }, /240/],
    [{ fromSeconds: 3, toSeconds: 1 }, /240/],
  ])('X5: %o is no part of the film', (range, message) => {
    expect(() => ask({ fps: 30, range }, plan)).toThrow(rejection(message));
  });

  it("X5: rejects an unknown scene and lists the plan's scenes", () => {
    expect(() => ask({ range: { scene: 'scene-3' } }, plan)).toThrow(rejection(/scene-1, scene-2/, 'NOT_FOUND'));
  });

  it('X5: a preview of a range counts frames at its own rate', () => {
    expect(ask({ kind: 'preview', range: { fromSeconds: 2, toSeconds: 4 } }, plan)).toMatchObject({
      fps: 15,
      range: { fromFrame: 30, toFrame: 60 },
    });
  });

  it('A17: the rendered range must fit the preset', () => {
    const long = { ...plan, durationSeconds: 500 };
    expect(ask({ preset: 'reels', range: { fromSeconds: 100, toSeconds: 190 } }, long)).toMatchObject({ preset: 'reels' });
    expect(ask({ preset: 'reels', range: { scene: 'scene-2' } }, long)).toMatchObject({ preset: 'reels' });
    expect(() => ask({ preset: 'reels', range: { fromSeconds: 100 } }, long)).toThrow(rejection(/90 s/, 'LIMIT_EXCEEDED'));
  });

  it('X9: a still is one frame at the requested time', () => {
    expect(ask({ format: 'png', atSeconds: 2 })).toMatchObject({ range: { fromFrame: 120, toFrame: 121 } });
    expect(ask({ format: 'png', atSeconds: 8 })).toMatchObject({ range: { fromFrame: 479, toFrame: 480 } });
    expect(() => ask({ format: 'png', atSeconds: 8.1 })).toThrow(rejection(/ends at 8 s/));
    expect(() => ask({ format: 'png', range: { scene: 'scene-1' } })).toThrow(rejection(/atSeconds/));
    expect(() => ask({ atSeconds: 2 })).toThrow(rejection(/png, jpeg/));
  });
});
