import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ProjectSnapshot } from '#contract/api.ts';
import { KodaError } from '#contract/errors.ts';
import type { Project } from '#contract/project.ts';
import { CircuitBreaker } from '../../server/lib/circuit-breaker.ts';
import { outboundFetch } from '../../server/lib/outbound-fetch.ts';
import { messagesApi } from '../../server/llm/models/anthropic/messages.ts';
import { chatApi } from '../../server/llm/models/chat/chat.ts';
import { isWindowTooSmall, type Model, type ModelMessage, type ModelRequest } from '../../server/llm/models/model.ts';
import { resilientModel } from '../../server/llm/models/resilient-model.ts';
import { responseLimits } from '../../server/llm/models/response-timeouts.ts';
import { serviceModel, type WireFormat } from '../../server/llm/models/service/service-model.ts';
import { readTurn } from '../../server/llm/turn.ts';
import { startTestStudio } from '../fixtures/app.ts';
import { wireRequestOf } from '../fixtures/chat-script.ts';
import {
  type ChatAnswer,
  type ChatRequest,
  type ChatServer,
  chunkOf,
  llamaCppChunks,
  mistralChunks,
  ollamaChunks,
  openAiChunks,
  openAiError,
  startChatServer,
  usageOf,
} from '../fixtures/chat-server.ts';
import { leadingModel, planOf } from '../fixtures/leading-model.ts';
import { startModelServer } from '../fixtures/model-server.ts';
import { until } from '../fixtures/progress.ts';

const key = 'key-canary-0123456789';
const say = (text: string): ModelMessage => ({ role: 'user', content: [{ type: 'text', text }] });
const tool = (name: string) => ({ name, description: `The tool ${name}.`, inputSchema: { type: 'object', properties: {} } });

function requestOf(overrides: Partial<ModelRequest> = {}): ModelRequest {
  return {
    ...{ role: 'orchestrator', projectId: null, system: 'You lead.', messages: [say('go')], forcedTool: null },
    tools: [tool('list_files'), tool('write_file')],
    ...overrides,
  };
}

function modelAt(url: string, { format = chatApi as WireFormat, supportsImages = null as boolean | null } = {}): Model {
  const service = {
    baseUrl: url,
    apiKey: key,
    authToken: null,
    recordingFolder: null,
    fetch: outboundFetch({ privateAddresses: 'allow' }),
  };
  return serviceModel(format, service, {
    model: 'qwen3',
    effort: null,
    maxOutputTokens: 8_000,
    contextTokens: null,
    supportsImages,
  });
}

type Ask = (request?: ModelRequest, signal?: AbortSignal) => ReturnType<typeof readTurn>;

async function withServer(
  script: (request: ChatRequest, index: number) => ChatAnswer,
  work: (server: ChatServer, ask: Ask, model: Model) => Promise<void>,
  options: { supportsImages?: boolean } = {},
): Promise<void> {
  await using server = await startChatServer(script);
  const model = modelAt(server.url, options);
  const ask: Ask = (request = requestOf(), signal = new AbortController().signal) => readTurn(model.stream(request, { signal }));
  await work(server, ask, model);
}

const input = { path: 'src/ä.tsx', content: 'a "quoted" line\n🎬'.repeat(9) };
const calls = [
  { name: 'write_file', input },
  { name: 'list_files', input: {} },
];
const twoCalls = calls.map(({ name, input: given }) => ({
  type: 'tool_use',
  id: expect.stringMatching(/^call_/),
  name,
  input: given,
}));

