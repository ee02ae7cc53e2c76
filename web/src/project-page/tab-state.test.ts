import { expect, it } from 'vitest';
import { tabState } from './tab-state.ts';

const project = { phase: 'complete', running: false, error: null } as const;
const quiet = { project, approval: null, renders: [{ status: 'complete', percent: 100 }] } as const;

it('A18: the tab tells how far a render is, before anything else', () => {
  const renders = [
    { status: 'queued', percent: 0 },
    { status: 'running', percent: 41.7 },
  ] as const;
  expect(tabState({ ...quiet, approval: { type: 'preview' }, renders })).toEqual({ mark: 'working', percent: 41 });
});

it('A10: the tab tells of work, of what waits for the user, and of what failed', () => {
  expect(tabState({ ...quiet, project: { ...project, running: true } })).toEqual({ mark: 'working', percent: null });
  expect(tabState({ ...quiet, renders: [{ status: 'queued', percent: 0 }] })).toEqual({ mark: 'working', percent: null });
  expect(tabState({ ...quiet, approval: { type: 'plan' } })).toEqual({ mark: 'waits' });
  const error = { code: 'RENDER_FAILED', message: 'It did not work.', canRetry: true };
  expect(tabState({ ...quiet, project: { ...project, phase: 'error', error } })).toEqual({ mark: 'failed' });
  expect(tabState({ ...quiet, project: { ...project, error: { ...error, code: 'CANCELLED' } } })).toEqual({ mark: null });
  expect(tabState(quiet)).toEqual({ mark: null });
});
