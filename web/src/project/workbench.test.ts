import { expect, it } from 'vitest';
import { stageTab } from './workbench.ts';

type View = Parameters<typeof stageTab>[1];
const view = (
  phase: View['project']['phase'],
  change: {
    preview?: boolean;
    code?: boolean;
    /** Second in which a preview was finished; the phase began in the fifth. */
    video?: 4 | 6;
    moves?: number;
    rendering?: 'preview' | 'final';
  } = {},
): View =>
  ({
    moves: change.moves ?? 0,
    project: { phase, updatedAt: '2026-01-02T03:04:05.000Z', previewUrl: change.preview ? 'http://a.localhost:3000/' : null },
    files: change.code ? { 'src/App.tsx': {} } : {},
    renders: [
      ...(change.video
        ? [
            {
              status: 'complete',
              settings: { kind: 'preview' },
              createdAt: '1',
              finishedAt: `2026-01-02T03:04:0${change.video}.000Z`,
            },
          ]
        : []),
      ...(change.rendering ? [{ status: 'running', settings: { kind: change.rendering }, createdAt: '2' }] : []),
    ],
  }) as unknown as View;

it('A15: each phase shows what is most worth looking at', () => {
  expect(stageTab(null, view('plan'))).toBe('storyboard');
  expect(stageTab(null, view('executing'))).toBe('storyboard');
  expect(stageTab(null, view('executing', { code: true }))).toBe('code');
  expect(stageTab(null, view('executing', { code: true, preview: true }))).toBe('preview');
  expect(stageTab(null, view('preview', { preview: true, video: 4 }))).toBe('video');
  expect(stageTab(null, view('preview', { preview: true }))).toBe('preview');
});

it('A15 A18: while the preview is rendered, it is what is most worth looking at', () => {
  expect(stageTab(null, view('executing', { preview: true, rendering: 'preview' }))).toBe('video');
  expect(stageTab(null, view('executing', { preview: true, video: 4, rendering: 'final' }))).toBe('preview');
  expect(stageTab(null, view('error', { preview: true, rendering: 'preview' }))).toBe('preview');
  // Finished, and its gate opens in a moment; the one of the round before does not count.
  expect(stageTab(null, view('executing', { preview: true, video: 6 }))).toBe('video');
  expect(stageTab(null, view('executing', { preview: true, video: 4 }))).toBe('preview');
});

it("A15: the user's choice holds until the phase changes", () => {
  const chosen = { tab: 'assets', moves: 3 } as const;
  expect(stageTab(chosen, view('executing', { preview: true, moves: 3 }))).toBe('assets');
  expect(stageTab(chosen, view('preview', { video: 4, moves: 4 }))).toBe('video');
  // The same phase again is another occasion.
  expect(stageTab(chosen, view('executing', { preview: true, moves: 5 }))).toBe('preview');
});
