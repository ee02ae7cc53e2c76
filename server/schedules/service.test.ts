import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BatchDetail } from '#contract/batch.ts';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { missedText, type ScheduleRequest, scheduleRequestSchema } from '#contract/schedules.ts';
import { sampleRender } from '../../test/fixtures/renders.ts';
import { newProject, rethrow, tempStores } from '../../test/fixtures/storage.ts';
import { type ScheduleDeps, ScheduleService } from './service.ts';

type Rows = Parameters<ScheduleDeps['batches']['create']>[1]['rows'];

let stores: ReturnType<typeof tempStores>;
let projectId: string;
let nowMs: number;
let service: ScheduleService;
/** Batches by their id, as the batches of the server would be. */
let batches: Map<string, BatchDetail>;
let created: { id: string; rows: Rows }[];
let removed: string[];
let answers: (() => Response)[];
let posted: { id: string; url: string }[];
let table: () => Response;

const never = () => new Promise<never>(() => undefined);
const berlin = 'Europe/Berlin';
const at = (text: string) => Date.parse(text);

beforeEach(async () => {
  stores = tempStores();
  projectId = (await stores.projects.create(newProject())).id;
  nowMs = at('2026-11-25T12:00:00Z');
  [batches, created, removed, answers, posted] = [new Map(), [], [], [], []];
  table = () => new Response('title\nHello');
  service = start();
});
afterEach(() => stores[Symbol.dispose]());

/** A service on the same data, as after a restart. */
function start(overrides: Partial<ScheduleDeps> = {}): ScheduleService {
  const video = join(stores.dataDir, 'video.mp4');
  writeFileSync(video, 'a film');
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    posted.push({ id: new Headers(init?.headers).get('webhook-id') ?? '', url: String(url) });
    return (answers.shift() ?? (() => new Response(null, { status: 204 })))();
  };
  return new ScheduleService({
    store: stores.schedules,
    batches: {
      check: async (_, { rows }) => ({ rows: rows.length, headings: [], columns: [], problems: [], badRows: 0 }),
      async create(_, { rows }, { id = newId('bat') }) {
        created.push({ id, rows });
        batches.set(id, batchOf(id));
        return batchOf(id);
      },
      async cancel(_, id) {
        return batchOf(id);
      },
      async remove(_, id) {
        removed.push(id);
      },
    },
    batchOf: (id) => batches.get(id) ?? null,
    render: async (id) => ({ ...sampleRender(projectId), id }),
    fileOf: async () => video,
    assertRenderable: async () => undefined,
    fetchAddresses: ['https://sky.example/data'],
    fetch: async () => table(),
    tools: { check: async () => undefined, call: async () => '[]' },
    places: {
      exports: join(stores.dataDir, 'exports'),
      folders: [],
      webhooks: ['https://lobby.example'],
      fetch,
      fetchListed: fetch,
    },
    now: () => nowMs,
    onError: (_, error) => rethrow(error),
    ...overrides,
  });
}

function batchOf(id: string, change: Partial<BatchDetail> = {}): BatchDetail {
  return {
    ...{ id, projectId, state: 'running', reason: null, createdAt: new Date(nowMs).toISOString(), finishedAt: null },
    counts: { total: 1, waiting: 0, rendering: 1, complete: 0, failed: 0, cancelled: 0 },
    rows: [],
    ...change,
  };
}

/** Ends the batch that was created last. */
function endBatch(outcomes: ('complete' | 'failed')[] = ['complete']): void {
  const { id = '' } = created.at(-1) ?? {};
  const rows = outcomes.map((state, index) => ({
    ...{ number: index + 1, label: '', state, videoUrl: null },
    renderId: newId('rnd'),
    error: state === 'failed' ? { code: 'RENDER_FAILED', message: 'One name is too long.' } : null,
  }));
  const { counts } = batchOf(id);
  batches.set(id, batchOf(id, { state: 'complete', rows, counts: { ...counts, total: rows.length } }));
  service.batchChanged(id);
}

const request = (change: Partial<ScheduleRequest> = {}): ScheduleRequest =>
  scheduleRequestSchema.parse({ projectId, name: 'Aurora tonight', cron: '0 17 * * *', timeZone: berlin, ...change });

