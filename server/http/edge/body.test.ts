import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Hono } from 'hono';
import { describe, expect, it } from 'vitest';
import type { HttpEnv } from '../deps.ts';
import { cutOnError, limitedBody } from './body.ts';

const slowest = { bytesPerSecond: 64 * 1024, windowMs: 200 };

/** Serves an endless file, and passes on what it does with it. */
async function endlessServer() {
  const sources: Readable[] = [];
  const server = createServer((_, outgoing) => {
    const source = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(64 * 1024);
      })(),
    );
    sources.push(source);
    pipeline(cutOnError(source, outgoing, slowest), outgoing).catch(() => undefined);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    sources,
    [Symbol.dispose]: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('a body that moves too slowly', () => {
  it('H8: cuts off a reader who takes almost nothing, and closes what it read from', async () => {
    using server = await endlessServer();
    const socket = connect(server.port, '127.0.0.1');
    const closed = once(socket, 'close');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    socket.pause();
    await expect.poll(() => server.sources[0]?.destroyed).toBe(true);
    socket.resume();
    await closed;
  });

  it('H8: leaves a reader alone who takes enough (control)', async () => {
    using server = await endlessServer();
    const response = await fetch(`http://127.0.0.1:${server.port}`);
    let bytes = 0;
    const until = performance.now() + 1000;
    for await (const piece of response.body ?? []) {
      bytes += piece.byteLength;
      if (performance.now() > until) break;
    }
    expect(bytes).toBeGreaterThan(slowest.bytesPerSecond);
  });

  it('H8: ends an upload that sends almost nothing', async () => {
    const app = new Hono<HttpEnv>();
    let failure: unknown;
    app.post('/', async (c) => {
      try {
        for await (const _ of limitedBody(c, 1024 * 1024, slowest));
      } catch (error) {
        failure = error;
      }
      return c.text('ended');
    });
    const stuck = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('x')) });
    const response = await app.request('/', { method: 'POST', body: stuck, duplex: 'half' } as RequestInit);
    expect(await response.text()).toBe('ended');
    expect(failure).toMatchObject({ code: 'TIMEOUT' });
  });
});
