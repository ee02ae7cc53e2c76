import fc from 'fast-check';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AppDocument } from '../../model/document.ts';
import { Problem } from '../../server/problem.ts';
import { AppState, Draft, type Entry } from '../../server/state.ts';
import { DataClient } from './client.ts';
import { type EventHandlers, RequestError, type Transport } from './transport.ts';

const document: AppDocument = {
  version: 1,
  name: 'Tool library',
  theme: 'forest',
  mode: 'system',
  lists: [
    {
      id: 'tools',
      name: 'Tools',
      one: 'tool',
      fields: [
        { id: 'name', name: 'Name', type: 'text', needed: true },
        { id: 'deposit', name: 'Deposit', type: 'number', min: 0 },
      ],
    },
  ],
  pages: [{ id: 'tools', name: 'Tools', views: [{ view: 'table', id: 'table', list: 'tools' }] }],
};

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});
const settle = () => vi.advanceTimersByTimeAsync(60_000);

/** The server's rules without its disk. */
class FakeServer {
  readonly state = new AppState(document);
  readonly entries: Entry[] = [];
  readonly listeners = new Set<EventHandlers>();
  requests = 0;
  isOnline = true;
  /** Whether the next answer gets lost after the request took effect. */
  losesAnswer = false;

  transport(): Transport {
    const offline = () => {
      if (!this.isOnline) throw new RequestError('offline', { isOffline: true });
    };
    return {
      load: async () => {
        offline();
        return { seq: this.state.seq, lists: { tools: this.state.ordered('tools') } };
      },
      send: async (batch) => {
        offline();
        this.requests += 1;
        const response = this.submit(batch.batch, structuredClone([...batch.changes]));
        await Promise.resolve();
        if (this.losesAnswer) {
          this.losesAnswer = false;
          throw new RequestError('offline', { isOffline: true });
        }
        return response;
      },
      listen: (after, handlers) => {
        for (const entry of this.entries) if (entry.seq > after) handlers.onChanges(entry);
        this.listeners.add(handlers);
        return () => this.listeners.delete(handlers);
      },
      upload: async () => 'picture',
    };
  }

  submit(batch: string, changes: Parameters<Draft['add']>[0]['changes']) {
    const draft = new Draft(this.state, document);
    try {
      const response = draft.add({ batch, changes }, Date.now());
      for (const entry of draft.entries) {
        this.state.apply(entry);
        this.entries.push(entry);
        for (const { onChanges } of this.listeners) onChanges(entry);
      }
      return response;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      throw new RequestError(error.message, { isFinal: true, code: error.code, details: error.details });
    }
  }
}

function fakeStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

let ids = 0;
async function open(server: FakeServer, storage = fakeStorage()): Promise<DataClient> {
  const newId = () => {
    ids += 1;
    return `batch-${ids}`;
  };
  const client = new DataClient({ transport: server.transport(), document: () => document, storage, newId });
  await client.start();
  return client;
}

const valuesOf = (client: DataClient) => client.store.getState().lists['tools']?.map(({ values }) => values);
const savedIn = (server: FakeServer) => server.state.ordered('tools').map(({ values }) => values);
const put = (id: string, values: Record<string, string | number | null>) => ({ op: 'put' as const, list: 'tools', id, values });
const remove = (id: string) => ({ op: 'delete' as const, list: 'tools', id });

test('a change shows at once, and what waits meanwhile is sent together', async () => {
  const server = new FakeServer();
  const client = await open(server);
  client.change('Added tool', [put('drill000', { name: 'Drill' })]);
  expect(valuesOf(client)).toEqual([{ name: 'Drill' }]);
  expect(client.store.getState().state).toBe('saving');
  for (let deposit = 1; deposit <= 5; deposit += 1) client.change('Changed tool', [put('drill000', { deposit })]);
  await settle();
  expect(savedIn(server)).toEqual([{ name: 'Drill', deposit: 5 }]);
  expect(server.requests).toBe(2);
  expect(client.store.getState().state).toBe('saved');
});

test('undo and redo restore values, deleted records and their ids', async () => {
  const server = new FakeServer();
  const client = await open(server);
  client.change('Added tool', [put('drill000', { name: 'Drill', deposit: 1 }), put('saw00000', { name: 'Saw' })]);
  client.change('Changed tool', [put('drill000', { deposit: 2 })]);
  client.change('Deleted tool', [remove('drill000')]);
  await settle();
  client.undo();
  await settle();
  expect(savedIn(server)).toEqual([{ name: 'Drill', deposit: 2 }, { name: 'Saw' }]);
  expect(server.state.get('tools', 'drill000')).toBeDefined();
  client.undo();
  client.redo();
  client.undo();
  await settle();
  expect(savedIn(server)).toEqual([{ name: 'Drill', deposit: 1 }, { name: 'Saw' }]);
  client.undo();
  await settle();
  expect(savedIn(server)).toEqual([]);
  expect(client.store.getState()).toMatchObject({ canUndo: false, canRedo: true, state: 'saved' });
});

