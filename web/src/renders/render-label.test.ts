import { describe, expect, it } from 'vitest';
import type { Render } from '#contract/render.ts';
import { sampleProbe, sampleSettings } from '../../../test/fixtures/renders.ts';
import { finishedSince } from '../project/renders.ts';
import { factsOf, renderLabel } from './render-label.ts';
import { filmStart } from './video-player.tsx';

const render = (change: Partial<Render> = {}): Render => ({
  id: 'rnd_0123456789abcdefghjk',
  projectId: 'prj_0123456789abcdefghjk',
  status: 'complete',
  settings: sampleSettings(),
  percent: 100,
  stage: null,
  probe: sampleProbe({ sizeBytes: 4_200_000 }),
  videoUrl: '/video.mp4',
  thumbnailUrl: '/thumbnail.jpg',
  renderTimeMs: 42_000,
  error: null,
  createdAt: '2026-01-02T03:04:05.000Z',
  finishedAt: '2026-01-02T03:05:05.000Z',
  batch: null,
  ...change,
});
const factsAs = (change: Partial<Render>) => Object.fromEntries(factsOf(render(change)).map(({ name, value }) => [name, value]));

describe('facts of a render', () => {
  it('A17: its name distinguishes it from others', () => {
    expect(renderLabel(render())).toBe('Final 1920×1080, 60 fps, mp4');
    expect(renderLabel({ settings: sampleSettings({ preset: 'tiktok', range: { scene: 'scene-2' } }) })).toBe(
      'TikTok 1920×1080, 60 fps, mp4, scene 2',
    );
    expect(renderLabel({ settings: sampleSettings({ range: { fromFrame: 10, toFrame: 20 } }) })).toMatch(/frames 10–19$/);
    expect(renderLabel({ settings: sampleSettings({ format: 'png', range: { fromFrame: 90, toFrame: 91 } }) })).toBe(
      'Frame 90, 1920×1080, png',
    );
  });

  it('A18: lists measured values and settings', () => {
    const probe = sampleProbe({
      sizeBytes: 4_200_000,
      capturedFrames: 60,
      captureFallback: 'The page shows an element <video>.',
      audio: { codec: 'aac', sampleRate: 48_000, channels: 2, durationSeconds: 6 },
      verification: { frames: 12, lowestPsnrDb: 48.26, meanPsnrDb: 52.04 },
    });
    expect(factsAs({ probe, settings: sampleSettings({ parameters: { title: 'Hi', size: 3 } }) })).toMatchObject({
      Format: 'MP4 (h264, yuv420p)',
      Frame: '1920×1080, 60 fps',
      Range: 'Whole film',
      Frames: '360 (60 drawn, 300 reused)',
      Audio: 'aac, 48 kHz, stereo',
      Parameters: 'title: Hi, size: 3',
      File: '4.2 MB',
      Duration: '42.0 s',
      Checked: '12 frames against plain screenshots: 52.0 dB on average, 48.3 dB at worst (PSNR)',
      'Captured twice': 'The page shows an element <video>.',
    });
  });

  it('A18: shows why a render failed, and nothing about films for an image', () => {
    const failed = factsAs({
      status: 'failed',
      probe: null,
      renderTimeMs: null,
      error: { code: 'TIMEOUT', message: 'Too slow.' },
    });
    expect(failed).toMatchObject({ Error: 'Too slow.', Format: 'MP4' });
    expect(Object.keys(failed)).not.toContain('File');
    const still = factsAs({ settings: sampleSettings({ format: 'png', range: { fromFrame: 1, toFrame: 2 } }) });
    for (const absent of ['Length', 'Sound', 'Frames', 'Quality']) expect(Object.keys(still)).not.toContain(absent);
  });
});

it('A18: reports a running final once when it ends', () => {
  const working = [render({ id: 'a', status: 'running' }), render({ id: 'b', status: 'queued' }), render({ id: 'c' })];
  const over = [render({ id: 'a' }), render({ id: 'b', status: 'failed' }), render({ id: 'c' })];
  expect(finishedSince(working, over).map(({ id }) => id)).toEqual(['b', 'a']);
  expect(finishedSince(over, over)).toEqual([]);
  expect(finishedSince([], over)).toEqual([]);
  expect(finishedSince(working, [render({ id: 'a', status: 'cancelled' })])).toEqual([]);
  const preview = sampleSettings({ kind: 'preview' });
  const before = [render({ id: 'p', status: 'running', settings: preview })];
  expect(finishedSince(before, [render({ id: 'p', settings: preview })])).toEqual([]);
});

it('A17: a time within a range is a time of the film', () => {
  const film = { fps: 30, scenes: [{ id: 'scene-2', startSeconds: 3.5 }] };
  expect(filmStart(null, film)).toBe(0);
  expect(filmStart({ fromFrame: 15, toFrame: 20 }, film)).toBe(0.5);
  expect(filmStart({ scene: 'scene-2' }, film)).toBe(3.5);
  expect(filmStart({ scene: 'intro' }, film)).toBeNull();
});