describe('a model over chat completions', () => {
  it.each<
    [string, readonly unknown[], readonly unknown[], { inputTokens: number; cachedInputTokens: number; outputTokens: number }]
  >([
    [
      'OpenAI',
      openAiChunks('I write it.', calls),
      [{ type: 'text', text: 'I write it.' }, ...twoCalls],
      { inputTokens: 1_000, cachedInputTokens: 600, outputTokens: 50 },
    ],
    [
      'llama.cpp',
      llamaCppChunks('First the file.', calls),
      twoCalls,
      { inputTokens: 900, cachedInputTokens: 0, outputTokens: 40 },
    ],
    [
      'Mistral',
      mistralChunks('First the file.', 'I write it.', calls),
      [{ type: 'text', text: 'I write it.' }, ...twoCalls],
      { inputTokens: 800, cachedInputTokens: 0, outputTokens: 30 },
    ],
  ])(
    'X2: assembles text and several calls as %s sends them, with their usage and without thinking',
    async (_who, chunks, content, usage) => {
      await withServer(
        () => ({ chunks }),
        async (server, ask) => {
          const turn = await ask();
          expect(turn.content).toEqual(content);
          expect(new Set(turn.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))).size).toBe(2);
          expect(turn).toMatchObject({ stopReason: 'tool_use', usage });
          expect(server.keys).toEqual([`Bearer ${key}`]);
        },
      );
    },
  );

  it('X2 T17: separates calls that share an index, and estimates usage that a server does not report', async () => {
    await withServer(
      () => ({ chunks: ollamaChunks(calls) }),
      async (_server, ask) => {
        const turn = await ask();
        expect(turn.content).toEqual(twoCalls);
        expect(turn.usage.inputTokens).toBeGreaterThan(50);
        expect(turn.usage.outputTokens).toBeGreaterThan(50);
      },
    );
  });

  it('X2: holds a conversation with calls, results and pictures, whose start stays the same', async () => {
    const picture = { mediaType: 'image/png', base64: 'AAAA' } as const;
    const messages: ModelMessage[] = [
      say('go'),
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 'sig' },
          { type: 'text', text: 'Look.' },
          { type: 'tool_use', id: 'toolu_a', name: 'list_files', input: { path: '.' } },
          { type: 'tool_use', id: 'toolu_b', name: 'write_file', input: {} },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: 'toolu_a', content: '{}', isError: false, images: [picture] }],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: 'toolu_b', content: '{"x":1}', shown: 'seen', isError: true }],
      },
      say('<state>\nphase: executing\n</state>'),
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'cut', signature: '' }] },
      say('on'),
    ];
    await withServer(
      () => ({ chunks: openAiChunks('ok', []) }),
      async (server, ask) => {
        const turn = await ask(requestOf({ messages }));
        await ask(requestOf({ messages: [...messages, { role: 'assistant', content: turn.content }, say('next')] }));
        expect(server.complaints).toEqual([]);
        const [first, second] = server.requests;
        expect(first?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'user']);
        expect(JSON.stringify(second?.messages).startsWith(JSON.stringify(first?.messages).slice(0, -1))).toBe(true);
        expect(JSON.stringify(first)).not.toMatch(/hm|"cut"/);
        expect(first?.messages[4]).toMatchObject({ content: 'seen' });
        expect(first?.messages[5]?.content).toEqual([
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'text', text: '<state>\nphase: executing\n</state>\n\non' },
        ]);
        expect(first).toMatchObject({ max_tokens: 8_000, stream_options: { include_usage: true } });
      },
      { supportsImages: true },
    );
  });

  it('X2: forces a tool, and asks a server that refuses that for JSON of its schema instead', async () => {
    const forced = requestOf({ tools: [tool('write_file')], forcedTool: 'write_file' });
    const told = [{ type: 'tool_use', id: expect.any(String), name: 'write_file', input: { a: 1 } }];
    await withServer(
      () => ({ chunks: openAiChunks('', [{ name: 'write_file', input: { a: 1 } }]) }),
      async (server, ask) => {
        expect((await ask(forced)).content).toEqual(told);
        expect(server.requests[0]?.['tool_choice']).toBe('required');
        await ask(requestOf({ forcedTool: 'write_file' }));
        expect(server.requests[1]?.['tool_choice']).toEqual({ type: 'function', function: { name: 'write_file' } });
      },
    );
    for (const [status, body] of [
      [400, { error: "Invalid tool_choice type: 'object'. Supported string values: none, auto, required" }],
      [400, openAiError('registry.ollama.ai/library/gemma3:4b does not support tools', 'api_error', null)],
      [500, openAiError('tools param requires --jinja flag', 'server_error', 500)],
    ] as const) {
      await withServer(
        ({ tools }) => (tools === undefined ? { chunks: openAiChunks('{"a": 1}', []) } : { status, body }),
        async (server, ask) => {
          const turn = await ask(forced);
          expect(turn).toMatchObject({ content: told, stopReason: 'tool_use' });
          expect(server.requests[1]?.['response_format']).toMatchObject({
            type: 'json_schema',
            json_schema: { name: 'write_file' },
          });
          await ask(forced);
          expect(server.requests).toHaveLength(3);
        },
      );
    }
  });

  it('X2: retries without fields that a server refuses, and omits them from then on', async () => {
    const refusals: [string, string][] = [
      ['stream_options', 'Unrecognized request argument supplied: stream_options'],
      [
        'max_tokens',
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      ],
    ];
    await withServer(
      (request) => {
        const refused = refusals.find(([field]) => field in request);
        if (refused !== undefined)
          return { status: 400, body: openAiError(refused[1], 'invalid_request_error', 'unsupported_parameter') };
        return { chunks: openAiChunks('ok', []) };
      },
      async (server, ask) => {
        await ask();
        await ask();
        expect(server.requests).toHaveLength(4);
        expect(server.requests[3]).toMatchObject({ max_completion_tokens: 8_000 });
      },
    );
  });

  it('X2: appends what follows a result to the result, for a server that refuses a user’s message there', async () => {
    const body = {
      object: 'error',
      message: "Unexpected role 'user' after role 'tool'",
      type: 'invalid_request_message_order',
      code: '3230',
    };
    const messages: ModelMessage[] = [
      say('go'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'list_files', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 'a', content: '{}', isError: false }] },
      say('phase: executing'),
    ];
    await withServer(
      (request) => (request.messages.at(-1)?.role === 'user' ? { status: 400, body } : { chunks: mistralChunks('', 'ok', []) }),
      async (server, ask) => {
        await ask(requestOf({ messages }));
        expect(server.requests[1]?.messages.at(-1)).toMatchObject({ role: 'tool', content: '{}\n\nphase: executing' });
        expect(server.complaints).toEqual([]);
      },
    );
  });

  it.each<[string, string, readonly Record<string, unknown>[]]>([
    ['end_turn', 'stop', []],
    ['max_tokens', 'length', []],
    ['max_tokens', 'model_length', []],
    ['refusal', 'content_filter', []],
    ['refusal', 'stop', [{ refusal: 'I cannot.' }]],
    ['end_turn', 'eos', []],
  ])('X2: understands the end %s, told as %s', async (expected, reason, deltas) => {
    await withServer(
      () => ({ chunks: [...deltas.map((delta) => chunkOf(delta)), chunkOf({}, reason)] }),
      async (_server, ask) => expect((await ask()).stopReason).toBe(expected),
    );
  });

  it.each(['length', 'tool_calls', 'stop'])(
    'T1: a call that was cut off is not made, with the finish reason %s',
    async (reason) => {
      const part = (index: number, name: string, json: string) =>
        chunkOf({ tool_calls: [{ index, id: `id${index}`, type: 'function', function: { name, arguments: json } }] });
      await withServer(
        () => ({
          chunks: [part(0, 'list_files', '{}'), part(1, 'write_file', '{"path":"a","content":"ha'), chunkOf({}, reason)],
        }),
        async (_server, ask) => {
          expect((await ask()).content).toMatchObject([
            { name: 'list_files', input: {} },
            { name: 'write_file', input: {}, cutAfter: 25 },
          ]);
        },
      );
    },
  );

  it('T1: a call whose input is no JSON is reported as unreadable', async () => {
    const delta = { tool_calls: [{ index: 0, id: 'a', function: { name: 'write_file', arguments: '{path: x}' } }] };
    await withServer(
      () => ({ chunks: [chunkOf(delta, 'tool_calls')] }),
      async (_server, ask) => expect((await ask()).content).toMatchObject([{ input: {}, unreadable: '{path: x}' }]),
    );
  });

  it.each<[string, ChatAnswer, string]>([
    [
      'a key that OpenAI rejects',
      { status: 401, body: openAiError(`Incorrect API key provided: ${key}`, 'invalid_request_error', 'invalid_api_key') },
      'UNAUTHORIZED',
    ],
    ['a key that Mistral rejects', { status: 401, body: { detail: 'Unauthorized' } }, 'UNAUTHORIZED'],
    ['a denied model', { status: 403, body: openAiError('no', 'x', null) }, 'FORBIDDEN'],
    [
      'a model that OpenAI lacks',
      { status: 404, body: openAiError('The model `x` does not exist', 'invalid_request_error', 'model_not_found') },
      'NOT_FOUND',
    ],
    [
      'a model that Ollama lacks',
      { status: 404, body: openAiError('model "x" not found, try pulling it first', 'api_error', null) },
      'NOT_FOUND',
    ],
    [
      'a model that Mistral lacks',
      { status: 400, body: { object: 'error', message: 'Invalid model: x', type: 'invalid_model', param: null, code: '1500' } },
      'NOT_FOUND',
    ],
    [
      'a rate limit',
      { status: 429, body: openAiError('slow', 'requests', 'rate_limit_exceeded'), headers: { 'retry-after': '7' } },
      'RATE_LIMITED',
    ],
    ['a rejected request', { status: 422, body: { detail: [{ loc: ['body', 'x'], msg: 'bad' }] } }, 'BAD_REQUEST'],
    ['a failing server', { status: 500, body: openAiError('oops', 'server_error', null) }, 'LLM_CONNECTION'],
    ['a loading server', { status: 503, body: openAiError('Loading model', 'unavailable_error', 503) }, 'LLM_CONNECTION'],
    ['a closed connection', 'drop', 'LLM_CONNECTION'],
    ['a reset in the stream', { chunks: [chunkOf({ content: 'x' })], ending: 'reset' }, 'LLM_CONNECTION'],
    ['an early end', { chunks: [chunkOf({ content: 'x' })], ending: 'end' }, 'LLM_RESPONSE'],
    ['an early “done”', { chunks: [chunkOf({ content: 'x' })] }, 'LLM_RESPONSE'],
    ['an error in the stream of llama.cpp', { chunks: [openAiError('slot unavailable', 'server_error', 500)] }, 'LLM_CONNECTION'],
    ['a limit in the stream', { chunks: [openAiError('slow', 'requests', 'rate_limit_exceeded')] }, 'RATE_LIMITED'],
    ['an error of a provider behind the server', { chunks: [chunkOf({}, 'error')] }, 'LLM_RESPONSE'],
    ['an event that is no JSON', { chunks: [chunkOf({ content: 'x' })], ending: 'malformed' }, 'LLM_RESPONSE'],
    ['a chunk of another API', { chunks: [{ choices: 'none' }] }, 'LLM_RESPONSE'],
  ])('V6: reports %s by its cause, never with the key', async (_what, told, code) => {
    await withServer(
      () => told,
      async (_server, ask) => {
        const error = await ask().catch((failure: unknown) => failure);
        expect(error).toBeInstanceOf(KodaError);
        expect(error).toMatchObject({ code });
        expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('canary');
        if (code === 'RATE_LIMITED' && typeof told === 'object' && 'headers' in told)
          expect(error).toMatchObject({ details: { retryAfterMs: 7000 } });
      },
    );
  });

  it.each([
    [200, '<html>secret-canary</html>'],
    [400, 'secret-canary'],
    [404, '{"message": "secret-canary"}'],
    [500, '{"error": {"message": "secret-canary", "type": "internal"}}'],
  ])('M1: shows nothing of an answer %i %s', async (status, body) => {
    await withServer(
      () => ({ status, body }),
      async (_server, ask) => {
        const error = await ask().catch((failure: unknown) => failure);
        expect(error).toBeInstanceOf(KodaError);
        expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('secret');
      },
    );
  });

  it.each([
    [
      'OpenAI',
      400,
      openAiError(
        "This model's maximum context length is 16385 tokens. However, your messages resulted in 20000 tokens.",
        'invalid_request_error',
        'context_length_exceeded',
      ),
      16_385,
    ],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size, try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9_000,
          n_ctx: 8_192,
        },
      },
      8_192,
    ],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message: "This model's maximum context length is 12288 tokens.",
        type: 'BadRequestError',
        param: null,
        code: 400,
      },
      12_288,
    ],
    [
      'Mistral',
      400,
      {
        object: 'error',
        message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
        type: 'invalid_request_prompt',
        code: '3051',
      },
      25_600,
    ],
  ])('A11: learns the context size from the error of %s', async (_who, status, body, expected) => {
    await withServer(
      () => ({ status, body }),
      async (_server, ask, model) => {
        await expect(ask()).rejects.toSatisfy(isWindowTooSmall);
        expect(model.contextTokens).toBe(expected);
      },
    );
  });

  it('A10: a stop ends a hanging response before its first word and in the middle', async () => {
    for (const told of ['hang', { chunks: [chunkOf({ content: 'x' })], ending: 'hang' }] as const) {
      await withServer(
        () => told,
        async (_server, ask) => {
          const stop = new AbortController();
          setTimeout(() => stop.abort(), 100);
          await expect(ask(requestOf(), stop.signal)).rejects.toMatchObject({ code: 'CANCELLED' });
        },
      );
    }
  });

  it('V6: redacts a key that a server repeats in its text', async () => {
    await withServer(
      () => ({ chunks: openAiChunks(`The key is ${key}!`, []) }),
      async (_server, ask) => expect(JSON.stringify((await ask()).content)).not.toContain('canary'),
    );
  });
});

