import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Plan } from '#contract/project.ts';
import type { ProjectState } from '../../../storage/projects.ts';
import { newApp, planOf } from '../document.ts';
import { toolLibrary } from '../starting-points/tool-library.ts';
import { AppData } from './app-data.ts';

const id = 'prj_0123456789abcdefghjk';
const list = toolLibrary.document.lists[0]?.id ?? '';
const { signal } = new AbortController();
const record = { id: 'abcdefgh', values: { name: 'Ladder' }, createdMs: 1, changedMs: 2 };
const put = { op: 'put' as const, list, id: record.id, values: record.values };
const batch = { batch: 'batch-0001', changes: [put] };

let folder: string;
let server: Server | null = null;
let socketPath: string | null;
let accepted: boolean;
let previewError: { message: string; log: string } | null;
const sockets = new Set<Socket>();
const requests: string[] = [];

const projects = {
  active: vi.fn(async () => undefined),
  dataStored: vi.fn(),
  ensurePreview: vi.fn(async (): Promise<void> => undefined),
};

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ka-'));
  socketPath = null;
  accepted = true;
  previewError = null;
  requests.length = 0;
  vi.clearAllMocks();
  projects.ensurePreview.mockReset().mockResolvedValue(undefined);
});
afterEach(() => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

const store = {
  state: async () =>
    ({
      project: { thinking: null, previewError },
      plan: { ...planOf(newApp(toolLibrary.document)), accepted, revision: 3 } as Plan,
    }) as ProjectState,
};
const data = (timeoutMs = 60_000) => new AppData({ store, projects, socketPath: () => socketPath, timeoutMs });

/** Listens on the preview's socket, and lets `answer` write whatever it wants after each request. */
async function listen(answer: (socket: Socket) => void): Promise<void> {
  const path = join(folder, 'preview');
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', (bytes) => {
      requests.push(bytes.toString('utf8'));
      answer(socket);
    });
  });
  await new Promise<void>((resolve) => server?.listen(path, resolve));
  socketPath = path;
}

const http = (status: number, body: string) =>
  `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const answers = (status: number, value: unknown) =>
  listen((socket) => socket.end(http(status, typeof value === 'string' ? value : JSON.stringify(value))));

describe('the data of an app', () => {
  it('reads the records of one list or of all', async () => {
    await answers(200, { seq: 7, lists: { [list]: [record], unknown: [record] } });
    expect(await data().records(id, list, { signal })).toEqual({ seq: 7, lists: { [list]: [record] } });
    const all = await data().records(id, null, { signal });
    expect(Object.keys(all.lists)).toEqual(toolLibrary.document.lists.map((one) => one.id));
    expect(requests[0]).toContain('GET /api/records HTTP/1.1\r\nHost: localhost');
  });

  it('sends changes, and has them saved', async () => {
    await answers(200, { seq: 8, applied: [{ list, id: record.id, record }] });
    expect(await data().change(id, batch, { signal })).toMatchObject({ seq: 8, applied: [{ id: record.id }] });
    expect(requests[0]).toContain(JSON.stringify(batch));
    expect(projects.dataStored).toHaveBeenCalledExactlyOnceWith(id);
  });

  it('starts an app that is not running', async () => {
    projects.ensurePreview.mockImplementation(() => answers(200, { columns: ['a'], rows: [[1]], more: false }));
    expect(await data().sql(id, 'select 1 a', { signal })).toEqual({ columns: ['a'], rows: [[1]], more: false });
    expect(projects.ensurePreview).toHaveBeenCalledExactlyOnceWith(id);
  });

  it('says why an app cannot be reached', async () => {
    await expect(data().records(id, list, { signal })).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
      message: expect.stringContaining('is stopped'),
    });
    previewError = { message: 'Cannot find ./main.tsx', log: 'stack' };
    await listen((socket) => socket.destroy());
    await expect(data().records(id, list, { signal })).rejects.toMatchObject({
      code: 'SERVER_FAILED',
      message: expect.stringContaining('does not start, so its data cannot be reached: Cannot find ./main.tsx'),
    });
  });

  it('asks nothing of an app that was never built, or for a list that there is not', async () => {
    await answers(200, {});
    await expect(data().records(id, 'cars', { signal })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining(list),
    });
    accepted = false;
    await expect(data().change(id, batch, { signal })).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(requests).toEqual([]);
  });

  it('passes on what the app refuses, in plain text', async () => {
    await answers(422, { error: { code: 'VALIDATION', message: 'Deposit is\u001b[31m at least £5.' } });
    await expect(data().change(id, batch, { signal })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'Deposit is [31m at least £5.',
    });
    expect(projects.dataStored).not.toHaveBeenCalled();
  });
});

describe('an app that answers nonsense', () => {
  const unusable = (reason: string) => ({ code: 'SERVER_FAILED', message: expect.stringContaining(reason) });

  it.each([
    ['no JSON', 200, '<html></html>', 'it is no JSON'],
    ['a page as an error', 500, '<html></html>', 'it is no JSON'],
    ['another form', 200, { seq: 'x' }, 'form of the app’s data'],
    ['a record of another form', 200, { seq: 1, lists: { [list]: [{ id: '../..' }] } }, 'form of the app’s data'],
    ['deep nesting', 200, `${'['.repeat(100)}${']'.repeat(100)}`, 'too many levels'],
    ['a redirection', 302, '{}', 'form of the app’s data'],
  ])('reports %s', async (_name, status, body, reason) => {
    await answers(status, body);
    await expect(data().records(id, list, { signal })).rejects.toMatchObject(unusable(reason));
  });

  it('reports what is no HTTP, and an upgrade', async () => {
    await listen((socket) => socket.end('hello\r\n\r\n'));
    await expect(data().records(id, list, { signal })).rejects.toMatchObject(unusable('it is no HTTP'));
    server?.close();
    rmSync(join(folder, 'preview'), { force: true });
    await listen((socket) => socket.write('HTTP/1.1 101 X\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'));
    await expect(data().records(id, list, { signal })).rejects.toMatchObject(unusable('no answer to this request'));
  });

  it('stops reading an answer that is too large, and closes the connection', async () => {
    const piece = Buffer.alloc(1024 * 1024, 32);
    let isClosed = false;
    await listen((socket) => {
      const send = () => {
        while (!socket.destroyed && socket.write(piece));
      };
      socket.on('drain', send).on('close', () => {
        isClosed = true;
      });
      socket.write('HTTP/1.1 200 X\r\n\r\n');
      send();
    });
    await expect(data().records(id, list, { signal })).rejects.toMatchObject(unusable('more than 64 MB'));
    await vi.waitFor(() => expect(isClosed).toBe(true));
  });

  it('gives up on an answer that never ends, before and within its body', async () => {
    await listen(() => undefined);
    await expect(data(50).records(id, list, { signal })).rejects.toMatchObject({ code: 'TIMEOUT' });
    server?.close();
    rmSync(join(folder, 'preview'), { force: true });
    await listen((socket) => socket.write('HTTP/1.1 200 X\r\ncontent-length: 9\r\n\r\n{'));
    await expect(data(50).records(id, list, { signal })).rejects.toMatchObject({ code: 'TIMEOUT' });
  });

  it('stops waiting when the caller leaves', async () => {
    const leaving = new AbortController();
    await listen(() => leaving.abort());
    await expect(data().records(id, list, { signal: leaving.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
  });
});
