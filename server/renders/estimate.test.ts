import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { Render, RenderProbe, RenderSettings } from '#contract/render.ts';
import { sampleProbe, sampleSettings } from '../../test/fixtures/renders.ts';
import { costOf, framesOf } from './estimate.ts';

/** Returns a render that took `startMs` plus a fixed time per frame and a time per pixel, in nanoseconds. */
function finished(
  settings: Partial<RenderSettings>,
  { workMs, ...probe }: { workMs: number } & Partial<RenderProbe>,
  status: Render['status'] = 'complete',
): Render {
  const full = sampleSettings(settings);
  return {
    id: newId('rnd'),
    projectId: newId('prj'),
    status,
    settings: full,
    percent: 100,
    stage: null,
    probe: sampleProbe({ frames: framesOf(full), capturedFrames: null, ...probe }),
    videoUrl: null,
    thumbnailUrl: null,
    renderTimeMs: workMs,
    error: null,
    createdAt: '2026-01-02T03:04:05.678Z',
    finishedAt: '2026-01-02T03:05:05.678Z',
    batch: null,
  };
}
const ask = (settings: Partial<RenderSettings> = {}) => {
  const full = sampleSettings(settings);
  return { settings: full, frames: framesOf(full) };
};
const hd = { width: 1280, height: 720 };
const fourK = { width: 3840, height: 2160 };

