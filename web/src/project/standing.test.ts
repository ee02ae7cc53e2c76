import { expect, it } from 'vitest';
import { standingOf } from './standing.ts';

const failed = { code: 'RENDER_FAILED', message: 'It did not work.', canRetry: true };
const stopped = { code: 'CANCELLED', message: 'Stopped by you.', canRetry: true };

it('A10: what the user stopped is no failure, in whatever phase it was', () => {
  expect(standingOf({ phase: 'error', running: false, error: stopped })).toBe('stopped');
  expect(standingOf({ phase: 'plan', running: false, error: stopped })).toBe('stopped');
  expect(standingOf({ phase: 'error', running: false, error: failed })).toBe('error');
  expect(standingOf({ phase: 'plan', running: false, error: failed })).toBe('error');
});

it('A1: without an error a project stands where its phase says, and work comes first', () => {
  expect(standingOf({ phase: 'preview', running: false, error: null })).toBe('preview');
  expect(standingOf({ phase: 'error', running: true, error: stopped })).toBe('working');
});
