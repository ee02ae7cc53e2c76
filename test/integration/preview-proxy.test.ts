import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createNetServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createServer as createViteServer } from 'vite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createHostPolicy } from '../../server/http/edge/hosts.ts';
import { PreviewLaunches } from '../../server/http/preview/launches.ts';
import { createPreviewProxy } from '../../server/http/preview/proxy.ts';
import { createStudioServer } from '../../server/http/server.ts';
import { type HttpFixture, httpFixture } from '../fixtures/http.ts';
import { pageHeaders } from '../fixtures/page-requests.ts';
import { newProject } from '../fixtures/storage.ts';
import { acceptKey, openWebSocket, readFrame, textFrame } from '../fixtures/websocket.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let folder: string;
let http: HttpFixture;
let studio: Server;
let launches: PreviewLaunches;
let port: number;
let label: string;
let socketPath: string | null;
let sandbox: Server;
/** Every request that reached the sandbox. */
let reached: { url: string; headers: IncomingHttpHeaders }[];
/** Callers that wait for their request to arrive, by its path. */
const awaited = new Map<string, () => void>();
const ensurePreview = vi.fn(async () => undefined);
const dataStored = vi.fn();

const hostileHeaders = {
  'set-cookie': 'a=1; Domain=localhost; Path=/',
  'service-worker-allowed': '/',
  'clear-site-data': '"*"',
  'content-security-policy': "img-src 'self'; report-uri http://evil.example/",
  'content-security-policy-report-only': "img-src 'none'; report-uri http://evil.example/",
  'connection-allowlist': '("http://evil.example/*")',
  link: '<http://evil.example/>; rel=preconnect',
  refresh: '0; url=http://evil.example/',
};