describe('costOf', () => {
  it('A18: is unknown before the first render, and ignores failed and cancelled ones', () => {
    const unknown = { workSeconds: null, workRangeSeconds: null, sizeBytes: null, basis: null, rough: false };
    expect(costOf(ask(), { project: [], studio: [] })).toEqual(unknown);
    const failures = [finished({}, { workMs: 9000 }, 'failed'), finished({}, { workMs: 9000 }, 'cancelled')];
    expect(costOf(ask(), { project: failures, studio: failures })).toEqual(unknown);
  });

  it('A18: scales time and file size with the length of the film', () => {
    const past = { project: [finished({}, { workMs: 34_000, sizeBytes: 5_000_000 })], studio: [] };
    expect(costOf(ask(), past)).toEqual({
      workSeconds: 34,
      workRangeSeconds: { from: 27.2, to: 44.2 },
      sizeBytes: 5_000_000,
      basis: 'project',
      rough: false,
    });
    const longer = costOf(ask({ durationSeconds: 12 }), past);
    expect(longer.sizeBytes).toBe(10_000_000);
    expect(longer.workSeconds).toBeGreaterThan(60);
    expect(longer.workSeconds).toBeLessThan(68);
  });

  it('A18: invalid frame counts of one render do not devalue the others', () => {
    const liar = finished({}, { workMs: 1, capturedFrames: 1e12 });
    const studio = [...Array.from({ length: 9 }, () => finished({}, { workMs: 34_000 })), liar];
    expect(costOf(ask(), { project: [], studio }).workSeconds).toBeGreaterThan(20);
  });

  it('A18: more pixels take longer, a shorter range less', () => {
    const past = { project: [finished({}, { workMs: 34_000, sizeBytes: 5_000_000 })], studio: [] };
    const seconds = (settings: Partial<RenderSettings>) => costOf(ask(settings), past).workSeconds ?? 0;
    expect(seconds(fourK)).toBeGreaterThan(90);
    expect(seconds(fourK)).toBeLessThan(34 * 4);
    expect(seconds(hd)).toBeLessThan(25);
    expect(seconds({ range: { fromFrame: 0, toFrame: 36 } })).toBeGreaterThan(5);
    expect(seconds({ range: { fromFrame: 0, toFrame: 36 } })).toBeLessThan(9);
    expect(costOf(ask({ format: 'png', range: { fromFrame: 5, toFrame: 6 } }), past).workSeconds).toBeLessThan(5);
  });

  it("A18: prefers the project's own renders, and similar ones", () => {
    const preview = { kind: 'preview', width: 640, height: 360, fps: 15 } as const;
    const slow = finished({}, { workMs: 304_000 });
    const quick = finished({}, { workMs: 34_000 });
    expect(costOf(ask(), { project: [], studio: [slow] })).toMatchObject({ workSeconds: 304, basis: 'studio', rough: false });
    expect(costOf(ask(), { project: [quick], studio: [slow] })).toMatchObject({ workSeconds: 34, basis: 'project' });
    const byPreview = costOf(ask(), { project: [finished(preview, { workMs: 3000 })], studio: [slow] });
    expect(byPreview).toMatchObject({ basis: 'project', rough: true, sizeBytes: null });
    expect(costOf(ask(), { project: [finished(preview, { workMs: 3000 }), quick], studio: [] })).toMatchObject({
      workSeconds: 34,
      rough: false,
    });
  });

  /** Durations of previews and the finals after them on two cores: idle in the first two cases, busy in the others. */
  it.each([
    { previewsMs: [2880], preview: { durationSeconds: 5.4 }, final: { durationSeconds: 5.4 }, tookSeconds: 43.3 },
    { previewsMs: [2496], preview: { durationSeconds: 6 }, final: { durationSeconds: 6, ...hd, fps: 30 }, tookSeconds: 14.2 },
    { previewsMs: [3443, 3076], preview: { durationSeconds: 5 }, final: { durationSeconds: 5, ...hd, fps: 30 }, tookSeconds: 28 },
    { previewsMs: [7874], preview: { durationSeconds: 5 }, final: { durationSeconds: 5, ...hd, fps: 30 }, tookSeconds: 87.9 },
  ])('A18: the first final is told from the preview: $tookSeconds s', ({ previewsMs, preview, final, tookSeconds }) => {
    const settings = { kind: 'preview', width: 640, height: 360, fps: 15, crf: 28, ...preview } as const;
    const project = previewsMs.map((workMs) => finished(settings, { workMs }));
    const { workSeconds, workRangeSeconds, rough } = costOf(ask(final), { project, studio: [] });
    expect(rough).toBe(true);
    expect(tookSeconds / (workSeconds ?? 0)).toBeGreaterThan(0.9);
    expect(tookSeconds / (workSeconds ?? 0)).toBeLessThan(2);
    expect(workRangeSeconds?.from).toBeLessThan(tookSeconds);
    expect(workRangeSeconds?.to).toBeGreaterThan(tookSeconds);
  });

  it('A18: widens the range with less similar renders', () => {
    const preview = finished({ kind: 'preview', width: 640, height: 360, fps: 15 }, { workMs: 3000 });
    const final = finished({}, { workMs: 34_000 });
    const widths = [
      { project: [final], studio: [] },
      { project: [preview], studio: [] },
      { project: [], studio: [preview] },
    ].map((past) => {
      const { from, to } = costOf(ask(), past).workRangeSeconds ?? { from: 1, to: 1 };
      return to / from;
    });
    expect(widths).toEqual(widths.toSorted((a, b) => a - b));
    expect(new Set(widths).size).toBe(3);
  });

  it('A18: reused frames do not make the machine look faster', () => {
    const first = finished({}, { workMs: 34_000, capturedFrames: 360 });
    const again = finished({}, { workMs: 5000, capturedFrames: 8 });
    expect(costOf(ask(), { project: [again, first], studio: [] }).workSeconds).toBe(34);
    // A film that is static half of the time never captures more frames than that.
    const still = finished({}, { workMs: 20_000, capturedFrames: 100 });
    expect(costOf(ask(), { project: [still], studio: [] }).workSeconds).toBeCloseTo(20);
  });

  it('A18: ignores single images and verified renders for speed', () => {
    const still = finished({ format: 'png', range: { fromFrame: 5, toFrame: 6 } }, { workMs: 6000 });
    const checked = finished({ verify: true }, { workMs: 90_000 });
    expect(costOf(ask(), { project: [still, checked], studio: [] }).workSeconds).toBeNull();
  });

  it('A18: estimates the size only for a format and quality that the project has rendered', () => {
    const past = { project: [finished({ crf: 18 }, { workMs: 34_000, sizeBytes: 5_000_000 })], studio: [] };
    for (const other of [{ crf: 28 }, { format: 'webm', crf: 18 }, { transparent: true }] as const)
      expect(costOf(ask(other), past).sizeBytes).toBeNull();
  });

  it('A18: never estimates zero time, even after very fast renders', () => {
    const quick = finished({}, { workMs: 1 });
    expect(costOf(ask({ durationSeconds: 1 }), { project: [quick], studio: [] }).workRangeSeconds?.from).toBeGreaterThan(0);
  });

  it('A18: estimates are positive and grow with the film, for any past renders', () => {
    const renders = fc.array(
      fc.record({
        workMs: fc.integer({ min: 1, max: 10_000_000 }),
        width: fc.integer({ min: 16, max: 7680 }),
        capturedFrames: fc.option(fc.integer({ min: 0, max: 360 })),
        kind: fc.constantFrom('preview', 'final'),
      }),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(renders, fc.integer({ min: 1, max: 300 }), (samples, seconds) => {
        const project = samples.map(({ workMs, width, capturedFrames, kind }) =>
          finished({ width, kind }, { workMs, capturedFrames }),
        );
        const of = (durationSeconds: number) =>
          costOf(ask({ durationSeconds }), { project, studio: [] }).workSeconds ?? Number.NaN;
        expect(of(seconds)).toBeGreaterThan(0);
        expect(Number.isFinite(of(seconds))).toBe(true);
        expect(of(seconds + 1)).toBeGreaterThanOrEqual(of(seconds));
      }),
    );
  });
});
