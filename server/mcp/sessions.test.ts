import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, LATEST_PROTOCOL_VERSION } from '@modelcontextprotocol/sdk/types.js';
import { createParser } from 'eventsource-parser';
import { pino } from 'pino';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Caller, scopes } from '../access/policies.ts';
import type { Call } from './call.ts';
import { McpSessions, type SessionLimits } from './sessions.ts';

const everything: Caller = { type: 'program', id: 'tok_test', name: 'test', scopes: new Set(scopes), projects: 'all' };
const limits: SessionLimits = {
  sessions: 8,
  sessionsPerCaller: 3,
  calls: 4,
  callsPerCaller: 4,
  idleMs: 1000,
  events: { events: 50, bytes: 100_000 },
};

/** The calls of the only tool, which run until they are aborted or told to end. */
const running: { call: Call; id: unknown; end: () => void }[] = [];
let sessions: McpSessions;
let revoked: ReadonlySet<string> = new Set();
/** Callers that cannot be checked. */
let unreadable: ReadonlySet<string> = new Set();

afterEach(async () => {
  await sessions.close();
  running.length = 0;
  revoked = new Set();
  unreadable = new Set();
});

function open(changed: Partial<SessionLimits> = {}): void {
  sessions = new McpSessions({
    limits: { ...limits, ...changed },
    isStillValid({ id }) {
      if (unreadable.has(id)) throw new Error('database disk image is malformed');
      return !revoked.has(id);
    },
    onError: () => undefined,
    log: pino({ level: 'silent' }),
    open(callOf) {
      const server = new Server({ name: 'test', version: '1' }, { capabilities: { tools: {} } });
      server.setRequestHandler(CallToolRequestSchema, async (_request, { requestId }) => {
        const call = callOf(requestId);
        await new Promise<void>((resolve) => {
          running.push({ call, id: requestId, end: resolve });
          call.signal.addEventListener('abort', () => resolve());
        });
        return { content: [{ type: 'text', text: call.signal.aborted ? 'cancelled' : 'done' }] };
      });
      return server;
    },
  });
}

interface Sent {
  readonly method?: string;
  readonly session?: string | undefined;
  readonly caller?: Caller;
  readonly headers?: Record<string, string>;
  readonly closed?: Promise<void>;
}

async function send(body: unknown, { method = 'POST', session, caller = everything, headers = {}, closed }: Sent = {}) {
  const request = new Request('http://localhost:3000/mcp', {
    method,
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(session && { 'mcp-session-id': session }),
      ...headers,
    },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
  return await sessions.handle(request, { caller, address: 'http://localhost:3000', body, closed: closed ?? Promise.resolve() });
}

const initialize = (version = LATEST_PROTOCOL_VERSION) => ({
  ...{ jsonrpc: '2.0', id: 'init', method: 'initialize' },
  params: { protocolVersion: version, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
});
const call = (id: number | string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'wait', arguments: {} } });
const cancel = (requestId: number | string) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

/** Returns the messages of a response, and the id of its last event. */
async function messagesOf(response: Response): Promise<{ messages: Record<string, unknown>[]; lastId: string | undefined }> {
  const messages: Record<string, unknown>[] = [];
  let lastId: string | undefined;
  const parser = createParser({
    onEvent({ data, id }) {
      lastId = id;
      if (data !== '') messages.push(JSON.parse(data) as Record<string, unknown>);
    },
  });
  parser.feed(await response.text());
  return { messages, lastId };
}

