import { expect, it } from 'vitest';
import { projectStatus, statusLabel, tabState } from './project-status.ts';

const failed = { code: 'RENDER_FAILED', message: 'The render failed.', canRetry: true };
const stopped = { code: 'CANCELLED', message: 'Stopped by you.', canRetry: true };

it('A10: work that the user stopped has not failed, in any phase', () => {
  expect(projectStatus({ phase: 'error', running: false, error: stopped })).toBe('stopped');
  expect(projectStatus({ phase: 'plan', running: false, error: stopped })).toBe('stopped');
  expect(projectStatus({ phase: 'error', running: false, error: failed })).toBe('error');
  expect(projectStatus({ phase: 'plan', running: false, error: failed })).toBe('error');
});

it('A1: without an error the status is the phase, unless work is running', () => {
  expect(projectStatus({ phase: 'preview', running: false, error: null })).toBe('preview');
  expect(projectStatus({ phase: 'error', running: true, error: stopped })).toBe('working');
});

it('A26: a kind may have its own label for a status', () => {
  const reviewed = { phase: 'preview', running: false, error: null } as const;
  expect(statusLabel(reviewed)).toBe('Preview to review');
  expect(statusLabel(reviewed, { preview: 'Result to review' })).toBe('Result to review');
  expect(statusLabel({ ...reviewed, running: true }, { preview: 'Result to review' })).toBe('Working');
});

const project = { phase: 'complete', running: false, error: null } as const;
const quiet = { project, approval: null, renders: [{ status: 'complete', percent: 100 }] } as const;

it('A18: the tab shows the progress of a render first', () => {
  const renders = [
    { status: 'queued', percent: 0 },
    { status: 'running', percent: 41.7 },
  ] as const;
  expect(tabState({ ...quiet, approval: { type: 'preview' }, renders })).toEqual({ mark: 'working', percent: 41 });
});

it('A10: the tab shows running work, pending decisions and failures', () => {
  expect(tabState({ ...quiet, project: { ...project, running: true } })).toEqual({ mark: 'working', percent: null });
  expect(tabState({ ...quiet, renders: [{ status: 'queued', percent: 0 }] })).toEqual({ mark: 'working', percent: null });
  expect(tabState({ ...quiet, approval: { type: 'plan' } })).toEqual({ mark: 'waits' });
  const error = { code: 'RENDER_FAILED', message: 'The render failed.', canRetry: true };
  expect(tabState({ ...quiet, project: { ...project, phase: 'error', error } })).toEqual({ mark: 'failed' });
  expect(tabState({ ...quiet, project: { ...project, error: { ...error, code: 'CANCELLED' } } })).toEqual({ mark: null });
  expect(tabState(quiet)).toEqual({ mark: null });
});
