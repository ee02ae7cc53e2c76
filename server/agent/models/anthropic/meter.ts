import type { Anthropic } from '@anthropic-ai/sdk';
import type { ModelUsage } from '../../../contract/project.ts';
import { tokensOf, tokensOfText } from '../../tokens.ts';
import type { ModelRequest } from '../model.ts';
import { counted } from './answer.ts';
import { type CountedTokens, usageOf } from './prices.ts';

/**
 * What an answer has used so far: as the service counts, and as far as it has not told yet (many tell at the end, some
 * never), by the size of what was sent and received.
 */
export class UsageMeter {
  readonly #model: string;
  #tokens: CountedTokens;
  /** In tokens, estimated. */
  #received = 0;

  constructor(model: string, { system, messages, tools }: ModelRequest) {
    this.#model = model;
    const input = tokensOfText(system) + tokensOfText(JSON.stringify(tools)) + tokensOf(messages);
    this.#tokens = { input, cacheWrite: 0, cacheRead: 0, output: 0 };
  }

  /** The same events, counted as they pass. */
  async *watch(events: AsyncIterable<Anthropic.RawMessageStreamEvent>): AsyncGenerator<Anthropic.RawMessageStreamEvent> {
    for await (const event of events) {
      if (event.type === 'message_start') this.#tell(event.message.usage);
      else if (event.type === 'message_delta') this.#tell(event.usage);
      else if (event.type === 'content_block_delta') this.#received += tokensOfText(textOf(event.delta));
      yield event;
    }
  }

  usage(): ModelUsage {
    return usageOf(this.#model, { ...this.#tokens, output: Math.max(this.#tokens.output, this.#received) });
  }

  #tell(usage: Parameters<typeof counted>[1]): void {
    const { output, ...told } = counted({ input: 0, cacheWrite: 0, cacheRead: 0, output: this.#tokens.output }, usage);
    const hasInput = told.input + told.cacheWrite + told.cacheRead > 0;
    this.#tokens = { ...(hasInput ? told : this.#tokens), output };
  }
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
