import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { z } from 'zod';

/** Largest JSON body that a route takes; the longest honest one is a command of 10,000 characters with its environment. */
const maxJsonBytes = 1024 * 1024;
/** How much of a stream may wait for a slow client before its producer has to wait, too. */
const streamBufferBytes = 256 * 1024;

/** A refusal with a code that the server knows how to tell (`FILE_NOT_FOUND`, `CAPTURE_FAILED` …). */
export class ProtocolError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Record<string, unknown>;

  constructor(code: string, status: number, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** A request that cannot be carried out as it is; the message says why, and what would do. */
export function invalidRequest(message: string): ProtocolError {
  return new ProtocolError('VALIDATION_ERROR', 400, message);
}

/** Code, status, words and details of anything that was thrown. */
export function toProtocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof z.ZodError) return invalidRequest(z.prettifyError(error));
  if (error instanceof Error && error.name === 'AbortError')
    return new ProtocolError('CANCELLED', 499, 'The call was cancelled.');
  const code = errnoOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ProtocolError('STORAGE_FULL', 507, 'The disk of the sandbox is full.');
  if (code === 'EACCES' || code === 'EPERM')
    return new ProtocolError('PERMISSION_DENIED', 403, 'The file rights of the project do not allow that.');
  const message = error instanceof Error ? error.message : String(error);
  return new ProtocolError('INTERNAL_ERROR', 500, message, code ? { errno: code } : {});
}

/** The `code` of a failed system call (`ENOENT`), or null. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** The one shape of a refusal on the wire. */
export function errorResponse(error: unknown): Response {
  const { code, status, message, details } = toProtocolError(error);
  return Response.json({ error: { code, message, details } }, { status });
}

/** Reads and validates a JSON body. Throws ProtocolError VALIDATION_ERROR or TOO_LARGE. */
export async function readJson<Schema extends z.ZodType>(c: Context, schema: Schema): Promise<z.output<Schema>> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxJsonBytes) throw new ProtocolError('TOO_LARGE', 413, `The request is larger than ${maxJsonBytes} bytes.`);
    chunks.push(chunk);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new ProtocolError(
      'VALIDATION_ERROR',
      400,
      `The request is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return schema.parse(value);
}

/** The number that a parameter of the query gives: 0 when it is missing. Throws ProtocolError VALIDATION_ERROR. */
export function wholeNumber(c: Context, name: string): number {
  const value = Number(c.req.query(name) ?? '0');
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw invalidRequest(`The parameter "${name}" must be a whole number from 0.`);
}

/** Sends one event; resolves when the client has room for the next, rejects with an AbortError when it is gone. */
export type Emit<Event> = (event: Event) => Promise<void>;

/**
 * Answers with NDJSON, one event a line. `signal` fires when the client closes the request: the work
 * must end then. What `produce` throws becomes a last line `{ type: 'error', code, message }`.
 */
export function ndjson<Event extends { readonly type: string }>(
  produce: (emit: Emit<Event>, signal: AbortSignal) => Promise<void>,
): Response {
  const gone = new AbortController();
  const encoder = new TextEncoder();
  // Shared by all who wait: two outputs of one command emit side by side.
  let room: PromiseWithResolvers<void> | null = null;
  const wake = () => {
    room?.resolve();
    room = null;
  };
  gone.signal.addEventListener('abort', wake, { once: true });

  async function run(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const write = (value: object) => controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    const emit: Emit<Event> = async (event) => {
      gone.signal.throwIfAborted();
      write(event);
      if ((controller.desiredSize ?? 0) > 0) return;
      room ??= Promise.withResolvers<void>();
      await room.promise;
      gone.signal.throwIfAborted();
    };
    try {
      await produce(emit, gone.signal);
    } catch (error) {
      if (gone.signal.aborted) return;
      const { code, message } = toProtocolError(error);
      write({ type: 'error', code, message });
    }
    if (!gone.signal.aborted) controller.close();
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Not awaited: a stream's `start` must return before anything can be read.
        void run(controller);
      },
      pull() {
        wake();
      },
      cancel() {
        gone.abort();
      },
    },
    { highWaterMark: streamBufferBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
}

/** Answers with the bytes of a stream; the stream is destroyed when the client goes away. */
export function sendStream(stream: Readable, headers: Record<string, string>): Response {
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { headers });
}
