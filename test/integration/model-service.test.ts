import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { KodaError } from '#contract/errors.ts';
import { outboundFetch } from '../../server/lib/outbound-fetch.ts';
import { messagesApi } from '../../server/llm/models/anthropic/messages.ts';
import { isWindowTooSmall, type ModelChunk, type ModelMessage, type ModelRequest } from '../../server/llm/models/model.ts';
import type { RecordedExchange } from '../../server/llm/models/service/recorder.ts';
import { serviceModel } from '../../server/llm/models/service/service-model.ts';
import { readTurn } from '../../server/llm/turn.ts';
import { allTools } from '../../server/tools/catalogue.ts';
import { type Answer, startModelServer, startReplayServer, type WireRequest } from '../fixtures/model-server.ts';

const tools = allTools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
const signal = () => new AbortController().signal;
const say = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });

function requestOf(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    role: 'orchestrator',
    projectId: null,
    system: 'You lead.',
    messages: [say('go')],
    tools,
    forcedTool: null,
    ...overrides,
  };
}

async function withServer<T>(
  script: (request: WireRequest, index: number) => Answer,
  work: (server: Awaited<ReturnType<typeof startModelServer>>, ask: Ask) => Promise<T>,
  { name = 'claude-sonnet-5-5', contextTokens = null as number | null } = {},
): Promise<T> {
  await using server = await startModelServer(script);
  const service = {
    baseUrl: server.url,
    apiKey: 'key-canary',
    authToken: null,
    recordingFolder: null,
    fetch: outboundFetch({ privateAddresses: 'allow' }),
  };
  const model = serviceModel(messagesApi, service, {
    model: name,
    effort: null,
    maxOutputTokens: 8000,
    contextTokens,
    supportsImages: null,
  });
  return await work(server, async (request = requestOf(), { signal: stop, chunks = [] } = { signal: signal() }) => {
    for await (const chunk of model.stream(request, { signal: stop })) chunks.push(chunk);
    return chunks;
  });
}
type Ask = (request?: ModelRequest, options?: { signal: AbortSignal; chunks?: ModelChunk[] }) => Promise<ModelChunk[]>;

const turnOf = (chunks: readonly ModelChunk[]) =>
  readTurn(
    (async function* () {
      yield* chunks;
    })(),
  );

