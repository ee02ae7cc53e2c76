import { expect, it } from 'vitest';
import { contentKey, suggestedTab } from './tabs.ts';

type View = Parameters<typeof contentKey>[0];
const view = (
  phase: View['project']['phase'],
  change: {
    preview?: boolean;
    code?: boolean;
    /** Second at which a preview was finished. The phase started at 5. */
    video?: 4 | 6;
    plan?: string;
    rendering?: 'preview' | 'final';
  } = {},
): View =>
  ({
    plan: change.plan ? { id: change.plan } : null,
    project: { phase, updatedAt: '2026-01-02T03:04:05.000Z', previewUrl: change.preview ? 'http://a.localhost:3000/' : null },
    files: change.code ? { 'src/App.tsx': {} } : {},
    renders: [
      ...(change.video
        ? [
            {
              id: `rnd_${change.video}`,
              status: 'complete',
              settings: { kind: 'preview', format: 'mp4', range: null, parameters: null },
              createdAt: '1',
              finishedAt: `2026-01-02T03:04:0${change.video}.000Z`,
            },
          ]
        : []),
      ...(change.rendering ? [{ id: 'rnd_now', status: 'running', settings: { kind: change.rendering }, createdAt: '2' }] : []),
    ],
  }) as unknown as View;

it('A15: each phase suggests the most relevant tab', () => {
  expect(suggestedTab(view('plan'))).toBe('storyboard');
  expect(suggestedTab(view('executing'))).toBe('storyboard');
  expect(suggestedTab(view('executing', { code: true }))).toBe('code');
  expect(suggestedTab(view('executing', { code: true, preview: true }))).toBe('preview');
  expect(suggestedTab(view('preview', { preview: true, video: 4 }))).toBe('video');
  expect(suggestedTab(view('preview', { preview: true }))).toBe('preview');
});

it('A15 A18: suggests the preview while it renders', () => {
  expect(suggestedTab(view('executing', { preview: true, rendering: 'preview' }))).toBe('video');
  expect(suggestedTab(view('executing', { preview: true, video: 4, rendering: 'final' }))).toBe('preview');
  expect(suggestedTab(view('error', { preview: true, rendering: 'preview' }))).toBe('preview');
  // Finished, with its approval about to be requested. The previous phase's preview does not count.
  expect(suggestedTab(view('executing', { preview: true, video: 6 }))).toBe('video');
  expect(suggestedTab(view('executing', { preview: true, video: 4 }))).toBe('preview');
});

it('A15: the content key changes only with new content', () => {
  const marks = [
    view('plan', { plan: 'plan_1' }),
    view('plan', { plan: 'plan_2' }),
    view('executing', { plan: 'plan_2', code: true }),
    view('executing', { plan: 'plan_2', code: true, preview: true }),
    view('executing', { plan: 'plan_2', code: true, preview: true, rendering: 'preview' }),
  ].map(contentKey);
  expect(new Set(marks).size).toBe(marks.length);
  expect(contentKey(view('complete', { video: 4 }))).toBe(contentKey(view('preview', { video: 4 })));
  expect(contentKey(view('complete', { video: 6 }))).not.toBe(contentKey(view('preview', { video: 4 })));
  // An edit by the user keeps the plan's id.
  expect(contentKey(view('plan', { plan: 'plan_1' }))).toBe(marks[0]);
});
