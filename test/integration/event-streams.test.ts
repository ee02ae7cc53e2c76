import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { EventBus } from '../../server/events/bus.ts';
import { DurableEventBus } from '../../server/events/bus.ts';
import { createEventLog } from '../../server/storage/event-log.ts';
import { SqliteProjectStore } from '../../server/storage/project-store.ts';
import { seededRandom } from '../chaos/random.ts';
import { CutReader, faultsOf } from '../fixtures/cut-reader.ts';
import { type HttpFixture, httpFixture } from '../fixtures/http.ts';
import { serveHttp } from '../fixtures/http-server.ts';
import { chunk, newProject, testPerson } from '../fixtures/storage.ts';
import { studioProcess } from '../fixtures/studio-process.ts';

const readers = 4;
const wantedCuts = 300;
/** The cuts do not wait for the writer, which a busy disk may slow down. */
const minWrites = 100;
const restarts = ['SIGKILL', 'SIGTERM', 'SIGKILL', 'SIGKILL', 'SIGTERM'] as const;

/** The real HTTP layer with real stores, and a bus that may be broken. */
async function serve(makeBus: (http: HttpFixture) => EventBus): Promise<
  AsyncDisposable & {
    readonly port: number;
    readonly projectId: string;
    readonly http: HttpFixture;
    record(bodies: Parameters<SqliteProjectStore['record']>[1]): Promise<unknown>;
  }
> {
  const base = httpFixture();
  const bus = makeBus(base);
  const served = await serveHttp((hosts) => httpFixture({ hosts, store: base.stores.projects, bus }));
  const { http, port } = served;
  const projects = new SqliteProjectStore({
    database: base.stores.database,
    log: createEventLog(base.stores.database),
    announcer: { publish: (event) => bus.publish(event), end: () => undefined },
  });
  const { id: projectId } = await projects.create(newProject());
  return {
    port,
    projectId,
    http,
    record: (bodies) => projects.record(projectId, bodies, { by: testPerson }),
    async [Symbol.asyncDispose]() {
      http.closing.abort();
      await served[Symbol.asyncDispose]();
      http[Symbol.dispose]();
      base[Symbol.dispose]();
    },
  };
}

const busOf = (http: HttpFixture, limits?: { maxPendingBytes: number }) =>
  new DurableEventBus(createEventLog(http.stores.database), limits);

