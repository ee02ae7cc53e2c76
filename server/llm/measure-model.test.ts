import { describe, expect, it } from 'vitest';
import type { ModelTest } from '#contract/model-servers.ts';
import { colourIn, modelWith, textOf } from '../../test/fixtures/able-model.ts';
import { asChat } from '../../test/fixtures/chat-script.ts';
import { openAiError, startChatServer } from '../../test/fixtures/chat-server.ts';
import { type Answer, startModelServer } from '../../test/fixtures/model-server.ts';
import { outboundFetch } from '../lib/outbound-fetch.ts';
import { measureModel } from './measure-model.ts';
import { messagesApi } from './models/anthropic/messages.ts';
import { chatApi } from './models/chat/chat.ts';
import { serviceModel, type WireFormat } from './models/service/service-model.ts';

const never = new AbortController().signal;

interface Options {
  readonly contextTokens?: number | null;
  readonly isFree?: boolean;
  readonly format?: WireFormat;
}

function modelAt({ url }: { url: string }, { contextTokens = null, format = messagesApi }: Options = {}) {
  const fetch = outboundFetch({ privateAddresses: 'allow' });
  const service = { baseUrl: url, apiKey: null, authToken: null, recordingFolder: null, fetch };
  const settings = { model: 'hearth', effort: null, maxOutputTokens: 8_000, contextTokens, supportsImages: true };
  return serviceModel(format, service, settings);
}

async function measured(server: { url: string }, options: Options = {}) {
  const reports: ModelTest[] = [];
  const model = modelAt(server, options);
  const test = await measureModel(model, {
    codeModel: null,
    isFree: options.isFree ?? true,
    sendsImages: false,
    signal: never,
    report: (one) => reports.push(one),
  });
  const steps = Object.fromEntries(test.steps.map((step) => [step.id, step]));
  return { test, steps, reports, verdict: test.verdict };
}

