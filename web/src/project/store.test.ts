import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { oncePerFrame } from './store.ts';

/** Pending animation frame callbacks, as in a browser. */
let frames: Map<number, () => void>;
let count: number;

beforeEach(() => {
  vi.useFakeTimers();
  frames = new Map();
  count = 0;
  vi.stubGlobal('requestAnimationFrame', (callback: () => void) => frames.set(++count, callback) && count);
  vi.stubGlobal('cancelAnimationFrame', (id: number) => frames.delete(id));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function drawFrame(): void {
  const due = [...frames.values()];
  frames.clear();
  for (const callback of due) callback();
}

it('A20: applies a burst of events together in the next frame', () => {
  const work = vi.fn();
  const schedule = oncePerFrame(work);
  for (let index = 0; index < 5; index++) schedule();
  expect(work).not.toHaveBeenCalled();
  drawFrame();
  expect(work).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(10_000);
  expect(work).toHaveBeenCalledTimes(1);
  schedule();
  drawFrame();
  expect(work).toHaveBeenCalledTimes(2);
});

it('A20: a hidden tab continues without frames, and does nothing twice when shown again', () => {
  const work = vi.fn();
  const schedule = oncePerFrame(work);
  schedule();
  vi.advanceTimersByTime(1_000);
  expect(work).toHaveBeenCalledTimes(1);
  schedule();
  vi.advanceTimersByTime(1_000);
  expect(work).toHaveBeenCalledTimes(2);
  drawFrame();
  expect(work).toHaveBeenCalledTimes(2);
});
