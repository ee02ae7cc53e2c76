import type { Anthropic } from '@anthropic-ai/sdk';
import type { ModelUsage } from '#contract/project.ts';
import { tokensOf, tokensOfText } from '../../tokens.ts';
import type { ModelRequest } from '../model.ts';
import { type CountedTokens, usageOf } from './prices.ts';

export class UsageMeter {
  readonly #model: string;
  readonly #request: ModelRequest;
  #reported: CountedTokens = { input: 0, cacheWrite: 0, cacheRead: 0, output: 0 };
  #received = 0;

  constructor(model: string, request: ModelRequest) {
    this.#model = model;
    this.#request = request;
  }

  async *watch(events: AsyncIterable<Anthropic.RawMessageStreamEvent>): AsyncGenerator<Anthropic.RawMessageStreamEvent> {
    for await (const event of events) {
      if (event.type === 'message_start') this.#reported = counted(this.#reported, event.message.usage);
      else if (event.type === 'message_delta') this.#reported = counted(this.#reported, event.usage);
      else if (event.type === 'content_block_delta') this.#received += tokensOfText(textOf(event.delta));
      yield event;
    }
  }

  reported(): ModelUsage {
    return usageOf(this.#model, this.#reported);
  }

  /**
   * Returns the usage of an interrupted response. Estimates any figures that the service has not reported from the sizes sent
   * and received, because many services report only at the end and some never.
   */
  usage(): ModelUsage {
    const { input, cacheWrite, cacheRead, output } = this.#reported;
    const sent = input + cacheWrite + cacheRead > 0 ? input : tokensOfRequest(this.#request);
    return usageOf(this.#model, { input: sent, cacheWrite, cacheRead, output: Math.max(output, this.#received) });
  }
}

function tokensOfRequest({ system, messages, tools }: ModelRequest): number {
  return tokensOfText(system) + tokensOfText(JSON.stringify(tools)) + tokensOf(messages);
}

function textOf(delta: Anthropic.RawContentBlockDelta): string {
  switch (delta.type) {
    case 'text_delta':
      return delta.text;
    case 'thinking_delta':
      return delta.thinking;
    case 'input_json_delta':
      return delta.partial_json;
    default:
      return '';
  }
}

interface WireUsage {
  readonly input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly output_tokens?: number | null;
}

/** Services report running totals. A missing count leaves the previous one unchanged. */
function counted(before: CountedTokens, usage: WireUsage | null | undefined): CountedTokens {
  return {
    input: usage?.input_tokens ?? before.input,
    cacheWrite: usage?.cache_creation_input_tokens ?? before.cacheWrite,
    cacheRead: usage?.cache_read_input_tokens ?? before.cacheRead,
    output: usage?.output_tokens ?? before.output,
  };
}
