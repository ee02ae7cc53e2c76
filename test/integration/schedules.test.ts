import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '#contract/routes.ts';
import { type ScheduleRequest, type ScheduleRun, scheduleRequestSchema } from '#contract/schedules.ts';
import { until } from '../fixtures/progress.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';

const entry = join(import.meta.dirname, '../../server/cli/koda.ts');
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const still = { format: 'png', resolution: '720p', atSeconds: 0.7 } as const;

interface Post {
  readonly id: string;
  readonly body: Buffer;
  readonly isSigned: boolean;
  readonly type: string | undefined;
}

/** What an operator would run inside the network: a table that changes, and a screen that shows films. */
/** The table of each run, because a run may begin before the test has noticed the end of the one before. */
const tables = ['scene1Text\nFirst', 'scene1Text\nSecond\nThird', 'scene1Text\nFourth'];
let fetches = 0;
/** Deliveries of the last table are not answered until this is set. */
let mayAnswer = false;
let unanswered = 0;
let insideHits = 0;
const posts: Post[] = [];
const neighbour = createServer(async (request, response) => {
  if (request.url === '/hours.csv') {
    response.setHeader('content-type', 'text/csv').end(tables[Math.min(fetches, tables.length - 1)]);
    fetches += 1;
  } else if (request.url === '/redirect') response.writeHead(307, { location: '/inside' }).end();
  else if (request.url === '/inside') {
    insideHits += 1;
    response.end();
  } else {
    const body = await buffer(request);
    const header = (name: string) => String(request.headers[name]);
    const id = header('webhook-id');
    const hmac = createHmac('sha256', Buffer.alloc(32, 7))
      .update(`${id}.${header('webhook-timestamp')}.`)
      .update(body);
    const isSigned = header('webhook-signature') === `v1,${hmac.digest('base64')}`;
    posts.push({ id, body, isSigned, type: request.headers['content-type'] });
    if (fetches >= tables.length && !mayAnswer) unanswered += 1;
    else response.writeHead(204).end();
  }
});

let origin: string;
let studio: Studio;
let folder: string;
let projectId: string;

