import { describe, expect, it } from 'vitest';
import type { Render } from '#contract/render.ts';
import { sampleSettings } from '../../../test/fixtures/renders.ts';
import { runningPreview } from '../project/renders.ts';
import { nextPlayback, type Playback, type PlaybackEvent } from './film-player.tsx';

const render = (id: string, status: Render['status'], kind: 'preview' | 'final' = 'preview'): Render => ({
  id,
  projectId: 'prj_0123456789abcdefghjk',
  status,
  settings: sampleSettings({ kind }),
  percent: 10,
  stage: 'capturing',
  probe: null,
  videoUrl: null,
  thumbnailUrl: null,
  renderTimeMs: null,
  error: null,
  createdAt: `2026-01-02T03:04:0${id.length}.000Z`,
  finishedAt: null,
  batch: null,
});
const renders = (...items: Render[]): PlaybackEvent => ({ type: 'renders', renders: items });
const playbackAfter = (...events: PlaybackEvent[]) => events.reduce<Playback | null>(nextPlayback, null);
const frame: PlaybackEvent = { type: 'frame', renderId: 'a' };
const broken: PlaybackEvent = { type: 'broken', renderId: 'a' };
const replaced: PlaybackEvent = { type: 'replaced', renderId: 'a' };
const running = renders(render('a', 'running'));
const complete = renders(render('a', 'complete'));

describe('running preview', () => {
  it('A18: is the newest running preview, never a final, queued or finished one', () => {
    expect(runningPreview([render('a', 'running'), render('bb', 'running')])?.id).toBe('bb');
    expect(runningPreview([render('a', 'running', 'final'), render('b', 'queued'), render('c', 'complete')])).toBeNull();
  });
});

describe('playback of a running preview', () => {
  it('A18: opens with the render, shows from the first frame, and passes to the finished video', () => {
    expect(playbackAfter(renders())).toBeNull();
    expect(playbackAfter(renders(render('a', 'queued')))).toBeNull();
    expect(playbackAfter(running)).toEqual({ renderId: 'a', state: 'opening' });
    expect(playbackAfter(running, frame)).toEqual({ renderId: 'a', state: 'showing' });
    expect(playbackAfter(running, frame, running)).toEqual({ renderId: 'a', state: 'showing' });
    expect(playbackAfter(running, frame, complete)).toEqual({ renderId: 'a', state: 'replacing' });
    expect(playbackAfter(running, frame, complete, complete)).toEqual({ renderId: 'a', state: 'replacing' });
    expect(playbackAfter(running, frame, complete, replaced)).toBeNull();
  });

  it('A18: a broken video is not shown again, and ends with its progress', () => {
    expect(playbackAfter(running, broken)).toEqual({ renderId: 'a', state: 'broken' });
    expect(playbackAfter(running, frame, broken)).toEqual({ renderId: 'a', state: 'broken' });
    // A late frame does not revive it.
    expect(playbackAfter(running, broken, frame, running)).toEqual({ renderId: 'a', state: 'broken' });
    expect(playbackAfter(running, broken, complete)).toBeNull();
    expect(playbackAfter(running, frame, complete, broken)).toBeNull();
  });

  it('A18: ends if the render fails, is cancelled or is deleted', () => {
    for (const over of [renders(render('a', 'failed')), renders(render('a', 'cancelled')), renders()]) {
      expect(playbackAfter(running, frame, over)).toBeNull();
    }
    expect(playbackAfter(running, complete)).toBeNull();
    // Deleting the render ends the playback, even while the finished video takes over.
    expect(playbackAfter(running, frame, complete, renders())).toBeNull();
    expect(
      playbackAfter(running, frame, complete, renders(render('a', 'complete'), render('bb', 'complete', 'final'))),
    ).toBeNull();
  });

  it('A18: switches to the next preview and ignores late events of the old one', () => {
    const next = renders(render('a', 'complete'), render('bb', 'running'));
    expect(playbackAfter(running, frame, next)).toEqual({ renderId: 'bb', state: 'opening' });
    expect(playbackAfter(running, frame, complete, next)).toEqual({ renderId: 'bb', state: 'opening' });
    for (const late of [frame, broken, replaced]) expect(playbackAfter(next, late)).toEqual({ renderId: 'bb', state: 'opening' });
    expect(playbackAfter(frame)).toBeNull();
  });
});