describe('measuring a model', () => {
  it('X2: a model that does everything is good for formats and for code', async () => {
    await using server = await startModelServer(modelWith());
    const { steps, verdict, reports, test } = await measured(server);
    expect(test.steps.map(({ state }) => state)).toEqual(['good', 'good', 'good', 'good', 'good']);
    expect(steps['context']?.figure).toBe('16,000 or more');
    expect(steps['speed']?.figure).toMatch(/^\d+ tokens\/s$/);
    expect(verdict).toMatchObject({ isUsable: true, modelPath: 'code', contextTokens: null, needsContext: false });
    expect(verdict?.sentences).toEqual([
      'Good for films of formats in one request.',
      'Good for drawing scenes by code too.',
      'It sees pictures, so it can check how a scene looks; for that, set KODA_MODEL_SEES=yes in .env.',
    ]);
    // Each step is reported before and after it.
    expect(reports.map(({ steps: all }) => all.filter(({ state }) => state === 'good').length)).toEqual([
      0, 1, 1, 2, 2, 3, 3, 4, 4, 5,
    ]);
    expect(server.complaints).toEqual([]);
    expect(server.requests.every(({ max_tokens: limit }) => limit <= 800)).toBe(true);
  });

  it('X2: measures the context that a server really gives, and advises that setting', async () => {
    await using server = await startModelServer(modelWith({ context: 8_192 }));
    const { steps, verdict } = await measured(server);
    expect(steps['context']).toMatchObject({ state: 'limited', figure: '8,192' });
    expect(verdict).toMatchObject({ isUsable: true, modelPath: 'formats', contextTokens: 8_192, needsContext: true });
    expect(verdict?.sentences[1]).toMatch(/^Too small to draw scenes by code/);
  });

  it('X2: a context that loses the beginning of a film’s request is too small', async () => {
    await using server = await startModelServer(modelWith({ context: 2_048 }));
    const { steps, verdict } = await measured(server);
    expect(steps['context']).toMatchObject({ state: 'failed', figure: '2,048' });
    expect(verdict).toMatchObject({ isUsable: false, needsContext: true });
    expect(verdict?.sentences).toEqual([expect.stringMatching(/^Too small: a film needs about 3,500 tokens/)]);
  });

  it('X2: a server that refuses a long request names its context', async () => {
    const able = modelWith();
    await using server = await startModelServer((request) =>
      textOf(request).length > 30_000
        ? {
            status: {
              code: 400,
              type: 'invalid_request_error',
              message: 'the request exceeds the available context size (n_ctx: 8192)',
            },
          }
        : able(request),
    );
    const { steps, verdict } = await measured(server);
    expect(steps['context']).toMatchObject({ state: 'limited', figure: '8,192' });
    expect(verdict?.contextTokens).toBe(8_192);
  });

  it('X2: sends no longer text than the context that is set', async () => {
    await using server = await startModelServer(modelWith());
    const { steps, verdict } = await measured(server, { contextTokens: 4_096 });
    expect(steps['context']).toMatchObject({ state: 'limited', figure: '3,500' });
    expect(Math.max(...server.requests.map((request) => textOf(request).length))).toBeLessThan(20_000);
    expect(verdict).toMatchObject({ isUsable: true, modelPath: 'formats', contextTokens: null });
  });

  it('X2: a model that writes calls as text is good for formats, and one that does neither for nothing', async () => {
    await using writing = await startModelServer(modelWith({ tools: 'text' }));
    expect((await measured(writing)).verdict).toMatchObject({ isUsable: true, modelPath: 'formats', needsContext: false });
    await using wrong = await startModelServer(modelWith({ tools: 'wrong' }));
    const { steps, verdict } = await measured(wrong);
    expect(steps['tools']).toMatchObject({ state: 'failed' });
    // A failed step does not end the test.
    expect(steps['speed']).toMatchObject({ state: 'good' });
    expect(verdict?.isUsable).toBe(false);
  });

  it('X2: a model that always names the same colour sees nothing, and neither does one whose server refuses pictures', async () => {
    await using guessing = await startModelServer(modelWith({ seesColours: false }));
    expect((await measured(guessing)).steps['pictures']).toMatchObject({ state: 'limited', figure: 'no' });
    const able = modelWith();
    await using blind = await startModelServer((request) =>
      colourIn(request) === null
        ? able(request)
        : { status: { code: 400, type: 'invalid_request_error', message: 'This model does not support image input.' } },
    );
    expect((await measured(blind)).steps['pictures']?.text).toBe('The server refuses pictures.');
  });

  it('X2: a model that calls a tool only if the server forces it to is good for formats alone', async () => {
    await using server = await startModelServer(modelWith({ tools: 'forced' }));
    const { steps, verdict } = await measured(server);
    expect(steps['tools']).toMatchObject({ state: 'limited', figure: 'if forced' });
    expect(verdict).toMatchObject({ isUsable: true, modelPath: 'formats', needsContext: false });
  });

  it('X2: what a server has read from its cache counts once', async () => {
    const able = modelWith({ context: 8_192 });
    await using server = await startModelServer((request) => {
      const { usage, ...answer } = able(request);
      return { ...answer, ...(usage && { usage: { ...usage, input: 92, cacheRead: usage.input - 92 } }) };
    });
    expect((await measured(server)).steps['context']).toMatchObject({ state: 'limited', figure: '8,192' });
  });

  it('X2: a model that does not answer gets no further requests', async () => {
    await using server = await startModelServer(() => ({ status: { code: 404, type: 'not_found_error', message: 'no hearth' } }));
    const { steps, verdict } = await measured(server);
    expect(steps['answers']).toMatchObject({ state: 'failed', text: expect.stringContaining('no hearth') });
    expect(steps['speed']?.state).toBe('waiting');
    expect(verdict?.isUsable).toBe(false);
    expect(server.requests).toHaveLength(1);
  });

  it('X2: a service that bills its tokens gets two short requests', async () => {
    await using server = await startModelServer(modelWith());
    const { test, verdict } = await measured(server, { isFree: false });
    expect(test.steps.map(({ id }) => id)).toEqual(['answers', 'tools']);
    expect(server.requests).toHaveLength(2);
    expect(JSON.stringify(server.requests).length).toBeLessThan(4_000);
    expect(verdict).toMatchObject({ isUsable: true, modelPath: 'auto' });
  });

  it('X2: stops when it is cancelled', async () => {
    await using server = await startModelServer(() => ({ silence: 'hang' }));
    const stop = new AbortController();
    const running = measureModel(modelAt(server), {
      codeModel: null,
      isFree: true,
      sendsImages: false,
      signal: stop.signal,
      report: () => setTimeout(() => stop.abort(), 50),
    });
    await expect(running).rejects.toMatchObject({ code: 'CANCELLED' });
  });

  it('X2: asks a separate code model for an answer', async () => {
    await using server = await startModelServer(modelWith());
    await using silent = await startModelServer(() => ({ silence: 'drop' }));
    const test = await measureModel(modelAt(server), {
      codeModel: modelAt(silent),
      isFree: true,
      sendsImages: false,
      signal: never,
      report: () => undefined,
    });
    expect(test.steps.find(({ id }) => id === 'code-model')?.state).toBe('failed');
    expect(test.verdict).toMatchObject({ isUsable: false });
  });
});

