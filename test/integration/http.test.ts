import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import { renderFiles } from '#contract/render.ts';
import type { RenderAccess } from '../../server/http/deps.ts';
import { closeServer, listen } from '../../server/http/server.ts';
import { eventBlocks, eventNumber } from '../fixtures/event-blocks.ts';
import { type HttpFixture, httpFixture, memorySandbox } from '../fixtures/http.ts';
import { serveHttp } from '../fixtures/http-server.ts';
import { pageHeaders } from '../fixtures/page-requests.ts';
import { sampleFilm, sampleRender, sampleSettings } from '../fixtures/renders.ts';
import { newProject, testPerson } from '../fixtures/storage.ts';

let folder: string;
let http: HttpFixture;
let server: Server;
let port: number;
let projectId: string;
const renderId = newId('rnd');
const files = new Map<string, Buffer>();
/** The preview video, as streamed by its sandbox. */
let live: Readable;
const video = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7) % 251));

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'koda-http-'));
  writeFileSync(join(folder, 'video.mp4'), video);
  files.clear();
  files.set('src/App.tsx', Buffer.from('export default 1'));
  const renders: RenderAccess = {
    describe: async () => ({ film: sampleFilm(), problems: [] }),
    estimate: async () => ({
      settings: sampleSettings(),
      frames: 360,
      workSeconds: null,
      workRangeSeconds: null,
      sizeBytes: null,
      basis: null,
      rough: false,
      ahead: 0,
      waitSeconds: 0,
    }),
    queued: async () => [],
    get: async () => sampleRender(projectId, { id: renderId }),
    list: async () => [],
    remove: async () => undefined,
    filePath: async (id, name) => (id === renderId ? join(folder, name) : null),
    live: async (id) => {
      if (id === renderId) return live;
      throw new KodaError('NOT_FOUND', 'No such preview is being made now.');
    },
  };
  live = new PassThrough();
  const sandboxes = {
    find: async () => memorySandbox(projectId, files),
    projectOf: () => null,
    restart: async () => undefined,
    remove: async () => undefined,
  };
  ({ http, server, port } = await serveHttp((hosts) => httpFixture({ hosts, renders, sandboxes })));
  projectId = (await http.stores.projects.create(newProject({ name: 'Ball “één”', prompt: 'One' }))).id;
});

afterEach(async () => {
  http.closing.abort();
  await closeServer(server);
  http[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

async function call(
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: Buffer | string } = {},
): Promise<Answer> {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path,
    method: options.method ?? 'GET',
    headers: { ...pageHeaders, host: `localhost:${port}`, ...options.headers },
  });
  // The server closes the connection of a refused body that takes it too long to read.
  outgoing.on('error', () => undefined);
  outgoing.end(options.body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) };
}

const openFiles = () => readdirSync('/proc/self/fd').length;

