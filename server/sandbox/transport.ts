import { type IncomingMessage, request } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { z } from 'zod';
import { KodaError } from '../contract/errors.ts';
import { isWithinLimits } from '../contract/payload-limits.ts';
import { ByteCollector } from '../lib/byte-collector.ts';
import { SandboxdError } from './sandbox.ts';
import { SandboxSocketAgent } from './socket-agent.ts';

/** A refusal is a sentence and some details; more than this is an attack. */
const maxErrorBytes = 64 * 1024;
/** Its details are passed on, and kept. */
const refusalLimits = { values: 2_000, depth: 8, characters: maxErrorBytes };
const maxFreeSockets = 8;
/** Longer than any path that could be right; such a request would not pass the header limit either. */
const maxTargetLength = 8 * 1024;

const newline = 0x0a;

/** The system's error codes when nothing, or nothing of ours, is behind a socket any more. */
const deadCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ENOTSOCK', 'ENOTDIR', 'ENXIO']);

const errorBodySchema = z.object({
  error: z.object({
    code: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
    message: z.string().max(16_384),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
});

export interface Request {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query of the request. */
  readonly target: string;
  readonly body: Uint8Array | Readable | null;
  readonly signal: AbortSignal;
  /** For the whole call, streams included. */
  readonly timeoutMs: number;
}

/** An answer under way. Everything in it was written by the sandbox: hostile until validated. */
export interface Answer {
  readonly response: IncomingMessage;
  /** The error to throw for a failure while the answer is read. */
  explain(error: unknown): unknown;
}

/** HTTP over one sandbox's control socket, with its token; maps failures to `KodaError` and `SandboxdError`. */
export class SandboxTransport {
  readonly #agent: SandboxSocketAgent;
  readonly #token: string;

  constructor(socketPath: string, token: string) {
    this.#agent = new SandboxSocketAgent(socketPath, { keepAlive: true, maxFreeSockets });
    this.#token = token;
  }

  /** Sends a call. Throws SANDBOX_DEAD, CANCELLED, TIMEOUT, or SandboxdError when sandboxd refuses. */
  async send(call: Request): Promise<Answer> {
    if (call.target.length > maxTargetLength) throw new SandboxdError('INVALID_PATH', 'The path is far too long.', {});
    const timeout = AbortSignal.timeout(call.timeoutMs);
    const explain = (error: unknown) => explainFailure(error, { timeout, ...call });
    let response: IncomingMessage;
    try {
      response = await this.#request(call, AbortSignal.any([call.signal, timeout]));
    } catch (error) {
      throw explain(error);
    }
    const answer = { response, explain };
    if (response.statusCode === 200) return answer;
    const refusal = await this.#refusal(answer);
    // What is still being sent is in vain.
    if (call.body instanceof Readable) call.body.destroy();
    throw refusal;
  }

  /** Ends idle connections; calls under way go on. */
  close(): void {
    this.#agent.destroy();
  }

  #request(call: Request, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const outgoing = request({
        agent: this.#agent,
        method: call.method,
        path: call.target,
        host: 'sandbox',
        headers: { authorization: `Bearer ${this.#token}`, ...lengthOf(call.body) },
        signal,
      });
      outgoing.once('response', resolve);
      // After the answer has begun this changes nothing: its reader sees the failure.
      outgoing.on('error', reject);
      // An upgrade that was not requested ends the request without an error, so the call would never end.
      outgoing.once('upgrade', (_answer, socket) => socket.destroy());
      outgoing.once('close', () => reject(brokenProtocol('a connection that ended without an answer')));
      if (!(call.body instanceof Readable)) outgoing.end(call.body ?? undefined);
      else pipeline(call.body, outgoing, (error) => error && reject(error));
    });
  }

  async #refusal(answer: Answer): Promise<unknown> {
    try {
      const body: unknown = JSON.parse((await readAll(answer, maxErrorBytes)).toString('utf8'));
      if (!isWithinLimits(body, refusalLimits)) return brokenProtocol('a refusal that explains far too much');
      const { error } = errorBodySchema.parse(body);
      return new SandboxdError(error.code, error.message, error.details ?? {});
    } catch (error) {
      if (error instanceof KodaError) return error;
      return brokenProtocol(`status ${answer.response.statusCode} without an explanation`);
    }
  }
}