async function scheduled(change: Partial<ScheduleRequest> = {}): Promise<string> {
  return (await service.create(request(change))).schedule.id;
}

/** Looks at the clock often enough up to a time that nobody takes the jump for an absence. */
async function runUntil(text: string): Promise<void> {
  for (;;) {
    service.tick();
    await service.settled();
    if (nowMs >= at(text)) return;
    nowMs = Math.min(at(text), nowMs + 60_000);
  }
}

async function finishRun(outcomes?: ('complete' | 'failed')[]): Promise<void> {
  await service.settled();
  endBatch(outcomes);
  await service.settled();
}

const latest = (id: string) => service.runs(id)[0];

describe('a schedule', () => {
  it('T10: makes its film at its time in its zone, and no second time', async () => {
    const id = await scheduled({ cron: '5 13 * * *' });
    expect(service.get(id)).toMatchObject({ nextRunAt: '2026-11-25T12:05:00.000Z', state: 'active' });
    await runUntil('2026-11-25T12:04:59Z');
    expect(created).toHaveLength(0);
    await runUntil('2026-11-25T12:05:01Z');
    await finishRun();
    expect(latest(id)).toMatchObject({ cause: 'time', state: 'complete', dueAt: '2026-11-25T12:05:00.000Z' });
    await runUntil('2026-11-25T12:20:00Z');
    expect(created).toHaveLength(1);
    expect(service.get(id).nextRunAt).toBe('2026-11-26T12:05:00.000Z');
  });

  it('T10: reads its table anew for each run', async () => {
    const id = await scheduled({ source: { type: 'address', url: 'https://sky.example/data/abisko.json' } });
    table = () => new Response('{\n "title": "23:40"\n}');
    service.runNow(id);
    await finishRun();
    expect(created[0]?.rows).toEqual([{ title: '23:40' }]);
    nowMs += 60_000;
    table = () => new Response('title\nOne\nTwo');
    service.runNow(id);
    await finishRun(['complete', 'complete']);
    expect(created[1]?.rows).toBe('title\nOne\nTwo');
    const [second, first] = service.runs(id);
    expect(second?.digest).not.toBe(first?.digest);
    expect(second?.counts).toEqual({ total: 2, made: 2, delivered: 2 });
  });

  it('T10: reads what a tool of an MCP server returns, and fails with its reason', async () => {
    const calls: unknown[] = [];
    let answer = async (): Promise<string> => '[{"title": "12 °C"}]';
    const refused = new KodaError('FORBIDDEN', 'Koda asks before each call of “forecast”.');
    let check = async (): Promise<void> => undefined;
    const tools: ScheduleDeps['tools'] = {
      check: () => check(),
      call: (call) => {
        calls.push(call);
        return answer();
      },
    };
    service = start({ tools });
    const source = { type: 'tool', server: 'weather', tool: 'forecast', input: { city: 'Lisbon' } } as const;
    const id = await scheduled({ source });
    service.runNow(id);
    await finishRun();
    expect(calls).toEqual([source]);
    expect(created[0]?.rows).toBe('[{"title": "12 °C"}]');
    answer = () => Promise.reject(refused);
    nowMs += 60_000;
    service.runNow(id);
    await service.settled();
    expect(latest(id)).toMatchObject({ state: 'failed', error: { code: 'FORBIDDEN', message: refused.message } });
    check = () => Promise.reject(refused);
    await expect(scheduled({ source })).rejects.toThrow(refused);
  });

  it('T10: passes on which column of its table fills which parameter', async () => {
    const columns = { title: 'Neuer Preis' };
    const given: unknown[] = [];
    const read = (request: { columns?: unknown }) => void given.push(request.columns);
    service = start({
      batches: {
        ...{ cancel: never, remove: never },
        async check(_, request) {
          read(request);
          return { rows: 1, headings: ['Neuer Preis'], columns: [], problems: [], badRows: 0 };
        },
        async create(_, request, { id = newId('bat') }) {
          read(request);
          batches.set(id, batchOf(id));
          return batchOf(id);
        },
      },
    });
    const source = { type: 'address', url: 'https://sky.example/data/offers.csv', columns } as const;
    const checked = await service.check(request({ source }), { signal: new AbortController().signal });
    expect(checked.headings).toEqual(['Neuer Preis']);
    service.runNow(await scheduled({ source }));
    await service.settled();
    expect(given).toEqual([columns, columns]);
  });

  it('T10: catches up the latest missed run, once, and says why', async () => {
    const id = await scheduled();
    await runUntil('2026-11-25T12:01:00Z');
    // Off for two days and a bit.
    nowMs = at('2026-11-27T17:41:20Z');
    service = start();
    service.tick();
    await finishRun();
    service.tick();
    await service.settled();
    expect(service.runs(id)).toHaveLength(1);
    const run = latest(id);
    expect(run).toMatchObject({ cause: 'catch_up', dueAt: '2026-11-27T16:00:00.000Z' });
    expect(run && missedText(run, berlin)).toBe('Missed at 17:00: Koda was off from 13:01 on 25 Nov to 18:41.');
    expect(service.get(id).nextRunAt).toBe('2026-11-28T16:00:00.000Z');
  });

  it('T10: says so where a missed run is not caught up', async () => {
    const id = await scheduled({ catchUp: false });
    nowMs = at('2026-11-25T15:30:00Z');
    await runUntil('2026-11-25T15:31:00Z');
    nowMs = at('2026-11-25T17:41:20Z');
    service = start();
    service.tick();
    await service.settled();
    expect(created).toHaveLength(0);
    const run = latest(id);
    expect(run?.state).toBe('missed');
    expect(run && missedText(run, berlin)).toBe('Missed at 17:00: Koda was off from 16:31 to 18:41.');
  });

  it('T10: does not start a run while one is going, and counts what it left out', async () => {
    const id = await scheduled({ cron: '* * * * *' });
    await runUntil('2026-11-25T12:04:30Z');
    expect(created).toHaveLength(1);
    expect(latest(id)).toMatchObject({ state: 'rendering', skipped: 3 });
    expect(() => service.runNow(id)).toThrow('still running');
    await finishRun();
    await runUntil('2026-11-25T12:05:00Z');
    expect(created).toHaveLength(2);
  });

  it('T10: runs once a minute at most, also by hand', async () => {
    const id = await scheduled({ cron: '* * * * *' });
    service.runNow(id);
    await finishRun();
    expect(() => service.runNow(id)).toThrow('Once a minute at most.');
    nowMs += 59_000;
    service.tick();
    expect(service.runs(id)).toHaveLength(1);
  });

  it('T10: pauses after three failures in a row, and starts anew when it is resumed', async () => {
    const id = await scheduled({ cron: '* * * * *', source: { type: 'address', url: 'https://sky.example/data/2026.csv' } });
    table = () => new Response('', { status: 404 });
    await runUntil('2026-11-25T12:02:30Z');
    expect(service.get(id)).toMatchObject({ state: 'active', failures: 2 });
    await runUntil('2026-11-25T12:20:00Z');
    expect(service.get(id)).toMatchObject({ state: 'paused', pausedBy: 'failures', failures: 3, nextRunAt: null, upcoming: [] });
    expect(service.runs(id)).toHaveLength(3);
    expect(latest(id)?.error).toEqual({ code: 'NOT_FOUND', message: 'Not found at sky.example/data/2026.csv.' });
    expect(service.resume(id)).toMatchObject({ state: 'active', failures: 0, nextRunAt: '2026-11-25T12:21:00.000Z' });
  });

  it('T10: counts failures in a row alone', async () => {
    const id = await scheduled();
    for (const outcome of ['failed', 'failed', 'complete', 'failed'] as const) {
      nowMs += 60_000;
      service.runNow(id);
      await finishRun([outcome]);
    }
    expect(service.get(id)).toMatchObject({ state: 'active', failures: 1 });
  });

  it('T10: keeps the videos and files of the newest runs', async () => {
    const id = await scheduled({ keep: 2, delivery: { type: 'folder', folder: 'foyer' } });
    for (let run = 0; run < 4; run += 1) {
      nowMs += 60_000;
      service.runNow(id);
      await finishRun();
    }
    expect(removed).toEqual(created.slice(0, 2).map((batch) => batch.id));
    expect(service.runs(id).map((run) => run.removed)).toEqual([false, false, true, true]);
    const files = readdirSync(join(stores.dataDir, 'exports/foyer'));
    expect(files).toHaveLength(2);
    expect(files[0]).toMatch(/^aurora-tonight-2026-11-25-130\d-\w{4}\.mp4$/);
    expect(readFileSync(join(stores.dataDir, 'exports/foyer', files[0] ?? ''), 'utf8')).toBe('a film');
  });

  it('T10: delivers the videos of the rows that worked', async () => {
    const id = await scheduled({ delivery: { type: 'webhook', url: 'https://lobby.example/film' } });
    service.runNow(id);
    await finishRun(['complete', 'failed', 'complete']);
    expect(latest(id)).toMatchObject({
      ...{ state: 'partly', counts: { total: 3, made: 2, delivered: 2 } },
      error: { message: 'One name is too long.' },
    });
    expect(posted.map(({ url }) => url)).toEqual(['https://lobby.example/film', 'https://lobby.example/film']);
  });

  it('T10: delivers again with the same id, later each time, and gives up after five attempts', async () => {
    const id = await scheduled({ delivery: { type: 'webhook', url: 'https://lobby.example/film' } });
    answers = Array.from({ length: 5 }, () => () => new Response(null, { status: 503 }));
    service.runNow(id);
    await finishRun();
    await runUntil('2026-11-25T12:00:29Z');
    expect(posted).toHaveLength(1);
    await runUntil('2026-11-25T12:00:31Z');
    expect(posted).toHaveLength(2);
    await runUntil('2026-11-25T13:00:00Z');
    expect(posted).toHaveLength(5);
    expect(new Set(posted.map((post) => post.id)).size).toBe(1);
    expect(latest(id)).toMatchObject({
      state: 'failed',
      error: { message: 'lobby.example/film did not take the video: it answered 503.' },
    });
  });

  it('T10: does not repeat what a receiver refuses', async () => {
    const id = await scheduled({ delivery: { type: 'webhook', url: 'https://lobby.example/film' } });
    answers = [() => new Response(null, { status: 403 })];
    service.runNow(id);
    await finishRun();
    await runUntil('2026-11-25T13:00:00Z');
    expect(posted).toHaveLength(1);
    expect(latest(id)?.state).toBe('failed');
  });
});

