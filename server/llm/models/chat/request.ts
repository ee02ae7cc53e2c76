import { createHash } from 'node:crypto';
import type { OpenAI } from 'openai';
import type { ContentBlock, ModelMessage, ModelRequest, ToolDefinition } from '../model.ts';
import type { Features } from '../service/features.ts';
import { objectSchema } from '../service/object-schema.ts';
import type { RequestSettings } from '../service/service-model.ts';

type Message = OpenAI.ChatCompletionMessageParam;
type Params = OpenAI.ChatCompletionCreateParamsStreaming;

/**
 * Builds a request for chat completions. The same transcript produces the same bytes, so that a server's cache works.
 * `isJsonAnswer`: the response's text is the input of the forced tool.
 */
export function chatParams(
  request: ModelRequest,
  { model, maxOutputTokens, features }: RequestSettings,
): { params: Params; isJsonAnswer: boolean } {
  const forced = request.tools.find(({ name }) => name === request.forcedTool);
  const answer = forced !== undefined && !features.forcedTool && features.jsonSchema ? forced : null;
  const system = answer === null ? request.system : `${request.system}\n\n${answerText(answer)}`;
  const params: Params = {
    model,
    ...(features.maxTokens ? { max_tokens: maxOutputTokens } : { max_completion_tokens: maxOutputTokens }),
    stream: true,
    ...(features.streamedUsage ? { stream_options: { include_usage: true } } : {}),
    messages: [{ role: 'system', content: system }, ...messageList(request.messages, features)],
    ...(answer === null
      ? toolParams(request, features)
      : {
          response_format: { type: 'json_schema', json_schema: { name: answer.name, schema: objectSchema(answer.inputSchema) } },
        }),
  };
  return { params, isJsonAnswer: answer !== null };
}

function answerText({ name, description, inputSchema }: ToolDefinition): string {
  return `Instead of calling ${name} (${description}), answer with its input alone: a JSON value of this schema.\n${JSON.stringify(objectSchema(inputSchema))}`;
}

function toolParams({ tools, forcedTool }: ModelRequest, features: Features): Partial<Params> {
  if (tools.length === 0) return {};
  const list = tools.map(({ name, description, inputSchema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: objectSchema(inputSchema) },
  }));
  if (forcedTool === null || !features.forcedTool) return { tools: list };
  // More servers know “required” than a tool's name.
  const choice = tools.length === 1 ? 'required' : { type: 'function' as const, function: { name: forcedTool } };
  return { tools: list, tool_choice: choice };
}

/** Converts the transcript. Consecutive messages with the same role are merged, because some servers require alternating roles. */
function messageList(messages: readonly ModelMessage[], features: Features): Message[] {
  const list: Message[] = [];
  const sent = messages.filter(({ content }) => content.some(isSent));
  let turn: ContentBlock[] = [];
  for (const [index, { role, content }] of sent.entries()) {
    turn.push(...content);
    if (sent[index + 1]?.role === role) continue;
    list.push(...(role === 'assistant' ? assistantMessages(turn) : userMessages(turn, features)));
    turn = [];
  }
  return list;
}

/** These servers do not accept thinking back. */
const isSent = (block: ContentBlock): boolean =>
  block.type === 'tool_use' || block.type === 'tool_result' || (block.type === 'text' && block.text.trim() !== '');

function assistantMessages(blocks: readonly ContentBlock[]): Message[] {
  const content = textIn(blocks);
  const calls = blocks.flatMap((block) =>
    block.type === 'tool_use'
      ? {
          id: wireId(block.id),
          type: 'function' as const,
          function: { name: block.name, arguments: JSON.stringify(block.input ?? {}) },
        }
      : [],
  );
  return [{ role: 'assistant', content: content === '' ? null : content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }];
}

/** Results come first. Their images follow in a message of the user, because a result is text. */
function userMessages(blocks: readonly ContentBlock[], features: Features): Message[] {
  const results = blocks.flatMap((block) => (block.type === 'tool_result' ? block : []));
  const list: OpenAI.ChatCompletionToolMessageParam[] = results.map(({ toolUseId, shown, content }) => ({
    role: 'tool',
    tool_call_id: wireId(toolUseId),
    content: shown ?? content,
  }));
  const text = textIn(blocks);
  const last = list.at(-1);
  if (last !== undefined && !features.userAfterTool) {
    if (text !== '') last.content = `${String(last.content)}\n\n${text}`;
    return list;
  }
  const images = features.images ? results.flatMap(({ images: own = [] }) => own) : [];
  const parts: OpenAI.ChatCompletionContentPart[] = images.map(({ mediaType, base64 }) => ({
    type: 'image_url',
    image_url: { url: `data:${mediaType};base64,${base64}` },
  }));
  if (parts.length > 0) {
    return [...list, { role: 'user', content: text === '' ? parts : [...parts, { type: 'text', text }] }];
  }
  return text === '' ? list : [...list, { role: 'user', content: text }];
}

function textIn(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' && isSent(block) ? [block.text] : [])).join('\n\n');
}

/** Mistral accepts only ids of nine letters and digits. */
function wireId(id: string): string {
  return createHash('sha256').update(id).digest('hex').slice(0, 9);
}