describe('videos over HTTP', () => {
  const path = `/storage/renders/${renderId}/video.mp4`;

  it('A18: a range request returns exactly the range, and a plain request the whole file', async () => {
    const whole = await call(path);
    expect(whole.status).toBe(200);
    expect(whole.body.equals(video)).toBe(true);
    expect(whole.headers).toMatchObject({ 'content-type': 'video/mp4', 'accept-ranges': 'bytes', 'content-length': '300000' });
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 1],
      ['bytes=100000-199999', 100_000, 200_000],
      ['bytes=-5', 299_995, 300_000],
      ['bytes=299990-', 299_990, 300_000],
    ] as const) {
      const part = await call(path, { headers: { range } });
      expect([part.status, part.headers['content-range']]).toEqual([206, `bytes ${start}-${end - 1}/300000`]);
      expect(part.body.equals(video.subarray(start, end))).toBe(true);
    }
    const outside = await call(path, { headers: { range: 'bytes=300000-' } });
    expect([outside.status, outside.headers['content-range']]).toEqual([416, 'bytes */300000']);
  });

  it('A18: supports HEAD, ETag, If-Range and download', async () => {
    const head = await call(path, { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.body.length]).toEqual([200, '300000', 0]);
    const etag = head.headers.etag ?? '';
    expect((await call(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await call(path, { headers: { range: 'bytes=0-9', 'if-range': etag } })).status).toBe(206);
    expect((await call(path, { headers: { range: 'bytes=0-9', 'if-range': '"old"' } })).status).toBe(200);
    const download = await call(`${path}?download`, { method: 'HEAD' });
    expect(download.headers['content-disposition']).toBe(
      'attachment; filename="Ball_n_1920x1080_60fps.mp4"; filename*=UTF-8\'\'Ball%20%E2%80%9C%C3%A9%C3%A9n%E2%80%9D%201920x1080%2060fps.mp4',
    );
  });

  it.each(Object.values(renderFiles))(
    'X9: $name is served as $contentType, in parts and for saving',
    async ({ name, contentType }) => {
      writeFileSync(join(folder, name), video);
      const path = `/storage/renders/${renderId}/${name}`;
      const part = await call(`${path}?download`, { headers: { range: 'bytes=10-19' } });
      expect(part).toMatchObject({ status: 206, body: video.subarray(10, 20), headers: { 'content-type': contentType } });
      expect(part.headers['content-disposition']).toContain(name.slice(name.lastIndexOf('.')));
      const etag = part.headers.etag ?? '';
      expect((await call(path, { headers: { 'if-none-match': etag } })).status).toBe(304);
    },
  );

  it('A18: returns 404 for a missing file, whatever its name', async () => {
    for (const wrong of [
      `/storage/renders/${newId('rnd')}/video.mp4`,
      `/storage/renders/${renderId}/video.webm`,
      `/storage/renders/${renderId}/..%2f..%2fkoda.db`,
      `/storage/renders/${renderId}/render.json`,
    ]) {
      expect((await call(wrong)).status, wrong).toBe(404);
    }
    expect((await call('/storage/renders/..%2f..%2fetc/video.mp4')).status).toBe(400);
  });

  it('A18: aborted downloads and HEAD requests leave no file open', async () => {
    const before = openFiles();
    for (let index = 0; index < 100; index++) {
      await call(path, { method: 'HEAD' });
      const outgoing = request({ host: '127.0.0.1', port, path, headers: { ...pageHeaders, host: `localhost:${port}` } });
      outgoing.on('error', () => undefined);
      outgoing.end();
      if (index % 2 === 0) await once(outgoing, 'response');
      outgoing.destroy();
    }
    await vi.waitFor(() => expect(openFiles()).toBeLessThanOrEqual(before + 2), { timeout: 120_000 });
  });
});

describe('a preview while it is made, over HTTP', () => {
  const path = `/storage/renders/${renderId}/live.mp4`;

  async function open(): Promise<{ outgoing: ClientRequest; answer: IncomingMessage }> {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path,
      headers: { ...pageHeaders, host: `localhost:${port}`, range: 'bytes=0-' },
    });
    outgoing.on('error', () => undefined);
    outgoing.end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    return { outgoing, answer };
  }

  it('A18: sends each fragment as soon as it exists, with headers that prevent content sniffing', async () => {
    const film = new PassThrough();
    live = film;
    film.write('moov');
    const { answer } = await open();
    // A progressive video has no byte ranges.
    expect([answer.statusCode, answer.headers['content-length']]).toEqual([200, undefined]);
    expect(answer.headers).toMatchObject({
      'content-type': 'video/mp4',
      'cache-control': 'no-store',
      'accept-ranges': 'none',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(answer.headers['content-security-policy']).toContain("default-src 'self'");
    expect(String((await once(answer, 'data'))[0])).toBe('moov');
    film.write('moof');
    expect(String((await once(answer, 'data'))[0])).toBe('moof');
    film.end();
    await once(answer, 'end');
    expect(answer.complete).toBe(true);
  });

  it('A18: aborts the response if the render ends without a film', async () => {
    const film = new PassThrough();
    live = film;
    film.write('moov');
    const { answer } = await open();
    const failed = new Promise<Error>((resolve) => answer.once('error', resolve));
    answer.resume();
    film.destroy(new Error('The render ended before its film was complete.'));
    expect((await failed).message).toBe('aborted');
    expect(answer.complete).toBe(false);
  });

  it('A18: a disconnecting reader ends only its own stream, and a slow one causes no unbounded buffering', async () => {
    let made = 0;
    live = new Readable({
      highWaterMark: 64 * 1024,
      read() {
        made += 1;
        this.push(Buffer.alloc(64 * 1024));
      },
    });
    const { outgoing, answer } = await open();
    answer.on('error', () => undefined).pause();
    const settled = async () => {
      for (let before = -1; before !== made; await sleep(100)) before = made;
      return made;
    };
    // The sandbox's stream stops once this machine's socket buffers are full, which hold a few megabytes.
    expect(await settled()).toBeLessThan(500);
    expect(live.destroyed).toBe(false);
    outgoing.destroy();
    await vi.waitFor(() => expect(live.destroyed).toBe(true), { timeout: 120_000 });
  });

  it('A18: HEAD leaves nothing open; returns 404 if no render is running, and 403 for another host name', async () => {
    expect((await call(path, { method: 'HEAD' })).status).toBe(200);
    await vi.waitFor(() => expect(live.destroyed).toBe(true), { timeout: 120_000 });
    expect((await call(`/storage/renders/${newId('rnd')}/live.mp4`)).status).toBe(404);
    expect((await call('/storage/renders/..%2f/live.mp4')).status).toBe(400);
    expect((await call(path, { headers: { host: 'evil.example' } })).status).toBe(403);
  });
});