describe('a run that is interrupted', () => {
  /** Never comes back, as in a process that was killed. */

  it('T10: fetches again if nothing had been read', async () => {
    const id = await scheduled({ source: { type: 'address', url: 'https://sky.example/data/a.csv' } });
    service = start({ fetch: never });
    service.runNow(id);
    service = start();
    service.tick();
    await finishRun();
    expect(created).toHaveLength(1);
    expect(latest(id)?.state).toBe('complete');
  });

  it('T10: checks a schedule as a run would read it, and makes nothing', async () => {
    const signal = new AbortController().signal;
    const problems = [{ row: 1, message: 'There is no parameter "title".' }];
    let read: Rows = [];
    const check: ScheduleDeps['batches']['check'] = async (_, { rows }) => {
      read = rows;
      return { rows: 1, headings: ['title'], columns: [], problems, badRows: 1 };
    };
    service = start({ batches: { check, create: never, cancel: never, remove: never } });
    const plain = await service.check(request(), { signal });
    expect([plain.rows, plain.problems, plain.times[0]]).toEqual([1, [], '2026-11-25T16:00:00.000Z']);
    const source = (url: string) => request({ source: { type: 'address', url } });
    const checked = await service.check(source('https://sky.example/data/a.csv'), { signal });
    expect([checked.rows, checked.problems, read]).toEqual([1, problems, 'title\nHello']);
    await expect(service.check(source('https://elsewhere.example/a.csv'), { signal })).rejects.toThrow('KODA_FETCH_ADDRESSES');
    await expect(service.table('https://elsewhere.example/a.csv', { signal })).rejects.toThrow('KODA_FETCH_ADDRESSES');
    table = () => new Response(' ');
    await expect(service.check(source('https://sky.example/data/a.csv'), { signal })).rejects.toThrow('The table has no rows.');
    expect(service.list(null)).toEqual([]);
  });

  it('T10: renders what was read, not what the address says now', async () => {
    const id = await scheduled({ source: { type: 'address', url: 'https://sky.example/data/a.csv' } });
    service = start({ batches: { check: never, create: never, cancel: never, remove: never } });
    service.runNow(id);
    await expect.poll(() => latest(id)?.digest).not.toBeNull();
    table = () => new Response('title\nChanged');
    service = start();
    service.tick();
    await finishRun();
    expect(created.map(({ rows }) => rows)).toEqual(['title\nHello']);
  });

  it('T10: renders nothing twice if the batch had been stored', async () => {
    const id = await scheduled();
    service.runNow(id);
    await service.settled();
    service = start();
    service.tick();
    await service.settled();
    service.tick();
    await finishRun();
    expect(created).toHaveLength(1);
    expect(latest(id)).toMatchObject({ state: 'complete', batchId: created[0]?.id });
  });

  it('T10: delivers the rest alone, with the same ids', async () => {
    const id = await scheduled({ delivery: { type: 'webhook', url: 'https://lobby.example/film' } });
    const hanging = start();
    service = hanging;
    answers = [() => new Response(null, { status: 204 }), never as unknown as () => Response];
    service.runNow(id);
    await service.settled();
    endBatch(['complete', 'complete']);
    await expect.poll(() => posted.length).toBe(2);
    expect(latest(id)?.counts.delivered).toBe(1);
    service = start();
    service.tick();
    await service.settled();
    expect(posted).toHaveLength(3);
    expect(posted[2]?.id).toBe(posted[1]?.id);
    expect(posted[1]?.id).not.toBe(posted[0]?.id);
    expect(latest(id)).toMatchObject({ state: 'complete', counts: { delivered: 2 } });
  });
});