describe('a model over the Messages API', () => {
  it('X2: assembles text, thinking and fragmented calls, with their usage', async () => {
    const input = { path: 'src/ä.tsx', content: 'a "quoted" line\n🎬'.repeat(50) };
    await withServer(
      () => ({
        thinking: 'First the file.',
        text: 'I write it.',
        calls: [
          { id: 'toolu_0000000000000001', name: 'sandbox_write_file', input },
          { id: 'toolu_0000000000000002', name: 'sandbox_list_files', input: {} },
        ],
        fragment: 7,
        usage: { input: 1_000, output: 500, cacheRead: 10_000, cacheWrite: 2_000 },
      }),
      async (_server, ask) => {
        const chunks = await ask();
        expect(chunks.filter(({ type }) => type === 'tool_input').length).toBeGreaterThan(50);
        const turn = await turnOf(chunks);
        expect(turn.content).toEqual([
          { type: 'thinking', thinking: 'First the file.', signature: 'signed(15)' },
          { type: 'text', text: 'I write it.' },
          { type: 'tool_use', id: 'toolu_0000000000000001', name: 'sandbox_write_file', input },
          { type: 'tool_use', id: 'toolu_0000000000000002', name: 'sandbox_list_files', input: {} },
        ]);
        expect(turn.stopReason).toBe('tool_use');
        // 1,000 × $2 + 2,000 × $2.50 + 10,000 × $0.20 + 500 × $10 per million.
        expect(turn.usage).toMatchObject({ inputTokens: 13_000, cachedInputTokens: 10_000, outputTokens: 500 });
        expect(turn.usage.costUsd).toBeCloseTo(0.014, 6);
      },
    );
  });

  it('X2: sends earlier messages back in the same bytes, including thinking and results, so that a cache applies', async () => {
    await withServer(
      () => ({ text: 'ok' }),
      async (server, ask) => {
        const messages: ModelMessage[] = [
          say('go'),
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'hm', signature: 'sig' },
              { type: 'redacted_thinking', data: 'opaque' },
              { type: 'tool_use', id: 'a', name: 'sandbox_list_files', input: { path: '.' } },
              { type: 'tool_use', id: 'b', name: 'sandbox_screenshot', input: { seek_to: 1 } },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', toolUseId: 'a', content: '{"files":[]}', isError: false }] },
          {
            role: 'user',
            content: [
              {
                type: 'tool_result',
                toolUseId: 'b',
                content: 'seen',
                isError: false,
                images: [{ mediaType: 'image/png', base64: 'AAAA' }],
              },
            ],
          },
          say('<state>\nphase: executing\n</state>'),
        ];
        await ask(requestOf({ messages }));
        await ask(
          requestOf({ messages: [...messages, { role: 'assistant', content: [{ type: 'text', text: 'ok' }] }, say('next')] }),
        );
        expect(server.complaints).toEqual([]);
        const [first, second] = server.requests.map(({ tools: sent, system, messages: list }) => ({ sent, system, list }));
        const bare = (value: unknown) => JSON.stringify(value).replaceAll(',"cache_control":{"type":"ephemeral"}', '');
        expect(bare(second?.list).startsWith(bare(first?.list).slice(0, -1))).toBe(true);
        expect(bare([second?.sent, second?.system])).toBe(bare([first?.sent, first?.system]));
        expect(server.requests[0]?.messages[1]?.content.slice(0, 2)).toEqual([
          { type: 'thinking', thinking: 'hm', signature: 'sig' },
          { type: 'redacted_thinking', data: 'opaque' },
        ]);
        expect(JSON.stringify(server.requests[0]?.messages.at(-1))).toContain('image/png');
        // The cache markers are at the end of the conversation, and after the prompt with the tools.
        expect(JSON.stringify(server.requests[0]).match(/"ephemeral"/g)).toHaveLength(2);
      },
    );
  });

  it('X2: retries without fields that a simple server refuses, and omits them from then on', async () => {
    const unknown = ['tool_choice', 'thinking', 'output_config', 'cache_control', 'eager_input_streaming'];
    const refusal = (request: WireRequest): string | undefined =>
      unknown.find((feature) =>
        JSON.stringify({ ...request, messages: request.messages, system: request.system }).includes(`"${feature}"`),
      );
    await withServer(
      (request) => {
        const feature = refusal(request);
        return feature === undefined
          ? { calls: [{ name: 'write_files', input: { files: [], summary: 'x' } }] }
          : { status: { code: 400, type: 'invalid_request_error', message: `${feature}: Extra inputs are not permitted` } };
      },
      async (server, ask) => {
        expect((await ask(requestOf({ forcedTool: 'sandbox_list_files' }))).at(-1)).toMatchObject({ type: 'end' });
        const first = server.requests.length;
        expect(first).toBeLessThanOrEqual(unknown.length + 1);
        await ask(requestOf({ forcedTool: 'sandbox_list_files' }));
        expect(server.requests.length).toBe(first + 1);
      },
      { name: 'claude-opus-4-6' },
    );
  });

  it('X2: requests only text and tools from an unknown model, and assumes a small context', async () => {
    await withServer(
      () => ({ text: 'ok' }),
      async (server, ask) => {
        await ask(requestOf({ forcedTool: 'sandbox_list_files' }));
        expect(Object.keys(server.requests[0] ?? {}).toSorted()).toEqual(
          ['max_tokens', 'messages', 'model', 'stream', 'system', 'tool_choice', 'tools'].toSorted(),
        );
        expect(JSON.stringify(server.requests[0])).not.toContain('cache_control');
      },
      { name: 'qwen3-coder:30b' },
    );
  });

  it('A12: does not force tool calls on Claude from 5.5 on, which refuses that, and forces them on earlier versions', async () => {
    for (const [name, isForced] of [
      ['claude-sonnet-5-5', false],
      ['claude-sonnet-4-6', true],
    ] as const) {
      await withServer(
        () => ({ text: 'ok' }),
        async (server, ask) => {
          await ask(requestOf({ forcedTool: 'sandbox_list_files' }));
          expect(server.requests[0]?.tool_choice !== undefined).toBe(isForced);
          expect('thinking' in (server.requests[0] ?? {})).toBe(!isForced);
        },
        { name },
      );
    }
  });

  it('X2: omits thinking that a service refuses from that request only', async () => {
    const messages: ModelMessage[] = [
      say('go'),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'bad' },
          { type: 'text', text: 'x' },
        ],
      },
      say('on'),
    ];
    await withServer(
      ({ messages: sent }) =>
        JSON.stringify(sent).includes('"signature"')
          ? {
              status: {
                code: 400,
                type: 'invalid_request_error',
                message:
                  'messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.',
              },
            }
          : { text: 'ok' },
      async (server, ask) => {
        expect((await ask(requestOf({ messages }))).at(-1)).toMatchObject({ type: 'end' });
        await ask(requestOf({ messages }));
        expect(server.requests).toHaveLength(4);
      },
    );
  });

  it.each([
    ['that one picture is bad', 'messages.2.content.0: image exceeds 5 MB maximum', true],
    ['that it takes none', 'This model does not support image input.', false],
  ])('X2: a service that says %s is asked without it, and for others as it said', async (_what, message, seesAfter) => {
    const picture = (base64: string): ModelMessage[] => [
      say('go'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'sandbox_screenshot', input: { seek_to: 1 } }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', toolUseId: 'a', content: 'x', isError: false, images: [{ mediaType: 'image/png', base64 }] },
        ],
      },
    ];
    await withServer(
      ({ messages }) =>
        JSON.stringify(messages).includes('BAD=')
          ? { status: { code: 400, type: 'invalid_request_error', message } }
          : { text: 'ok' },
      async (server, ask) => {
        expect((await ask(requestOf({ messages: picture('BAD=') }))).at(-1)).toMatchObject({ type: 'end' });
        expect(server.requests).toHaveLength(2);
        await ask(requestOf({ messages: picture('GOOD') }));
        expect(server.requests).toHaveLength(3);
        expect(JSON.stringify(server.requests[2]).includes('GOOD')).toBe(seesAfter);
      },
    );
  });

  it.each<[string, Answer, string]>([
    [
      'a key that is not accepted',
      { status: { code: 401, type: 'authentication_error', message: 'invalid x-api-key' } },
      'UNAUTHORIZED',
    ],
    ['an account without the right', { status: { code: 403, type: 'permission_error', message: 'no' } }, 'FORBIDDEN'],
    ['a model that is not there', { status: { code: 404, type: 'not_found_error', message: 'model: x' } }, 'NOT_FOUND'],
    ['a request that is too large', { status: { code: 413, type: 'request_too_large', message: 'big' } }, 'TOO_LARGE'],
    ['a request that is refused', { status: { code: 400, type: 'invalid_request_error', message: 'bad' } }, 'BAD_REQUEST'],
    ['a rate limit', { status: { code: 429, type: 'rate_limit_error', message: 'slow', retryAfter: '7' } }, 'RATE_LIMITED'],
    ['an overloaded service', { status: { code: 529, type: 'overloaded_error', message: 'Overloaded' } }, 'LLM_CONNECTION'],
    ['a failing service', { status: { code: 500, type: 'api_error', message: 'oops' } }, 'LLM_CONNECTION'],
    ['a connection that is closed', { silence: 'drop' }, 'LLM_CONNECTION'],
    [
      'a reset in the middle of a call',
      { calls: [{ name: 'x', input: { a: 1 } }], breakAfter: { events: 4, by: 'reset' } },
      'LLM_CONNECTION',
    ],
    [
      'an end in the middle of a call',
      { calls: [{ name: 'x', input: { a: 1 } }], breakAfter: { events: 4, by: 'end' } },
      'LLM_RESPONSE',
    ],
    ['an overload in the stream', { text: 'x', breakAfter: { events: 3, by: 'overloaded' } }, 'LLM_CONNECTION'],
    ['an event that is no JSON', { text: 'x', breakAfter: { events: 3, by: 'malformed' } }, 'LLM_RESPONSE'],
  ])('V6: %s is told by its cause, never with the key', async (_name, told, code) => {
    await withServer(
      () => told,
      async (_server, ask) => {
        const error = await ask().catch((failure: unknown) => failure);
        expect(error).toMatchObject({ name: 'KodaError', code });
        expect(String((error as Error).message)).not.toContain('key-canary');
        if (code === 'RATE_LIMITED') expect(error).toMatchObject({ details: { retryAfterMs: 7000 } });
      },
    );
  });

  it.each([
    ['refuses the key', 401, 'Received API Key = key-canary, expected another'],
    ['fails', 500, 'upstream rejected key-canary'],
    ['finds no room', 429, `${'no room '.repeat(62)}key-canary`],
    ['refuses the request', 400, 'bad header x-api-key: key-canary'],
  ])('V6: a gateway that %s and repeats the key is told without it, whole and in part', async (_what, code, message) => {
    await withServer(
      () => ({ status: { code, type: 'api_error', message } }),
      async (_server, ask) => {
        const error = await ask().catch((failure: unknown) => failure);
        expect(error).toBeInstanceOf(KodaError);
        expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('key-');
      },
    );
  });

  it.each([
    ['claude-sonnet-5-5', true],
    ['qwen3-coder:30b', false],
  ])('X2: whether %s tells calls as it writes them is known: %s', async (name, isSteady) => {
    await withServer(
      () => ({ text: 'ok' }),
      async (_server, ask) => expect((await ask())[0]).toMatchObject({ type: 'begun', isSteady }),
      { name },
    );
  });

  it.each<[string, Answer['usage'], { inputTokens: number; least: number }]>([
    ['tells at the beginning', { input: 1_000, output: 9, cacheRead: 10_000 }, { inputTokens: 11_000, least: 11_000 }],
    ['tells only at the end', { input: 0, output: 0 }, { inputTokens: Number.NaN, least: 1_000 }],
  ])('T17: what an answer has used is known while it comes, from a service that %s', async (_what, usage, expected) => {
    const text = 'x'.repeat(5_000);
    await withServer(
      () => ({ text, ...(usage === undefined ? {} : { usage }), breakAfter: { events: 4, by: 'end' } }),
      async (_server, ask) => {
        const chunks: ModelChunk[] = [];
        await ask(requestOf(), { signal: signal(), chunks }).catch(() => undefined);
        const [begun] = chunks;
        const used = begun?.type === 'begun' ? begun.partialUsage() : null;
        expect(used?.inputTokens).toBeGreaterThanOrEqual(expected.least);
        if (!Number.isNaN(expected.inputTokens)) expect(used?.inputTokens).toBe(expected.inputTokens);
        expect(used?.outputTokens).toBe(2_000);
        // 2,000 × $10 per million, plus the input.
        expect(used?.costUsd).toBeGreaterThan(0.02);
      },
    );
  });

  it('V6: reports an unreachable server with its address', async () => {
    const service = {
      baseUrl: 'http://127.0.0.1:9',
      apiKey: null,
      authToken: null,
      recordingFolder: null,
      fetch: outboundFetch({ privateAddresses: 'allow' }),
    };
    const model = serviceModel(messagesApi, service, {
      model: 'x',
      effort: null,
      maxOutputTokens: 1000,
      contextTokens: null,
      supportsImages: null,
    });
    const asking = readTurn(model.stream(requestOf(), { signal: signal() }));
    await expect(asking).rejects.toMatchObject({
      code: 'LLM_CONNECTION',
      message: expect.stringContaining('http://127.0.0.1:9'),
    });
  });

  it('A10: a stop ends a hanging response before its first word and in the middle', async () => {
    for (const told of [{ silence: 'hang' }, { text: 'x', breakAfter: { events: 3, by: 'hang' } }] as const) {
      await withServer(
        () => told,
        async (_server, ask) => {
          const stop = new AbortController();
          setTimeout(() => stop.abort(), 100);
          await expect(ask(requestOf(), { signal: stop.signal })).rejects.toMatchObject({ code: 'CANCELLED' });
        },
      );
    }
  });

  it('A11 X2: learns a smaller context than assumed from the error, for request and response', async () => {
    const words = 'the request exceeds the available context size (12288 tokens), try increasing it';
    await using server = await startModelServer(() => ({ status: { code: 400, type: 'invalid_request_error', message: words } }));
    const service = {
      baseUrl: server.url,
      apiKey: null,
      authToken: null,
      recordingFolder: null,
      fetch: outboundFetch({ privateAddresses: 'allow' }),
    };
    const settings = {
      model: 'qwen3-coder:30b',
      effort: null,
      maxOutputTokens: 8_000,
      contextTokens: null,
      supportsImages: null,
    };
    const model = serviceModel(messagesApi, service, settings);
    expect([model.contextTokens, model.responseTokens]).toEqual([32_000, 8_000]);
    await expect(readTurn(model.stream(requestOf(), { signal: signal() }))).rejects.toSatisfy(isWindowTooSmall);
    expect([model.contextTokens, model.responseTokens]).toEqual([12_288, 3_072]);
    // Each repetition lowers the limit further, so that repeated attempts end.
    await expect(readTurn(model.stream(requestOf(), { signal: signal() }))).rejects.toSatisfy(isWindowTooSmall);
    expect(model.contextTokens).toBe(9_830);
    expect(server.requests.map(({ max_tokens }) => max_tokens)).toEqual([8_000, 3_072]);
  });

  it('F7: fails alone if the service calls every request too long: the next run starts with the whole context', async () => {
    let isBroken = true;
    const refusal = { status: { code: 400, type: 'invalid_request_error', message: 'context length exceeded' } };
    await using server = await startModelServer(() => (isBroken ? refusal : { text: 'ok' }));
    const service = {
      ...{ baseUrl: server.url, apiKey: null, authToken: null, recordingFolder: null },
      fetch: outboundFetch({ privateAddresses: 'allow' }),
    };
    const settings = { effort: null, maxOutputTokens: 8_000, contextTokens: null, supportsImages: null };
    const model = serviceModel(messagesApi, service, { model: 'qwen3-coder:30b', ...settings });
    for (let attempt = 0; attempt < 12; attempt++)
      await expect(readTurn(model.stream(requestOf(), { signal: signal() }))).rejects.toSatisfy(isWindowTooSmall);
    expect(model.contextTokens).toBeLessThan(3_000);
    isBroken = false;
    expect(await readTurn(model.stream(requestOf(), { signal: signal() }))).toMatchObject({ content: [{ text: 'ok' }] });
    model.forgetRejections?.();
    expect(model.contextTokens).toBe(32_000);
  });

  it('X2: does not send back a response that was cut off in its thinking, which a service would refuse', async () => {
    const cut: ModelMessage = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'sig' },
        { type: 'text', text: ' ' },
        { type: 'redacted_thinking', data: 'opaque' },
      ],
    };
    const said: ModelMessage = { ...cut, content: [...cut.content.slice(0, 1), { type: 'text', text: 'Well.' }] };
    await withServer(
      () => ({ text: 'ok' }),
      async (server, ask) => {
        await ask(requestOf({ messages: [say('go'), cut, say('on')] }));
        await ask(requestOf({ messages: [say('go'), said, say('on')] }));
        expect(server.complaints).toEqual([]);
        expect(server.requests[0]?.messages).toMatchObject([{ role: 'user', content: [{ text: 'go' }, { text: 'on' }] }]);
        expect(server.requests[1]?.messages[1]?.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
      },
    );
  });

  it.each([
    ['in the middle of its JSON', '{"path":"src/a.ts","content":"half'],
    ['before its first letter', ''],
  ])('T1: a call that was cut off by the limit %s is not made, those before it are', async (_where, input) => {
    await withServer(
      () => ({
        calls: [
          { id: 'toolu_0000000000000001', name: 'sandbox_list_files', input: { path: 'src' } },
          { name: 'render_preview', input },
        ],
        fragment: 5,
        stopReason: 'max_tokens',
      }),
      async (_server, ask) => {
        const chunks = await ask();
        expect(chunks.filter(({ type }) => type === 'tool_start')).toHaveLength(2);
        expect((await turnOf(chunks)).content).toEqual([
          { type: 'tool_use', id: 'toolu_0000000000000001', name: 'sandbox_list_files', input: { path: 'src' } },
          { type: 'tool_use', id: expect.any(String), name: 'render_preview', input: {}, cutAfter: input.length },
        ]);
      },
    );
  });

  it('X2: replaces duplicate call ids of a server by unique ones', async () => {
    const used: ModelMessage[] = [
      say('go'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'call_0', name: 'sandbox_list_files', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 'call_0', content: '{}', isError: false }] },
    ];
    await withServer(
      () => ({ calls: [{ id: 'call_0', name: 'sandbox_list_files', input: {} }] }),
      async (_server, ask) => {
        const turn = await turnOf(await ask(requestOf({ messages: used })));
        expect(turn.content[0]).toMatchObject({ type: 'tool_use', id: expect.not.stringMatching(/^call_0$/) });
      },
    );
  });

  it('X2: records an exchange without the key, and replays it identically', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'koda-recordings-'));
    const settings = {
      model: 'claude-sonnet-5-5',
      effort: null,
      maxOutputTokens: 8000,
      contextTokens: null,
      supportsImages: null,
    };
    await using server = await startModelServer(() => ({
      text: 'The key is key-canary.',
      calls: [{ id: 'toolu_0000000000000009', name: 'sandbox_list_files', input: { path: 'src' } }],
      fragment: 3,
    }));
    const service = {
      baseUrl: server.url,
      apiKey: 'key-canary',
      authToken: null,
      recordingFolder: folder,
      fetch: outboundFetch({ privateAddresses: 'allow' }),
    };
    const request = requestOf({ messages: [say('my key is key-canary')] });
    const told = await readTurn(serviceModel(messagesApi, service, settings).stream(request, { signal: signal() }));
    await expect.poll(() => readdir(folder)).toHaveLength(1);
    const text = await readFile(join(folder, (await readdir(folder))[0] ?? ''), 'utf8');
    expect(text).not.toContain('key-canary');
    expect(text).toContain('[removed]');

    await using replay = await startReplayServer([JSON.parse(text) as RecordedExchange]);
    const again = serviceModel(messagesApi, { ...service, baseUrl: replay.url, recordingFolder: null }, settings);
    const retold = await readTurn(again.stream(request, { signal: signal() }));
    expect(JSON.stringify(retold)).toBe(JSON.stringify(told).replaceAll('key-canary', '[removed]'));
    await rm(folder, { recursive: true });
  });
});