describe('files over HTTP', () => {
  it('G2: reads, writes and deletes files in the sandbox by path rules, and reports events', async () => {
    const root = `/api/projects/${projectId}/files`;
    expect(JSON.parse((await call(root)).body.toString())).toMatchObject({ files: [{ path: 'src/App.tsx' }], complete: true });
    const read = await call(`${root}/src/App.tsx`);
    expect([read.body.toString(), read.headers['content-type']]).toEqual(['export default 1', 'text/plain; charset=utf-8']);
    expect(read.headers['content-security-policy']).toContain('sandbox');

    const bytes = Buffer.from([0, 255, 10, 13, 128]);
    const written = await call(`${root}/public/a%20b.bin`, { method: 'PUT', body: bytes });
    expect(JSON.parse(written.body.toString())).toEqual({ path: 'public/a b.bin', sizeBytes: 5 });
    expect((await call(`${root}/public/a%20b.bin`)).body.equals(bytes)).toBe(true);
    expect((await call(`${root}/public/a%20b.bin`, { method: 'DELETE' })).status).toBe(200);
    expect((await call(`${root}/public/a%20b.bin`)).status).toBe(404);
    const { seq } = await http.stores.projects.state(projectId);
    expect(seq).toBe(2);
    for (const refused of ['..%2f..%2fetc%2fpasswd', 'node_modules/x.js', '%2fetc/passwd', 'src/%00', 'src/con', 'a%5cb']) {
      const answer = await call(`${root}/${refused}`, { method: 'PUT', body: 'x' });
      expect([answer.status, JSON.parse(answer.body.toString()).error.code], refused).toEqual([400, 'INVALID_PATH']);
    }
    // Dots in the URL that are resolved before routing lead to another route or to none.
    expect((await call(`${root}/src/%2e%2e/%2e%2e/x`, { method: 'PUT', body: 'x' })).status).toBe(404);
    expect([...files.keys()]).toEqual(['src/App.tsx']);
  });

  it('A9: never overwrites a version that the writer has not seen, and reports no conflict after a lost response', async () => {
    const path = `/api/projects/${projectId}/files/src/App.tsx`;
    const put = (body: string, headers: Record<string, string>) => call(path, { method: 'PUT', body, headers });
    const code = (answer: Answer) => [answer.status, JSON.parse(answer.body.toString()).error?.code];
    const seen = (await call(path)).headers.etag ?? '';
    expect(seen).toMatch(/^"[\w-]{43}"$/);

    const written = await put('mine', { 'if-match': seen });
    expect([written.status, written.headers.etag]).toEqual([200, (await call(path)).headers.etag]);
    expect(written.headers.etag).not.toBe(seen);
    expect(code(await put('late', { 'if-match': seen }))).toEqual([409, 'CONFLICT']);
    expect(code(await call(path, { method: 'DELETE', headers: { 'if-match': seen } }))).toEqual([409, 'CONFLICT']);
    expect(files.get('src/App.tsx')?.toString()).toBe('mine');
    // The same request again, as after a lost response.
    expect((await put('mine', { 'if-match': seen })).status).toBe(200);

    // Of two concurrent writes based on the same version, one succeeds.
    const tag = written.headers.etag ?? '';
    const both = await Promise.all([put('one', { 'if-match': tag }), put('two', { 'if-match': tag })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(files.get('src/App.tsx')?.toString()).toBe(both[0]?.status === 200 ? 'one' : 'two');

    expect(code(await put('new', { 'if-none-match': '*' }))).toEqual([409, 'CONFLICT']);
    expect(code(await put('new', { 'if-none-match': tag }))).toEqual([400, 'BAD_REQUEST']);
    expect((await call(path, { method: 'DELETE', headers: { 'if-match': '*' } })).status).toBe(200);
    expect(code(await put('late', { 'if-match': tag }))).toEqual([409, 'CONFLICT']);
    expect((await put('new', { 'if-none-match': '*' })).status).toBe(200);
    // A write without a precondition succeeds.
    expect((await put('forced', {})).status).toBe(200);
    expect(files.get('src/App.tsx')?.toString()).toBe('forced');
  });

  it('A9: returns a large file in full without a tag, and accepts writes with the matching tag', async () => {
    const path = `/api/projects/${projectId}/files/public/large.bin`;
    const large = Buffer.alloc(3 * 1024 * 1024, 'koda');
    const written = await call(path, { method: 'PUT', body: large });
    const read = await call(path);
    expect([read.body.equals(large), read.headers.etag]).toEqual([true, undefined]);
    const next = await call(path, { method: 'PUT', body: 'small', headers: { 'if-match': written.headers.etag ?? '' } });
    expect([next.status, (await call(path)).body.toString()]).toEqual([200, 'small']);
    const head = await call(path, { method: 'HEAD' });
    expect([head.status, head.headers['content-length'], head.headers.etag]).toEqual([200, '5', next.headers.etag]);
  });

  it('G2: refuses a file over 10 MB during the upload', async () => {
    const root = `/api/projects/${projectId}/files/public/big.bin`;
    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      const answer = await call(root, { method: 'PUT', headers, body: Buffer.alloc(10 * 1024 * 1024 + 1) });
      expect([answer.status, JSON.parse(answer.body.toString()).error.code]).toEqual([413, 'TOO_LARGE']);
    }
    expect(files.has('public/big.bin')).toBe(false);
  });
});

describe('uploads over HTTP', () => {
  const png = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47]), Buffer.alloc(200_000, 7)]);
  const form = (parts: { name: string; filename: string; bytes: Buffer }[]) => ({
    method: 'POST',
    headers: { 'content-type': 'multipart/form-data; boundary=----b' },
    body: Buffer.concat([
      ...parts.flatMap(({ name, filename, bytes }) => [
        Buffer.from(
          `------b\r\nContent-Disposition: form-data; name="${name}"; filename="${filename}"\r\nContent-Type: image/png\r\n\r\n`,
        ),
        bytes,
        Buffer.from('\r\n'),
      ]),
      Buffer.from('------b--\r\n'),
    ]),
  });

  it('A25: accepts uploads as a form or as a body, stores them byte by byte, and copies them into the running sandbox', async () => {
    const path = `/api/projects/${projectId}/assets`;
    for (const upload of [
      form([{ name: 'file', filename: 'ball.png', bytes: png }]),
      { method: 'POST', headers: { 'x-filename': 'ball.png' }, body: png },
    ]) {
      const made = await call(path, upload);
      expect(made.status).toBe(201);
      const asset = JSON.parse(made.body.toString());
      expect(asset).toMatchObject({ name: 'ball.png', mime: 'image/png', sizeBytes: png.length });
      expect(files.get('public/assets/ball.png')?.equals(png)).toBe(true);
      expect(JSON.parse((await call(path)).body.toString())).toEqual({ items: [asset] });
      const read = await call(`${path}/${asset.id}`);
      expect(read.body.equals(png)).toBe(true);
      expect(read.headers).toMatchObject({ 'content-type': 'image/png', 'x-content-type-options': 'nosniff' });
      expect(read.headers['content-security-policy']).toMatch(/^sandbox;/);
      expect((await call(`${path}/${asset.id}`, { method: 'DELETE' })).status).toBe(200);
      expect((await call(`${path}/${asset.id}`)).status).toBe(404);
      expect(files.has('public/assets/ball.png')).toBe(false);
    }
  });

  it('A25: refuses a file that is no image with the reason, without closing the connection', async () => {
    const path = `/api/projects/${projectId}/assets`;
    const answer = await call(path, form([{ name: 'file', filename: 'evil.html', bytes: Buffer.alloc(500_000, 60) }]));
    expect([answer.status, JSON.parse(answer.body.toString()).error.code]).toEqual([415, 'UNSUPPORTED_TYPE']);
    for (const broken of [form([]), { method: 'POST', body: png }, { ...form([]), body: Buffer.from('------b\r\nnonsense') }]) {
      expect((await call(path, broken)).status).toBe(400);
    }
  });
});