function lengthOf(body: Request['body']): Record<string, string> {
  if (body === null) return {};
  return body instanceof Uint8Array ? { 'content-length': String(body.byteLength) } : { 'transfer-encoding': 'chunked' };
}

/** The whole answer. Throws when it is longer than `maxBytes`. */
export async function readAll({ response, explain }: Answer, maxBytes: number): Promise<Buffer> {
  const bytes = new ByteCollector();
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (bytes.length + chunk.length > maxBytes) throw brokenProtocol(`an answer of more than ${maxBytes} bytes`);
      bytes.add(chunk);
    }
  } catch (error) {
    throw explain(error);
  }
  return bytes.whole();
}

/** The answer as a stream of bytes that fails with our errors. */
export function readStream({ response, explain }: Answer): Readable {
  async function* bytes(): AsyncGenerator<Buffer> {
    try {
      yield* response as AsyncIterable<Buffer>;
    } catch (error) {
      throw explain(error);
    }
  }
  const stream = Readable.from(bytes(), { objectMode: false });
  const destroy = stream._destroy.bind(stream);
  // First, because a generator ends only when what it waits for has come: an answer may be quiet for hours.
  stream._destroy = (error, done) => {
    response.destroy();
    destroy(error, done);
  };
  return stream;
}

/** The lines of the answer. Throws when one is longer than `maxLineBytes`. */
export async function* readLines({ response, explain }: Answer, maxLineBytes: number): AsyncGenerator<string> {
  let line = new ByteCollector();
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      let from = 0;
      // Only what is new is looked through: each byte of a long line may come alone.
      for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, from)) {
        line.add(chunk.subarray(from, end));
        if (line.length > maxLineBytes) throw tooLongLine(maxLineBytes);
        yield line.whole().toString('utf8');
        line = new ByteCollector();
        from = end + 1;
      }
      line.add(chunk.subarray(from));
      if (line.length > maxLineBytes) throw tooLongLine(maxLineBytes);
    }
  } catch (error) {
    throw explain(error);
  } finally {
    response.destroy();
  }
  if (line.length > 0) throw brokenProtocol('a line without an end');
}

function tooLongLine(maxBytes: number): KodaError {
  return brokenProtocol(`a line of more than ${maxBytes} bytes`);
}

/** The sandbox answered something that is not the protocol: what answers there is not (any more) our daemon. */
export function brokenProtocol(what: string): KodaError {
  return new KodaError('SANDBOX_DEAD', `The sandbox broke the protocol: ${what}. It has to be replaced.`, { recovery: 'retry' });
}

function explainFailure(error: unknown, call: Request & { timeout: AbortSignal }): unknown {
  if (error instanceof KodaError) return error;
  if (call.signal.aborted) return new KodaError('CANCELLED', 'The call to the sandbox was cancelled.', { cause: error });
  if (call.timeout.aborted) {
    const seconds = Math.round(call.timeoutMs / 1000);
    return new KodaError(
      'TIMEOUT',
      `The sandbox did not finish ${call.method} ${call.target.split('?')[0]} within ${seconds} s.`,
      {
        recovery: 'retry',
        cause: error,
      },
    );
  }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code?.startsWith('HPE_')) return brokenProtocol('its answer is not HTTP');
  if (code === null || !deadCodes.has(code)) return error;
  return new KodaError(
    'SANDBOX_DEAD',
    `The sandbox is gone (${code}). A new one with the last checkpoint replaces it; try again.`,
    {
      recovery: 'retry',
      cause: error,
    },
  );
}
