import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { assetSchema } from '#contract/project.ts';
import { readLocalKey } from '../../server/access/local-key.ts';
import { startTestStudio } from '../fixtures/app.ts';
import { koda } from '../fixtures/koda-command.ts';
import { studioProcess } from '../fixtures/studio-process.ts';

interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Sends a request with exactly these headers, which `fetch` would not. */
async function send(
  url: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: IncomingHttpHeaders; body?: string } = {},
): Promise<Answer> {
  const asked = request(url, { method, headers }).end(body);
  const [answer] = await once(asked, 'response');
  return { status: answer.statusCode, body: await text(answer) };
}

/** An address of this machine that is not a loopback address, so that a connection to it comes from elsewhere. */
function ownAddress(): string {
  const found = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal);
  if (found === undefined) throw new Error('This machine has no address besides its loopback addresses.');
  return found.address;
}

const json = { 'content-type': 'application/json' };
const tokenRequest = JSON.stringify({ name: 'thief', scopes: ['read', 'run'], projects: 'all' });
const accessToken = 'a-token-that-only-the-operator-has';

it.each([
  { KODA_HOST: '0.0.0.0' },
  { KODA_HOST: '0.0.0.0', KODA_PUBLISHED_ON: '0.0.0.0' },
  { KODA_ALLOWED_HOSTS: 'studio.example.org' },
])('H1: the server does not start where other computers reach it, unless everybody needs a token: %o', async (env) => {
  await using studio = await studioProcess({ env });
  const { exitCode, output } = await studio.startToFail();
  expect(exitCode).toBe(2);
  expect(output).toMatch(/lets other computers reach the studio, so set KODA_ACCESS_TOKEN/);
});

it('H1: a neighbour who pretends to be this computer gets nothing', async () => {
  await using studio = await studioProcess({ env: { KODA_HOST: '0.0.0.0', KODA_ACCESS_TOKEN: accessToken } });
  await studio.start();
  const elsewhere = `http://${ownAddress()}:${studio.port}`;
  const host = `localhost:${studio.port}`;
  const forged = { host, 'sec-fetch-site': 'same-origin', origin: `http://${host}` };
  for (const headers of [{ host }, forged, { ...forged, 'x-forwarded-for': '127.0.0.1' }]) {
    expect((await send(`${elsewhere}/api/backup`, { method: 'POST', headers })).status).toBe(403);
    for (const path of ['/api/projects', '/api/tokens', '/'])
      expect((await send(elsewhere + path, { headers })).status, path).toBe(403);
    const made = await send(`${elsewhere}/api/tokens`, { method: 'POST', headers: { ...headers, ...json }, body: tokenRequest });
    expect(made.status).toBe(403);
  }
  // A preview's name stands for this computer too.
  expect((await send(elsewhere, { headers: { host: `abc.${host}` } })).status).toBe(403);
  const socket = connect(studio.port, ownAddress());
  socket.write(`GET / HTTP/1.1\r\nHost: abc.${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 403 /);
  // Browsers on this computer need the token as well.
  expect((await send(`${studio.url}/api/projects`, { headers: forged })).status).toBe(401);
  const authorization = `Bearer ${accessToken}`;
  expect((await send(`${studio.url}/api/projects`, { headers: { host, authorization } })).status).toBe(200);
});

it('H2: behind nginx with its default configuration, visitors are not this computer', async () => {
  await using studio = await studioProcess();
  await studio.start();
  // What nginx sends for `proxy_pass http://localhost:…`: the upstream's host, and the client's other headers.
  const proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: new URL(studio.url).host, connection: 'close' };
    const passed = request(studio.url + incoming.url, { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const site = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const program = { host: 'studio.example.org' };
  const page = { ...program, origin: 'https://studio.example.org', 'sec-fetch-site': 'same-origin' };
  for (const [status, headers] of [
    [401, program],
    [403, page],
  ] as const) {
    expect(
      (await send(`${site}/api/tokens`, { method: 'POST', headers: { ...headers, ...json }, body: tokenRequest })).status,
    ).toBe(status);
    expect((await send(`${site}/api/backup`, { method: 'POST', headers })).status).toBe(status);
  }
  const tokens = await send(`${studio.url}/api/tokens`, { headers: { authorization: `Bearer ${readLocalKey(studio.dataDir)}` } });
  expect([tokens.status, JSON.parse(tokens.body)]).toEqual([200, { items: [] }]);
  proxy.close();
});

it('M5: another user of the computer needs the key, which only the owner of the data folder can read', async () => {
  await using studio = await studioProcess();
  await studio.start();
  const { id } = JSON.parse(
    (
      await send(`${studio.url}/api/projects`, {
        method: 'POST',
        headers: { ...json, authorization: `Bearer ${readLocalKey(studio.dataDir)}` },
        body: JSON.stringify({ prompt: 'A red ball', start: false }),
      })
    ).body,
  );
  const command = JSON.stringify({ name: 'run_command', input: { command: 'id' } });
  const ran = await send(`${studio.url}/api/projects/${id}/tools`, { method: 'POST', headers: json, body: command });
  expect(ran.status).toBe(401);
  expect(statSync(join(studio.dataDir, 'local-key')).mode & 0o777).toBe(0o600);
  expect(statSync(studio.dataDir).mode & 0o777).toBe(0o700);
  const list = (env: Record<string, string>) => koda(['--url', studio.url, 'list'], { env });
  expect((await list({ KODA_DATA_DIR: studio.dataDir })).code).toBe(0);
  const refused = await list({ KODA_DATA_DIR: '/nowhere' });
  expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining('needs an access token')]);
  // A key of an earlier start opens nothing.
  const old = readLocalKey(studio.dataDir);
  await studio.end('SIGTERM');
  await studio.start();
  expect((await list({ KODA_TOKEN: old })).code).toBe(3);
  expect((await list({ KODA_DATA_DIR: studio.dataDir })).code).toBe(0);
});

it('A15: a project has no upload and no message of another one', async () => {
  await using studio = await startTestStudio();
  const [own, foreign] = await Promise.all(
    ['One', 'Two'].map((prompt) => studio.send<{ id: string }>('POST', '/api/projects', { prompt, start: false })),
  );
  const logo = readFileSync(join(import.meta.dirname, '../fixtures/logo.png'));
  const uploads = `/api/projects/${foreign?.id}/assets`;
  const uploaded = await studio.call(uploads, { method: 'POST', headers: { 'x-filename': 'a.png' }, body: logo });
  const { id: aid } = assetSchema.parse(await uploaded.json());
  const { messageId: mid } = await studio.send<{ messageId: string }>('POST', `/api/projects/${foreign?.id}/messages`, {
    content: 'Hello',
  });
  for (const [method, path] of [
    ['GET', `assets/${aid}`],
    ['DELETE', `assets/${aid}`],
    ['DELETE', `messages/${mid}`],
  ] as const)
    expect((await studio.call(`/api/projects/${own?.id}/${path}`, { method })).status, path).toBe(404);
  expect((await studio.call(`${uploads}/${aid}`)).status).toBe(200);
});