/** Starts a server that answers every request with `listener`, and asks a model there. */
async function failureOf(listener: RequestListener, { host = '127.0.0.1', privateAddresses = 'allow' as const } = {}) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const service = {
      baseUrl: `http://${host}:${(server.address() as AddressInfo).port}`,
      apiKey: 'key-canary',
      authToken: null,
      recordingFolder: null,
      fetch: outboundFetch({ privateAddresses }),
    };
    const settings = { model: 'x', effort: null, maxOutputTokens: 8000, contextTokens: null, supportsImages: null };
    const error = await readTurn(serviceModel(messagesApi, service, settings).stream(requestOf(), { signal: signal() })).catch(
      (e) => e,
    );
    if (error instanceof KodaError) return error;
    throw new Error(`There is no failure: ${inspect(error)}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('a service that sends requests elsewhere', () => {
  it.each([301, 302, 307, 308])('V6: does not follow redirect %i, so that the key stays with its server', async (status) => {
    await using elsewhere = await startModelServer(() => ({ text: 'I have the key.' }));
    const location = `${elsewhere.url}/v1/messages`;
    const error = await failureOf((_request, response) => response.writeHead(status, { location }).end());
    expect(error).toMatchObject({ code: 'LLM_CONNECTION', message: expect.stringContaining('redirects') });
    expect(elsewhere.keys).toEqual([]);
  });
});

describe('a service that is not a model', () => {
  it.each([
    [200, '<html>secret-canary</html>'],
    [200, '{"secret-canary": 1}'],
    [400, 'secret-canary'],
    [404, '{"message": "secret-canary"}'],
    [500, '{"error": {"message": "secret-canary", "type": "internal"}}'],
    [401, '{"type": "error", "error": "secret-canary"}'],
  ])('M1: shows nothing of its answer %i %s', async (status, body) => {
    const error = await failureOf((_request, response) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(body),
    );
    expect(JSON.stringify([error.message, error.details])).not.toContain('canary');
  });

  it('M1: shows a message of the Messages API, shortened and without control characters', async () => {
    const message = `There is\u0000 no\u202e model x${'y'.repeat(500)}`;
    const body = JSON.stringify({ type: 'error', error: { type: 'not_found_error', message } });
    const error = await failureOf((_request, response) =>
      response.writeHead(404, { 'content-type': 'application/json' }).end(body),
    );
    expect(error.message).toContain('There is no model xy');
    expect(error.message).not.toMatch(/[\p{Cc}\p{Cf}]|y{190}/u);
  });

  it('M1: is not contacted at the address of a metadata service', async () => {
    const error = await failureOf((_request, response) => response.end(), { host: '169.254.169.254' });
    expect(error).toMatchObject({ code: 'LLM_CONNECTION', message: expect.stringContaining('does not contact its address') });
  });
});
