import { request } from 'node:http';
import type { z } from 'zod';
import { errorEnvelopeSchema, errorMessage, KodaError } from '#contract/errors.ts';
import {
  cachesAnswerSchema,
  checkAnswerSchema,
  diskAnswerSchema,
  doneAnswerSchema,
  inspectAnswerSchema,
  listAnswerSchema,
  sizesAnswerSchema,
} from './broker-protocol.ts';
import type { ContainerInfo, Engine, SandboxContainerSpec } from './engine.ts';
import type { DiskSpace, ProjectSize } from './engine-disk.ts';
import type { EngineVersions } from './known-holes.ts';
import type { CallOptions } from './sandbox.ts';

/** Longer than the broker's own limits, so that its error message arrives. */
const callTimeoutMs = 150_000;

/** Calls the container engine through the broker. The app never has access to the engine's socket. */
export class BrokerClient implements Engine {
  readonly #socketPath: string;

  constructor(socketPath: string) {
    this.#socketPath = socketPath;
  }

  check(options: CallOptions): Promise<{ versions: EngineVersions; imageId: string }> {
    return this.#call('check', {}, checkAnswerSchema, options);
  }

  async start(spec: SandboxContainerSpec, options: CallOptions): Promise<void> {
    await this.#call('start', spec, doneAnswerSchema, options);
  }

  async seal(sandboxId: string, options: CallOptions): Promise<void> {
    await this.#call('seal', { sandboxId }, doneAnswerSchema, options);
  }

  async disk(options: CallOptions): Promise<DiskSpace | null> {
    return (await this.#call('disk', {}, diskAnswerSchema, options)).room;
  }

  async sizes(options: CallOptions): Promise<ProjectSize[]> {
    return (await this.#call('sizes', {}, sizesAnswerSchema, options)).sizes;
  }

  async inspect(sandboxId: string, options: CallOptions): Promise<ContainerInfo | null> {
    return (await this.#call('inspect', { sandboxId }, inspectAnswerSchema, options)).container;
  }

  async list(options: CallOptions): Promise<ContainerInfo[]> {
    return (await this.#call('list', {}, listAnswerSchema, options)).containers;
  }

  async remove(sandboxId: string, options: CallOptions): Promise<void> {
    await this.#call('remove', { sandboxId }, doneAnswerSchema, options);
  }

  async listCaches(options: CallOptions): Promise<string[]> {
    return (await this.#call('list-caches', {}, cachesAnswerSchema, options)).projectIds;
  }

  async removeCache(projectId: string, options: CallOptions): Promise<void> {
    await this.#call('remove-cache', { projectId }, doneAnswerSchema, options);
  }

  async #call<Schema extends z.ZodType>(
    verb: string,
    input: object,
    schema: Schema,
    { signal }: CallOptions,
  ): Promise<z.output<Schema>> {
    const timeout = AbortSignal.timeout(callTimeoutMs);
    try {
      const { status, text } = await this.#send(verb, JSON.stringify(input), AbortSignal.any([signal, timeout]));
      const value: unknown = JSON.parse(text);
      if (status === 200) return schema.parse(value);
      const { code, message, details, recovery } = errorEnvelopeSchema.parse(value).error;
      throw new KodaError(code, message, { ...(details ? { details } : {}), ...(recovery ? { recovery: recovery.action } : {}) });
    } catch (error) {
      if (error instanceof KodaError) throw error;
      if (signal.aborted) throw new KodaError('CANCELLED', `The call to the broker ("${verb}") was cancelled.`, { cause: error });
      if (timeout.aborted)
        throw new KodaError('TIMEOUT', `The broker did not respond to "${verb}" in time. Try again.`, {
          recovery: 'retry',
          cause: error,
        });
      const message = `The broker cannot be reached at ${this.#socketPath}: ${errorMessage(error)}. See its log: docker compose logs broker.`;
      throw new KodaError('SERVICE_UNAVAILABLE', message, { recovery: 'start_broker', cause: error });
    }
  }

  #send(verb: string, body: string, signal: AbortSignal): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
      const outgoing = request({
        socketPath: this.#socketPath,
        host: 'broker',
        method: 'POST',
        path: `/${verb}`,
        headers,
        signal,
      });
      outgoing.on('error', reject);
      outgoing.once('response', (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      outgoing.end(body);
    });
  }
}
