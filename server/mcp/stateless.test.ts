import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Caller, scopes } from '../access/policies.ts';
import type { Call } from './call.ts';
import { McpSessions, sessionLimits } from './sessions.ts';

const everything: Caller = { type: 'program', id: 'tok_test', name: 'test', scopes: new Set(scopes), projects: 'all' };
const version = '2026-07-28';

/** The calls of the tool `wait`, which run until they are aborted or told to end. */
const running: { call: Call; end: () => void }[] = [];
let sessions: McpSessions;
let revoked = false;

beforeEach(() => {
  sessions = new McpSessions({
    limits: { ...sessionLimits, callsPerCaller: 2 },
    isStillValid: () => !revoked,
    onError: () => undefined,
    log: pino({ level: 'silent' }),
    open(callOf) {
      const server = new Server(
        { name: 'test', version: '1' },
        { capabilities: { tools: {}, resources: {} }, instructions: 'Wait for it.' },
      );
      server.setRequestHandler(ListToolsRequestSchema, () => ({
        tools: [{ name: 'wait', inputSchema: { type: 'object' as const } }],
      }));
      server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestId, sendNotification, _meta }) => {
        const call = callOf(requestId);
        if (params.name === 'ask') {
          const canAsk = server.getClientCapabilities()?.elicitation !== undefined;
          return { content: [{ type: 'text', text: canAsk ? 'can ask' : 'cannot ask' }] };
        }
        const progressToken = _meta?.progressToken;
        if (progressToken !== undefined)
          await sendNotification({ method: 'notifications/progress', params: { progressToken, progress: 1, message: 'begun' } });
        await new Promise<void>((resolve) => {
          running.push({ call, end: resolve });
          call.signal.addEventListener('abort', () => resolve());
        });
        return { content: [{ type: 'text', text: 'done' }] };
      });
      return server;
    },
  });
});
afterEach(async () => {
  await sessions.close();
  running.length = 0;
  revoked = false;
});

/** Sends a request as the studio's route does: the request's signal tells when the client has left. */
async function handle(request: Request): Promise<Response> {
  const closed = new Promise<void>((resolve) => request.signal.addEventListener('abort', () => resolve()));
  const body: unknown = request.method === 'POST' ? await request.clone().json() : null;
  return await sessions.handle(request, { caller: everything, address: 'http://localhost:3000', body, closed });
}

interface Sent {
  readonly headers?: Record<string, string | null>;
  readonly meta?: Record<string, unknown> | null;
  readonly params?: Record<string, unknown>;
  readonly signal?: AbortSignal;
}

/** Sends one message of the revision without sessions. A header of `null` is left out. */
async function send(method: string, { headers = {}, meta, params = {}, signal }: Sent = {}): Promise<Response> {
  const name = params['name'] ?? params['uri'] ?? params['taskId'];
  const all: Record<string, string | null> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': name }),
    ...headers,
  };
  const _meta =
    meta === undefined
      ? { 'io.modelcontextprotocol/protocolVersion': version, 'io.modelcontextprotocol/clientCapabilities': {} }
      : meta;
  const body = { jsonrpc: '2.0', id: 7, method, params: { ...params, ...(_meta && { _meta }) } };
  const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null);
  return await handle(
    new Request('http://localhost:3000/mcp', {
      method: 'POST',
      headers: sent,
      body: JSON.stringify(body),
      ...(signal && { signal }),
    }),
  );
}

const started = (count: number) => vi.waitFor(() => expect(running).toHaveLength(count));

