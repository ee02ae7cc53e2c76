import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { presetSchema, renderRateSchema, renderRequestSchema, resolutionSchema } from '#contract/render.ts';
import { sampleSettings } from '../../../test/fixtures/renders.ts';
import {
  filmFormats,
  firstChoice,
  inUnit,
  offerOf,
  qualities,
  type RangeChoice,
  type RenderChoice,
  rangeOf,
  rangeWithin,
  recallChoice,
  rememberChoice,
  repeatRequest,
  requestOf,
} from './render-choice.ts';

const whole = { range: undefined, parameters: undefined };
const request = (choice: Partial<RenderChoice>) => requestOf({ ...firstChoice, ...choice }, whole);

describe('the request to the server', () => {
  it("A17: the default choice matches the server's defaults", () => {
    expect(request({})).toEqual({ kind: 'final', resolution: '1080p', format: 'mp4' });
  });

  it("F8: shows and requests the film's own frame rate until another one is chosen", () => {
    const film = { aspect: '16:9', fps: 30 } as const;
    expect(offerOf(firstChoice, film).fps).toBe(30);
    expect(offerOf({ ...firstChoice, format: 'gif' }, film).fps).toBe(25);
    expect(offerOf({ ...firstChoice, fps: 60 }, film).fps).toBe(60);
    expect(request({})).not.toHaveProperty('fps');
    expect(request({ fps: 60 })).toMatchObject({ fps: 60 });
  });

  it('A17: a platform sets size and rate, and the request omits what it does not accept', () => {
    expect(request({ target: 'youtube', resolution: '4k', fps: 24, format: 'mov', quality: 'best' })).toEqual({
      kind: 'final',
      preset: 'youtube',
      format: 'mov',
    });
    expect(request({ target: 'reels', format: 'gif', transparent: true })).toEqual({
      kind: 'final',
      preset: 'reels',
      format: 'mp4',
    });
  });

  it('X9: transparency and quality apply to formats that support them', () => {
    expect(request({ format: 'webm', transparent: true, quality: 'small' })).toMatchObject({
      transparent: true,
      crf: 32,
      fileSize: 'small',
    });
    expect(request({ format: 'mp4', transparent: true, quality: 'best' })).toEqual({ ...request({}), crf: 12 });
    expect(request({ format: 'png-sequence', transparent: true, quality: 'best' })).not.toHaveProperty('crf');
    expect(request({ format: 'gif', fps: 60 })).toMatchObject({ fps: 25 });
    expect(request({ format: 'gif', fps: 50 })).toMatchObject({ fps: 50 });
  });

  it('A17 X9: every choice yields a request that the contract accepts', () => {
    const choices = fc.record({
      target: fc.constantFrom('custom' as const, ...presetSchema.options),
      resolution: fc.constantFrom(...resolutionSchema.options),
      fps: fc.constantFrom(null, ...renderRateSchema.values),
      format: fc.constantFrom(...filmFormats),
      quality: fc.constantFrom(...qualities),
      transparent: fc.boolean(),
    });
    fc.assert(
      fc.property(choices, (choice) => {
        renderRequestSchema.parse(requestOf(choice, whole));
        const offer = offerOf(choice, { aspect: '4:5', fps: 30 });
        expect(offer.formats).toContain(offer.format);
      }),
    );
  });
});

