import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProjectEvent } from '#contract/events.ts';
import { EventHub, type Following } from './hub.ts';
import { aliveEveryMs, presumedClosedAfterMs, servePort, type ToPage, type ToWorker } from './port-server.ts';

const projectId = 'prj_0123456789abcdefghjk';
const event = (seq: number): ProjectEvent => ({
  seq,
  projectId,
  at: '2026-01-02T03:04:05.000Z',
  type: 'thinking',
  text: null,
});

/** Creates a page's port, and a hub whose stream the test controls. */
function page() {
  const messages: ToPage[] = [];
  const followed: (Following & { stopped: boolean })[] = [];
  class Hub extends EventHub {
    override follow(following: Following): () => void {
      const kept = { ...following, stopped: false };
      followed.push(kept);
      return () => {
        kept.stopped = true;
      };
    }
  }
  let answers = 0;
  const port: Parameters<typeof servePort>[0] = {
    onmessage: null,
    postMessage(message) {
      if (message.type === 'here') answers += 1;
      else messages.push(message);
    },
  };
  servePort(port, new Hub());
  const say = (data: ToWorker) => port.onmessage?.(new MessageEvent('message', { data }));
  return { messages, followed, say, answers: () => answers };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('port of a page', () => {
  it('A20: sends the events of a burst in one message, in order', () => {
    const { messages, followed, say } = page();
    say({ type: 'follow', id: 1, projectId, afterSeq: 0 });
    for (const seq of [1, 2, 3]) followed[0]?.onEvent(event(seq));
    expect(messages).toEqual([]);
    vi.advanceTimersByTime(50);
    expect(messages).toEqual([{ type: 'events', id: 1, events: [event(1), event(2), event(3)] }]);
  });

  it('A20: delivers pending events before the end', () => {
    const { messages, followed, say } = page();
    say({ type: 'follow', id: 1, projectId, afterSeq: 0 });
    followed[0]?.onEvent(event(1));
    followed[0]?.onGaveUp();
    expect(messages.map(({ type }) => type)).toEqual(['events', 'gave-up']);
  });

  it('A20: presumes a page closed after a long silence, and notifies it on its return', () => {
    const { messages, followed, say } = page();
    say({ type: 'follow', id: 1, projectId, afterSeq: 0 });
    for (let time = 0; time < 2 * presumedClosedAfterMs; time += aliveEveryMs) {
      vi.advanceTimersByTime(aliveEveryMs);
      say({ type: 'alive', ids: [1] });
    }
    expect(followed[0]?.stopped).toBe(false);
    vi.advanceTimersByTime(presumedClosedAfterMs);
    expect(followed[0]?.stopped).toBe(true);
    say({ type: 'alive', ids: [1] });
    expect(messages).toEqual([{ type: 'gave-up', id: 1 }]);
  });

  it('A20: the worker responds, so that a page detects it', () => {
    const { say, answers } = page();
    say({ type: 'follow', id: 1, projectId, afterSeq: 0 });
    say({ type: 'alive', ids: [1] });
    expect(answers()).toBe(2);
  });

  it('A20: sends nothing after the page has closed', () => {
    const { messages, followed, say } = page();
    say({ type: 'follow', id: 1, projectId, afterSeq: 0 });
    followed[0]?.onEvent(event(1));
    say({ type: 'unfollow', id: 1 });
    vi.advanceTimersByTime(1000);
    expect([messages, followed[0]?.stopped]).toEqual([[], true]);
  });
});
