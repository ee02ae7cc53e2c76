import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { hasCode } from '#contract/errors.ts';
import { routes } from '#contract/routes.ts';
import { appRoutes } from '#kinds/app/contract/routes.ts';
import { startingPoint } from '../../server/kinds/app/starting-points.ts';
import { markedProcesses } from '../chaos/sandboxes.ts';
import { pageHeaders } from '../fixtures/page-requests.ts';
import { type Studio, startStudio } from '../fixtures/studio.ts';
import { projectsOf } from '../fixtures/studio-project.ts';

const library = startingPoint('tool-library');
if (library === null) throw new Error('There is no tool library.');

const waitOptions = { timeout: 120_000, interval: 200 };

let socketsDir: string;
let studio: Studio;
let projects: ReturnType<typeof projectsOf>;
let id: string;
let host: string;

beforeAll(async () => {
  socketsDir = await mkdtemp(join(tmpdir(), 'kr-'));
  studio = await startStudio({ sandbox: 'process', env: { KODA_SOCKETS_DIR: socketsDir } });
  projects = projectsOf(studio);
  const body = { kind: 'app', prompt: 'Our tools', hints: { document: library.document, start: 'tool-library' } };
  ({ id } = await studio.client.call(routes.createProject, { body }));
  await projects.waitForApproval(id, 'plan', 0);
  const { seq } = await projects.snapshot(id);
  await projects.post(id, 'plan', { action: 'accept' });
  await projects.waitForApproval(id, 'preview', seq);
  const ready = await projects.until(id, seq, ({ type }) => type === 'preview.ready');
  host = ready.type === 'preview.ready' ? new URL(ready.url).host : '';
});
afterAll(async () => {
  await studio?.[Symbol.asyncDispose]();
  await rm(socketsDir, { recursive: true, force: true });
});

/** Requests what the page in the preview requests. */
async function ask(path: string, body?: object): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const { port } = new URL(studio.url);
  const headers = { host, ...pageHeaders, 'content-type': 'application/json' };
  const outgoing = request({ host: '127.0.0.1', port, path, method: body ? 'POST' : 'GET', headers }, async (response) => {
    try {
      resolve({ status: response.statusCode ?? 0, text: await text(response) });
    } catch (error) {
      reject(error);
    }
  });
  outgoing.on('error', reject);
  outgoing.end(body && JSON.stringify(body));
  return await promise;
}

const snapshotSchema = z.object({
  lists: z.object({ tools: z.array(z.object({ values: z.looseObject({ name: z.string() }) })) }),
});

async function toolNames(): Promise<string[]> {
  const { status, text } = await ask('/api/records');
  expect(status, text).toBe(200);
  return snapshotSchema.parse(JSON.parse(text)).lists.tools.map(({ values }) => values.name);
}

async function add(name: string): Promise<void> {
  const { status, text } = await ask('/api/lists/tools/records', { values: { name } });
  expect(status, text).toBe(201);
}

const checkpoints = async () => (await studio.client.call(routes.checkpoints, { id, query: {} })).items;

/** Adds a record and returns a checkpoint that contains it. Its trigger varies, because a periodic autosave may come first. */
async function saved(name: string): Promise<string> {
  await add(name);
  return await vi.waitFor(async () => {
    const [newest] = await checkpoints();
    const cid = newest?.id ?? '';
    const path = `/api/projects/${id}/checkpoints/${cid}/files/data/records.ndjson`;
    const records = await studio.client.download(path, { signal: AbortSignal.timeout(60_000) });
    expect(await text(records)).toContain(name);
    return cid;
  }, waitOptions);
}

const restore = (cid: string) => studio.client.call(routes.restoreCheckpoint, { id, cid });

/** Kills the sandbox with all its processes, as the kernel does when memory runs out. */
async function killSandbox(): Promise<void> {
  const processes = markedProcesses(socketsDir);
  expect(processes.length).toBeGreaterThan(0);
  for (const { pid } of processes) killIfRunning(pid);
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (!hasCode(error, 'ESRCH')) throw error;
  }
}

/** Waits until the preview is back, as its page does, which reloads itself. */
const reopened = () => vi.waitFor(toolNames, waitOptions);

describe('an app after a crash and from its history', () => {
  let before: string[];
  let withLadder: string;
  let withSaw: string;

  it('keeps the records that were added in the preview', async () => {
    before = await toolNames();
    withLadder = await saved('Long ladder');
    withSaw = await saved('Pruning saw');
    expect((await checkpoints()).map(({ title }) => title)).toContain('Data changed');
    await killSandbox();
    expect(await reopened()).toEqual([...before, 'Long ladder', 'Pruning saw']);
  });

  it('shows the records of a restored checkpoint without a restart', async () => {
    const page = await listen();
    await restore(withLadder);
    expect(await toolNames()).toEqual([...before, 'Long ladder']);
    await page.until('event: reset');
    await restore(withSaw);
    expect(await toolNames()).toEqual([...before, 'Long ladder', 'Pruning saw']);
    page.close();
  });

  it('takes new records after a restore, and keeps them when the sandbox is killed again', async () => {
    await restore(withLadder);
    await saved('Folding barrow');
    await killSandbox();
    expect(await reopened()).toEqual([...before, 'Long ladder', 'Folding barrow']);
  });

  it('shows the document of a restored checkpoint, and takes another edit', async () => {
    const [start] = await checkpoints();
    const edit = (theme: 'paper' | 'studio', was: 'forest' | 'paper') =>
      studio.client.call(appRoutes.editApp, { id, body: { edits: [{ type: 'set-theme', theme, was }] } });
    await edit('paper', 'forest');
    await shows('paper');
    await restore(start?.id ?? '');
    await shows('forest');
    expect(await studio.client.call(appRoutes.app, { id })).toMatchObject({ document: { theme: 'forest' } });
    await edit('paper', 'forest');
    await shows('paper');
    await killSandbox();
    await reopened();
    await shows('paper');
  });
});

/** Returns the theme that the page gets from the dev server. */
async function theme(): Promise<string | undefined> {
  const { text } = await ask('/src/app.json?import');
  return /"?theme"?[: =]+"(\w+)"/.exec(text)?.[1];
}

/** Waits until the dev server has noticed the file with the theme, as an open page does. */
const shows = (expected: string) => vi.waitFor(async () => expect(await theme()).toBe(expected), waitOptions);

/** Receives the app's events, as an open page does. */
async function listen(): Promise<{ until(line: string): Promise<void>; close(): void }> {
  const { port } = new URL(studio.url);
  let text = '';
  const outgoing = request({ host: '127.0.0.1', port, path: '/api/events', headers: { host, ...pageHeaders } });
  outgoing.end();
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  response.on('error', () => undefined);
  await vi.waitFor(() => expect(text).toContain('event: alive'), waitOptions);
  return {
    until: (line) => vi.waitFor(() => expect(text).toContain(line), waitOptions),
    close: () => void outgoing.destroy(),
  };
}
