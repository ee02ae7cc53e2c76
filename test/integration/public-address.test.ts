import { type IncomingHttpHeaders, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { koda } from '../fixtures/koda-command.ts';
import { connectMcp } from '../fixtures/mcp-client.ts';
import { type StudioProcess, studioProcess } from '../fixtures/studio-process.ts';

const publicUrl = 'https://example.org:8443/koda';
const token = 'the-token-of-the-operator';
const authorization = `Bearer ${token}`;

let studio: StudioProcess;
beforeAll(async () => {
  studio = await studioProcess({ env: { KODA_PUBLIC_URL: publicUrl, KODA_ACCESS_TOKEN: token } });
  await studio.start();
});
afterAll(() => studio[Symbol.asyncDispose]());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Sends a request as a reverse proxy on this computer does. */
function passOn(path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const sent = request({ host: '127.0.0.1', port: studio.port, path, headers: { host: 'example.org:8443', ...headers } });
  sent.on('error', reject).on('response', (response) => {
    void text(response).then((body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }), reject);
  });
  sent.end();
  return promise;
}

it('F2: answers below its path, and to a proxy that strips the path', async () => {
  for (const path of ['/koda/api/projects?limit=1', '/api/projects?limit=1']) {
    expect((await passOn(path)).status, path).toBe(401);
    expect((await passOn(path, { authorization })).status, path).toBe(200);
    expect((await passOn(path, { authorization, host: 'example.org' })).status, path).toBe(200);
    expect((await passOn(path, { authorization, host: 'evil.example' })).status, path).toBe(403);
    expect((await passOn(path, { authorization, origin: 'http://example.org:8443' })).status, path).toBe(200);
  }
  for (const path of ['/koda/koda/api/projects', '/kodak/api/projects', '/koda/api/nothing'])
    expect((await passOn(path, { authorization })).body, path).not.toContain('"items"');
  const document = z.object({ servers: z.array(z.object({ url: z.string() })) });
  expect(document.parse(JSON.parse((await passOn('/koda/api/openapi.json', { authorization })).body)).servers).toEqual([
    { url: publicUrl },
  ]);
});

it('F2: MCP results have the public address, whatever the client and its proxy say', async () => {
  const headers = {
    authorization,
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  };
  await using mcp = await connectMcp(studio.url, { headers });
  const created = await fetch(`${studio.url}/api/projects`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'A red ball', start: false }),
  });
  const { id } = z.object({ id: z.string() }).parse(await created.json());
  const url = `${publicUrl}/p/${id}`;
  expect(await mcp.call('list_projects')).toMatchObject({ projects: [{ url }] });
  expect(await mcp.call('show_project', { project_id: id })).toMatchObject({ url });
});

it('F2: the command line prints addresses that other computers can open', async () => {
  const env = { KODA_URL: studio.url, KODA_TOKEN: token, KODA_PUBLIC_URL: publicUrl };
  const listed = await koda(['list', '--json'], { env });
  const [project] = z.array(z.object({ id: z.string() })).parse(JSON.parse(listed.stdout));
  expect((await koda(['show', project?.id ?? ''], { env })).stdout).toContain(`${publicUrl}/p/${project?.id}`);
  const other = await koda(['show', project?.id ?? '', '--url', studio.url], { env });
  expect(other.stdout).toContain(`${studio.url}/p/${project?.id}`);
});
