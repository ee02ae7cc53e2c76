import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApprovalResponse } from '#contract/project.ts';
import type { PrivateAddresses } from '../../server/lib/outbound-fetch.ts';
import { SecretFile } from '../../server/storage/secret-file.ts';
import type { ApprovalRequest, ToolContext } from '../../server/tools/context.ts';
import { readServerFile } from '../../server/tools/outside/server-file.ts';
import { McpServers, storedServersSchema } from '../../server/tools/outside/servers.ts';
import { ToolRegistry as Registry, type ToolRegistry } from '../../server/tools/tool.ts';
import { orders, outsideTools, startOutsideServer, startPlainServer } from '../fixtures/outside-server.ts';

let folder: string;
let opened: McpServers[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'koda-mcp-'));
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((servers) => servers.close()));
  await rm(folder, { recursive: true, force: true });
});

const filePath = () => join(folder, 'mcp-servers.json');

async function open({
  callMs = 100_000,
  connectMs = 100_000,
  listed = new Map(),
  hasSearchServer = false,
  privateAddresses = 'allow' as PrivateAddresses,
  log = pino({ level: 'silent' }),
} = {}): Promise<McpServers> {
  const servers = await McpServers.open({
    file: new SecretFile(filePath(), storedServersSchema),
    ...{
      listed,
      hasSearchServer,
      version: '0.0.0',
      timeouts: { connectMs, callMs },
      ...{ privateAddresses, log },
    },
  });
  opened.push(servers);
  return servers;
}

const named = (servers: McpServers, name: string) => servers.view().servers.find((server) => server.name === name);
const until = async (condition: () => void) => await vi.waitFor(condition, { timeout: 100_000, interval: 20 });
const connected = (servers: McpServers, name = 'brand') =>
  until(() => expect(named(servers, name)).toMatchObject({ state: 'connected' }));

/** Opens servers with one that is connected, and whose tools are all allowed. */
async function allowed(url: string, options: Parameters<typeof open>[0] = {}): Promise<McpServers> {
  const servers = await open(options);
  await servers.save('brand', { url });
  await connected(servers);
  for (const { name, problem } of named(servers, 'brand')?.tools ?? [])
    if (problem === null) await servers.setRisk({ server: 'brand', tool: name, risk: 'allowed' });
  return servers;
}

const registryOf = (servers: McpServers): ToolRegistry => new Registry(servers.tools());

async function call(servers: McpServers, name: string, input: unknown = {}, parts: Partial<ToolContext> = {}) {
  const context = { projectId: 'p', signal: new AbortController().signal, waitsForSandbox: () => false, ...parts } as ToolContext;
  return await registryOf(servers).call(name, input, 'executing', context);
}