async function start(options: Sent = {}): Promise<string> {
  const response = await send(initialize(), options);
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

const started = (count: number) => vi.waitFor(() => expect(running).toHaveLength(count));

describe('sessions of MCP clients', () => {
  it('G11: answer an unknown revision with one that Koda speaks, and refuse it afterwards', async () => {
    open();
    const response = await send(initialize('1999-01-01'));
    const { messages } = await messagesOf(response);
    expect(messages[0]).toMatchObject({ result: { protocolVersion: LATEST_PROTOCOL_VERSION } });
    const session = response.headers.get('mcp-session-id') ?? '';
    const refused = await send(call(1), { session, headers: { 'mcp-protocol-version': '1999-01-01' } });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining('Unsupported protocol version')]);
    expect(running).toEqual([]);
  });

  it('G11: refuse requests without a session, of an ended one, and of another caller’s', async () => {
    open();
    expect((await send(call(1))).status).toBe(400);
    expect((await send(call(1), { session: crypto.randomUUID() })).status).toBe(404);
    const session = await start();
    const other: Caller = { type: 'program', id: 'tok_other', name: everything.name, scopes: new Set(['read']), projects: 'all' };
    expect((await send(call(1), { session, caller: other })).status).toBe(404);
    expect((await send(null, { session, method: 'DELETE' })).status).toBe(200);
    expect((await send(call(1), { session })).status).toBe(404);
    expect(running).toEqual([]);
  });

  it('F6: start again for a client that initializes with the id of an ended session', async () => {
    open();
    const ended = await start();
    await send(null, { session: ended, method: 'DELETE' });
    const other: Caller = { type: 'program', id: 'tok_other', name: everything.name, scopes: new Set(['read']), projects: 'all' };
    const foreign = await start({ caller: other });
    for (const session of [ended, foreign, 'never-existed']) {
      const response = await send(initialize(), { session });
      expect(response.status).toBe(200);
      await response.text();
      const started = response.headers.get('mcp-session-id') ?? '';
      expect(started).not.toBe(session);
      expect((await send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { session: started })).status).toBe(200);
    }
    // The other caller keeps its session.
    expect((await send({ jsonrpc: '2.0', id: 1, method: 'ping' }, { session: foreign, caller: other })).status).toBe(200);
  });

  it.each([0, 1, 'a'])('G11: cancel the request %j', async (id) => {
    open();
    const session = await start();
    const response = await send(call(id), { session });
    await started(1);
    expect((await send(cancel(id), { session })).status).toBe(202);
    await vi.waitFor(() => expect(running[0]?.call.signal.aborted).toBe(true));
    // The stream ends, instead of staying open for a response that never comes.
    await response.text();
    const again = await send(call(id), { session });
    await started(2);
    running[1]?.end();
    expect((await messagesOf(again)).messages).toMatchObject([{ id, result: { content: [{ text: 'done' }] } }]);
  });

  it('G11: refuse a request with the id of one in progress, alone and in a batch', async () => {
    open();
    const session = await start();
    await send(call(1), { session });
    await started(1);
    const repeated = await send(call(1), { session });
    expect([repeated.status, await repeated.text()]).toEqual([400, expect.stringContaining('id 1 is in use')]);
    expect((await send([call(2), call(2)], { session })).status).toBe(400);
    expect(running).toHaveLength(1);
  });

  it('G11: limit requests in progress, and accept more once one has ended', async () => {
    open();
    const session = await start();
    const responses = await Promise.all([1, 2, 3, 4].map((id) => send(call(id), { session })));
    await started(4);
    const refused = await send(call(5), { session });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    running[0]?.end();
    await responses[0]?.text();
    expect((await send(call(5), { session })).status).toBe(200);
  });

  it('G11: abort all requests when they end', async () => {
    open();
    const session = await start();
    await send(call(1), { session });
    await send(call('b'), { session });
    await started(2);
    await send(null, { session, method: 'DELETE' });
    expect(running.map(({ call: { signal } }) => signal.aborted)).toEqual([true, true]);
    expect(sessions.size).toBe(0);
  });

  it('G11: make room by ending the one that is idle longest, but none that is connected', async () => {
    open();
    const never = new Promise<void>(() => undefined);
    const first = await start();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const second = await start();
    const third = await start({ closed: never });
    const fourth = await start({ closed: never });
    expect((await send(call(1), { session: first })).status).toBe(404);
    expect((await send(call(1), { session: second, closed: never })).status).toBe(200);
    expect(sessions.size).toBe(3);
    expect((await send(initialize())).status).toBe(429);
    for (const session of [second, third, fourth]) expect((await send(cancel(9), { session })).status).toBe(202);
  });

  it('M6: of one caller never end those of another', async () => {
    open();
    const other: Caller = { ...everything, id: 'tok_other' };
    const kept = await start({ caller: other });
    for (let count = 0; count < 20; count += 1) await start();
    expect(sessions.size).toBe(4);
    expect((await send(cancel(1), { session: kept, caller: other })).status).toBe(202);
  });

  it('M6: of all callers together are limited', async () => {
    open({ sessions: 4, sessionsPerCaller: 1 });
    for (let count = 0; count < 4; count += 1) await start({ caller: { ...everything, id: `tok_${count}` } });
    expect((await send(initialize(), { caller: { ...everything, id: 'tok_late' } })).status).toBe(429);
    expect(await start({ caller: { ...everything, id: 'tok_0' } })).not.toBe('');
  });

  it('G11: end when idle, with their requests, but not while a client is connected', async () => {
    open();
    const never = new Promise<void>(() => undefined);
    const idle = await start();
    await send(call(1), { session: idle });
    const connected = await start({ closed: never });
    await started(1);
    await sessions.sweep(performance.now() + 2000);
    expect(running[0]?.call.signal.aborted).toBe(true);
    expect((await send(cancel(1), { session: idle })).status).toBe(404);
    expect((await send(cancel(1), { session: connected })).status).toBe(202);
  });

  it('G11: end with their requests and streams once the caller’s token is invalid, unlike those of others', async () => {
    open();
    const never = new Promise<void>(() => undefined);
    const session = await start();
    const stream = await send(null, { session, method: 'GET', closed: never });
    await send(call(1), { session, closed: never });
    const other: Caller = { ...everything, id: 'tok_other' };
    const kept = await start({ caller: other });
    await started(1);
    revoked = new Set([everything.id]);
    await sessions.sweep(performance.now());
    expect(running[0]?.call.signal.aborted).toBe(true);
    await expect(stream.text()).resolves.toBeDefined();
    expect((await send(cancel(1), { session })).status).toBe(404);
    expect((await send(cancel(1), { session: kept, caller: other })).status).toBe(202);
  });

  it('M12: end if their caller cannot be checked, without an effect on the server or on other sessions', async () => {
    open();
    const session = await start();
    const other: Caller = { ...everything, id: 'tok_other' };
    const kept = await start({ caller: other });
    unreadable = new Set([everything.id]);
    await sessions.sweep(performance.now());
    expect((await send(cancel(1), { session })).status).toBe(404);
    expect((await send(cancel(1), { session: kept, caller: other })).status).toBe(202);
  });

  it('G11: deliver a response to a client that has left and comes back', async () => {
    open();
    const session = await start();
    const version = { 'mcp-protocol-version': LATEST_PROTOCOL_VERSION };
    const response = await send(call(1), { session, headers: version });
    const reader = response.body?.getReader();
    const first = new TextDecoder().decode((await reader?.read())?.value);
    const lastId = /^id: (.+)$/m.exec(first)?.[1] ?? '';
    await reader?.cancel();
    await started(1);
    expect(running[0]?.call.signal.aborted).toBe(false);
    running[0]?.end();
    const headers = { ...version, 'last-event-id': lastId };
    const resumed = await vi.waitFor(async () => {
      const stream = (await send(null, { session, method: 'GET', headers })).body?.getReader();
      const { value } = (await stream?.read()) ?? {};
      const text = new TextDecoder().decode(value);
      await stream?.cancel();
      expect(text).toContain('"id":1');
      return text;
    });
    expect(resumed).toContain('done');
  });
});
