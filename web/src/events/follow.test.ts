import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { followOver } from './follow.ts';
import { aliveEveryMs, responseTimeoutMs, type ToPage, type ToWorker } from './port-server.ts';

const projectId = 'prj_0123456789abcdefghjk';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', new EventTarget());
  vi.stubGlobal('window', new EventTarget());
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function worker() {
  const heard: ToWorker[] = [];
  const port: Parameters<typeof followOver>[0] = { onmessage: null, postMessage: (message) => heard.push(message) };
  const onUnresponsive = vi.fn();
  const { follow, lose } = followOver(port, onUnresponsive);
  const say = (data: ToPage) => port.onmessage?.(new MessageEvent('message', { data }));
  const following = { projectId, afterSeq: 3, onEvent: vi.fn(), onState: vi.fn(), onUnreadable: vi.fn(), onGaveUp: vi.fn() };
  return { heard, say, following, stop: follow(following), lose, onUnresponsive };
}

it('A20: follows through the worker and regularly reports that the page is open', () => {
  const { heard, say, following } = worker();
  expect(heard).toEqual([{ type: 'follow', id: 1, projectId, afterSeq: 3 }]);
  say({ type: 'state', id: 1, state: 'live' });
  say({ type: 'events', id: 1, events: [{ seq: 4, projectId, at: '2026-01-02T03:04:05.000Z', type: 'thinking', text: 'a' }] });
  say({ type: 'unreadable', id: 1, message: 'what?' });
  expect(following.onState).toHaveBeenCalledWith('live');
  expect(following.onEvent).toHaveBeenCalledWith(expect.objectContaining({ seq: 4 }));
  expect(following.onUnreadable).toHaveBeenCalledWith(new Error('what?'));
  vi.advanceTimersByTime(aliveEveryMs);
  expect(heard.at(-1)).toEqual({ type: 'alive', ids: [1] });
});

it('A20: ignores worker messages after unfollowing', () => {
  const { heard, say, following, stop } = worker();
  say({ type: 'gave-up', id: 1 });
  say({ type: 'state', id: 1, state: 'live' });
  stop();
  expect([following.onGaveUp.mock.calls.length, following.onState.mock.calls.length]).toEqual([1, 0]);
  expect(heard).toHaveLength(1);
});

it('A20: a hidden page unsubscribes, and checks its subscriptions when shown again', () => {
  const { heard } = worker();
  window.dispatchEvent(new Event('pagehide'));
  expect(heard.at(-1)).toEqual({ type: 'unfollow', id: 1 });
  window.dispatchEvent(new Event('pageshow'));
  expect(heard.at(-1)).toEqual({ type: 'alive', ids: [1] });
});

it('A20: stops following once if the worker is lost, so that the page follows again', () => {
  const { heard, say, following, lose } = worker();
  lose();
  lose();
  say({ type: 'gave-up', id: 1 });
  expect(following.onGaveUp).toHaveBeenCalledTimes(1);
  expect(heard.at(-1)).toEqual({ type: 'unfollow', id: 1 });
});

it('A20: reports an unresponsive worker, at the start and later', () => {
  const { say, onUnresponsive } = worker();
  say({ type: 'here' });
  vi.advanceTimersByTime(responseTimeoutMs);
  expect(onUnresponsive).not.toHaveBeenCalled();
  vi.advanceTimersByTime(aliveEveryMs);
  expect(onUnresponsive).toHaveBeenCalledTimes(1);

  const another = worker();
  vi.advanceTimersByTime(responseTimeoutMs);
  expect(another.onUnresponsive).toHaveBeenCalledTimes(1);
});

it('A20: a frozen page asks the worker again before reporting it as unresponsive', () => {
  const { heard, say, onUnresponsive } = worker();
  // The clock continued while the page was frozen.
  const now = performance.now();
  vi.spyOn(performance, 'now').mockReturnValue(now + 3 * responseTimeoutMs);
  vi.advanceTimersByTime(responseTimeoutMs);
  expect(heard.at(-1)).toEqual({ type: 'alive', ids: [1] });
  say({ type: 'here' });
  vi.advanceTimersByTime(responseTimeoutMs);
  expect(onUnresponsive).not.toHaveBeenCalled();
});
