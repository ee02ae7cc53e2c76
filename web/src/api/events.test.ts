import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProjectEvent } from '../../../server/contract/events.ts';
import { backoffMs, type ConnectionState, followEvents } from './events.ts';

/** What the browser's EventSource does, driven by hand. */
class Source extends EventTarget {
  static readonly CLOSED = 2;
  static all: Source[] = [];
  readyState = 0;
  onopen: (() => void) | null = null;
  onmessage: ((event: MessageEvent<string>) => void) | null = null;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    Source.all.push(this);
  }

  open() {
    this.readyState = 1;
    this.onopen?.();
  }
  event(type: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }
  lose(readyState: number) {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }
  close() {
    this.readyState = Source.CLOSED;
  }
}

const projectId = 'prj_0123456789abcdefghjk';
const at = '2026-01-02T03:04:05.000Z';

function follow() {
  const events: ProjectEvent[] = [];
  const states: ConnectionState[] = [];
  const unreadable: Error[] = [];
  const onGaveUp = vi.fn();
  const stop = followEvents({
    projectId,
    afterSeq: 4,
    onEvent: (event) => events.push(event),
    onState: (state) => states.push(state),
    onUnreadable: (error) => unreadable.push(error),
    onGaveUp,
  });
  const source = () => Source.all.at(-1) as Source;
  return { events, states, unreadable, onGaveUp, stop, source };
}

beforeEach(() => {
  Source.all = [];
  vi.stubGlobal('EventSource', Source);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the event stream', () => {
  it('A20: follows from the number of the snapshot', () => {
    const { source, states, events } = follow();
    expect(source().url).toBe(`/api/projects/${projectId}/events?after=4`);
    source().open();
    source().event('thinking', { seq: 5, projectId, at, type: 'thinking', text: 'hm' });
    expect(states).toEqual(['connecting', 'live']);
    expect(events.map((event) => event.seq)).toEqual([5]);
  });

  it('A20: leaves a short cut to the browser, and opens anew after the last number when it gave up', () => {
    const { source, states } = follow();
    source().open();
    source().event('thinking', { seq: 5, projectId, at, type: 'thinking', text: null });
    source().lose(0);
    vi.advanceTimersByTime(60_000);
    expect(Source.all).toHaveLength(1);
    source().lose(Source.CLOSED);
    expect(states.at(-1)).toBe('reconnecting');
    vi.advanceTimersByTime(1000);
    expect(source().url).toContain('after=5');
    expect(Source.all).toHaveLength(2);
  });

  it("A20: tells the project's own error events from a lost connection", () => {
    const { source, states, events } = follow();
    source().open();
    source().event('error', { seq: 5, projectId, at, type: 'error', code: 'TIMEOUT', message: 'late', canRetry: true });
    expect(events).toMatchObject([{ type: 'error', code: 'TIMEOUT' }]);
    expect(states.at(-1)).toBe('live');
  });

  it('A20: says when it cannot read an event, and goes on', () => {
    const { source, events, unreadable } = follow();
    source().event('thinking', { seq: 'five' });
    source().event('thinking', { seq: 5, projectId, at, type: 'thinking', text: null });
    expect([unreadable.length, events.length]).toEqual([1, 1]);
  });

  it('A20: gives up after several attempts in a row, and says so once', () => {
    const { source, onGaveUp } = follow();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      source().lose(Source.CLOSED);
      vi.advanceTimersByTime(10_000);
    }
    expect([Source.all.length, onGaveUp.mock.calls.length]).toEqual([4, 0]);
    source().lose(Source.CLOSED);
    vi.advanceTimersByTime(60_000);
    expect([Source.all.length, onGaveUp.mock.calls.length]).toEqual([4, 1]);
  });

  it('A20: stops for good', () => {
    const { source, stop } = follow();
    source().lose(Source.CLOSED);
    stop();
    vi.advanceTimersByTime(60_000);
    expect(Source.all).toHaveLength(1);
  });
});

it('A20: waits longer each time, at most about 15 s', () => {
  expect([0, 1, 2, 5, 20].map((attempt) => backoffMs(attempt, 0.5))).toEqual([500, 1000, 2000, 15_000, 15_000]);
  expect(backoffMs(20, 1)).toBeCloseTo(18_000);
});