const withoutUsage = ({ usage: _, ...answer }: Answer): Answer => answer;

describe('measuring a model over chat completions', () => {
  it('X2: measures calls, context, pictures and speed, with a usage and without', async () => {
    for (const reportsUsage of [true, false]) {
      const able = modelWith();
      await using server = await startChatServer(
        asChat((request) => {
          const answer = able(request);
          return reportsUsage ? answer : withoutUsage(answer);
        }),
      );
      const { test, verdict } = await measured(server, { format: chatApi });
      expect(test.steps.map(({ state }) => state)).toEqual(['good', 'good', 'good', 'good', 'good']);
      expect(verdict).toMatchObject({ isUsable: true, modelPath: 'code', contextTokens: null });
      expect(JSON.stringify(server.requests)).toContain('"image_url":{"url":"data:image/png;base64,');
      expect(server.complaints).toEqual([]);
    }
  });

  it('X2: a context that is cut is found without a usage too, but not its size', async () => {
    const able = modelWith({ context: 2_048 });
    await using server = await startChatServer(asChat((request) => withoutUsage(able(request))));
    const { steps, verdict } = await measured(server, { format: chatApi });
    expect(steps['context']).toMatchObject({ state: 'failed', figure: 'under 3,500' });
    expect(verdict).toMatchObject({ isUsable: false, needsContext: true });
  });

  it('X2: a model that calls a tool only if forced, or whose server has JSON but no tools, is good for formats alone', async () => {
    await using forced = await startChatServer(asChat(modelWith({ tools: 'forced' })));
    const limited = { state: 'limited', figure: 'if forced' };
    const formats = { isUsable: true, modelPath: 'formats', needsContext: false };
    const one = await measured(forced, { format: chatApi });
    expect(one.steps['tools']).toMatchObject(limited);
    expect(one.verdict).toMatchObject(formats);
    expect(forced.requests.filter((request) => request['tool_choice'] === 'required')).toHaveLength(1);

    const answer = asChat(modelWith());
    const plan = asChat(() => ({ text: '{"words":["Open day","Saturday"],"seconds":4}' }));
    await using toolless = await startChatServer((request) => {
      if (request.tools !== undefined)
        return { status: 400, body: openAiError('registry.ollama.ai/hearth does not support tools', 'api_error', null) };
      return request['response_format'] === undefined ? answer(request) : plan(request);
    });
    const other = await measured(toolless, { format: chatApi });
    expect(other.steps['tools']).toMatchObject(limited);
    expect(other.verdict).toMatchObject(formats);
  });
});
