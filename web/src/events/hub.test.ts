import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProjectEvent } from '#contract/events.ts';
import { backoffMs, type ConnectionState, EventHub } from './hub.ts';

/** Simulates the browser's EventSource, controlled by the test. */
class Source extends EventTarget {
  static all: Source[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: MessageEvent<string>) => void) | null = null;
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
    Source.all.push(this);
  }

  event(type: string, data: unknown) {
    this.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }));
  }
  lose() {
    this.dispatchEvent(new Event('error'));
  }
  close() {
    this.closed = true;
  }
}

const one = 'prj_0123456789abcdefghjk';
const two = 'prj_abcdefghjkmnpqrstvwx';
const at = '2026-01-02T03:04:05.000Z';
const thinking = (projectId: string, seq: number) => ({ seq, projectId, at, type: 'thinking', text: null });
const source = () => Source.all.at(-1) as Source;
/** Waits for timers and promises that are due now. */
const soon = () => vi.advanceTimersByTimeAsync(0);

function follow(hub: EventHub, projectId = one, afterSeq = 4) {
  const events: ProjectEvent[] = [];
  const states: ConnectionState[] = [];
  const unreadable: Error[] = [];
  const onGaveUp = vi.fn();
  const stop = hub.follow({
    projectId,
    afterSeq,
    onEvent: (event) => events.push(event),
    onState: (state) => states.push(state),
    onUnreadable: (error) => unreadable.push(error),
    onGaveUp,
  });
  return { events, states, unreadable, onGaveUp, stop, seqs: () => events.map(({ seq }) => seq) };
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

describe('one project', () => {
  it('A20: follows from the sequence number of the snapshot', async () => {
    const { states, seqs } = follow(new EventHub());
    await soon();
    expect(decodeURIComponent(source().url)).toBe(`/api/events?follow=${one}:4`);
    source().onopen?.();
    source().event('thinking', thinking(one, 5));
    expect(states).toEqual(['connecting', 'live']);
    expect(seqs()).toEqual([5]);
  });

  it('A20: resumes after the last sequence number if the connection breaks', async () => {
    const { states } = follow(new EventHub());
    await soon();
    source().onopen?.();
    source().event('thinking', thinking(one, 5));
    source().lose();
    expect(source().closed).toBe(true);
    expect(states.at(-1)).toBe('reconnecting');
    vi.advanceTimersByTime(1000);
    expect(decodeURIComponent(source().url)).toContain(`${one}:5`);
    source().onopen?.();
    expect(states.at(-1)).toBe('live');
    expect(Source.all).toHaveLength(2);
  });

  it("A20: distinguishes the project's own error events from a lost connection", async () => {
    const { states, events } = follow(new EventHub());
    await soon();
    source().onopen?.();
    source().event('error', { ...thinking(one, 5), type: 'error', code: 'TIMEOUT', message: 'late', canRetry: true });
    expect(events).toMatchObject([{ type: 'error', code: 'TIMEOUT' }]);
    expect(states.at(-1)).toBe('live');
  });

  it('A20: reports an unreadable event and continues', async () => {
    const { events, unreadable } = follow(new EventHub());
    await soon();
    source().event('thinking', { seq: 'five' });
    source().event('thinking', thinking(one, 5));
    expect([unreadable.length, events.length]).toEqual([1, 1]);
  });

  it('A20: gives up once after several consecutive failures', async () => {
    const { onGaveUp } = follow(new EventHub());
    await soon();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      source().lose();
      vi.advanceTimersByTime(10_000);
    }
    expect([Source.all.length, onGaveUp.mock.calls.length]).toEqual([4, 0]);
    source().lose();
    vi.advanceTimersByTime(60_000);
    expect([Source.all.length, onGaveUp.mock.calls.length]).toEqual([4, 1]);
  });

  it('A20: stops permanently', async () => {
    const { stop } = follow(new EventHub());
    await soon();
    source().lose();
    stop();
    vi.advanceTimersByTime(60_000);
    expect(Source.all).toHaveLength(1);
  });
});

