import { createHash, timingSafeEqual } from 'node:crypto';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { streamSSE } from 'hono/streaming';
import { z } from 'zod';
import { errorMessage } from '#contract/errors.ts';
import type { ModelFile, ModelMessage } from './llama.ts';

const maxBodyBytes = 4 * 1024 * 1024;
/** Space for what a model's chat template adds to the messages. */
const templateTokens = 64;

const textSchema = z.union([
  z.string(),
  z
    .array(z.object({ type: z.literal('text'), text: z.string() }))
    .transform((parts) => parts.map(({ text }) => text).join('\n\n')),
]);
const requestSchema = z.looseObject({
  messages: z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: textSchema })).min(1),
  stream: z.literal(true),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  response_format: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('text') }),
      z.object({ type: z.literal('json_schema'), json_schema: z.looseObject({ schema: z.record(z.string(), z.unknown()) }) }),
    ])
    .nullish(),
  tools: z.array(z.unknown()).nullish(),
});

/** Returns the chat completions of a model file: streamed, as text or as JSON of a schema, without tools. */
export function chatServer(model: ModelFile, key: string): Hono {
  const app = new Hono();
  app.use(async (context, next) => {
    // Web pages may send requests to this address, but none has a reason to.
    if (context.req.header('origin') !== undefined) return context.json(errorOf('This server answers no web pages.'), 403);
    return await next();
  });
  // Needs no key, so that the settings page finds the server.
  app.get('/v1/models', (context) =>
    context.json({ object: 'list', data: [{ id: model.name, object: 'model', max_model_len: model.contextTokens }] }),
  );
  app.use(async (context, next) => {
    const given = context.req.header('authorization') ?? '';
    if (isSame(given, `Bearer ${key}`)) return await next();
    return context.json(errorOf('The key is wrong or missing. `koda model` prints it.'), 401);
  });
  app.post('/v1/chat/completions', bodyLimit({ maxSize: maxBodyBytes }), async (context) => {
    const body: unknown = await context.req.json().catch(() => null);
    const parsed = requestSchema.safeParse(body);
    // Checked first, because messages of a conversation with tools have other forms.
    if (hasTools(body)) return context.json(errorOf('This model does not support tools (tool_choice).'), 400);
    if (!parsed.success) return context.json(errorOf(z.prettifyError(parsed.error)), 400);
    const { data } = parsed;
    const messages = data.messages.map(({ role, content }): ModelMessage => ({ role, text: content }));
    const promptTokens = model.countTokens(messages);
    const leftTokens = model.contextTokens - promptTokens - templateTokens;
    if (leftTokens < 1) {
      const message = `the request exceeds the available context size: ${promptTokens} tokens of ${model.contextTokens}`;
      return context.json(
        { error: { ...errorOf(message).error, type: 'exceed_context_size_error', n_ctx: model.contextTokens } },
        400,
      );
    }
    const maxTokens = Math.min(data.max_tokens ?? data.max_completion_tokens ?? leftTokens, leftTokens);
    const schema = data.response_format?.type === 'json_schema' ? data.response_format.json_schema.schema : null;
    return streamSSE(context, async (stream) => {
      const stop = new AbortController();
      stream.onAbort(() => stop.abort());
      const send = (value: unknown) => stream.writeSSE({ data: JSON.stringify(value) });
      const chunk = (delta: Record<string, string>, finishReason: string | null) =>
        send({ object: 'chat.completion.chunk', model: model.name, choices: [{ index: 0, delta, finish_reason: finishReason }] });
      try {
        await chunk({ role: 'assistant' }, null);
        const result = await model.generate({
          ...{ messages, schema, maxTokens, signal: stop.signal },
          onText: (content) => void chunk({ content }, null),
        });
        await chunk({}, result.isCut ? 'length' : 'stop');
        await send({ choices: [], usage: { prompt_tokens: result.promptTokens, completion_tokens: result.answerTokens } });
        await stream.writeSSE({ data: '[DONE]' });
      } catch (error) {
        // A stop needs no answer.
        if (!stop.signal.aborted) await send(errorOf(errorMessage(error)));
      }
    });
  });
  return app;
}

function errorOf(message: string) {
  return { error: { message, type: 'invalid_request_error', code: null } };
}

function hasTools(body: unknown): boolean {
  const tools = typeof body === 'object' && body !== null && 'tools' in body ? body.tools : null;
  return Array.isArray(tools) && tools.length > 0;
}

function isSame(one: string, other: string): boolean {
  const hashOf = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hashOf(one), hashOf(other));
}
