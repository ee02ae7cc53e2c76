import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { answerLimits, readAnswer, streamErrorSchema } from './answers.ts';
import { SandboxdError } from './sandbox.ts';
import { type Answer, brokenProtocol, type Call, readAll, readLines, readStream, SandboxTransport } from './transport.ts';

/** Calls of one sandbox whose answers are read in one of four ways, each within limits. Throws as `Sandbox` says. */
export class SandboxCaller {
  readonly #transport: SandboxTransport;

  constructor(socketPath: string, token: string) {
    this.#transport = new SandboxTransport(socketPath, token);
  }

  /** For an answer whose head matters; its body is the caller's to read or destroy. */
  send(call: Call): Promise<Answer> {
    return this.#transport.send(call);
  }

  async json<Schema extends z.ZodType>(
    schema: Schema,
    call: Call,
    maxBytes: number = answerLimits.jsonBytes,
  ): Promise<z.output<Schema>> {
    return readAnswer(schema, (await this.bytes(call, maxBytes)).toString('utf8'));
  }

  async bytes(call: Call, maxBytes: number): Promise<Buffer> {
    return await readAll(await this.#transport.send(call), maxBytes);
  }

  async stream(call: Call): Promise<Readable> {
    return readStream(await this.#transport.send(call));
  }

  /** The events of a streaming call, up to and with the one named `last`. Leaving the iteration early cancels the work. */
  async *events<Schema extends z.ZodType<{ type: string }>>(
    schema: Schema,
    call: Call,
    last: string,
  ): AsyncGenerator<z.output<Schema>> {
    let ended = false;
    for await (const line of readLines(await this.#transport.send(call), answerLimits.lineBytes)) {
      const event = readAnswer(schema, line);
      const failure = streamErrorSchema.safeParse(event);
      if (failure.success) throw new SandboxdError(failure.data.code, failure.data.message, {});
      yield event;
      ended ||= event.type === last;
    }
    if (!ended) throw brokenProtocol(`a stream that ends without "${last}"`);
  }
}