describe('several projects and pages', () => {
  it("A20: share one stream that delivers each event to its project's followers", async () => {
    const hub = new EventHub();
    const [first, second, other] = [follow(hub), follow(hub), follow(hub, two, 0)];
    await soon();
    expect(Source.all).toHaveLength(1);
    expect(decodeURIComponent(source().url)).toBe(`/api/events?follow=${one}:4&follow=${two}:0`);
    source().event('thinking', thinking(one, 5));
    source().event('thinking', thinking(two, 1));
    expect([first.seqs(), second.seqs(), other.seqs()]).toEqual([[5], [5], [1]]);
  });

  it('A20: a page that joins later receives missed events, and the others none twice', async () => {
    const hub = new EventHub();
    const first = follow(hub);
    await soon();
    const before = source();
    before.onopen?.();
    for (const seq of [5, 6, 7]) before.event('thinking', thinking(one, seq));
    const late = follow(hub, one, 5);
    expect(late.states).toEqual(['live']);
    await soon();
    expect(decodeURIComponent(source().url)).toContain(`${one}:5`);
    // The old stream continues until the new one is open.
    expect(before.closed).toBe(false);
    source().onopen?.();
    expect(before.closed).toBe(true);
    for (const seq of [6, 7, 8]) source().event('thinking', thinking(one, seq));
    expect([first.seqs(), late.seqs()]).toEqual([
      [5, 6, 7, 8],
      [6, 7, 8],
    ]);
  });

  it('A20: a page that joins during a busy project misses no event after its snapshot', async () => {
    const hub = new EventHub();
    const early = follow(hub, one, 4);
    await soon();
    source().onopen?.();
    for (const seq of [5, 6, 7]) source().event('thinking', thinking(one, seq));
    const late = follow(hub, one, 5);
    const [first] = Source.all;
    first?.event('thinking', thinking(one, 8));
    // Another follower joins before the new stream is open.
    const middle = follow(hub, one, 6);
    await soon();
    expect(decodeURIComponent(source().url)).toBe(`/api/events?follow=${one}:5`);
    first?.event('thinking', thinking(one, 9));
    const last = follow(hub, one, 7);
    await soon();
    expect(Source.all).toHaveLength(2);
    first?.event('thinking', thinking(one, 10));
    source().onopen?.();
    for (const seq of [6, 7, 8, 9, 10, 11]) source().event('thinking', thinking(one, seq));
    expect([early, late, middle, last].map((page) => page.seqs())).toEqual([
      [5, 6, 7, 8, 9, 10, 11],
      [6, 7, 8, 9, 10, 11],
      [7, 8, 9, 10, 11],
      [8, 9, 10, 11],
    ]);
  });

  it('A20: leaves no stream open, whatever the order of opening', async () => {
    const three = 'prj_00000000000000000001';
    const hub = new EventHub();
    const pages = [follow(hub, one, 4)];
    await soon();
    source().onopen?.();
    pages.push(follow(hub, two, 0));
    await soon();
    pages.push(follow(hub, three, 0));
    await soon();
    // The newest stream opens first; the one that it replaces never opens.
    source().onopen?.();
    expect(Source.all.map(({ closed }) => closed)).toEqual([true, true, false]);
    pages.push(follow(hub, 'prj_00000000000000000002', 0));
    await soon();
    for (const { stop } of pages) stop();
    expect(Source.all.every(({ closed }) => closed)).toBe(true);
  });

  it('A20: a page that is up to date needs no new stream', async () => {
    const hub = new EventHub();
    follow(hub);
    await soon();
    source().event('thinking', thinking(one, 5));
    follow(hub, one, 5);
    follow(hub, one, 9);
    await soon();
    expect(Source.all).toHaveLength(1);
  });

  it('A20: keep the stream open until the last one leaves', async () => {
    const hub = new EventHub();
    const [first, second] = [follow(hub), follow(hub, two)];
    await soon();
    first.stop();
    expect(source().closed).toBe(false);
    second.stop();
    expect(source().closed).toBe(true);
    follow(hub);
    await soon();
    expect(Source.all).toHaveLength(2);
  });

  it('A20: reports a deleted project to its followers only', async () => {
    const hub = new EventHub();
    const [first, other] = [follow(hub), follow(hub, two)];
    await soon();
    source().event('gone', { type: 'gone', projectId: one });
    expect([first.onGaveUp.mock.calls.length, other.onGaveUp.mock.calls.length]).toEqual([1, 0]);
    source().event('thinking', thinking(two, 5));
    expect(other.seqs()).toEqual([5]);
  });

  it('A20: a reset reaches all followers of its project', async () => {
    const hub = new EventHub();
    const first = follow(hub, one, 9);
    await soon();
    const project = { id: one, kind: 'animation', name: 'a', prompt: 'b', phase: 'idle', style: null, aspect: null, error: null };
    const state = {
      thinking: null,
      running: false,
      sandbox: 'created',
      previewUrl: null,
      previewError: null,
      createdAt: at,
      updatedAt: at,
    };
    const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, costUsd: 0 };
    const lists = { plan: null, todos: [], messages: [], approval: null, permissions: [], assets: [], renders: [], tools: [] };
    const snapshot = { project: { ...project, ...state }, ...lists, usage, seq: 3 };
    source().event('reset', { seq: 3, projectId: one, at, type: 'reset', reason: 'restored', snapshot });
    source().event('thinking', thinking(one, 4));
    expect(first.unreadable).toEqual([]);
    expect(first.seqs()).toEqual([3, 4]);
  });
});

it('A20: waits longer after each failure, up to about 15 s', () => {
  expect([0, 1, 2, 5, 20].map((attempt) => backoffMs(attempt, 0.5))).toEqual([500, 1000, 2000, 15_000, 15_000]);
  expect(backoffMs(20, 1)).toBeCloseTo(18_000);
});
