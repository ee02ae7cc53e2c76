import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { idleAfterMs, Presence, reportEveryMs } from './presence.ts';

let page: EventTarget & { visibilityState: DocumentVisibilityState };
let report: ReturnType<typeof vi.fn<() => Promise<unknown>>>;
let presence: Presence;
let stop: () => void;

const act = (type: string) => window.dispatchEvent(new Event(type));

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' as const });
  vi.stubGlobal('document', page);
  vi.stubGlobal('window', new EventTarget());
  report = vi.fn(async () => undefined);
  presence = new Presence(report);
  stop = presence.listen();
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('A30: reports the opening of the page, then activity at most every 30 s, none of it lost', () => {
  expect(report).toHaveBeenCalledTimes(1);
  for (const type of ['pointermove', 'keydown', 'wheel', 'touchstart', 'pointerdown']) act(type);
  expect(report).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(reportEveryMs);
  expect(report).toHaveBeenCalledTimes(2);
  vi.advanceTimersByTime(10 * reportEveryMs);
  expect(report).toHaveBeenCalledTimes(2);
  act('keydown');
  expect(report).toHaveBeenCalledTimes(3);
});

it('A30: a tab that comes back is activity, one that is hidden is not', () => {
  vi.advanceTimersByTime(reportEveryMs);
  page.visibilityState = 'hidden';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(report).toHaveBeenCalledTimes(1);
  page.visibilityState = 'visible';
  page.dispatchEvent(new Event('visibilitychange'));
  expect(report).toHaveBeenCalledTimes(2);
});

it('A30: is idle after a minute without activity, until the next', () => {
  vi.advanceTimersByTime(idleAfterMs - 1);
  expect(presence.store.getState().idle).toBe(false);
  vi.advanceTimersByTime(1);
  expect(presence.store.getState().idle).toBe(true);
  act('pointermove');
  expect(presence.store.getState().idle).toBe(false);
});

it('A30: repeats a report that did not arrive', async () => {
  vi.advanceTimersByTime(reportEveryMs);
  report.mockRejectedValueOnce(new Error('offline'));
  act('keydown');
  await vi.advanceTimersByTimeAsync(reportEveryMs);
  expect(report).toHaveBeenCalledTimes(3);
});
