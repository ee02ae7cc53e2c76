import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import type { ProjectEvent } from '#contract/events.ts';
import { eventFrame, eventStream } from './sse.ts';

const event = (seq: number): ProjectEvent => ({
  seq,
  projectId: `prj_${'0'.repeat(20)}`,
  at: '2026-01-02T03:04:05.678Z',
  type: 'thinking',
  text: `step ${seq}`,
});
const decoder = new TextDecoder();
const forever = new AbortController().signal;
const quiet = { frame: eventFrame, stalledAfterMs: 60_000, onStalled: () => undefined };

async function* never(): AsyncGenerator<ProjectEvent> {
  await new Promise(() => undefined);
  yield event(1);
}

describe('event stream', () => {
  it('A20: an event has sequence number, type and JSON', async () => {
    async function* one() {
      yield event(7);
    }
    const onEnd = vi.fn();
    const text = await new Response(
      eventStream({ ...quiet, events: one(), first: [], heartbeatMs: 1000, closing: forever, onEnd }),
    ).text();
    expect(text).toContain(`id: 7\nevent: thinking\ndata: ${JSON.stringify(event(7))}\n\n`);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('A20: sends heartbeats while idle', async () => {
    const reader = eventStream({
      ...quiet,
      events: never(),
      first: [],
      heartbeatMs: 20,
      closing: forever,
      onEnd: () => undefined,
    }).getReader();
    await reader.read();
    for (let beat = 0; beat < 3; beat++) {
      const { value } = await reader.read();
      expect(decoder.decode(value)).toMatch(/^: .+\n\n$/);
    }
    await reader.cancel();
  });

  it('A20: on shutdown the stream ends with a reconnect delay', async () => {
    const closing = new AbortController();
    const onEnd = vi.fn();
    const reader = eventStream({
      ...quiet,
      events: never(),
      first: [],
      heartbeatMs: 60_000,
      closing: closing.signal,
      onEnd,
    }).getReader();
    await reader.read();
    const last = reader.read();
    closing.abort();
    expect(decoder.decode((await last).value)).toMatch(/^retry: \d+\n/);
    expect((await reader.read()).done).toBe(true);
    expect(onEnd).toHaveBeenCalledOnce();
  });

  it('A20: takes no events from the bus while the reader does not read', async () => {
    let taken = 0;
    async function* many() {
      for (let seq = 1; seq <= 1000; seq++) {
        taken++;
        yield event(seq);
      }
    }
    const stream = eventStream({
      ...quiet,
      events: many(),
      first: [],
      heartbeatMs: 60_000,
      closing: forever,
      onEnd: () => undefined,
    });
    for (let i = 0; i < 50; i++) await turn();
    expect(taken).toBeLessThanOrEqual(1);
    const text = await new Response(stream).text();
    expect(text.match(/^id: /gm)).toHaveLength(1000);
  });
});