const identityHeaders = {
  'x-auth-request-access-token': 'secret',
  'cf-access-jwt-assertion': 'secret',
  'cf-access-client-secret': 'secret',
  'x-amzn-oidc-data': 'secret',
  'x-goog-iap-jwt-assertion': 'secret',
  'x-authentik-jwt': 'secret',
  'x-pomerium-jwt-assertion': 'secret',
  'remote-user': 'secret',
  'tailscale-user-login': 'secret',
  'x-ms-client-principal': 'secret',
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'koda-proxy-'));
  reached = [];
  ensurePreview.mockClear();
  dataStored.mockClear();
  const note = ({ url = '', headers }: IncomingMessage): void => {
    reached.push({ url, headers });
    awaited.get(url)?.();
  };
  sandbox = createServer((incoming, outgoing) => {
    note(incoming);
    if (incoming.url?.startsWith('/hang')) return;
    if (incoming.url === '/break') {
      outgoing.writeHead(200, { 'content-length': '1000' });
      outgoing.write('half');
      setTimeout(() => outgoing.destroy(), 20);
      return;
    }
    if (incoming.url?.startsWith('/endless')) {
      const timer = setInterval(() => outgoing.write('x'.repeat(1000)), 5);
      outgoing.once('close', () => clearInterval(timer));
      return;
    }
    outgoing.writeHead(200, { 'content-type': 'application/json', ...hostileHeaders });
    incoming.pipe(outgoing);
    if (incoming.method === 'GET') outgoing.end(JSON.stringify({ from: 'sandbox', url: incoming.url }));
  });
  sandbox.on('upgrade', (incoming: IncomingMessage, socket) => {
    note(incoming);
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.destroy());
    if (incoming.url?.startsWith('/hang')) return void socket.resume();
    const accept = acceptKey(incoming.headers['sec-websocket-key'] ?? '');
    const extra = Object.entries(hostileHeaders).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n${extra.join('')}\r\n`,
    );
    socket.on('data', (chunk: Buffer) => socket.write(textFrame(`echo ${readFrame(chunk)?.text}`, { masked: false })));
  });
  socketPath = join(folder, 'preview.sock');
  sandbox.listen(socketPath);
  await once(sandbox, 'listening');

  const hosts = createHostPolicy({ port: () => port, publicUrl: null, allowedHosts: [], previewDomain: 'localhost' });
  launches = new PreviewLaunches({ isSecure: false });
  http = httpFixture({ hosts, launches });
  const { previewLabel } = await http.stores.projects.create(newProject());
  label = previewLabel;
  const log = pino({ level: 'silent' });
  const previews = createPreviewProxy({
    store: http.stores.projects,
    projects: { ensurePreview, dataStored },
    socketPath: () => socketPath,
    hosts,
    launches,
    log,
  });
  studio = createStudioServer({ app: http.app, previews, hosts, isLocal: () => true, log });
  studio.listen(0, '127.0.0.1');
  await once(studio, 'listening');
  port = (studio.address() as AddressInfo).port;
});

afterEach(async () => {
  for (const server of [studio, sandbox]) {
    server.closeAllConnections();
    server.close();
  }
  http[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const previewHost = () => `${label}.localhost:${port}`;

async function get(
  path: string,
  headers: Record<string, string> = {},
  options: { method?: string; body?: string } = {},
): Promise<Answer> {
  const outgoing = request({
    host: '127.0.0.1',
    port,
    path,
    method: options.method ?? 'GET',
    headers: { host: previewHost(), ...headers },
  });
  outgoing.end(options.body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of answer.setEncoding('utf8')) body += chunk;
  return { status: answer.statusCode ?? 0, headers: answer.headers, body };
}

/** Starts a sandbox that responds to every request with these bytes. */
async function sandboxThatSends(bytes: string) {
  const sockets: Socket[] = [];
  const hostile = createNetServer((socket) => {
    sockets.push(socket.on('error', () => socket.destroy()));
    socket.once('data', () => socket.write(bytes, 'latin1'));
  });
  socketPath = join(folder, 'hostile.sock');
  hostile.listen(socketPath);
  await once(hostile, 'listening');
  return {
    sockets,
    [Symbol.dispose]() {
      for (const socket of sockets) socket.destroy();
      hostile.close();
    },
  };
}

/** Sends raw bytes and reads until the other side closes. */
async function raw(text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(text);
  let answer = '';
  for await (const chunk of socket.setEncoding('utf8')) answer += chunk;
  return answer;
}

describe('preview proxy', () => {
  it('A15: forwards a preview host to the sandbox, without secrets in requests or claims in responses', async () => {
    const secrets = { cookie: 'session=1', authorization: 'Bearer x', forwarded: 'for=1.2.3.4', 'x-forwarded-for': '1.2.3.4' };
    const answer = await get('/src/main.ts?x=1', { ...secrets, origin: `http://${previewHost()}` });
    expect(answer).toMatchObject({ status: 200, body: JSON.stringify({ from: 'sandbox', url: '/src/main.ts?x=1' }) });
    expect(reached[0]?.headers).toEqual({ host: 'localhost', origin: 'http://localhost', connection: 'close' });
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(answer.headers).not.toHaveProperty('service-worker-allowed');
    expect(answer.headers).not.toHaveProperty('clear-site-data');
    expect(answer.headers['content-security-policy']).toContain(
      `frame-ancestors http://localhost:${port} http://127.0.0.1:${port}`,
    );
    expect(await get('/echo', {}, { method: 'POST', body: 'words' })).toMatchObject({ status: 200, body: 'words' });
  });

  it('reports data that a page has stored, and nothing that was only read or refused', async () => {
    await get('/api/records');
    expect(dataStored).not.toHaveBeenCalled();
    expect((await get('/api/changes', {}, { method: 'POST', body: '{}' })).status).toBe(200);
    expect(dataStored).toHaveBeenCalledOnce();
    using _ = await sandboxThatSends('HTTP/1.1 409 Conflict\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
    expect((await get('/api/changes', {}, { method: 'POST', body: '{}' })).status).toBe(409);
    expect(dataStored).toHaveBeenCalledOnce();
  });

  it('A15: serves no API on preview hosts and no previews on the studio host', async () => {
    expect(JSON.parse((await get('/api/projects')).body)).toEqual({ from: 'sandbox', url: '/api/projects' });
    const api = await get('/api/projects', { ...pageHeaders, host: `localhost:${port}` });
    expect(JSON.parse(api.body)).toHaveProperty('items');
    const before = reached.length;
    for (const host of [
      'evil.example',
      `evil.example:${port}`,
      `${label}.evil.example`,
      `x.${label}.localhost:${port}`,
      `${label}.localhost.`,
    ]) {
      expect((await get('/api/projects', { host })).status, host).toBe(403);
    }
    expect((await get('/', { host: `unknown.localhost:${port}` })).status).toBe(404);
    expect(reached).toHaveLength(before);
  });

  it('A15: shows that the preview is starting, and starts it, while the sandbox is down', async () => {
    socketPath = null;
    const down = await get('/', { accept: 'text/html' });
    expect(down.status).toBe(503);
    expect(down.body).toContain('The preview is starting');
    expect(down.body).toContain('http-equiv="refresh"');
    expect(down.headers['content-security-policy']).toContain(`frame-ancestors http://localhost:${port}`);
    // Chromium isolates an origin only if all its responses request it.
    expect(down.headers['origin-agent-cluster']).toBe('?1');
    expect(ensurePreview).toHaveBeenCalledTimes(1);
    // The response is the same if the socket exists without a listener.
    socketPath = join(folder, 'gone.sock');
    expect((await get('/')).status).toBe(503);
    expect(ensurePreview).toHaveBeenCalledTimes(2);
  });

  it('A30: a page that reconnects by itself does not wake a suspended preview', async () => {
    socketPath = null;
    await expect(openWebSocket(port, { path: '/', headers: { host: previewHost() } })).rejects.toThrow();
    expect(ensurePreview).toHaveBeenCalledExactlyOnceWith(expect.any(String), { isRepeated: true });
  });

  it('A15: follows no link that a sandbox creates in place of its socket', async () => {
    const link = join(folder, 'link.sock');
    symlinkSync(join(folder, 'preview.sock'), link);
    const file = join(folder, 'file.sock');
    writeFileSync(file, '');
    for (const path of [link, file]) {
      socketPath = path;
      expect((await get('/')).status).toBe(503);
      await expect(openWebSocket(port, { path: '/', headers: { host: previewHost() } })).rejects.toThrow();
    }
    expect(reached).toHaveLength(0);
  });

  it('A15: serves no service worker', async () => {
    expect((await get('/sw.js', { 'service-worker': 'script' })).status).toBe(403);
    expect(reached).toHaveLength(0);
  });

  it('A15: forwards WebSocket messages in both directions', async () => {
    const headers = { host: previewHost(), origin: `http://${previewHost()}`, cookie: 'session=1' };
    const client = await openWebSocket(port, { path: '/hmr?token=1', headers });
    expect(client.headers).not.toHaveProperty('set-cookie');
    expect(client.headers).not.toHaveProperty('clear-site-data');
    expect(reached[0]).toMatchObject({ url: '/hmr?token=1', headers: { host: 'localhost', origin: 'http://localhost' } });
    expect(reached[0]?.headers).not.toHaveProperty('cookie');
    client.send('one');
    expect(await client.next()).toBe('echo one');
    client.send('two');
    expect(await client.next()).toBe('echo two');
    client.socket.destroy();
  });

  it('A15: refuses WebSockets of other pages, WebSockets to the studio, and malformed ones', async () => {
    const open = (headers: Record<string, string>) =>
      openWebSocket(port, { path: '/', headers: { host: previewHost(), ...headers } });
    await expect(open({ origin: 'http://evil.example' })).rejects.toThrow('403');
    await expect(open({ origin: `http://localhost:${port}` })).rejects.toThrow('403');
    await expect(open({ host: `localhost:${port}` })).rejects.toThrow('403');
    await expect(open({ host: 'evil.example' })).rejects.toThrow('403');
    await expect(open({ host: `unknown.localhost:${port}` })).rejects.toThrow('404');
    await expect(open({ upgrade: 'h2c' })).rejects.toThrow('400');
    await expect(open({ 'sec-websocket-version': '8' })).rejects.toThrow('400');
    await expect(open({ 'content-length': '5' })).rejects.toThrow('400');
    expect(reached).toHaveLength(0);
  });

  it('A15: refuses smuggled requests and closes the connection', async () => {
    const host = `Host: ${previewHost()}\r\n`;
    const smuggled = `GET /smuggled HTTP/1.1\r\n${host}\r\n`;
    const attempts = [
      `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled}`,
      `POST / HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello${smuggled}`,
      `POST / HTTP/1.1\r\n${host}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled}`,
      `GET / HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 40\r\n\r\n${smuggled}`,
      `GET http://localhost:${port}/api/projects HTTP/1.1\r\n${host}\r\n`,
      `GET / HTTP/1.1\r\n\r\n`,
    ];
    for (const attempt of attempts) expect(await raw(attempt), attempt).toMatch(/^HTTP\/1\.1 400 /);
    expect(reached.filter(({ url }) => url === '/smuggled')).toHaveLength(0);
  });

  it('A15: closes the connection of an upgrade that the sandbox answers with a page', async () => {
    sandbox.removeAllListeners('upgrade');
    const headers = {
      host: previewHost(),
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    };
    const outgoing = request({ host: '127.0.0.1', port, path: '/', headers });
    outgoing.end();
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    answer.resume();
    expect(answer).toMatchObject({ statusCode: 200, headers: { connection: 'close' } });
  });

  it('A15: ends a response that the sandbox has aborted', async () => {
    await expect(get('/break')).rejects.toThrow();
  });

  it.each([
    ['a number that is none of an answer', 'HTTP/1.1 042 X\r\nContent-Length: 0\r\n\r\n', '502'],
    ['no number at all', 'HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n', '502'],
    ['words that cannot be sent on', 'HTTP/1.1 200 a\x01b\r\nContent-Length: 0\r\n\r\n', '200'],
    ['a trailer without chunks', 'HTTP/1.1 200 X\r\nTrailer: x\r\nContent-Length: 0\r\n\r\n', '200'],
    ['an upgrade that was not asked for', 'HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n', 'cut'],
    ['an upgrade in name only', 'HTTP/1.1 101 X\r\n\r\n', '502'],
    ['a header that is none', 'HTTP/1.1 200 X\r\nX: a\x01b\r\n\r\n', '503'],
    ['more than it said', 'HTTP/1.1 200 X\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n', 'cut'],
    ['no HTTP', 'GOPHER\r\n\r\n', '503'],
  ])('A15: outlives a sandbox that answers with %s', async (_what, answer, seen) => {
    using hostile = await sandboxThatSends(answer);
    // An unhandled server error fails the run.
    const asked = await get('/').catch(() => null);
    expect(asked?.status.toString() ?? 'cut').toBe(seen);
    const upgraded = openWebSocket(port, { path: '/', headers: { host: previewHost() } });
    const over = upgraded.then(
      ({ socket }) => socket.destroy(),
      () => undefined,
    );
    await vi.waitFor(() => expect(hostile.sockets).toHaveLength(2), { timeout: 100_000 });
    // Some clients wait for the rest of a response until the sandbox ends.
    for (const socket of hostile.sockets) socket.destroySoon();
    await over;
    socketPath = join(folder, 'preview.sock');
    expect((await get('/')).status).toBe(200);
  });

  it('H3: forwards no early hints, no repeated headers, and none that a reverse proxy would remove', async () => {
    const repeated = 'Link: <http://evil.example/>; rel=preconnect\r\n'.repeat(2);
    const policies = 'Content-Security-Policy: report-uri http://evil.example/\r\n'.repeat(2);
    const connection = 'Connection: close, Content-Security-Policy, Connection-Allowlist\r\n';
    using hostile = await sandboxThatSends(
      `HTTP/1.1 103 Early Hints\r\n${repeated}\r\nHTTP/1.1 200 OK\r\n${repeated}${policies}${connection}Content-Length: 0\r\n\r\n`,
    );
    const hints = vi.fn();
    const outgoing = request({ host: '127.0.0.1', port, headers: { host: previewHost() } }).on('information', hints);
    outgoing.end();
    const [{ rawHeaders, statusCode }] = (await once(outgoing, 'response')) as [IncomingMessage];
    expect(statusCode).toBe(200);
    expect(hostile.sockets).toHaveLength(1);
    expect(hints).not.toHaveBeenCalled();
    const values = (name: string) => rawHeaders.filter((_value, index) => rawHeaders[index - 1]?.toLowerCase() === name);
    expect(values('link')).toEqual([]);
    expect(values('connection')).toEqual(['close']);
    expect(values('connection-allowlist')).toEqual(['(response-origin)']);
    expect(values('content-security-policy')).toEqual([expect.not.stringContaining('evil')]);
  });

  it('H3: drops redirects to other hosts', async () => {
    const response = (location: string) => `HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`;
    for (const [location, sent] of [
      ['http://evil.example/?data', undefined],
      ['//evil.example/', undefined],
      ['/next', '/next'],
    ] as const) {
      using _hostile = await sandboxThatSends(response(location));
      expect((await get('/')).headers.location).toBe(sent);
    }
  });

  it('H3: limits the connections of every response, also of its own pages and of redirects', async () => {
    const found = async (...request: Parameters<typeof get>) => {
      const { status, headers } = await get(...request);
      return [status, headers['connection-allowlist'], headers['origin-agent-cluster']];
    };
    const limits = ['(response-origin)', '?1'];
    expect(await found('/')).toEqual([200, ...limits]);
    expect(await found('/sw.js', { 'service-worker': 'script' })).toEqual([403, ...limits]);
    expect(await found('/', { host: `unknown.localhost:${port}` })).toEqual([404, ...limits]);
    expect(await found(`/${launches.issue(label)}/`)).toEqual([303, ...limits]);
    socketPath = null;
    expect(await found('/')).toEqual([503, ...limits]);
    const rejected = await raw(`GET / HTTP/1.1\r\nHost: ${previewHost()}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`);
    expect(rejected).toMatch(/^connection-allowlist: \(response-origin\)\r?$/im);
  });

  it('H3: loads as a page of its own only by a launch of the studio, once, and then in a sandbox', async () => {
    const page = { accept: 'text/html', 'sec-fetch-dest': 'document' };
    const refused = await get('/', page);
    expect(refused).toMatchObject({ status: 403, body: expect.stringContaining('Open this preview from the studio') });
    const { id } = (await http.stores.projects.findByPreviewLabel(label)) ?? { id: '' };
    expect(refused.body).toContain(`href="http://localhost:${port}/p/${id}"`);
    // The link needs the studio's origin, and the page has no code.
    expect(refused.headers['connection-allowlist']).toBe(`(response-origin "http://localhost:${port}")`);
    expect(refused.headers['content-security-policy']).toMatch(/^default-src 'none'/);
    expect(reached).toHaveLength(0);

    const launch = await get(`/proxy/${id}/a?b=1`, { host: `localhost:${port}`, 'sec-fetch-site': 'same-origin' });
    expect(launch.status).toBe(302);
    const { host, pathname, search } = new URL(launch.headers.location ?? '');
    expect(host).toBe(previewHost());
    const launched = await get(pathname + search, page);
    expect(launched).toMatchObject({ status: 303, headers: { location: '/a?b=1' } });
    expect((await get(pathname + search, page)).status).toBe(403);
    expect(reached).toHaveLength(0);

    const cookie = String(launched.headers['set-cookie']).split(';')[0] ?? '';
    const shown = await get('/a?b=1', { ...page, cookie });
    expect(shown.status).toBe(200);
    expect(shown.headers['content-security-policy']).toContain('sandbox allow-scripts allow-same-origin');
    expect(reached.map(({ url, headers }) => [url, headers.cookie])).toEqual([['/a?b=1', undefined]]);

    const framed = await get('/', { accept: 'text/html', 'sec-fetch-dest': 'iframe' });
    expect(framed.headers['content-security-policy']).not.toContain('sandbox');
    // Programs and old browsers send no such header.
    expect((await get('/')).headers['content-security-policy']).toContain('sandbox allow-scripts allow-same-origin');
  });

  it('M7: forwards no identity headers of a reverse proxy, neither in requests nor in upgrades', async () => {
    const secrets = { ...identityHeaders, cookie: 'secret', authorization: 'secret' };
    await get('/', secrets);
    const client = await openWebSocket(port, { path: '/hmr', headers: { host: previewHost(), ...secrets } });
    client.socket.destroy();
    expect(reached).toHaveLength(2);
    expect(JSON.stringify(reached)).not.toContain('secret');
  });

  it('A15: 1,000 aborted requests and upgrades leave no connection behind', async () => {
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const abort = async (index: number): Promise<void> => {
      const kind = index % 4;
      const path = `/${['hang', 'endless', 'hang', 'ws'][kind]}?${index}`;
      const upgrade = {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
      };
      const outgoing = request({
        host: '127.0.0.1',
        port,
        path,
        headers: { host: previewHost(), ...(kind >= 2 ? upgrade : {}) },
      });
      outgoing.on('error', () => undefined);
      outgoing.on('response', (answer) => answer.on('error', () => undefined).resume());
      outgoing.on('upgrade', (_answer, socket) => {
        socket.on('error', () => undefined);
        setTimeout(() => socket.destroy(), 5);
      });
      const arrived = new Promise<void>((resolve) => awaited.set(path, resolve));
      outgoing.end();
      // Half of the clients disconnect at any stage; on a busy machine, that may be before the start.
      await (index % 8 < 4 ? arrived : sleep(5 + (index % 11)));
      outgoing.destroy();
      await new Promise((resolve) => (outgoing.closed || kind === 3 ? resolve(null) : outgoing.once('close', resolve)));
    };
    for (let index = 0; index < 40; index++) await abort(index);
    await sleep(300);
    const before = openFiles();
    for (let round = 0; round < 50; round++)
      await Promise.all(Array.from({ length: 20 }, (_, index) => abort(round * 20 + index)));
    await vi.waitFor(() => expect(openFiles()).toBeLessThanOrEqual(before + 2), { timeout: 100_000, interval: 200 });
    expect(reached.length).toBeGreaterThanOrEqual(500);
  });

  it('A15: survives clients that disconnect at once, whatever upgrade they request', async () => {
    const hosts = [`localhost:${port}`, previewHost(), `unknown.localhost:${port}`, 'evil.example'];
    const upgrade = (host: string) => `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    for (let round = 0; round < 40; round++) {
      const closed = Array.from({ length: 20 }, (_, index) => {
        const socket = connect(port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(upgrade(hosts[index % hosts.length] ?? ''), () => socket.resetAndDestroy());
        return once(socket, 'close');
      });
      await Promise.all(closed);
    }
    // An unhandled server error fails the run.
    expect((await get('/')).status).toBe(200);
  });

  it('A15: forwards hot reload of a real dev server: an edit arrives in the open page', async () => {
    writeFileSync(join(folder, 'index.html'), '<script type="module" src="/main.js"></script>');
    writeFileSync(join(folder, 'main.js'), 'export const a = 1; import.meta.hot.accept();');
    const vite = await createViteServer({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      cacheDir: join(folder, '.vite'),
      server: { port: 0, host: '127.0.0.1' },
    });
    await vite.listen();
    const address = vite.httpServer?.address();
    if (typeof address !== 'object' || address === null) throw new Error('the dev server does not listen');
    const vitePort = address.port;
    // Forwards raw bytes from the socket to the dev server, as in a sandbox.
    const bridge = createNetServer((inner) => {
      const outer = connect(vitePort, '127.0.0.1');
      inner.pipe(outer).pipe(inner);
      for (const end of [inner, outer]) end.on('error', () => [inner, outer].map((socket) => socket.destroy()));
    });
    socketPath = join(folder, 'vite.sock');
    bridge.listen(socketPath);
    await once(bridge, 'listening');
    try {
      expect((await get('/', { accept: 'text/html' })).body).toContain('/@vite/client');
      const token = /wsToken = "([^"]+)"/.exec((await get('/@vite/client')).body)?.[1];
      await get('/main.js');
      const headers = { host: previewHost(), origin: `http://${previewHost()}`, 'sec-websocket-protocol': 'vite-hmr' };
      const client = await openWebSocket(port, { path: `/?token=${token}`, headers });
      expect(JSON.parse(await client.next())).toEqual({ type: 'connected' });
      // The first edit may come before the watcher starts.
      const edit = () => writeFileSync(join(folder, 'main.js'), 'export const a = 2; import.meta.hot.accept();');
      edit();
      const editing = setInterval(edit, 1000);
      let message = JSON.parse(await client.next());
      while (message.type === 'ping') message = JSON.parse(await client.next());
      clearInterval(editing);
      expect(message).toMatchObject({ type: 'update', updates: [{ path: '/main.js' }] });
      expect((await get(`/main.js?t=${Date.now()}`)).body).toContain('a = 2');
      client.socket.destroy();
    } finally {
      bridge.close();
      await vite.close();
    }
  });
});
