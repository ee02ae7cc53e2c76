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

it('A20: follows through the worker, and reports regularly that it lives', () => {
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

it('A20: after the end of a following the worker has nothing more to say of it', () => {
  const { heard, say, following, stop } = worker();
  say({ type: 'gave-up', id: 1 });
  say({ type: 'state', id: 1, state: 'live' });
  stop();
  expect([following.onGaveUp.mock.calls.length, following.onState.mock.calls.length]).toEqual([1, 0]);
  expect(heard).toHaveLength(1);
});

it('A20: a page that is left lets go, and asks for the truth when it is shown again', () => {
  const { heard } = worker();
  window.dispatchEvent(new Event('pagehide'));
  expect(heard.at(-1)).toEqual({ type: 'unfollow', id: 1 });
  window.dispatchEvent(new Event('pageshow'));
  expect(heard.at(-1)).toEqual({ type: 'alive', ids: [1] });
});

it('A20: without its worker a page gives up once, to follow again', () => {
  const { heard, say, following, lose } = worker();
  lose();
  lose();
  say({ type: 'gave-up', id: 1 });
  expect(following.onGaveUp).toHaveBeenCalledTimes(1);
  expect(heard.at(-1)).toEqual({ type: 'unfollow', id: 1 });
});

it('A20: a worker that does not answer is reported, at the start and when it dies later', () => {
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

it('A20: a page that was frozen asks again before it takes its worker for dead', () => {
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
