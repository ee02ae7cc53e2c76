import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RecentEvents } from './event-store.ts';

const message = (text: string): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'notifications/message', params: { text } });

async function replay(events: RecentEvents, lastId: string): Promise<JSONRPCMessage[]> {
  const sent: JSONRPCMessage[] = [];
  await events.replayEventsAfter(lastId, {
    send: async (_id, one) => {
      sent.push(one);
    },
  });
  return sent;
}

describe('the events that a client resumes from', () => {
  it('G11: are those of its stream, in order, after the last one that it received', async () => {
    const events = new RecentEvents({ events: 100, bytes: 10_000 });
    const first = await events.storeEvent('a', message('1'));
    await events.storeEvent('b', message('of another stream'));
    await events.storeEvent('a', message('2'));
    await events.storeEvent('a', message('3'));
    expect(await replay(events, first)).toEqual([message('2'), message('3')]);
    expect(await events.getStreamIdForEventId(first)).toBe('a');
  });

  it('G11: are at most as many and as large as the limits, whatever is sent', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(300), { minLength: 1, maxLength: 60 }), async (sizes) => {
        const events = new RecentEvents({ events: 10, bytes: 500 });
        const ids: string[] = [];
        for (const size of sizes) ids.push(await events.storeEvent('a', message('x'.repeat(size))));
        const streams = await Promise.all(ids.map((id) => events.getStreamIdForEventId(id)));
        const kept = sizes.filter((_, index) => streams[index] !== undefined);
        const bytes = kept.reduce((sum, size) => sum + JSON.stringify(message('x'.repeat(size))).length, 0);
        expect(kept.length).toBeLessThanOrEqual(10);
        expect(kept.length === 1 || bytes <= 500).toBe(true);
        // The newest one may be the response that the client waits for.
        expect(streams.at(-1)).toBe('a');
      }),
    );
  });

  it('G11: are refused if the last one that the client received has been dropped', async () => {
    const events = new RecentEvents({ events: 1, bytes: 1000 });
    const first = await events.storeEvent('a', message('1'));
    await events.storeEvent('a', message('2'));
    expect(await events.getStreamIdForEventId(first)).toBeUndefined();
    await expect(replay(events, first)).rejects.toThrow('no longer stored');
  });
});
