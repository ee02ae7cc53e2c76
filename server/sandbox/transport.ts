import { type IncomingMessage, request } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { type Answer, brokenProtocol, parseJson, ReadBudget, readAll } from './response.ts';
import { SandboxdError } from './sandbox.ts';
import { SandboxSocketAgent } from './socket-agent.ts';

/** An error response contains only a message and a few details. A larger one is treated as malicious. */
const maxErrorBytes = 64 * 1024;
/** Limits error details, because they are passed on and stored. */
const errorLimits = { structure: 2_000, depth: 8, elements: 100 };
/** Limit for all live output of a sandbox. It is far more than a person or a model reads. */
const liveBytesPerSecond = 4 * 1024 * 1024;
const maxFreeSockets = 8;
/** Maximum length of a target, longer than any valid path. Such a request would exceed the header limit anyway. */
const maxTargetLength = 8 * 1024;

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

export class SandboxTransport {
  readonly live = new ReadBudget(liveBytesPerSecond);
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
      // Node passes on any number of interim responses, which sandboxd never sends.
      outgoing.once('information', () => outgoing.destroy(brokenProtocol('an interim response')));
      outgoing.once('close', () => reject(brokenProtocol('a connection that closed without a response')));
      if (!(call.body instanceof Readable)) outgoing.end(call.body ?? undefined);
      else pipeline(call.body, outgoing, (error) => error && reject(error));
    });
  }

  async #errorFrom(answer: Answer): Promise<unknown> {
    try {
      const { error } = errorBodySchema.parse(parseJson(await readAll(answer, maxErrorBytes), errorLimits));
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
