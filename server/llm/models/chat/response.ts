import type { OpenAI } from 'openai';
import { z } from 'zod';
import type { ModelChunk } from '../model.ts';
import { malformed } from '../model-errors.ts';
import { callId } from '../service/call-id.ts';
import type { Reading } from '../service/service-model.ts';

type End = Extract<ModelChunk, { type: 'end' }>;
type ToolDelta = z.output<typeof toolDeltaSchema>;

/** Content is text, or Mistral's list of texts and thinking. */
const textPartSchema = z.looseObject({ type: z.literal('text'), text: z.string() });
const thinkingPartSchema = z.looseObject({ type: z.literal('thinking'), thinking: z.array(textPartSchema) });
const contentSchema = z.union([
  z.string().transform((text) => [{ type: 'text' as const, text }]),
  z.array(z.union([textPartSchema, thinkingPartSchema, z.unknown().transform(() => null)])),
]);
const toolDeltaSchema = z.looseObject({
  index: z.number().nullish(),
  id: z.string().nullish(),
  function: z
    .looseObject({
      name: z.string().nullish(),
      arguments: z.union([z.string(), z.record(z.string(), z.unknown()).transform((input) => JSON.stringify(input))]).nullish(),
    })
    .nullish(),
});
/** What Koda reads of a chunk. Servers differ in everything else. */
const chunkSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        delta: z
          .looseObject({
            content: contentSchema.nullish(),
            refusal: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            reasoning: z.string().nullish(),
            tool_calls: z.array(toolDeltaSchema).nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .looseObject({
      prompt_tokens: z.number().nullish(),
      completion_tokens: z.number().nullish(),
      prompt_tokens_details: z.looseObject({ cached_tokens: z.number().nullish() }).nullish(),
    })
    .nullish(),
});
type Chunk = z.output<typeof chunkSchema>;
type Delta = NonNullable<NonNullable<Chunk['choices']>[number]['delta']>;
type Usage = NonNullable<Chunk['usage']>;

const stopReasons: Readonly<Record<string, End['stopReason']>> = {
  length: 'max_tokens',
  model_length: 'max_tokens',
  content_filter: 'refusal',
};

interface ChatReading extends Reading {
  /** Tool whose input the response's text is. */
  readonly answerTool: string | null;
}

/**
 * Converts one response's chunks. Tolerates differences between servers: whole or fragmented calls, missing ids and indexes,
 * inputs as objects, missing usage, any finish reason. Throws LLM_RESPONSE if the response ends without one.
 */
export async function* chunksOf(
  chunks: AsyncIterable<OpenAI.ChatCompletionChunk>,
  { meter, usedIds, answerTool }: ChatReading,
): AsyncGenerator<ModelChunk> {
  const calls = new Calls(usedIds);
  let finishReason: string | null = null;
  let isRefused = false;
  let hasUsage = false;
  for await (const raw of chunks) {
    const chunk = chunkSchema.safeParse(raw);
    if (!chunk.success) throw malformed('sent a chunk that is not one of the chat completions API');
    const { choices, usage } = chunk.data;
    if (usage) {
      meter.report(countsOf(usage));
      hasUsage ||= Boolean(usage.prompt_tokens);
    }
    const choice = choices?.[0];
    if (choice === undefined) continue;
    isRefused ||= Boolean(choice.delta?.refusal);
    if (choice.delta) yield* deltaChunks(choice.delta, { calls, answerTool });
    finishReason = choice.finish_reason || finishReason;
  }
  const stopReason = isRefused ? 'refusal' : stopReasonOf(finishReason, calls);
  // The last call stays open if the limit has cut it off, so that it is not executed.
  yield* calls.end({ isLastCut: stopReason === 'max_tokens' });
  yield { type: 'end', stopReason, usage: hasUsage ? meter.reported() : meter.usage() };
}

function stopReasonOf(finishReason: string | null, calls: Calls): End['stopReason'] {
  if (finishReason === null) throw malformed('ended its response early');
  if (finishReason === 'error') throw malformed('failed in the middle of its response');
  return stopReasons[finishReason] ?? (calls.isEmpty ? 'end_turn' : 'tool_use');
}

/** The service's input includes cached tokens. */
function countsOf({ prompt_tokens, completion_tokens, prompt_tokens_details }: Usage) {
  const cacheRead = prompt_tokens_details?.cached_tokens ?? 0;
  return { input: prompt_tokens ? Math.max(0, prompt_tokens - cacheRead) : null, cacheRead, output: completion_tokens };
}

function* deltaChunks(delta: Delta, { calls, answerTool }: { calls: Calls; answerTool: string | null }): Generator<ModelChunk> {
  for (const told of textsOf(delta)) {
    const isInput = told.type === 'text' && answerTool !== null;
    if (isInput) yield* calls.continue({ index: 0, function: { name: answerTool, arguments: told.text } });
    else yield told;
  }
  for (const part of delta.tool_calls ?? []) yield* calls.continue(part);
}

/** Returns the texts of a delta: thinking under any of its names, then content. */
function textsOf({ content, refusal, reasoning_content, reasoning }: Delta): { type: 'text' | 'thinking'; text: string }[] {
  const thinking = { type: 'thinking' as const, text: reasoning_content || reasoning || '' };
  const parts = (content ?? []).flatMap((part) => {
    if (part === null) return [];
    return part.type === 'text' ? part : { type: part.type, text: part.thinking.map(({ text }) => text).join('') };
  });
  return [thinking, ...parts, { type: 'text' as const, text: refusal ?? '' }].filter(({ text }) => text !== '');
}

interface OpenCall {
  readonly id: string;
  /** The server's own id and index. */
  readonly given: string | null;
  readonly index: number | null;
}

/** The calls of a response, in order. */
class Calls {
  readonly #usedIds: Set<string>;
  readonly #open: OpenCall[] = [];

  constructor(usedIds: Set<string>) {
    this.#usedIds = usedIds;
  }

  get isEmpty(): boolean {
    return this.#open.length === 0;
  }

  /** Starts or continues a call. */
  *continue(part: ToolDelta): Generator<ModelChunk> {
    const { name, arguments: json } = part.function ?? {};
    const known = this.#callOf(part);
    let id = known?.id;
    if (id === undefined) {
      if (!name) throw malformed('continued a call that it had not started');
      id = callId(part.id ?? '', this.#usedIds);
      this.#open.push({ id, given: part.id || null, index: part.index ?? null });
      yield { type: 'tool_start', id, name };
    }
    if (json) yield { type: 'tool_input', id, json };
  }

  *end({ isLastCut }: { isLastCut: boolean }): Generator<ModelChunk> {
    for (const { id } of isLastCut ? this.#open.slice(0, -1) : this.#open) yield { type: 'tool_end', id };
  }

  /** Returns the call that a part belongs to. Some servers give all calls the index 0, others give none. */
  #callOf({ id, index, function: told }: ToolDelta): OpenCall | undefined {
    const isNew = (call: OpenCall) => Boolean(id) && call.given !== null && call.given !== id;
    if (typeof index === 'number') return this.#open.findLast((call) => call.index === index && !isNew(call));
    if (id) return this.#open.find((call) => call.given === id);
    return told?.name ? undefined : this.#open.at(-1);
  }
}
