import type { ModelUsage } from '#contract/project.ts';
import { tokensOf, tokensOfText } from '../../tokens.ts';
import type { ModelChunk, ModelRequest } from '../model.ts';
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

  /** Counts what arrives. */
  async *watch(chunks: AsyncIterable<ModelChunk>): AsyncGenerator<ModelChunk> {
    for await (const chunk of chunks) {
      if ('text' in chunk) this.#received += tokensOfText(chunk.text);
      if ('json' in chunk) this.#received += tokensOfText(chunk.json);
      yield chunk;
    }
  }

  /** Services report running totals. A missing count leaves the previous one unchanged. */
  report(counts: { readonly [Count in keyof CountedTokens]?: number | null | undefined }): void {
    const { input, cacheWrite, cacheRead, output } = this.#reported;
    this.#reported = {
      input: counts.input ?? input,
      cacheWrite: counts.cacheWrite ?? cacheWrite,
      cacheRead: counts.cacheRead ?? cacheRead,
      output: counts.output ?? output,
    };
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