test('a value that is not allowed changes nothing', async () => {
  const client = await open(new FakeServer());
  expect(client.change('Added tool', [put('drill000', { name: 'Drill', deposit: -1 })])).toBe(false);
  expect(client.store.getState()).toMatchObject({ canUndo: false, state: 'failed' });
  expect(valuesOf(client)).toEqual([]);
});

test('changes wait while the server is away, and survive a reload', async () => {
  const server = new FakeServer();
  const storage = fakeStorage();
  const client = await open(server, storage);
  server.isOnline = false;
  client.change('Added tool', [put('drill000', { name: 'Drill' })]);
  client.change('Changed tool', [put('drill000', { deposit: 3 })]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(client.store.getState().state).toBe('offline');
  server.isOnline = true;
  const again = await open(server, storage);
  expect(valuesOf(again)).toEqual([{ name: 'Drill', deposit: 3 }]);
  await settle();
  expect(savedIn(server)).toEqual([{ name: 'Drill', deposit: 3 }]);
  expect(again.store.getState().state).toBe('saved');
});

test('a request whose answer was lost takes effect once', async () => {
  const server = new FakeServer();
  const client = await open(server);
  client.change('Added tool', [put('drill000', { name: 'Drill', deposit: 1 })]);
  await settle();
  server.losesAnswer = true;
  client.change('Changed tool', [put('drill000', { deposit: 2 })]);
  await vi.advanceTimersByTimeAsync(100);
  client.change('Changed tool', [put('drill000', { deposit: 3 })]);
  await settle();
  expect(savedIn(server)).toEqual([{ name: 'Drill', deposit: 3 }]);
  expect(client.store.getState()).toMatchObject({ state: 'saved', problem: null });
});

/** A page that has changed two deposits while it was offline, one of which someone else has changed too. */
async function openWithConflict(storage = fakeStorage()): Promise<{ server: FakeServer; client: DataClient }> {
  const server = new FakeServer();
  const client = await open(server, storage);
  client.change('Added tool', [put('drill000', { name: 'Drill', deposit: 1 }), put('saw00000', { name: 'Saw' })]);
  await settle();
  server.isOnline = false;
  client.change('Drill costs 2', [put('drill000', { deposit: 2 })]);
  client.change('Drill costs 3', [put('drill000', { deposit: 3 })]);
  client.change('Saw costs 5', [put('saw00000', { deposit: 5 })]);
  server.submit('someone-else', [put('drill000', { deposit: 9 })]);
  server.isOnline = true;
  await settle();
  return { server, client };
}
const firstConflict = (client: DataClient) => client.store.getState().conflicts[0]?.id ?? '';

test('a conflict waits with both values, and other changes are kept', async () => {
  const { client } = await openWithConflict();
  expect(valuesOf(client)).toEqual([
    { name: 'Drill', deposit: 9 },
    { name: 'Saw', deposit: 5 },
  ]);
  expect(client.store.getState()).toMatchObject({ state: 'conflict', problem: null });
  expect(client.store.getState().conflicts).toEqual([
    expect.objectContaining({ contested: [{ list: 'tools', id: 'drill000', field: 'deposit', mine: 3 }] }),
  ]);
  expect(client.store.getState().foreign['tools/drill000']).toBeTypeOf('number');
});

test('“keep mine” replaces what someone else has entered, and can be undone', async () => {
  const { server, client } = await openWithConflict();
  client.resolve(firstConflict(client), 'mine');
  await settle();
  expect(savedIn(server)[0]).toEqual({ name: 'Drill', deposit: 3 });
  expect(client.store.getState()).toMatchObject({ state: 'saved', conflicts: [] });
  client.undo();
  await settle();
  expect(savedIn(server)[0]).toEqual({ name: 'Drill', deposit: 9 });
});

test('“take theirs” leaves the record as it is, and applies what was changed elsewhere in the same step', async () => {
  const { server, client } = await openWithConflict();
  client.resolve(firstConflict(client), 'theirs');
  await settle();
  expect(savedIn(server)).toEqual([
    { name: 'Drill', deposit: 9 },
    { name: 'Saw', deposit: 5 },
  ]);
  server.isOnline = false;
  client.change('Pasted', [put('drill000', { deposit: 4 }), put('saw00000', { deposit: 4 })]);
  server.submit('someone-again', [put('drill000', { deposit: 8 })]);
  server.isOnline = true;
  await settle();
  expect(savedIn(server).map(({ deposit }) => deposit)).toEqual([8, 5]);
  client.resolve(firstConflict(client), 'theirs');
  await settle();
  expect(savedIn(server).map(({ deposit }) => deposit)).toEqual([8, 4]);
  expect(client.store.getState()).toMatchObject({ state: 'saved', conflicts: [] });
});

test('a conflict survives a reload', async () => {
  const storage = fakeStorage();
  const { server, client } = await openWithConflict(storage);
  client.stop();
  const again = await open(server, storage);
  again.resolve(firstConflict(again), 'mine');
  await settle();
  expect(savedIn(server)[0]).toEqual({ name: 'Drill', deposit: 3 });
  again.stop();
  const last = await open(server, storage);
  expect(last.store.getState()).toMatchObject({ state: 'saved', conflicts: [] });
});

test('“keep mine” brings back a record that someone else has deleted', async () => {
  const server = new FakeServer();
  const client = await open(server);
  client.change('Added tool', [put('drill000', { name: 'Drill', deposit: 1 })]);
  await settle();
  server.isOnline = false;
  client.change('Changed tool', [put('drill000', { deposit: 2 })]);
  server.submit('someone-else', [remove('drill000')]);
  server.isOnline = true;
  await settle();
  expect(valuesOf(client)).toEqual([]);
  client.resolve(firstConflict(client), 'mine');
  await settle();
  expect(savedIn(server)).toEqual([{ name: 'Drill', deposit: 2 }]);
});

test('Undo asks too, if someone else has changed the value since', async () => {
  const server = new FakeServer();
  const client = await open(server);
  client.change('Added tool', [put('drill000', { name: 'Drill', deposit: 1 })]);
  client.change('Changed tool', [put('drill000', { deposit: 2 })]);
  await settle();
  server.submit('someone-else', [put('drill000', { deposit: 9 })]);
  client.undo();
  await settle();
  expect(savedIn(server)[0]).toEqual({ name: 'Drill', deposit: 9 });
  client.resolve(firstConflict(client), 'mine');
  await settle();
  expect(savedIn(server)[0]).toEqual({ name: 'Drill', deposit: 1 });
});

test('a value that someone else changes during an edit is not replaced without a question', async () => {
  const server = new FakeServer();
  const client = await open(server);
  client.change('Added tool', [put('drill000', { name: 'Drill', deposit: 1 })]);
  await settle();
  server.submit('someone-else', [put('drill000', { deposit: 9 })]);
  expect(client.change('Changed tool', [{ ...put('drill000', { deposit: 2 }), was: { deposit: 1 } }])).toBe(true);
  await settle();
  expect(savedIn(server)[0]).toEqual({ name: 'Drill', deposit: 9 });
  expect(client.store.getState().conflicts).toHaveLength(1);
});

const actionArbitrary = fc.record({
  who: fc.nat(1),
  what: fc.constantFrom(
    'put',
    'put',
    'put',
    'delete',
    'undo',
    'redo',
    'offline',
    'online',
    'lose',
    'reload',
    'wait',
    'mine',
    'theirs',
  ),
  id: fc.nat(3),
  deposit: fc.nat(9),
});
type Action = typeof actionArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** A window with the app. */
class Page {
  client: DataClient;
  readonly #server: FakeServer;
  readonly #storage: ReturnType<typeof fakeStorage>;

  private constructor(client: DataClient, server: FakeServer, storage: ReturnType<typeof fakeStorage>) {
    this.client = client;
    this.#server = server;
    this.#storage = storage;
  }

  static async open(server: FakeServer): Promise<Page> {
    const storage = fakeStorage();
    return new Page(await open(server, storage), server, storage);
  }

  async take({ what, id, deposit }: Action): Promise<void> {
    const record = `tool000${id}`;
    const actions: Record<string, () => unknown> = {
      put: () => this.client.change('Changed tool', [put(record, { name: record, deposit })]),
      delete: () => this.client.change('Deleted tool', [remove(record)]),
      undo: () => this.client.undo(),
      redo: () => this.client.redo(),
      mine: () => this.client.resolve(firstConflict(this.client), 'mine'),
      theirs: () => this.client.resolve(firstConflict(this.client), 'theirs'),
      reload: () => this.#reload(),
      wait: () => vi.advanceTimersByTimeAsync(700),
      lose: () => {
        this.#server.losesAnswer = true;
      },
      offline: () => {
        this.#server.isOnline = false;
      },
      online: () => {
        this.#server.isOnline = true;
      },
    };
    await actions[what]?.();
  }

  async #reload(): Promise<void> {
    if (!this.#server.isOnline) return;
    this.client.stop();
    this.client = await open(this.#server, this.#storage);
  }
}

test('pages converge, whatever is edited, lost, undone or loaded again', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(actionArbitrary, { maxLength: 40 }), async (actions) => {
      const server = new FakeServer();
      const pages = [await Page.open(server), await Page.open(server)];
      for (const action of actions) await pages[action.who]?.take(action);
      server.isOnline = true;
      await settle();
      await settle();
      for (const { client } of pages) {
        expect(valuesOf(client)).toEqual(savedIn(server));
        expect(client.store.getState().state).not.toBe('saving');
        client.stop();
      }
    }),
    { numRuns: 200 },
  );
});
