import { describe, expect, it } from 'vitest';
import type { RenderSummary, State } from '#contract/mcp-results.ts';
import { hasFrames, isActive, renderErrorOf, renderInProgress, scenesOf, shownTab, videoOf } from './film-state.ts';

const section = (id: string, start: number | null, duration: number) => ({
  ...{ id, title: id, description: id, start_seconds: start, duration_seconds: duration },
});
const plan = {
  ...{ title: 'Film', summary: 'Two scenes', accepted: true, caveat: null, not_shown: [] },
  sections: [section('one', 0, 2), section('two', null, 4)],
};
const project: State = {
  ...{
    project_id: 'prj_1',
    name: 'Film',
    phase: 'preview',
    running: false,
    waiting_for: 'preview',
    question: null,
    permission: null,
    plan,
  },
  ...{ todos: [], renders: [], error: null, url: 'http://localhost/p/1', sandbox_id: null },
};
const render = (change: Partial<RenderSummary>): RenderSummary => ({
  ...{ render_id: 'rnd_1', kind: 'final', status: 'complete', percent: 100, url: 'http://localhost/v', resource: 'koda://v' },
  ...{ media_type: 'video/mp4', width: 16, height: 9, duration_seconds: 6, size_bytes: 1, error: null },
  ...change,
});

describe('what the view for chat clients shows', () => {
  it('X13: places scenes one after another if the plan has no times', () => {
    expect(scenesOf(project).map(({ startSeconds, holdSeconds }) => [startSeconds, holdSeconds])).toEqual([
      [0, 1.3],
      [2, 4.6],
    ]);
  });

  it('X13: is the newest thing there is to see, unless the user has chosen', () => {
    const tabOf = (change: Partial<State>) => shownTab({ project: { ...project, ...change }, chosenTab: null });
    expect(tabOf({ phase: 'plan', waiting_for: 'plan' })).toBe('storyboard');
    expect(tabOf({ phase: 'executing', waiting_for: null, running: true })).toBe('storyboard');
    expect(tabOf({})).toBe('preview');
    expect(tabOf({ renders: [render({ kind: 'preview' })] })).toBe('preview');
    expect(tabOf({ renders: [render({ status: 'running' })] })).toBe('video');
    expect(tabOf({ renders: [render({})] })).toBe('video');
    expect(shownTab({ project, chosenTab: 'storyboard' })).toBe('storyboard');
  });

  it('X13: is the newest final video, otherwise the preview, and never a still', () => {
    const renders = [
      render({ render_id: 'still', media_type: 'image/jpeg' }),
      render({ render_id: 'preview', kind: 'preview' }),
      render({ render_id: 'new' }),
      render({ render_id: 'old' }),
    ];
    expect(videoOf({ ...project, renders })?.render_id).toBe('new');
    expect(videoOf({ ...project, renders: renders.slice(0, 2) })?.render_id).toBe('preview');
    expect(videoOf(project)).toBeNull();
  });

  it('X13: follows work and renders, and names the error of the newest render', () => {
    expect(isActive(project)).toBe(false);
    expect(isActive({ ...project, renders: [render({ status: 'queued' })] })).toBe(true);
    expect(isActive({ ...project, phase: 'executing', waiting_for: null })).toBe(true);
    const failed = render({ status: 'failed', error: { code: 'RENDER_FAILED', message: 'No space' } });
    expect(renderErrorOf({ ...project, renders: [failed, render({})] })).toBe('No space');
    expect(renderErrorOf({ ...project, renders: [render({}), failed] })).toBeNull();
    expect(renderInProgress({ ...project, renders: [render({ kind: 'preview', status: 'running' })] })).toBeNull();
  });

  it('X13: has pictures of scenes in code only once they are written', () => {
    const film = {
      ...{ version: 3 as const, title: 'Film', style: 'smooth' as const, theme: 'paper' as const, aspect: '16:9' as const },
      ...{ fps: 30 as const, seed: 1, language: 'en', colors: {}, music: null },
      scenes: [{ id: 'one', seconds: 2, title: 'One', description: 'One', code: true as const }],
    };
    const document = { revision: 1, accepted: false, film };
    expect(hasFrames({ project, document })).toBe(false);
    expect(hasFrames({ project, document: { ...document, accepted: true } })).toBe(true);
    expect(hasFrames({ project: { ...project, running: true }, document: { ...document, accepted: true } })).toBe(false);
    const scenes = [{ id: 'one', seconds: 2, format: 'title', props: {} }];
    expect(hasFrames({ project, document: { ...document, film: { ...film, scenes } } })).toBe(true);
  });
});
