import { expect, it } from 'vitest';
import { type Render, type RenderSettings, renderFiles } from '#contract/render.ts';
import { sampleSettings } from '../../../test/fixtures/renders.ts';
import { finalOf, imageOf, newestComplete } from './renders.ts';

let made = 0;
const render = (settings: Partial<RenderSettings>, status: Render['status'] = 'complete'): Render => ({
  id: `rnd_${++made}`,
  projectId: 'prj_0123456789abcdefghjk',
  status,
  settings: sampleSettings(settings),
  percent: 100,
  stage: null,
  probe: null,
  videoUrl: `/${renderFiles[settings.format ?? 'mp4'].name}`,
  thumbnailUrl: '/thumbnail.jpg',
  renderTimeMs: 1,
  error: null,
  createdAt: `2026-01-02T03:04:${String(made).padStart(2, '0')}.000Z`,
  finishedAt: null,
  batch: null,
});

it('X9: images, ranges and videos with other parameters do not represent the film', () => {
  const film = render({ format: 'webm' });
  const others = [
    render({ format: 'gif' }),
    render({ format: 'png', range: { fromFrame: 0, toFrame: 1 } }),
    render({ range: { scene: 'scene-2' } }),
    render({ parameters: { title: 'Another' } }),
    render({}, 'failed'),
  ];
  expect(newestComplete([film, ...others])).toBe(film);
  expect(newestComplete(others)).toBeNull();
});

it('X9: shows an image of renders that no browser plays', () => {
  expect(imageOf(render({ format: 'gif' }))).toBe('/video.gif');
  expect(imageOf(render({ format: 'jpeg' }))).toBe('/still.jpg');
  expect(imageOf(render({ format: 'mov' }))).toBe('/thumbnail.jpg');
  expect(imageOf(render({ format: 'png-sequence' }))).toBe('/thumbnail.jpg');
});

it('F10: a final is asked for only until the whole film is rendered or being rendered', () => {
  const still = render({ format: 'png', range: { fromFrame: 0, toFrame: 1 } });
  const preview = render({ kind: 'preview' });
  expect(finalOf([preview, still, render({}, 'failed'), render({ range: { scene: 'scene-2' } })])).toBe('none');
  expect(finalOf([preview, still, render({})])).toBe('complete');
  expect(finalOf([render({ format: 'gif' })])).toBe('complete');
  expect(finalOf([render({}), render({}, 'queued')])).toBe('running');
  expect(finalOf([render({}), render({}, 'running')])).toBe('running');
});