it('V6: names the API if a server does not offer it', async () => {
  await using server = await startModelServer(() => ({ text: 'ok' }));
  const asking = readTurn(modelAt(`${server.url}/api`).stream(requestOf(), { signal: new AbortController().signal }));
  await expect(asking).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await using chat = await startChatServer(() => ({ chunks: [] }));
  const wrong = readTurn(
    modelAt(chat.url, { format: messagesApi }).stream(requestOf(), { signal: new AbortController().signal }),
  );
  await expect(wrong).rejects.toMatchObject({
    message: expect.stringMatching(/does not offer the Messages API.*KODA_MODEL_API/),
  });
});

it('X2: a model over chat completions works with tools: it proposes a plan and writes code', async () => {
  const lead = leadingModel({ asksFirst: false, plan: () => planOf(['Only']) });
  const names: string[] = [];
  await using server = await startChatServer((request) => {
    const { text = '', calls: made = [] } = lead(wireRequestOf(request));
    names.push(...made.map(({ name }) => name));
    return { chunks: openAiChunks(text, made) };
  });
  await using studio = await startTestStudio();
  const model = { provider: 'server', baseUrl: server.url, orchestrator: 'qwen3', contextTokens: 64_000, api: 'chat' };
  await studio.send('PUT', '/api/settings/model', { ...model, modelPath: 'code' });
  const { id } = await studio.send<Project>('POST', '/api/projects', { prompt: 'A green cube spins', style: 'smooth' });
  const reaches = (phase: string) =>
    until(phase, async () => (await studio.send<ProjectSnapshot>('GET', `/api/projects/${id}`)).project.phase === phase);
  await reaches('plan');
  await studio.send('POST', `/api/projects/${id}/plan`, { action: 'accept' });
  await until('code', () => names.includes('generate_code') && names.includes('write_files'));
  expect(server.complaints).toEqual([]);
});