describe('a new schedule', () => {
  const refusal = async (change: Partial<ScheduleRequest>) => {
    try {
      await service.create(request(change));
      return null;
    } catch (error) {
      return error instanceof KodaError ? error.message : String(error);
    }
  };

  it('T10: is refused with the reason if it can never run', async () => {
    expect(await refusal({ cron: '0 6 30 2 *' })).toBe('February has no 30th.');
    expect(await refusal({ cron: '* * * * * *' })).toBe('Once a minute at most.');
  });

  it('T10: fetches from listed addresses alone', async () => {
    for (const url of [
      'https://sky.example/database',
      'https://sky.example/',
      'http://sky.example/data',
      'https://sky.example.evil.example/data',
    ])
      expect(await refusal({ source: { type: 'address', url } }), url).toContain('KODA_FETCH_ADDRESSES');
    expect(await refusal({ source: { type: 'address', url: 'https://sky.example/data?x=1' } })).toBeNull();
  });

  it('T10: delivers to no address inside the network', async () => {
    for (const host of ['127.0.0.1', 'localhost', '10.0.0.1', '[::1]', '169.254.169.254', '[::ffff:127.0.0.1]', '0x7f.1'])
      expect(await refusal({ delivery: { type: 'webhook', url: `http://${host}/film` } }), host).toBe(
        'This address leads inside the network and is not allowed.',
      );
  });

  it('T10: saves in folders that are allowed alone', async () => {
    for (const folder of ['../foyer', 'a/../../b', '/etc', `${stores.dataDir}/renders`])
      expect(await refusal({ delivery: { type: 'folder', folder } }), folder).toContain('Nothing may be saved');
    expect(await refusal({ delivery: { type: 'folder', folder: 'exports/foyer' } })).toBeNull();
  });

  it('T10: gets a secret that is shown once and kept with its address', async () => {
    const delivery = { type: 'webhook', url: 'https://lobby.example/film' } as const;
    const { schedule, secret } = await service.create(request({ delivery }));
    expect(secret).toMatch(/^whsec_/);
    expect(JSON.stringify([schedule, service.list(null)])).not.toContain('whsec_');
    expect((await service.change(schedule.id, { delivery })).secret).toBeNull();
    const moved = await service.change(schedule.id, { delivery: { ...delivery, url: 'https://lobby.example/new' } });
    expect(moved.secret).toMatch(/^whsec_/);
  });
});
