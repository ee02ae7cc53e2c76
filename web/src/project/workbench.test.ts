import { describe, expect, it } from 'vitest';
import { appendText, contentKey, insertIntoMessage, onInsertion, shownTab, withoutSent } from './workbench.ts';

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
  expect(shownTab(null, view('plan'))).toBe('storyboard');
  expect(shownTab(null, view('executing'))).toBe('storyboard');
  expect(shownTab(null, view('executing', { code: true }))).toBe('code');
  expect(shownTab(null, view('executing', { code: true, preview: true }))).toBe('preview');
  expect(shownTab(null, view('preview', { preview: true, video: 4 }))).toBe('video');
  expect(shownTab(null, view('preview', { preview: true }))).toBe('preview');
});

it('A15 A18: suggests the preview while it renders', () => {
  expect(shownTab(null, view('executing', { preview: true, rendering: 'preview' }))).toBe('video');
  expect(shownTab(null, view('executing', { preview: true, video: 4, rendering: 'final' }))).toBe('preview');
  expect(shownTab(null, view('error', { preview: true, rendering: 'preview' }))).toBe('preview');
  // Finished, with its approval about to be requested. The previous phase's preview does not count.
  expect(shownTab(null, view('executing', { preview: true, video: 6 }))).toBe('video');
  expect(shownTab(null, view('executing', { preview: true, video: 4 }))).toBe('preview');
});

it('A15: the tab that the user chose stays, whatever the project does', () => {
  for (const next of [view('executing', { preview: true }), view('preview', { video: 4 }), view('complete', { video: 4 })])
    expect(shownTab('assets', next)).toBe('assets');
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
  // The user's own edits do not make a new plan.
  expect(contentKey(view('plan', { plan: 'plan_1' }))).toBe(marks[0]);
});

describe('words for the message', () => {
  it.each([
    ['', 'logo.png '],
    ['Use', 'Use logo.png '],
    ['Use ', 'Use logo.png '],
    ['Use\n', 'Use\nlogo.png '],
  ])('A25: behind %j', (text, after) => {
    expect(appendText(text, 'logo.png')).toBe(after);
  });

  it('A25: are appended to the unsent message while its box exists', () => {
    const taken: string[] = [];
    const end = onInsertion((words) => taken.push(words));
    insertIntoMessage('a.png');
    end();
    insertIntoMessage('b.png');
    expect(taken).toEqual(['a.png']);
  });

  it('A10: text added while a message was being sent stays', () => {
    expect(withoutSent(' Use the logo', 'Use the logo')).toBe('');
    expect(withoutSent('Use the logo now.png ', 'Use the logo')).toBe('now.png ');
    expect(withoutSent('Something else', 'Use the logo')).toBe('Something else');
  });
});
