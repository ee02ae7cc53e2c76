import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { z } from 'zod';
import { type AnyErrorCode, statusOf } from '../../server/contract/errors.ts';
import { maxRequestBytes } from '../../server/contract/sandbox-calls.ts';

/** How much of a stream may wait for a slow client before its producer has to wait, too. */
const streamBufferBytes = 256 * 1024;

/** A refusal with a code that the server knows (`FILE_NOT_FOUND`, `CAPTURE_FAILED` …). */
export class ProtocolError extends Error {
  readonly code: AnyErrorCode;
  readonly details: Record<string, unknown>;

  constructor(code: AnyErrorCode, message: string, details: Record<string, unknown> = {}) {
    super(message);
    this.name = 'ProtocolError';
    this.code = code;
    this.details = details;
  }
}

/** A request that cannot be carried out as it is; the message says why, and what would do. */
export function invalidRequest(message: string): ProtocolError {
  return new ProtocolError('VALIDATION_ERROR', message);
}

/** Code, message and details of anything that was thrown. */
export function toProtocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof z.ZodError) return invalidRequest(z.prettifyError(error));
  if (error instanceof Error && error.name === 'AbortError') return new ProtocolError('CANCELLED', 'The call was cancelled.');
  const code = errnoOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') return new ProtocolError('STORAGE_FULL', 'The disk of the sandbox is full.');
  if (code === 'EACCES' || code === 'EPERM')
    return new ProtocolError('PERMISSION_DENIED', 'The file rights of the project do not allow that.');
  const message = error instanceof Error ? error.message : String(error);
  return new ProtocolError('INTERNAL_ERROR', message, code ? { errno: code } : {});
}

/** The `code` of a failed system call (`ENOENT`), or null. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

/** The one shape of a refusal on the wire. */
export function errorResponse(error: unknown): Response {
  const { code, message, details } = toProtocolError(error);
  return Response.json({ error: { code, message, details } }, { status: statusOf(code) });
}

/** Reads and validates a JSON body. Throws ProtocolError VALIDATION_ERROR or TOO_LARGE. */
export async function readJson<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
  maxBytes = maxRequestBytes,
): Promise<z.output<Schema>> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes) throw new ProtocolError('TOO_LARGE', `The request is larger than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new ProtocolError(
      'VALIDATION_ERROR',
      `The request is not JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return schema.parse(value);
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
  // Shared by all waiting calls: two outputs of one command emit side by side.
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

/** Answers with bytes that are all there. */
export function sendBytes(bytes: Uint8Array, contentType: string): Response {
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } });
}

/** Answers with chunks as they are asked for. `signal` fires when the reader has gone, also while there is nothing to read. */
export function sendChunks(produce: (signal: AbortSignal) => AsyncGenerator<Buffer>, headers: Record<string, string>): Response {
  const gone = new AbortController();
  const chunks = produce(gone.signal);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel() {
        gone.abort();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}