describe('a server that cuts requests without an error', () => {
  /** About 6,000 tokens. */
  const long = requestOf({ projectId: 'prj_1', messages: [say('The cube turns slowly. '.repeat(1_200))] });

  async function warningsOf(url: string, format: WireFormat, requests: readonly ModelRequest[]): Promise<string[]> {
    const warnings: string[] = [];
    const model = resilientModel(modelAt(url, { format }), {
      breaker: new CircuitBreaker({ name: 'model', label: 'The model' }),
      limits: responseLimits,
      onWait: async () => undefined,
      onResume: async () => undefined,
      onWarning: async ({ projectId }, text) => void warnings.push(`${projectId}: ${text}`),
      random: () => 0,
    });
    for (const request of requests) await readTurn(model.stream(request, { signal: new AbortController().signal }));
    return warnings;
  }

  it.each(['chat', 'messages'])('X2: is named once per project, with figures and what to set, over %s', async (api) => {
    const requests = [long, long, { ...long, projectId: 'prj_2' }];
    await using chat = await startChatServer(() => ({
      chunks: [chunkOf({ content: 'ok' }, 'stop', { usage: usageOf(2_048, 9) })],
    }));
    await using messages = await startModelServer(() => ({ text: 'ok', usage: { input: 2_048, output: 9 } }));
    const warnings = await (api === 'chat'
      ? warningsOf(chat.url, chatApi, requests)
      : warningsOf(messages.url, messagesApi, requests));
    expect(warnings).toHaveLength(2);
    const url = api === 'chat' ? chat.url : messages.url;
    expect(warnings[0]).toMatch(new RegExp(`^prj_1: ${url} read 2048 of about \\d{4} tokens sent to qwen3`));
    expect(warnings[0]).toContain('KODA_MODEL_CONTEXT_TOKENS');
  });

  it.each([
    ['reports all that was sent', long, usageOf(5_000, 9)],
    ['has most of it in its cache', long, usageOf(5_000, 9, 4_990)],
    ['reports no usage', long, null],
    ['reports an empty usage', long, {}],
    ['was sent little', requestOf(), usageOf(3, 9)],
  ])('X2: is not suspected if it %s', async (_what, request, usage) => {
    await using server = await startChatServer(() => ({ chunks: [chunkOf({ content: 'ok' }, 'stop', { usage })] }));
    expect(await warningsOf(server.url, chatApi, [request])).toEqual([]);
  });
});

