import { describe, expect, it } from 'vitest';
import type { Render } from '#contract/render.ts';
import { sampleSettings } from '../../../../../test/fixtures/renders.ts';
import { versionVideos, videoBefore } from './compare-bar.tsx';

const render = (minute: number, settings: Parameters<typeof sampleSettings>[0], change: Partial<Render> = {}): Render => ({
  id: `rnd_${minute}`,
  projectId: 'prj_1',
  status: 'complete',
  settings: sampleSettings(settings),
  percent: 100,
  stage: null,
  probe: null,
  videoUrl: `/storage/renders/rnd_${minute}/video.mp4`,
  thumbnailUrl: null,
  renderTimeMs: 1,
  error: null,
  createdAt: `2026-01-01T00:0${minute}:00.000Z`,
  finishedAt: `2026-01-01T00:0${minute}:30.000Z`,
  batch: null,
  ...change,
});
const preview = (minute: number) => render(minute, { kind: 'preview' });
const final = (minute: number) => render(minute, { kind: 'final' });

describe('versions of a film', () => {
  it('A17: start with a preview each and include its finals', () => {
    const videos = versionVideos([preview(1), final(2), preview(3), final(4), final(5)]);
    expect(videos.map(({ render: { id }, version }) => [id, version])).toEqual([
      ['rnd_5', 2],
      ['rnd_4', 2],
      ['rnd_3', 2],
      ['rnd_2', 1],
      ['rnd_1', 1],
    ]);
  });

  it('A17: use videos of the whole film only', () => {
    const others = [
      render(1, { format: 'gif' }),
      render(2, { range: { scene: 'scene-1' } }),
      render(3, {}, { status: 'failed', videoUrl: null }),
    ];
    expect(versionVideos(others)).toEqual([]);
    // Previews are deleted after a day.
    expect(versionVideos([final(1)])[0]?.version).toBe(1);
  });

  it('A17: compares a finished film with its previous version, and a changing one with the newest', () => {
    const videos = versionVideos([preview(1), final(2), preview(3), final(4)]);
    expect(videoBefore(videos, 'complete')?.render.id).toBe('rnd_2');
    expect(videoBefore(videos, 'executing')?.render.id).toBe('rnd_4');
    expect(videoBefore(versionVideos([preview(1)]), 'preview')?.render.id).toBe('rnd_1');
    expect(videoBefore([], 'complete')).toBeNull();
  });
});
