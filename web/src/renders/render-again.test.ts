import { expect, it } from 'vitest';
import { renderRequestSchema } from '../../../server/contract/render.ts';
import { sampleSettings } from '../../../test/fixtures/renders.ts';
import { requestAgain } from './render-again.ts';

it.each([
  [{}, { kind: 'final', format: 'mp4', fps: 60, resolution: '1080p', crf: 18 }],
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
  expect(requestAgain(sampleSettings(settings))).toEqual(request);
  renderRequestSchema.parse(request);
});