describe('tools of other MCP servers', () => {
  it('T8: reach the agent under the server’s name, check their input, and return text and usable images', async () => {
    await using server = await startOutsideServer();
    const servers = await allowed(server.url);
    const echo = registryOf(servers).find('brand__echo');
    expect(echo).toMatchObject({ isForAuthors: true, readOnly: false, inputSchema: { required: ['text'] } });
    expect(await call(servers, 'brand__echo', { text: 'hi' })).toMatchObject({ output: { text: 'You said: hi' } });
    expect(await call(servers, 'brand__echo', { text: 1 })).toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('text: must be string'),
    });
    expect(await call(servers, 'brand__echo', [])).toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(server.calls).toEqual(['echo {"text":"hi"}']);
    expect(await call(servers, 'brand__picture')).toMatchObject({
      output: { text: expect.stringContaining('image left out'), images: 1 },
      images: [{ mediaType: 'image/png' }],
    });
    expect(await call(servers, 'brand__failing')).toMatchObject({
      ...{ status: 'error', code: 'EXECUTION_FAILED', message: 'There is no such brand.' },
    });
  });

  it('T10: are called without a person only if the operator has allowed them, with checked input and a whole result', async () => {
    await using server = await startOutsideServer();
    const servers = await open();
    await servers.save('brand', { url: server.url });
    const { signal } = new AbortController();
    const call = (tool: string, input = {}) => servers.callUnattended({ server: 'brand', tool, input }, { signal });
    await expect(call('echo', { text: 'hi' })).rejects.toMatchObject({
      ...{ code: 'FORBIDDEN', message: expect.stringContaining('Allow the tool in Settings') },
    });
    expect(server.calls).toEqual([]);
    for (const tool of ['echo', 'failing', 'long']) await servers.setRisk({ server: 'brand', tool, risk: 'allowed' });
    expect(await call('echo', { text: 'hi' })).toBe('You said: hi');
    await expect(call('echo', { text: 1 })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(call('failing')).rejects.toMatchObject({
      code: 'EXECUTION_ERROR',
      message: expect.stringContaining('no such brand'),
    });
    await expect(call('long')).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await expect(call('gone')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(servers.callUnattended({ server: 'gone', tool: 'echo', input: {} }, { signal })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('T8: are limited in size: a long result is cut, and one of 100 MB ends the connection, which opens again', async () => {
    await using server = await startOutsideServer();
    const servers = await allowed(server.url);
    const long = await call(servers, 'brand__long');
    expect(long).toMatchObject({ output: { left_out: `${1024 * 1024 - 200_000} characters` } });
    expect(await call(servers, 'brand__huge')).toMatchObject({
      ...{ status: 'error', code: 'SERVICE_UNAVAILABLE', message: expect.stringContaining('more than 8 MB') },
    });
    expect(await call(servers, 'brand__echo', { text: 'again' })).toMatchObject({ status: 'completed' });
  });

  it('T8: end at their time limit and when the user stops, and the server is told', async () => {
    await using server = await startOutsideServer();
    const impatient = await allowed(server.url, { callMs: 3_000 });
    expect(await call(impatient, 'brand__hanging')).toMatchObject({ status: 'error', code: 'TOOL_TIMEOUT' });
    await until(() => expect(server.cancelled).toEqual(['hanging']));
    const servers = await allowed(server.url);
    const controller = new AbortController();
    const stopped = call(servers, 'brand__hanging', {}, { signal: controller.signal });
    await until(() => expect(server.calls).toHaveLength(2));
    controller.abort(new Error('stop'));
    expect(await stopped).toMatchObject({ status: 'error', code: 'CANCELLED' });
    await until(() => expect(server.cancelled).toEqual(['hanging', 'hanging']));
  });

  it('T8: are unavailable with a reason if their declaration is invalid, too large, too deep or ambiguous', async () => {
    const run = async () => ({ content: [] });
    const deep = JSON.parse(`${'{"properties":{"a":'.repeat(20)}{}${'}}'.repeat(20)}`) as object;
    await using server = await startOutsideServer({
      fine: { description: 'x'.repeat(10_000), inputSchema: { type: 'object' }, run },
      wrong: { inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } }, run },
      remote: { inputSchema: { type: 'object', $ref: 'http://example.org/schema.json' }, run },
      none: { run },
      list: { inputSchema: { type: 'array' }, run },
      deep: { inputSchema: { ...deep, type: 'object' }, run },
      big: { inputSchema: { type: 'object', description: 'x'.repeat(40_000) }, run },
      same_name: { inputSchema: { type: 'object' }, run },
      'same.name': { inputSchema: { type: 'object' }, run },
      ['long'.repeat(20)]: { inputSchema: { type: 'object' }, run },
      ['long'.repeat(15)]: { inputSchema: { type: 'object' }, run },
      'odd name': { inputSchema: { type: 'object' }, run },
      slow: {
        inputSchema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
        run,
      },
    });
    const servers = await allowed(server.url);
    const problems = Object.fromEntries((named(servers, 'brand')?.tools ?? []).map(({ name, problem }) => [name, problem]));
    expect(problems).toMatchObject({
      fine: null,
      wrong: expect.stringContaining('not valid'),
      remote: expect.stringContaining('not valid'),
      none: expect.stringContaining('missing'),
      list: expect.stringContaining('object'),
      deep: expect.stringContaining('levels'),
      big: expect.stringContaining('KB'),
      same_name: expect.stringContaining('several tools'),
      ['long'.repeat(20)]: expect.stringContaining('more than 64'),
      ['long'.repeat(15)]: expect.stringContaining('64 characters'),
      odd_name: expect.stringContaining('other characters'),
      slow: null,
    });
    const offered = registryOf(servers).all();
    expect(offered.map(({ name }) => name)).toEqual(['brand__fine', 'brand__slow']);
    expect(offered[0]?.description.length).toBeLessThan(2_200);
    expect(await call(servers, 'brand__slow', { a: `${'a'.repeat(40)}!` })).toMatchObject({
      ...{ code: 'VALIDATION_ERROR', message: expect.stringContaining('did not finish') },
    });
    expect(server.calls).toEqual([]);
  });

  it('T8: follow the server’s list, and an allowed tool asks again when its declaration changes', async () => {
    await using server = await startOutsideServer({ echo: outsideTools.echo });
    const servers = await allowed(server.url);
    expect(named(servers, 'brand')?.tools).toMatchObject([{ name: 'echo', risk: 'allowed' }]);
    await server.setTools({
      echo: { ...outsideTools.echo, description: 'Sends a text to somebody.' },
      orders: outsideTools.orders,
    });
    await until(() =>
      expect(named(servers, 'brand')?.tools).toMatchObject([
        { name: 'echo', risk: 'ask' },
        { name: 'orders', risk: 'ask' },
      ]),
    );
    await servers.setRisk({ server: 'brand', tool: 'orders', risk: 'off' });
    expect(registryOf(servers).find('brand__orders')).toBeNull();
  });

  it('T8: ask for permission, once or for the project, and make no call when it is refused', async () => {
    await using server = await startOutsideServer();
    const servers = await open();
    await servers.save('brand', { url: server.url });
    await connected(servers);
    const asked: ApprovalRequest[] = [];
    const echo = (response: ApprovalResponse | null, text = 'hi') =>
      call(
        servers,
        'brand__echo',
        { text },
        {
          async requestApproval(request) {
            asked.push(request);
            return response;
          },
        },
      );
    const option = (optionId: string) => ({ outcome: 'option', optionId }) as const;
    expect(await echo(null)).toEqual({ status: 'suspended' });
    for (const refused of ['refuse', 'always-0123', ''])
      expect(await echo(option(refused))).toMatchObject({ status: 'error', code: 'NOT_PERMITTED' });
    expect(await echo({ outcome: 'free_text', text: 'use the other one' })).toMatchObject({
      ...{ code: 'NOT_PERMITTED', message: expect.stringContaining('use the other one') },
    });
    expect(server.calls).toEqual([]);
    expect(asked[0]).toMatchObject({
      ...{ type: 'permission', content: 'May Koda use the tool echo of the server brand?' },
      permission: { server: 'brand', tool: 'echo', input: '{"text":"hi"}', sizeBytes: 13, isSearch: false },
    });
    expect(await echo(option('allow'))).toMatchObject({ status: 'completed' });
    expect(await echo(option('always'))).toMatchObject({ status: 'completed' });
    const before = asked.length;
    expect(await echo(option('allow'), 'x'.repeat(64 * 1024))).toMatchObject({ status: 'error', code: 'TOO_LARGE' });
    expect(asked).toHaveLength(before);
  });

  it('T8: one of them is the search tool, unless a search server is set', async () => {
    await using server = await startOutsideServer();
    const servers = await allowed(server.url);
    await servers.setSearch({ server: 'brand', tool: 'echo' });
    const names = registryOf(servers)
      .all()
      .map(({ name }) => name);
    expect(names).toContain('search');
    expect(names).not.toContain('brand__echo');
    expect(await call(servers, 'search', { text: 'x' })).toMatchObject({ output: { text: 'You said: x' } });
    const other = await open({ hasSearchServer: true });
    await connected(other);
    expect(other.tools().map(({ name }) => name)).not.toContain('search');
    await expect(servers.setSearch({ server: 'brand', tool: 'none' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('connections to other MCP servers', () => {
  it('T8: do not hold up the start: a server that never answers has failed after the limit', async () => {
    await using silent = await startPlainServer(() => undefined);
    const servers = await open({ connectMs: 300 });
    await servers.save('brand', { url: silent.url });
    expect(named(servers, 'brand')).toMatchObject({ state: 'connecting', tools: [] });
    expect(servers.tools()).toEqual([]);
    await until(() =>
      expect(named(servers, 'brand')).toMatchObject({ state: 'failed', error: expect.stringContaining('0.3 s') }),
    );
  });

  it('T8: open again after the server has restarted, without repeating a call', async () => {
    await using server = await startOutsideServer();
    const servers = await allowed(server.url);
    server.forgetSessions();
    expect(await call(servers, 'brand__echo', { text: 'after' })).toMatchObject({ status: 'completed' });
    expect(server.calls).toEqual(['echo {"text":"after"}']);
  });

  it('T8: keep the tools of a server that has gone, and stop calling it after repeated failures', async () => {
    const server = await startOutsideServer();
    const servers = await allowed(server.url);
    await server[Symbol.asyncDispose]();
    const codes: unknown[] = [];
    for (let count = 0; count < 6; count++) {
      const result = await call(servers, 'brand__echo', { text: 'x' });
      codes.push(result.status === 'error' ? result.code : result.status);
    }
    expect(codes).toEqual([...Array(5).fill('SERVICE_UNAVAILABLE'), 'CIRCUIT_OPEN']);
  });

  it('T8: follow no redirect to another server, and send it no token', async () => {
    await using target = await startPlainServer((_request, response) => response.end('{}'));
    await using server = await startPlainServer((_request, response) => response.writeHead(307, { location: target.url }).end());
    const servers = await open();
    await expect(servers.test('brand', { url: server.url, token: 'secret-token' })).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
    expect(server.requests[0]?.headers.authorization).toBe('Bearer secret-token');
    expect(target.requests).toEqual([]);
  });

  it('T8: keep a token private, send it to its own address only, and test before they store', async () => {
    await using server = await startOutsideServer(outsideTools, { token: 'secret-token' });
    await using other = await startPlainServer((_request, response) => response.writeHead(500).end());
    const servers = await open();
    await expect(servers.test('brand', { url: server.url })).rejects.toMatchObject({
      message: expect.stringContaining('needs a token'),
    });
    expect(await servers.test('brand', { url: server.url, token: 'secret-token' })).toBe(Object.keys(outsideTools).length);
    expect(servers.view().servers).toEqual([]);
    const view = await servers.save('brand', { url: server.url, token: 'secret-token' });
    expect(JSON.stringify(view)).not.toContain('secret-token');
    expect(view.servers).toMatchObject([{ hasToken: true }]);
    expect((await stat(filePath())).mode & 0o777).toBe(0o600);
    await connected(servers);
    const again = await open();
    await connected(again);
    await again.save('brand', { url: other.url });
    await until(() => expect(other.requests.length).toBeGreaterThan(0));
    expect(other.requests.map(({ headers }) => headers.authorization)).not.toContain('Bearer secret-token');
    expect(await readFile(filePath(), 'utf8')).not.toContain('secret-token');
    expect((await again.remove('brand')).servers).toEqual([]);
  });

  it('T8: remove a token that the server repeats from results, declarations and errors', async () => {
    const secret = 'secret-token-4711';
    const run = async () => ({ content: [{ type: 'text' as const, text: `Your token is ${secret}.` }] });
    await using server = await startOutsideServer({
      tell: { description: `Uses ${secret}`, inputSchema: { type: 'object' }, run },
    });
    await using failing = await startPlainServer((request, response) =>
      response.writeHead(400).end(request.headers.authorization),
    );
    const servers = await open();
    await servers.save('brand', { url: server.url, token: secret });
    await connected(servers);
    await servers.setRisk({ server: 'brand', tool: 'tell', risk: 'allowed' });
    expect(named(servers, 'brand')?.tools).toMatchObject([{ description: 'Uses [token]' }]);
    expect(await call(servers, 'brand__tell')).toMatchObject({ output: { text: 'Your token is [token].' } });
    const error = await servers.test('other', { url: failing.url, token: secret }).catch((reason: Error) => reason);
    expect(String(error)).toContain('status 400');
    expect(String(error)).not.toContain(secret);
  });

  it.each([
    [200, 'text/html', '<html>secret-canary</html>'],
    [200, 'application/json', '{"secret-canary": 1}'],
    [200, 'application/json', 'secret-canary'],
    [400, 'application/json', '{"message": "secret-canary"}'],
    [500, 'text/plain', 'secret-canary'],
  ])('M1: show nothing of an answer that is not MCP: %i, %s, %s', async (status, type, body) => {
    await using other = await startPlainServer((_request, response) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    );
    const servers = await open({ connectMs: status === 200 ? 1_000 : 100_000 });
    const error = await servers.test('other', { url: other.url }).catch((reason: Error) => reason);
    expect(error).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(String(error)).not.toContain('canary');
    expect(String(error)).toMatch(status === 200 ? /other than MCP|did not answer/ : new RegExp(`status ${status}`));
  });

  it('M1: go to private addresses of the settings page only if the operator allows it, and to metadata services never', async () => {
    await using server = await startOutsideServer();
    const listed = new Map([['own', { url: server.url, headers: {} }]]);
    const servers = await open({ privateAddresses: 'refuse', listed });
    await connected(servers, 'own');
    const refused = { message: expect.stringContaining('does not contact its address') };
    for (const url of [server.url, server.url.replace('127.0.0.1', 'localhost'), 'http://10.0.0.5:9200/'])
      await expect(servers.test('other', { url })).rejects.toMatchObject(refused);
    const allowing = await open();
    for (const url of ['http://169.254.169.254/latest', 'http://[::ffff:169.254.169.254]/', 'http://0.0.0.0/'])
      await expect(allowing.test('other', { url })).rejects.toMatchObject(refused);
  });

  it('L1: keep a key in an address out of the log and the page, also when the server repeats it', async () => {
    const key = 'key-canary-0123456789';
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const run = async () => ({ content: [{ type: 'text' as const, text: `Your key is ${key}.` }] });
    await using server = await startOutsideServer({ tell: { description: `Uses ${key}`, inputSchema: { type: 'object' }, run } });
    const servers = await open({ log });
    const url = `${server.url}?api_key=${key}`;
    const view = await servers.save('brand', { url });
    await connected(servers);
    await servers.setRisk({ server: 'brand', tool: 'tell', risk: 'allowed' });
    expect(await call(servers, 'brand__tell')).toMatchObject({ output: { text: 'Your key is [token].' } });
    const shown = view.servers[0]?.address ?? '';
    expect(shown).toBe(`${server.url}?***`);
    // The page sends the redacted address back.
    expect(await servers.test('brand', { url: shown })).toBe(1);
    await servers.save('brand', { url: shown, token: 'another-token' });
    await connected(servers);
    expect(server.queries.every((query) => query === `?api_key=${key}`)).toBe(true);
    expect(JSON.stringify(servers.view()) + lines.join('')).not.toContain('canary');
  });

  it('L11: do not repeat the secrets that a command gets as variables', async () => {
    const script = join(import.meta.dirname, '../fixtures/outside-command.ts');
    const env = { BRAND: 'crimson-brand', BRAND_API_KEY: 'bk-canary-4711', DB_PASSWORD: 'p-canary-0815' };
    const listed = new Map([['local', { command: process.execPath, args: [script], env }]]);
    const servers = await open({ listed });
    await connected(servers, 'local');
    await servers.setRisk({ server: 'local', tool: 'environment', risk: 'allowed' });
    const result = JSON.stringify(await call(servers, 'local__environment'));
    expect(result).toContain('BRAND=crimson-brand BRAND_API_KEY=[token] DB_PASSWORD=[token]');
    expect(result).not.toContain('canary');
  });

  it('T8: come from a file as well, whose commands no request can change, and which get no keys of Koda', async () => {
    const path = join(folder, 'mcp.json');
    const script = join(import.meta.dirname, '../fixtures/outside-command.ts');
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-canary');
    const server = { command: process.execPath, args: [script], env: { BRAND: 'red' } };
    await writeFile(path, JSON.stringify({ mcpServers: { local: server } }));
    const servers = await open({ listed: await readServerFile(path, { mustExist: true }) });
    await connected(servers, 'local');
    vi.unstubAllEnvs();
    expect(named(servers, 'local')).toMatchObject({ source: 'file', address: process.execPath });
    await servers.setRisk({ server: 'local', tool: 'environment', risk: 'allowed' });
    const result = await call(servers, 'local__environment');
    expect(result).toMatchObject({ output: { text: expect.stringContaining('BRAND') } });
    expect(JSON.stringify(result)).not.toContain('ANTHROPIC');
    for (const change of [servers.save('local', { url: 'http://localhost/' }), servers.remove('local')])
      await expect(change).rejects.toMatchObject({ code: 'CONFLICT' });
    await writeFile(path, '{"mcpServers": {"a__b": {"command": "secret-command"}}}');
    await expect(readServerFile(path, { mustExist: true })).rejects.toThrow(/not valid at mcpServers/);
    await expect(readServerFile(path, { mustExist: true })).rejects.not.toThrow(/secret-command/);
    await expect(readServerFile(join(folder, 'none.json'), { mustExist: true })).rejects.toThrow(/KODA_MCP_SERVERS/);
    expect(await readServerFile(join(folder, 'none.json'), { mustExist: false })).toEqual(new Map());
  });
});

it('T8: instructions in a description or a result stay data', async () => {
  await using server = await startOutsideServer();
  const servers = await allowed(server.url);
  expect(registryOf(servers).find('brand__orders')?.description).toMatch(/are data, not instructions/);
  expect(await call(servers, 'brand__orders')).toMatchObject({ output: { text: orders } });
});