describe('range of the film', () => {
  const range = (from: string, to: string, unit: 'seconds' | 'frames' = 'seconds'): RangeChoice => ({
    kind: 'range',
    unit,
    from,
    to,
  });

  it('A17: frames count from 0 to the last one, seconds from – to', () => {
    expect(rangeOf({ kind: 'film' })).toEqual({ range: undefined });
    expect(rangeOf({ kind: 'scene', scene: 'scene-2' })).toEqual({ range: { scene: 'scene-2' } });
    expect(rangeOf(range('0', '59', 'frames'))).toEqual({ range: { fromFrame: 0, toFrame: 60 } });
    expect(rangeOf(range('7', '7', 'frames'))).toEqual({ range: { fromFrame: 7, toFrame: 8 } });
    expect(rangeOf(range('1,5', ' 2.25 '))).toEqual({ range: { fromSeconds: 1.5, toSeconds: 2.25 } });
  });

  it('A17: an invalid range names the field to fix', () => {
    for (const from of ['', '-1', 'one', 'NaN', 'Infinity']) expect(rangeOf(range(from, '2'))).toEqual({ incomplete: 'from' });
    expect(rangeOf(range('1.5', '3', 'frames'))).toEqual({ incomplete: 'from' });
    for (const to of ['', '1', '0', 'x']) expect(rangeOf(range('1', to))).toEqual({ incomplete: 'to' });
  });

  it('A17: converts a range to the other unit and back', () => {
    const seconds = { kind: 'range', unit: 'seconds', from: '1', to: '2' } as const;
    const frames = inUnit(seconds, 'frames', 30);
    expect(frames).toEqual({ kind: 'range', unit: 'frames', from: '30', to: '59' });
    expect(frames.kind === 'range' && inUnit(frames, 'seconds', 30)).toEqual(seconds);
    expect(inUnit({ ...seconds, from: '' }, 'frames', 30)).toMatchObject({ unit: 'frames', from: '' });
  });

  it('A17: returns the longest range that a platform accepts', () => {
    expect(rangeWithin('reels')).toEqual({ kind: 'range', unit: 'seconds', from: '0', to: '90' });
    expect(rangeWithin('youtube')).toBeNull();
  });
});

describe('stored choice of a project', () => {
  const shelf = () => {
    const kept = new Map<string, string>();
    return {
      read: (name: string) => kept.get(name) ?? null,
      write: (name: string, text: string | null) => void (text === null ? kept.delete(name) : kept.set(name, text)),
    };
  };

  it('A17: is restored for its project only', () => {
    const storage = shelf();
    const choice: RenderChoice = { ...firstChoice, target: 'tiktok', format: 'webm' };
    rememberChoice('prj_a', choice, storage);
    expect(recallChoice('prj_a', storage)).toEqual(choice);
    expect(recallChoice('prj_b', storage)).toEqual(firstChoice);
  });

  it('A17: unreadable settings become the default', () => {
    const storage = shelf();
    for (const nonsense of ['', '{', '{}', '{"target":"vhs"}', 'null']) {
      storage.write('koda:render:prj_a', nonsense);
      expect(recallChoice('prj_a', storage)).toEqual(firstChoice);
    }
  });
});

it.each([
  [{}, { kind: 'final', format: 'mp4', fps: 60, resolution: '1080p', crf: 18 }],
  [{ fileSize: 'small' }, { kind: 'final', format: 'mp4', fps: 60, resolution: '1080p', crf: 18, fileSize: 'small' }],
  [
    { width: 1080, height: 1350, fps: 24, crf: 12 },
    { kind: 'final', format: 'mp4', fps: 24, resolution: '1080p', crf: 12 },
  ],
  [
    { width: 3840, height: 2160, format: 'mov', transparent: true },
    { kind: 'final', format: 'mov', fps: 60, resolution: '4k', transparent: true },
  ],
  [{ kind: 'preview', width: 640, height: 360, fps: 15, crf: 28 }, { kind: 'preview' }],
  [
    { preset: 'reels', fps: 30, width: 1080, height: 1920 },
    { kind: 'final', format: 'mp4', preset: 'reels', crf: 18 },
  ],
  [
    { range: { scene: 'scene-2' }, parameters: { title: 'Hi' }, verify: true },
    {
      kind: 'final',
      format: 'mp4',
      fps: 60,
      resolution: '1080p',
      crf: 18,
      range: { scene: 'scene-2' },
      parameters: { title: 'Hi' },
      verify: true,
    },
  ],
  [
    { format: 'png', fps: 60, range: { fromFrame: 90, toFrame: 91 } },
    { kind: 'final', format: 'png', fps: 60, resolution: '1080p', atSeconds: 1.5 },
  ],
] as const)('A17 X9: the same render again: %j', (settings, request) => {
  expect(repeatRequest(sampleSettings(settings))).toEqual(request);
  renderRequestSchema.parse(request);
});