beforeAll(async () => {
  await once(neighbour.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(neighbour.address() as AddressInfo).port}`;
  const env = {
    KODA_FETCH_ADDRESSES: `${origin}/hours.csv`,
    KODA_WEBHOOK_ADDRESSES: `${origin}/lobby,${origin}/redirect`,
  };
  studio = await startStudio({ sandbox: 'process', env });
  folder = await mkdtemp(join(tmpdir(), 'koda-schedules-'));
  const prompt = 'Title: Hello\nsmooth, paper theme, 2 seconds';
  const made = await koda(['make', prompt, '--yes', ...['--resolution', '720p', '--format', 'png', '--out', 'first.png']]);
  expect(made, made.said).toMatchObject({ exit: 0 });
  projectId = /prj_\w+/.exec(made.said)?.[0] ?? '';
});

afterAll(async () => {
  await studio[Symbol.asyncDispose]();
  neighbour.closeAllConnections();
  neighbour.close();
  await rm(folder, { recursive: true, force: true });
});

async function koda(args: readonly string[]): Promise<{ exit: unknown; said: string; printed: string }> {
  const child = spawn(process.execPath, [entry, '--url', studio.url, ...args], {
    cwd: folder,
    env: { ...process.env, KODA_DATA_DIR: studio.dataDir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, said, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { exit, said, printed };
}

async function schedule(change: Partial<ScheduleRequest>): Promise<string> {
  const request = { projectId, name: 'Opening hours', cron: '0 0 1 1 *', timeZone: 'Europe/Berlin', render: still, ...change };
  const { schedule } = await studio.client.call(routes.createSchedule, { body: scheduleRequestSchema.parse(request) });
  return schedule.id;
}

const runs = async (id: string) => (await studio.client.call(routes.scheduleRuns, { id })).items;
const renders = async () => (await studio.client.call(routes.renders, { id: projectId })).items;

async function endOf(id: string, number: number): Promise<ScheduleRun> {
  await until(
    `the end of run ${number}`,
    async () => (await runs(id)).filter(({ finishedAt }) => finishedAt !== null).length >= number,
  );
  const run = (await runs(id)).at(-number);
  if (!run) throw new Error(`There is no run ${number}.`);
  return run;
}

describe('a schedule of each minute', () => {
  it('T10: makes and delivers films from a table that changes, across kills, without doing anything twice', async () => {
    const id = await schedule({
      ...{ cron: '* * * * *', source: { type: 'address', url: `${origin}/hours.csv` } },
      delivery: { type: 'webhook', url: `${origin}/lobby`, secret },
    });
    const first = await endOf(id, 1);
    expect(first).toMatchObject({ cause: 'time', state: 'complete', counts: { total: 1, made: 1, delivered: 1 } });

    // Killed while it renders.
    await until('the second run', async () => (await runs(id)).at(-2)?.state === 'rendering');
    await studio.kill();
    await studio.restart();
    const second = await endOf(id, 2);
    expect(second).toMatchObject({ state: 'complete', counts: { total: 2, made: 2, delivered: 2 } });
    expect(second.digest).not.toBe(first.digest);

    // Killed while the receiver has a film and has not answered.
    await until('the third delivery', () => unanswered > 0);
    await studio.kill();
    mayAnswer = true;
    await studio.restart();
    const third = await endOf(id, 3);
    expect(third).toMatchObject({ state: 'complete', counts: { total: 1, made: 1, delivered: 1 } });
    await studio.client.call(routes.pauseSchedule, { id });

    const known = [first, second, third];
    const ids = known.flatMap((run) => run.deliveries.map(({ row }) => `${run.id}_${row}`));
    const ofKnown = posts.filter((post) => ids.includes(post.id));
    expect([...new Set(ofKnown.map((post) => post.id))].sort()).toEqual(ids.toSorted());
    // The one that was never answered comes again, with its id.
    expect(ofKnown).toHaveLength(ids.length + 1);
    expect(posts.every(({ isSigned, type }) => isSigned && type === 'image/png')).toBe(true);
    const all = await renders();
    for (const run of known) {
      const made = all.filter(({ batch, status }) => batch?.id === run.batchId && status === 'complete');
      expect(made.map(({ id: renderId }) => renderId).sort()).toEqual(run.deliveries.map(({ renderId }) => renderId).sort());
      const video = await fetch(studio.url + made[0]?.videoUrl, { headers: studio.client.authorization() });
      const bytes = Buffer.from(await video.arrayBuffer());
      expect(posts.some(({ body }) => body.equals(bytes))).toBe(true);
    }
  });
});

describe('a delivery', () => {
  it('T10: follows no redirect into the network', async () => {
    const id = await schedule({ delivery: { type: 'webhook', url: `${origin}/redirect`, secret } });
    await studio.client.call(routes.runSchedule, { id });
    const run = await endOf(id, 1);
    expect(run).toMatchObject({ state: 'failed', deliveries: [{ attempts: 1, state: 'failed' }] });
    expect(run.error?.message).toContain('it redirects to another address');
    expect(insideHits).toBe(0);
  });

  it('T10: to an address inside the network that the operator does not list is refused', async () => {
    await expect(schedule({ delivery: { type: 'webhook', url: `${origin}/inside`, secret } })).rejects.toThrow(
      'This address leads inside the network and is not allowed.',
    );
    await expect(schedule({ source: { type: 'address', url: `${origin}/other.csv` } })).rejects.toThrow('KODA_FETCH_ADDRESSES');
    expect(insideHits).toBe(0);
  });
});

describe('koda schedule', () => {
  it('T10: adds, runs, shows, pauses and removes a schedule that saves in a folder', async () => {
    const when = ['--cron', '0 6 1 * *', '--time-zone', 'Europe/Lisbon', '--format', 'png', '--resolution', '720p'];
    const added = await koda(['schedule', 'add', projectId, '--name', 'Foyer', ...when, '--folder', 'foyer', '--json']);
    expect(added, added.said).toMatchObject({ exit: 0 });
    const { schedule } = JSON.parse(added.printed) as { schedule: { id: string } };
    const never = await koda(['schedule', 'add', projectId, '--name', 'Never', '--cron', '0 6 30 2 *']);
    expect(never).toMatchObject({ exit: 2, said: expect.stringContaining('February has no 30th.') });
    const run = await koda(['schedule', 'run', schedule.id, '--wait']);
    expect(run, run.said).toMatchObject({ exit: 0 });
    const [file = ''] = await readdir(join(studio.dataDir, 'exports/foyer'));
    expect(file).toMatch(/^foyer-.*\.png$/);
    expect((await readFile(join(studio.dataDir, 'exports/foyer', file))).subarray(1, 4).toString()).toBe('PNG');
    const changed = await koda(['schedule', 'change', schedule.id, '--cron', '30 6 * * 1-5', '--keep', '3', '--format', 'jpeg']);
    expect(changed, changed.said).toMatchObject({ exit: 0, said: expect.stringContaining('06:30') });
    expect(await studio.client.call(routes.schedule, { id: schedule.id })).toMatchObject({
      ...{ cron: '30 6 * * 1-5', timeZone: 'Europe/Lisbon', keep: 3, render: { format: 'jpeg', resolution: '720p' } },
      delivery: { type: 'folder', folder: 'foyer' },
    });
    expect((await koda(['schedule', 'pause', schedule.id])).exit).toBe(0);
    expect((await koda(['schedule', 'list'])).printed).toMatch(/Foyer.*paused/);
    expect((await koda(['schedule', 'show', schedule.id])).printed).toContain('1 of 1 delivered');
    expect((await koda(['schedule', 'resume', schedule.id])).exit).toBe(0);
    expect((await koda(['schedule', 'remove', schedule.id])).exit).toBe(0);
    expect((await koda(['schedule', 'show', schedule.id])).exit).toBe(4);
  });
});

describe('an orderly stop', () => {
  it('T10: interrupts a run, which the next start finishes without repeating a video', async () => {
    const rows = 4;
    const names = Array.from({ length: rows }, (_, index) => `Row ${index + 1}`);
    const id = await schedule({
      source: { type: 'table', name: 'rows.csv', content: ['scene1Text', ...names].join('\n') },
      delivery: { type: 'folder', folder: 'stopped' },
    });
    await studio.client.call(routes.runSchedule, { id });
    const made = async () => {
      const batchId = (await runs(id))[0]?.batchId ?? null;
      return (await renders()).filter(({ batch, status }) => batchId !== null && batch?.id === batchId && status === 'complete');
    };
    await until('the first video', async () => (await made()).length > 0);
    const before = await made();
    expect((await runs(id))[0]?.state).toBe('rendering');
    await studio.stop();
    await studio.restart();
    expect(await endOf(id, 1)).toMatchObject({ state: 'complete', counts: { total: rows, made: rows, delivered: rows } });
    const after = await made();
    expect(after.map(({ batch }) => batch?.row).toSorted()).toEqual(names.map((_, index) => index + 1));
    for (const render of before) expect(after).toContainEqual(render);
    expect(await readdir(join(studio.dataDir, 'exports/stopped'))).toHaveLength(rows);
  });
});