describe('event streams under cuts', () => {
  it(`A20: ${wantedCuts} random disconnects during events, with ${restarts.length} restarts and kills of the server, lose and repeat nothing`, async () => {
    const seed = Date.now() % 2 ** 31;
    await using studio = await studioProcess();
    await studio.start();
    const send = async (method: string, path: string, body: unknown): Promise<unknown> => {
      const answer = await fetch(studio.url + path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return await answer.json();
    };
    const { id: projectId } = (await send('POST', '/api/projects', { prompt: 'A red ball', start: false })) as { id: string };
    const clients = Array.from(
      { length: readers },
      (_, index) => new CutReader({ port: studio.port, projectId }, seededRandom(seed + index)),
    );
    const cuts = () => clients.reduce((sum, client) => sum + client.cuts, 0);

    const acknowledged: string[] = [];
    const writing = (async () => {
      for (let count = 0; cuts() < wantedCuts || acknowledged.length < minWrites; count++) {
        const name = `name ${count}`;
        try {
          await send('PATCH', `/api/projects/${projectId}`, { name });
          acknowledged.push(name);
        } catch {
          // The event is not acknowledged, because the server is restarting.
          await sleep(20);
        }
      }
    })();
    const restarting = (async () => {
      for (const [index, signal] of restarts.entries()) {
        while (cuts() < ((index + 1) * wantedCuts) / (restarts.length + 1)) await sleep(10);
        await studio.end(signal);
        await studio.start();
      }
    })();
    let total = Number.POSITIVE_INFINITY;
    const reading = clients.map(async (client) => {
      while (client.lastSeq < total) await client.connect();
    });
    await Promise.race([Promise.all([writing, restarting]), Promise.all(reading)]);
    const { seq } = (await (await fetch(`${studio.url}/api/projects/${projectId}`)).json()) as { seq: number };
    total = seq;
    await Promise.all(reading);

    expect(acknowledged.length).toBeGreaterThanOrEqual(minWrites);
    for (const [index, client] of clients.entries()) {
      expect(faultsOf(client.events, total), `seed ${seed}, reader ${index}`).toEqual({ lost: 0, repeated: 0, unordered: 0 });
      const names = client.events.flatMap((event) => (event.type === 'project.updated' ? [event.name] : []));
      const known = new Set(acknowledged);
      expect(names.filter((name) => known.has(name))).toEqual(acknowledged);
    }
    expect(cuts()).toBeGreaterThanOrEqual(wantedCuts);
  });

  it.each<[string, (http: HttpFixture) => EventBus, 'lost' | 'repeated' | null]>([
    ['the bus as it is', (http) => busOf(http), null],
    [
      'a bus that forgets what happened between two connections',
      (http) => {
        const bus = busOf(http);
        return {
          publish: (event) => bus.publish(event),
          nextSeq: async (projectId, afterSeq) => bus.nextSeq(projectId, afterSeq),
          async *follow(projectId, options) {
            const { seq } = await http.stores.projects.state(projectId);
            yield* bus.follow(projectId, { ...options, afterSeq: seq });
          },
        };
      },
      'lost',
    ],
    [
      'a bus that begins one too early',
      (http) => {
        const bus = busOf(http);
        return {
          publish: (event) => bus.publish(event),
          nextSeq: async (projectId, afterSeq) => bus.nextSeq(projectId, afterSeq),
          follow: (projectId, options) => bus.follow(projectId, { ...options, afterSeq: Math.max(0, options.afterSeq - 1) }),
        };
      },
      'repeated',
    ],
  ])('A20 (control): the same readers tell %s', async (_, makeBus, fault) => {
    await using server = await serve(makeBus);
    const client = new CutReader(server, seededRandom(7));
    let total = Number.POSITIVE_INFINITY;
    // A reader that lost the last event would wait forever.
    const isLost = () => total < Number.POSITIVE_INFINITY && client.fruitless >= 15;
    const reading = (async () => {
      while (client.lastSeq < total && !isLost()) await client.connect();
    })();
    for (let count = 1; count <= 300; count++) {
      // Not an event of progress, which would wait up to 50 ms for its commit.
      await server.record([{ type: 'project.updated', name: `name ${count}` }]);
      await sleep(1);
    }
    total = 300;
    await reading;
    const faults = faultsOf(client.events, total);
    if (fault === null) expect(faults).toEqual({ lost: 0, repeated: 0, unordered: 0 });
    else expect(faults[fault]).toBeGreaterThan(0);
  });
});

describe('slow readers of event streams', () => {
  const textBytes = 8 * 1024;
  const events = 4000;

  /** Returns the server's memory growth in bytes while 32 MB of events are sent to readers that read nothing. */
  async function growthWith(slowReaders: number, limits?: { maxPendingBytes: number }): Promise<number> {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const usedBytes = async () => {
      // Unused buffers are freed some time after their collection.
      for (let round = 0; round < 4; round++) {
        collect();
        await sleep(50);
      }
      const { heapUsed, external } = process.memoryUsage();
      return heapUsed + external;
    };
    await using server = await serve((http) => busOf(http, limits));
    const newText = () => randomBytes(textBytes / 2).toString('hex');
    const record = (count: number) => server.record(Array.from({ length: count }, () => chunk(0, newText())));
    await record(10);
    const sockets: Socket[] = [];
    for (let index = 0; index < slowReaders; index++) {
      const socket = connect({ port: server.port, host: '127.0.0.1' });
      sockets.push(socket);
      await once(socket, 'connect');
      const path = `/api/projects/${server.projectId}/events?after=10`;
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: localhost:${server.port}\r\nSec-Fetch-Site: same-origin\r\nConnection: close\r\n\r\n`,
      );
      await once(socket, 'readable');
    }
    const before = await usedBytes();
    // Each call waits up to 50 ms for the commit of progress.
    for (let done = 0; done < events; done += 100) await record(100);
    const growth = (await usedBytes()) - before;
    if (sockets[0] !== undefined) {
      // A slow reader has lost nothing.
      const numbers = await numbersUpTo(events + 10, sockets[0]);
      expect(faultsOf(numbers, events + 10)).toEqual({ lost: 10, repeated: 0, unordered: 0 });
    }
    for (const socket of sockets) socket.destroy();
    return growth;
  }

  async function numbersUpTo(last: number, socket: Socket): Promise<{ seq: number }[]> {
    let heard = '';
    socket.setEncoding('latin1').on('data', (piece: string) => {
      heard += piece.replaceAll(/[0-9a-f]{100,}/g, '');
    });
    while (!heard.includes(`\nid: ${last}\n`)) await sleep(10);
    return [...heard.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => ({ seq: Number(seq) }));
  }

  it('A20: a stalled reader costs less than 1 MB and receives everything later; without the limit of the bus it costs more', async () => {
    const slowReaders = 10;
    // The first run includes one-time costs.
    await growthWith(0);
    const alone = await growthWith(0);
    const costs = (await growthWith(slowReaders)) - alone;
    const unlimited = (await growthWith(1, { maxPendingBytes: Number.POSITIVE_INFINITY })) - alone;
    expect(costs / slowReaders).toBeLessThan(1024 * 1024);
    expect(unlimited).toBeGreaterThan(10 * 1024 * 1024);
  });
});