it('X2: a model over chat completions plans a film of formats in one request, and the project shows a warning about its server', async () => {
  const props = { text: 'A green cube', emphasis: [], kicker: null, subtitle: null, entrance: null, icons: [] };
  const film = {
    title: 'Cube',
    style: 'smooth',
    theme: 'paper',
    aspect: '16:9',
    caveat: null,
    scenes: [{ format: 'title', props }],
  };
  await using server = await startChatServer(() => ({
    chunks: [
      ...llamaCppChunks('One scene.', [{ name: 'write_film', input: film }]).slice(0, -1),
      chunkOf({}, 'tool_calls', { usage: usageOf(512, 40) }),
    ],
  }));
  await using studio = await startTestStudio();
  const model = { provider: 'server', baseUrl: server.url, orchestrator: 'qwen3', contextTokens: 8_192, api: 'chat' };
  const saved = await studio.send('PUT', '/api/settings/model', model);
  expect(saved).toMatchObject({ api: 'chat', setBy: { api: [] }, current: { kind: 'chat' } });
  const { id } = await studio.send<Project>('POST', '/api/projects', { prompt: 'A green cube spins, smooth', style: 'smooth' });
  const snapshot = () => studio.send<ProjectSnapshot>('GET', `/api/projects/${id}`);
  await until('a plan', async () => (await snapshot()).plan !== null);
  const { plan, messages } = await snapshot();
  expect(plan?.document).toMatchObject({ theme: 'paper', scenes: [{ format: 'title', props: { text: 'A green cube' } }] });
  expect(server.complaints).toEqual([]);
  expect(server.requests).toHaveLength(1);
  expect(messages.map(({ content }) => content).join()).toContain(`${server.url} read 512 of about`);
});
