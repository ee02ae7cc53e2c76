import type { Anthropic } from '@anthropic-ai/sdk';
import { KodaError } from '#contract/errors.ts';
import type { ModelChunk } from '../model.ts';
import { callId } from '../service/call-id.ts';
import type { Reading } from '../service/service-model.ts';

type Event = Anthropic.RawMessageStreamEvent;
type End = Extract<ModelChunk, { type: 'end' }>;

type Open =
  | { readonly type: 'tool'; readonly id: string; readonly given: unknown; hasInput: boolean }
  | { readonly type: 'thinking'; signature: string }
  | { readonly type: 'other' };

const stopReasons: Readonly<Record<string, End['stopReason']>> = {
  end_turn: 'end_turn',
  stop_sequence: 'end_turn',
  pause_turn: 'end_turn',
  tool_use: 'tool_use',
  max_tokens: 'max_tokens',
  model_context_window_exceeded: 'max_tokens',
  refusal: 'refusal',
};

/**
 * Converts one response's events to chunks. Tolerates differences between servers: input at the start of a call, blocks
 * without an end, late or missing usage, reused call ids. Throws LLM_RESPONSE if the response ends without a stop reason.
 */
export async function* chunksOf(events: AsyncIterable<Event>, { meter, usedIds }: Reading): AsyncGenerator<ModelChunk> {
  const open = new Map<number, Open>();
  /** Index of the last call. Only the next event shows whether it is complete. */
  let last: number | null = null;
  let stopReason: string | null = null;
  const settled = function* (): Generator<ModelChunk> {
    if (last === null) return;
    yield* ended(open.get(last));
    open.delete(last);
    last = null;
  };
  for await (const event of events) {
    switch (event.type) {
      case 'message_start':
        meter.report(countsOf(event.message.usage));
        break;
      case 'content_block_start':
        yield* settled();
        yield* started(event.index, event.content_block, open, usedIds);
        break;
      case 'content_block_delta':
        yield* continued(open.get(event.index), event.delta);
        break;
      case 'content_block_stop':
        if (open.get(event.index)?.type === 'tool') {
          yield* settled();
          last = event.index;
          break;
        }
        yield* ended(open.get(event.index));
        open.delete(event.index);
        break;
      case 'message_delta':
        stopReason = event.delta.stop_reason ?? stopReason;
        meter.report(countsOf(event.usage));
        break;
      default:
        break;
    }
  }
  if (stopReason === null) {
    throw new KodaError('LLM_RESPONSE', 'The model’s response ended early. Retry.', { recovery: 'retry' });
  }
  const end = stopReasons[stopReason] ?? 'end_turn';
  // Blocks truncated by the token limit stay open, so that incomplete calls are not executed.
  if (end !== 'max_tokens') for (const block of open.values()) yield* ended(block);
  yield { type: 'end', stopReason: end, usage: meter.reported() };
}

function* started(
  index: number,
  block: Anthropic.ContentBlock,
  open: Map<number, Open>,
  usedIds: Set<string>,
): Generator<ModelChunk> {
  switch (block.type) {
    case 'text':
      open.set(index, { type: 'other' });
      if (block.text) yield { type: 'text', text: block.text };
      break;
    case 'thinking':
      open.set(index, { type: 'thinking', signature: block.signature ?? '' });
      if (block.thinking) yield { type: 'thinking', text: block.thinking };
      break;
    case 'redacted_thinking':
      open.set(index, { type: 'other' });
      yield { type: 'redacted_thinking', data: block.data };
      break;
    case 'tool_use': {
      const id = callId(block.id, usedIds);
      open.set(index, { type: 'tool', id, given: block.input, hasInput: false });
      yield { type: 'tool_start', id, name: block.name };
      break;
    }
    default:
      open.set(index, { type: 'other' });
  }
}

function* continued(block: Open | undefined, delta: Anthropic.RawContentBlockDelta): Generator<ModelChunk> {
  if (block === undefined) {
    throw new KodaError('LLM_RESPONSE', 'The model continued a block that it had not started. Retry.', { recovery: 'retry' });
  }
  switch (delta.type) {
    case 'text_delta':
      yield { type: 'text', text: delta.text };
      break;
    case 'thinking_delta':
      yield { type: 'thinking', text: delta.thinking };
      break;
    case 'signature_delta':
      if (block.type === 'thinking') block.signature += delta.signature;
      break;
    case 'input_json_delta':
      if (block.type === 'tool' && delta.partial_json !== '') {
        block.hasInput = true;
        yield { type: 'tool_input', id: block.id, json: delta.partial_json };
      }
      break;
    default:
      break;
  }
}

function* ended(block: Open | undefined): Generator<ModelChunk> {
  if (block?.type === 'thinking') yield { type: 'thinking_end', signature: block.signature };
  if (block?.type !== 'tool') return;
  const isGiven = typeof block.given === 'object' && block.given !== null && Object.keys(block.given).length > 0;
  if (!block.hasInput && isGiven) yield { type: 'tool_input', id: block.id, json: JSON.stringify(block.given) };
  yield { type: 'tool_end', id: block.id };
}

interface WireUsage {
  readonly input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly output_tokens?: number | null;
}

function countsOf(usage: WireUsage | null | undefined) {
  return {
    input: usage?.input_tokens,
    cacheWrite: usage?.cache_creation_input_tokens,
    cacheRead: usage?.cache_read_input_tokens,
    output: usage?.output_tokens,
  };
}