describe('bodies over HTTP', () => {
  const json = { 'content-type': 'application/json' };
  const code = (answer: Answer) => [answer.status, JSON.parse(answer.body.toString()).error?.code];

  it('G9: limits bodies to 1 MB, and allows no body where none is needed', async () => {
    const small = JSON.stringify({ prompt: 'A ball', start: false });
    const large = JSON.stringify({ prompt: 'x'.repeat(1024 * 1024) });
    expect((await call('/api/projects', { method: 'POST', headers: json, body: small })).status).toBe(201);
    expect(code(await call('/api/projects', { method: 'POST', headers: json, body: large }))).toEqual([413, 'TOO_LARGE']);
    const chunked = { ...json, 'transfer-encoding': 'chunked' };
    expect(code(await call('/api/projects', { method: 'POST', headers: chunked, body: large }))).toEqual([400, 'BAD_REQUEST']);
    expect(code(await call('/api/projects', { method: 'POST', body: small }))).toEqual([415, 'UNSUPPORTED_TYPE']);
    expect(code(await call('/api/projects', { method: 'POST' }))).toEqual([400, 'VALIDATION_ERROR']);
    expect((await call(`/api/projects/${projectId}/stop`, { method: 'POST' })).status).toBe(202);
    expect((await call(`/api/projects/${projectId}`, { method: 'DELETE' })).status).toBe(200);
  });

  it('G9: creates one project for the same Idempotency-Key, even for concurrent requests', async () => {
    const body = JSON.stringify({ prompt: 'A ball', start: false });
    const send = () => call('/api/projects', { method: 'POST', headers: { ...json, 'idempotency-key': 'k' }, body });
    const answers = await Promise.all([send(), send(), send()]);
    const { items } = await http.stores.projects.list({ cursor: null, limit: 100, search: 'A ball' });
    expect(items).toHaveLength(1);
    expect(new Set(answers.map(({ status }) => status))).not.toContain(500);
    expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
  });
});

