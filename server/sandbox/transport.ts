import { type IncomingMessage, request } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { isWithinLimits } from '#contract/payload-limits.ts';
import { ByteCollector } from '../lib/byte-collector.ts';
import { SandboxdError } from './sandbox.ts';
import { SandboxSocketAgent } from './socket-agent.ts';

/** An error response contains only a message and a few details. A larger one is treated as malicious. */
const maxErrorBytes = 64 * 1024;
/** Limits error details, because they are passed on and stored. */
const errorLimits = { values: 2_000, depth: 8, characters: maxErrorBytes };
const maxFreeSockets = 8;
/** Maximum length of a target, longer than any valid path. Such a request would exceed the header limit anyway. */
const maxTargetLength = 8 * 1024;

const newline = 0x0a;

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
  readonly target: string;
  readonly body: Uint8Array | Readable | null;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
}

/** Response that is being received. Its content is untrusted until validated. */
export interface Answer {
  readonly response: IncomingMessage;
  /** Returns the error to throw if reading the response fails. */
  explain(error: unknown): unknown;
}

export class SandboxTransport {
  readonly #agent: SandboxSocketAgent;
  readonly #token: string;

  constructor(socketPath: string, token: string) {
    this.#agent = new SandboxSocketAgent(socketPath, { keepAlive: true, maxFreeSockets });
    this.#token = token;
  }

  /** Sends a call. Throws SANDBOX_DEAD, CANCELLED, TIMEOUT, or SandboxdError if sandboxd rejects it. */
  async send(call: Request): Promise<Answer> {
    if (call.target.length > maxTargetLength) throw new SandboxdError('INVALID_PATH', 'The path is too long.', {});
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
    const error = await this.#errorFrom(answer);
    // The rest of the request body is no longer needed.
    if (call.body instanceof Readable) call.body.destroy();
    throw error;
  }

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
      // Has no effect once the response has started; its reader gets the error then.
      outgoing.on('error', reject);
      // An unrequested upgrade ends the request without an error, so the call would never settle.
      outgoing.once('upgrade', (_answer, socket) => socket.destroy());
      outgoing.once('close', () => reject(brokenProtocol('a connection that closed without a response')));
      if (!(call.body instanceof Readable)) outgoing.end(call.body ?? undefined);
      else pipeline(call.body, outgoing, (error) => error && reject(error));
    });
  }

  async #errorFrom(answer: Answer): Promise<unknown> {
    try {
      const body: unknown = JSON.parse((await readAll(answer, maxErrorBytes)).toString('utf8'));
      if (!isWithinLimits(body, errorLimits)) return brokenProtocol('an error response with too many details');
      const { error } = errorBodySchema.parse(body);
      return new SandboxdError(error.code, error.message, error.details ?? {});
    } catch (error) {
      if (error instanceof KodaError) return error;
      return brokenProtocol(`status ${answer.response.statusCode} without an error message`);
    }
  }
}

function lengthOf(body: Request['body']): Record<string, string> {
  if (body === null) return {};
  return body instanceof Uint8Array ? { 'content-length': String(body.byteLength) } : { 'transfer-encoding': 'chunked' };
}

export async function readAll({ response, explain }: Answer, maxBytes: number): Promise<Buffer> {
  const bytes = new ByteCollector();
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (bytes.length + chunk.length > maxBytes) throw brokenProtocol(`a response of more than ${maxBytes} bytes`);
      bytes.add(chunk);
    }
  } catch (error) {
    throw explain(error);
  }
  return bytes.whole();
}

/** Returns the response as a stream that fails with Koda's errors. */
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
  // Destroys the response first. A generator ends only once its pending read settles, which may take hours.
  stream._destroy = (error, done) => {
    response.destroy();
    destroy(error, done);
  };
  return stream;
}

export async function* readLines({ response, explain }: Answer, maxLineBytes: number): AsyncGenerator<string> {
  let line = new ByteCollector();
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      let from = 0;
      // Searches only new bytes, because each byte of a long line may arrive separately.
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

/** Returns the error for a response that violates the protocol. It cannot come from sandboxd, so the sandbox is replaced. */
export function brokenProtocol(what: string): KodaError {
  return new KodaError('SANDBOX_DEAD', `The sandbox sent an invalid response: ${what}. Try again; a new sandbox replaces it.`, {
    recovery: 'retry',
  });
}

function explainFailure(error: unknown, call: Request & { timeout: AbortSignal }): unknown {
  if (error instanceof KodaError) return error;
  if (call.signal.aborted) return new KodaError('CANCELLED', 'The call to the sandbox was cancelled.', { cause: error });
  if (call.timeout.aborted) {
    const seconds = Math.round(call.timeoutMs / 1000);
    return new KodaError(
      'TIMEOUT',
      `The sandbox did not respond to ${call.method} ${call.target.split('?')[0]} within ${seconds} s.`,
      {
        recovery: 'retry',
        cause: error,
      },
    );
  }
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code?.startsWith('HPE_')) return brokenProtocol('not HTTP');
  if (code === null || !deadCodes.has(code)) return error;
  return new KodaError(
    'SANDBOX_DEAD',
    `The sandbox has stopped (${code}). Try again; a new one with the last checkpoint replaces it.`,
    {
      recovery: 'retry',
      cause: error,
    },
  );
}
