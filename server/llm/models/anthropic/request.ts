import type { Anthropic } from '@anthropic-ai/sdk';
import type { ContentBlock, ModelMessage, ModelRequest, ToolDefinition } from '../model.ts';
import type { Features } from '../service/features.ts';
import { objectSchema } from '../service/object-schema.ts';
import type { RequestSettings } from '../service/service-model.ts';

const cached = { cache_control: { type: 'ephemeral' } } as const;

/**
 * Builds a request for the Messages API. The same transcript produces the same bytes up to its last message, so that the
 * service's cache works and thinking stays bound to the text before it.
 */
export function messageParams(request: ModelRequest, settings: RequestSettings): Anthropic.MessageCreateParamsStreaming {
  const { features, effort } = settings;
  const messages = messageList(request.messages, features);
  const cachePoints = [stableEnd(request.messages, features), messages.length - 1];
  return {
    model: settings.model,
    max_tokens: settings.maxOutputTokens,
    stream: true,
    system: [{ type: 'text', text: request.system, ...(features.caching ? cached : {}) }],
    messages: features.caching ? withCachePoints(messages, cachePoints) : messages,
    ...(request.tools.length > 0 ? { tools: request.tools.map((tool) => toolOf(tool, features)) } : {}),
    ...(request.forcedTool !== null && features.forcedTool
      ? { tool_choice: { type: 'tool', name: request.forcedTool, disable_parallel_tool_use: true } }
      : {}),
    // Thinking cannot be combined with a forced tool.
    ...(features.thinking && !(request.forcedTool !== null && features.forcedTool)
      ? { thinking: { type: 'adaptive', display: 'summarized' } }
      : {}),
    ...(features.effort && effort !== null ? { output_config: { effort } } : {}),
  };
}

function toolOf({ name, description, inputSchema }: ToolDefinition, features: Features): Anthropic.Tool {
  return {
    name,
    description,
    input_schema: objectSchema(inputSchema),
    ...(features.eagerInput ? { eager_input_streaming: true } : {}),
  };
}

interface SentMessage {
  readonly role: 'user' | 'assistant';
  readonly content: Anthropic.ContentBlockParam[];
}

/** Merges consecutive messages with the same role, because some servers require alternating roles. Omits empty ones. */
function messageList(messages: readonly ModelMessage[], features: Features): SentMessage[] {
  const list: SentMessage[] = [];
  for (const message of messages) {
    const content = withoutLastThinking(message).flatMap((block) => blocksOf(block, features));
    if (content.length === 0) continue;
    const last = list.at(-1);
    if (last?.role === message.role) last.content.push(...content);
    else list.push({ role: message.role, content });
  }
  // Tool results must come first.
  for (const { role, content } of list) {
    if (role === 'user') content.sort((a, b) => Number(b.type === 'tool_result') - Number(a.type === 'tool_result'));
  }
  return list;
}

/**
 * Drops thinking at the end of a truncated response. The service rejects a message that ends with thinking ("The final block
 * in an assistant message cannot be `thinking`"), and with it every later request.
 */
function withoutLastThinking({ content }: ModelMessage): readonly ContentBlock[] {
  const end = content.findLastIndex((block) => !isThinking(block) && !isEmptyText(block)) + 1;
  return content.slice(0, end);
}

const isThinking = ({ type }: ContentBlock): boolean => type === 'thinking' || type === 'redacted_thinking';
const isEmptyText = (block: ContentBlock): boolean => block.type === 'text' && block.text.trim() === '';

function blocksOf(block: ContentBlock, features: Features): Anthropic.ContentBlockParam[] {
  switch (block.type) {
    case 'text':
      return isEmptyText(block) ? [] : [{ type: 'text', text: block.text }];
    case 'thinking':
      return features.pastThinking ? [{ type: 'thinking', thinking: block.thinking, signature: block.signature }] : [];
    case 'redacted_thinking':
      return features.pastThinking ? [{ type: 'redacted_thinking', data: block.data }] : [];
    case 'tool_use':
      return [{ type: 'tool_use', id: block.id, name: block.name, input: block.input ?? {} }];
    case 'tool_result':
      return resultOf(block, features);
  }
}

/** Returns a result with its images. Those of an error follow it, because the service accepts only text inside an error. */
function resultOf(
  { toolUseId, content, shown = content, isError, images = [] }: Extract<ContentBlock, { type: 'tool_result' }>,
  features: Features,
): Anthropic.ContentBlockParam[] {
  const supportedImages = (features.images ? images : []).map(({ mediaType, base64 }) => ({
    type: 'image' as const,
    source: { type: 'base64' as const, media_type: mediaType, data: base64 },
  }));
  const result = { type: 'tool_result' as const, tool_use_id: toolUseId, is_error: isError };
  const text = { type: 'text' as const, text: shown };
  return isError ? [{ ...result, content: [text] }, ...supportedImages] : [{ ...result, content: [text, ...supportedImages] }];
}

/**
 * Returns the index of the last message before the latest image that is left out, where an earlier request ended; -1 if none is.
 * The service's cache has everything up to there.
 */
function stableEnd(messages: readonly ModelMessage[], features: Features): number {
  const at = messages.findLastIndex(({ content }) => content.some((block) => block.type === 'tool_result' && block.isImageless));
  const before = at === -1 ? [] : messageList(messages.slice(0, at), features);
  return before.findLastIndex(({ role }) => role === 'user');
}

/**
 * Sets cache points: one at the end of the conversation, for the next request, and one where an earlier request ended. A thinking
 * block cannot have one.
 */
function withCachePoints(messages: readonly SentMessage[], indexes: readonly number[]): SentMessage[] {
  return messages.map((message, index) => {
    const block = message.content.at(-1);
    if (!indexes.includes(index) || !block || block.type === 'thinking' || block.type === 'redacted_thinking') return message;
    const withCache = { ...block, ...cached } as Anthropic.ContentBlockParam;
    return { ...message, content: [...message.content.slice(0, -1), withCache] };
  });
}
