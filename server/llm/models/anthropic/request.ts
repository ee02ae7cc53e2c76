import type { Anthropic } from '@anthropic-ai/sdk';
import type { Effort } from '#contract/project.ts';
import type { ContentBlock, ModelMessage, ModelRequest, ToolDefinition } from '../model.ts';
import type { Features } from './features.ts';
import { objectSchema } from './object-schema.ts';

export interface RequestSettings {
  readonly model: string;
  readonly maxOutputTokens: number;
  readonly effort: Effort | null;
  readonly features: Features;
}

const cached = { cache_control: { type: 'ephemeral' } } as const;

/**
 * Builds a request for the Messages API. The same transcript produces the same bytes up to its last message, so that the
 * service's cache works and thinking stays bound to the text before it.
 */
export function messageParams(request: ModelRequest, settings: RequestSettings): Anthropic.MessageCreateParamsStreaming {
  const { features, effort } = settings;
  const messages = messageList(request.messages, features);
  return {
    model: settings.model,
    max_tokens: settings.maxOutputTokens,
    stream: true,
    system: [{ type: 'text', text: request.system, ...(features.caching ? cached : {}) }],
    messages: features.caching ? withCachePoint(messages) : messages,
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
      return [resultOf(block, features)];
  }
}

function resultOf(
  { toolUseId, content, shown = content, isError, images = [] }: Extract<ContentBlock, { type: 'tool_result' }>,
  features: Features,
): Anthropic.ToolResultBlockParam {
  const supportedImages = features.images ? images : [];
  return {
    type: 'tool_result',
    tool_use_id: toolUseId,
    is_error: isError,
    content: [
      { type: 'text', text: shown },
      ...supportedImages.map(({ mediaType, base64 }) => ({
        type: 'image' as const,
        source: { type: 'base64' as const, media_type: mediaType, data: base64 },
      })),
    ],
  };
}

/** Sets a cache point at the end of the conversation, for the next request. A thinking block cannot have one. */
function withCachePoint(messages: readonly SentMessage[]): SentMessage[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (!last || !block || block.type === 'thinking' || block.type === 'redacted_thinking') return [...messages];
  const withCache = { ...block, ...cached } as Anthropic.ContentBlockParam;
  return [...messages.slice(0, -1), { ...last, content: [...last.content.slice(0, -1), withCache] }];
}
