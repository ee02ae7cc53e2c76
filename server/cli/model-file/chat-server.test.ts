import { describe, expect, it } from 'vitest';
import { listSchema } from '../../llm/servers/descriptions.ts';
import { chatServer } from './chat-server.ts';
import type { Generation, ModelFile } from './llama.ts';

const key = 'key-of-the-test';
const message = { role: 'user', content: 'A red ball' };

/** A server whose model answers with two pieces of text, one token for each character. */
function serverWith({ contextTokens = 200, isCut = false } = {}) {
  const requests: Generation[] = [];
  const model: ModelFile = {
    name: 'small',
    contextTokens,
    countTokens: (messages) => messages.reduce((sum, { text }) => sum + text.length, 0),
    async generate(request) {
      requests.push(request);
      for (const text of ['{"a":', '1}']) request.onText(text);
      return { promptTokens: 10, answerTokens: 7, isCut };
    },
    [Symbol.asyncDispose]: async () => undefined,
  };
  const app = chatServer(model, key);
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    app.request('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  return { requests, post, app };
}

describe('the server of a model file', () => {
  it('46.8: refuses requests without its key, and those of web pages', async () => {
    const { post, requests } = serverWith();
    const body = { stream: true, messages: [message] };
    expect((await post(body, { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await post(body, { origin: 'http://example.org' })).status).toBe(403);
    expect(requests).toEqual([]);
  });

  it('46.8: tells its name and context without a key, so that the settings page finds it', async () => {
    const list = await serverWith().app.request('/v1/models');
    expect(listSchema.parse(await list.json())).toMatchObject([{ name: 'small', description: { contextTokens: 200 } }]);
  });

  it('46.8: streams the answer, its end and its usage, with the schema as the model’s grammar', async () => {
    const { post, requests } = serverWith({ isCut: true });
    const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
    const body = { stream: true, max_tokens: 20, messages: [message] };
    const response = await post({ ...body, response_format: { type: 'json_schema', json_schema: { name: 'a', schema } } });
    const lines = (await response.text()).split('\n').filter((line) => line !== '');
    expect(lines.at(-1)).toBe('data: [DONE]');
    const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.slice('data: '.length)));
    expect(chunks.flatMap(({ choices }) => choices.map((choice: { delta: unknown }) => choice.delta))).toEqual([
      { role: 'assistant' },
      { content: '{"a":' },
      { content: '1}' },
      {},
    ]);
    expect(chunks.at(-2).choices[0].finish_reason).toBe('length');
    expect(chunks.at(-1).usage).toEqual({ prompt_tokens: 10, completion_tokens: 7 });
    expect(requests).toMatchObject([{ messages: [{ role: 'user', text: 'A red ball' }], schema, maxTokens: 20 }]);
  });

  it('46.8: refuses what exceeds the context, with its size, and tools, so that the studio asks for JSON instead', async () => {
    const { post, requests } = serverWith();
    const long = await post({ stream: true, messages: [{ role: 'user', content: 'x'.repeat(140) }] });
    expect(long.status).toBe(400);
    expect(await long.json()).toMatchObject({ error: { type: 'exceed_context_size_error', n_ctx: 200 } });
    const tools = await post({ stream: true, messages: [message], tools: [{ type: 'function' }], tool_choice: 'required' });
    expect(tools.status).toBe(400);
    expect(await tools.json()).toMatchObject({ error: { message: expect.stringContaining('does not support tools') } });
    expect(requests).toEqual([]);
  });

  it('46.8: an answer takes at most what the request leaves of the context', async () => {
    const { post, requests } = serverWith();
    await (await post({ stream: true, max_tokens: 1_000, messages: [message] })).text();
    expect(requests).toMatchObject([{ maxTokens: 200 - 'A red ball'.length - 64 }]);
  });
});