describe('event streams over HTTP', () => {
  it('A20: a randomly disconnected client misses no event and receives none twice', async () => {
    const total = 400;
    const writing = (async () => {
      for (let step = 1; step <= total; step++) {
        // Not an event of progress, which would wait up to 50 ms for its commit.
        await http.stores.projects.record(projectId, [{ type: 'project.updated', name: `name ${step}` }], { by: testPerson });
        if (step % 10 === 0) await sleep(2);
      }
    })();
    const seen: number[] = [];
    for (let cut = 0; seen.length < total && cut < 1000; cut++) {
      const outgoing = request({
        host: '127.0.0.1',
        port,
        path: `/api/projects/${projectId}/events`,
        headers: { ...pageHeaders, host: `localhost:${port}`, 'last-event-id': String(seen.at(-1) ?? 0) },
      });
      outgoing.on('error', () => undefined);
      outgoing.end();
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      const limitBytes = 200 + ((cut * 977) % 5000);
      let received = 0;
      for await (const block of eventBlocks(answer.setEncoding('utf8'))) {
        received += block.length;
        const number = eventNumber(block);
        if (number !== null) seen.push(number);
        if (received > limitBytes || seen.length >= total) break;
      }
      outgoing.destroy();
    }
    await writing;
    expect(seen).toEqual(Array.from({ length: total }, (_, index) => index + 1));
  });

  it('A20: ends streams with a retry hint at shutdown, so that the server closes at once', async () => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      path: `/api/projects/${projectId}/events`,
      headers: { ...pageHeaders, host: `localhost:${port}` },
    });
    outgoing.end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    let text = '';
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await once(answer, 'data');
    http.closing.abort();
    // A truncated response would end with an error.
    await Promise.all([closeServer(server), once(answer, 'end')]);
    expect(text).toMatch(/retry: \d+\n: the server restarts\n\n$/);
  });

  it('A20: leaves no connection behind after viewers disconnect', async () => {
    const before = openFiles();
    for (let index = 0; index < 100; index++) {
      const outgoing = request({
        host: '127.0.0.1',
        port,
        path: `/api/projects/${projectId}/events`,
        headers: { ...pageHeaders, host: `localhost:${port}` },
      });
      outgoing.on('error', () => undefined);
      outgoing.end();
      if (index % 2 === 0) await once(outgoing, 'response');
      outgoing.destroy();
    }
    await vi.waitFor(() => expect(openFiles()).toBeLessThanOrEqual(before + 2), { timeout: 120_000 });
  });
});

describe('starting', () => {
  it('reports in one sentence that the port is in use', async () => {
    const { port: taken } = server.address() as AddressInfo;
    const { createServer } = await import('node:http');
    await expect(listen(createServer(), { port: taken, host: '127.0.0.1' })).rejects.toThrow(
      `Port ${taken} is in use by another program.`,
    );
  });

  it('G9: the parser ends a request whose header never completes', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET / HTTP/1.1\r\nHost: localhost:${port}\r\nX: ${'a'.repeat(100_000)}`);
    const [answer] = (await once(socket.setEncoding('utf8'), 'data')) as [string];
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    socket.destroy();
    expect((await call('/api/health')).status).toBe(200);
  });
});