describe('the revision without sessions', () => {
  it('F6: is what the official client speaks with Koda, without a session', async () => {
    const seen: (string | null)[] = [];
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const transport = new StreamableHTTPClientTransport(new URL('http://localhost:3000/mcp'), {
      fetch: async (url, init) => {
        const request = new Request(url, init as RequestInit);
        const response = await handle(request);
        seen.push(request.headers.get('mcp-method'), response.headers.get('mcp-session-id'));
        return response;
      },
    });
    await client.connect(transport);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    expect(client.getServerVersion()).toMatchObject({ name: 'test' });
    expect(client.getInstructions()).toBe('Wait for it.');
    expect((await client.listTools()).tools).toMatchObject([{ name: 'wait' }]);
    const progress: unknown[] = [];
    const result = client.callTool({ name: 'wait', arguments: {} }, { onprogress: (step) => progress.push(step) });
    await started(1);
    running[0]?.end();
    expect(await result).toMatchObject({ content: [{ type: 'text', text: 'done' }] });
    expect(progress).toMatchObject([{ progress: 1, message: 'begun' }]);
    await client.close();
    expect(seen).toEqual(['server/discover', null, 'tools/list', null, 'tools/call', null]);
    expect(sessions.size).toBe(0);
  });

  it('F6: discovers versions, capabilities and identity', async () => {
    const response = await send('server/discover');
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      id: 7,
      result: {
        resultType: 'complete',
        supportedVersions: expect.arrayContaining([version, '2025-11-25']),
        capabilities: { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
        instructions: 'Wait for it.',
        ttlMs: expect.any(Number),
        cacheScope: 'private',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1' } },
      },
    });
    expect(await (await send('tools/list')).json()).toMatchObject({ result: { resultType: 'complete', cacheScope: 'private' } });
  });

  it('F6: refuses an unsupported version with those that it supports', async () => {
    const refusal = { code: -32_022, data: { supported: expect.arrayContaining([version]), requested: '2031-01-01' } };
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2031-01-01', 'io.modelcontextprotocol/clientCapabilities': {} };
    for (const sent of [{ meta, headers: { 'mcp-protocol-version': '2031-01-01' } }, { meta }]) {
      const response = await send('tools/list', sent);
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ id: 7, error: refusal });
    }
    const bare = await send('tools/list', { meta: null, headers: { 'mcp-protocol-version': '2031-01-01' } });
    expect(await bare.json()).toMatchObject({ error: refusal });
  });

  it.each([
    ['a missing version header', { headers: { 'mcp-protocol-version': null } }, -32_020],
    ['another version header', { headers: { 'mcp-protocol-version': '2025-11-25' } }, -32_020],
    ['a missing method header', { headers: { 'mcp-method': null } }, -32_020],
    ['another method header', { headers: { 'mcp-method': 'tools/list' } }, -32_020],
    ['a missing name header', { headers: { 'mcp-name': null } }, -32_020],
    ['another name header', { headers: { 'mcp-name': 'render' } }, -32_020],
    ['no metadata', { meta: null }, -32_602],
    ['no capabilities', { meta: { 'io.modelcontextprotocol/protocolVersion': version } }, -32_602],
  ])('F6: refuses %s', async (_what, sent, code) => {
    const response = await send('tools/call', { params: { name: 'wait' }, ...sent });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id: 7, error: { code } });
    expect(running).toHaveLength(0);
  });

  it('F6: reads an encoded name', async () => {
    const name = `=?base64?${Buffer.from('ask').toString('base64')}?=`;
    const response = await send('tools/call', { params: { name: 'ask' }, headers: { 'mcp-name': name } });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    // In this revision, the server sends no requests to the client.
    expect(await response.text()).toContain('cannot ask');
  });

  it('F6: answers unknown and removed methods with 404, and accepts notifications', async () => {
    for (const method of ['ping', 'logging/setLevel', 'resources/subscribe', 'games/play']) {
      const response = await send(method);
      expect(response.status, method).toBe(404);
      expect(await response.json()).toMatchObject({ error: { code: -32_601 } });
    }
    const notification = new Request('http://localhost:3000/mcp', {
      method: 'POST',
      headers: { 'mcp-protocol-version': version, 'mcp-method': 'notifications/other' },
      body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/other' }),
    });
    expect((await handle(notification)).status).toBe(202);
    const tasks = await send('tasks/get', { params: { taskId: 'rnd_1' } });
    expect(await tasks.json()).toMatchObject({ error: { code: -32_021, data: { requiredCapabilities: expect.anything() } } });
  });

  it('F6: cancels a call whose client leaves, and those of a revoked token', async () => {
    const client = new AbortController();
    await send('tools/call', { params: { name: 'wait' }, signal: client.signal });
    const second = await send('tools/call', { params: { name: 'wait' } });
    await started(2);
    const third = await send('tools/call', { params: { name: 'wait' } });
    expect(third.status).toBe(429);
    client.abort();
    await vi.waitFor(() => expect(running[0]?.call.signal.aborted).toBe(true));
    expect(running[1]?.call.signal.aborted).toBe(false);
    revoked = true;
    await sessions.sweep(performance.now());
    expect(running[1]?.call.signal.aborted).toBe(true);
    await second.text();
  });

  it('F6: acknowledges a subscription and keeps it open', async () => {
    const client = new AbortController();
    const params = { notifications: { toolsListChanged: true } };
    const response = await send('subscriptions/listen', { params, signal: client.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const first = await reader?.read();
    expect(JSON.parse(first?.value?.split('data: ')[1] ?? '')).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 7 }, notifications: {} },
    });
    client.abort();
    expect(await reader?.read()).toMatchObject({ done: true });
  });
});
