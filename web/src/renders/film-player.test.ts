import { describe, expect, it } from 'vitest';
import type { Render } from '#contract/render.ts';
import { sampleSettings } from '../../../test/fixtures/renders.ts';
import { previewAtWork } from '../project/renders.ts';
import { type LiveEvent, type LiveWatch, nextWatch } from './film-player.tsx';

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
});
const renders = (...items: Render[]): LiveEvent => ({ type: 'renders', renders: items });
const watchAfter = (...events: LiveEvent[]) => events.reduce<LiveWatch | null>(nextWatch, null);
const picture: LiveEvent = { type: 'picture', renderId: 'a' };
const broken: LiveEvent = { type: 'broken', renderId: 'a' };
const taken: LiveEvent = { type: 'taken', renderId: 'a' };
const running = renders(render('a', 'running'));
const complete = renders(render('a', 'complete'));

describe('the preview that is being made', () => {
  it('A18: is the newest that is at work; finals, and what waits or is over, have nothing to show', () => {
    expect(previewAtWork([render('a', 'running'), render('bb', 'running')])?.id).toBe('bb');
    expect(previewAtWork([render('a', 'running', 'final'), render('b', 'queued'), render('c', 'complete')])).toBeNull();
  });
});

describe('watching a preview while it is made', () => {
  it('A18: opens with the work, shows from the first picture, and hands over to the finished video', () => {
    expect(watchAfter(renders())).toBeNull();
    expect(watchAfter(renders(render('a', 'queued')))).toBeNull();
    expect(watchAfter(running)).toEqual({ renderId: 'a', state: 'opening' });
    expect(watchAfter(running, picture)).toEqual({ renderId: 'a', state: 'showing' });
    // Progress changes nothing.
    expect(watchAfter(running, picture, running)).toEqual({ renderId: 'a', state: 'showing' });
    expect(watchAfter(running, picture, complete)).toEqual({ renderId: 'a', state: 'handing' });
    expect(watchAfter(running, picture, complete, complete)).toEqual({ renderId: 'a', state: 'handing' });
    expect(watchAfter(running, picture, complete, taken)).toBeNull();
  });

  it('A18: a film that breaks is not shown any more, and its end is that of the progress', () => {
    expect(watchAfter(running, broken)).toEqual({ renderId: 'a', state: 'broken' });
    expect(watchAfter(running, picture, broken)).toEqual({ renderId: 'a', state: 'broken' });
    // A late frame does not revive it.
    expect(watchAfter(running, broken, picture, running)).toEqual({ renderId: 'a', state: 'broken' });
    expect(watchAfter(running, broken, complete)).toBeNull();
    expect(watchAfter(running, picture, complete, broken)).toBeNull();
  });

  it('A18: a render that fails, is cancelled or disappears leaves nothing behind', () => {
    for (const over of [renders(render('a', 'failed')), renders(render('a', 'cancelled')), renders()]) {
      expect(watchAfter(running, picture, over)).toBeNull();
    }
    expect(watchAfter(running, complete)).toBeNull();
    // Also while the finished video takes over.
    expect(watchAfter(running, picture, complete, renders())).toBeNull();
    expect(
      watchAfter(running, picture, complete, renders(render('a', 'complete'), render('bb', 'complete', 'final'))),
    ).toBeNull();
  });

  it('A18: the next preview takes the place, and words about the one before do not touch it', () => {
    const next = renders(render('a', 'complete'), render('bb', 'running'));
    expect(watchAfter(running, picture, next)).toEqual({ renderId: 'bb', state: 'opening' });
    expect(watchAfter(running, picture, complete, next)).toEqual({ renderId: 'bb', state: 'opening' });
    for (const late of [picture, broken, taken]) expect(watchAfter(next, late)).toEqual({ renderId: 'bb', state: 'opening' });
    expect(watchAfter(picture)).toBeNull();
  });
});
