import { describe, expect, it } from 'vitest';
import type { RenderRequest } from '#contract/render.ts';
import { describeRequest, renderRequestIn } from './render-request.ts';

describe('requests for a render', () => {
  it.each<[string, Omit<RenderRequest, 'kind'>]>([
    ['render it', {}],
    ['Render it.', {}],
    ['render the final video', {}],
    ['Please render it in 4k', { resolution: '4k' }],
    ['render it in 720p', { resolution: '720p' }],
    ['could you render the film in full HD, please?', { resolution: '1080p' }],
    ['export as webm', { format: 'webm' }],
    ['render it in 4K at 30 fps as webm', { resolution: '4k', fps: 30, format: 'webm' }],
    ['render it for TikTok', { preset: 'tiktok' }],
    ['render for instagram reels in 4k', { preset: 'reels' }],
    ['make it 4k', { resolution: '4k' }],
    ['make a gif', { format: 'gif' }],
    ['give me the video as mp4', { format: 'mp4' }],
    ['rendere es bitte in 4k', { resolution: '4k' }],
    ['exportiere es als webm', { format: 'webm' }],
    ['exporte-le en 4k', { resolution: '4k' }],
    ['exporta el video para TikTok', { preset: 'tiktok' }],
  ])('A29: “%s” starts a render', (text, expected) => {
    expect(renderRequestIn(text)).toEqual({ kind: 'final', ...expected });
  });

  it.each([
    'make the title blue',
    'make it vertical',
    'make it',
    'render the title in blue',
    'make the title 4k',
    'render scene 2 in 4k',
    'add a scene about video export',
    'second item: render it in 4k',
    'export the data',
    'for tiktok',
    'faster',
    '',
  ])('A29: “%s” starts no render', (text) => {
    expect(renderRequestIn(text)).toBeNull();
  });

  it.each<[RenderRequest, string]>([
    [{ kind: 'final' }, 'in 1080p as MP4'],
    [{ kind: 'final', resolution: '4k', fps: 30, format: 'webm' }, 'in 4k at 30 fps as WebM'],
    [{ kind: 'final', preset: 'tiktok' }, 'for TikTok as MP4'],
  ])('A29: describes %j as “%s”', (request, expected) => {
    expect(describeRequest(request)).toBe(expected);
  });
});
