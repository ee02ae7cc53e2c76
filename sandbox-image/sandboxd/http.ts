import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { z } from 'zod';
import { type AnyErrorCode, statusOf } from '#contract/errors.ts';
import { maxListLineBytes, maxRequestBytes, type SandboxResponse } from '#contract/sandbox/calls.ts';

/** Unsent data beyond this size pauses the producer until the client catches up. */
const streamBufferBytes = 256 * 1024;

/** An error with a code that the server knows (`FILE_NOT_FOUND`, `CAPTURE_FAILED` …). */
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

/** Creates a VALIDATION_ERROR. The message says why the request is invalid and what would be valid. */
export function invalidRequest(message: string): ProtocolError {
  return new ProtocolError('VALIDATION_ERROR', message);
}

export function toProtocolError(error: unknown): ProtocolError {
  if (error instanceof ProtocolError) return error;
  if (error instanceof z.ZodError) return invalidRequest(z.prettifyError(error));
  if (error instanceof Error && error.name === 'AbortError') return new ProtocolError('CANCELLED', 'The request was cancelled.');
  const code = errnoOf(error);
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new ProtocolError(
      'STORAGE_FULL',
      'The sandbox’s disk is full. Delete files that are no longer needed, then try again.',
    );
  if (code === 'EACCES' || code === 'EPERM')
    return new ProtocolError(
      'PERMISSION_DENIED',
      'The project’s file permissions do not allow this. Change them, or use another path.',
    );
  const message = error instanceof Error ? error.message : String(error);
  return new ProtocolError('INTERNAL_ERROR', message, code ? { errno: code } : {});
}

/** Returns the `code` of a failed system call (such as `ENOENT`), or `null`. */
export function errnoOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

export function errorResponse(error: unknown): Response {
  const { code, message, details } = toProtocolError(error);
  return Response.json({ error: { code, message, details } }, { status: statusOf(code) });
}

/** Reads and validates a JSON body. Throws VALIDATION_ERROR or TOO_LARGE. */
export async function readJson<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
  maxBytes = maxRequestBytes,
): Promise<z.output<Schema>> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of c.req.raw.body ?? []) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxBytes)
      throw new ProtocolError('TOO_LARGE', `The request is larger than ${maxBytes} bytes. Split it into smaller requests.`);
    chunks.push(chunk);
  }
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw new ProtocolError(
      'VALIDATION_ERROR',
      `The request is not valid JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  return schema.parse(value);
}

/** Sends one event. Resolves when the client can accept more; throws an AbortError after a disconnect. */
export type Emit<Event> = (event: Event) => Promise<void>;

/**
 * Responds with NDJSON. `signal` aborts on a disconnect. An error becomes the last line, `{ type: 'error', code, message }`.
 */
export function ndjson<Event extends { readonly type: string }>(
  produce: (emit: Emit<Event>, signal: AbortSignal) => Promise<void>,
): Response {
  const closed = new AbortController();
  const encoder = new TextEncoder();
  // Shared by concurrent calls, because a command emits two outputs in parallel.
  let drained: PromiseWithResolvers<void> | null = null;
  const resume = () => {
    drained?.resolve();
    drained = null;
  };
  closed.signal.addEventListener('abort', resume, { once: true });

  async function run(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    const write = (value: object) => controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    const emit: Emit<Event> = async (event) => {
      closed.signal.throwIfAborted();
      write(event);
      if ((controller.desiredSize ?? 0) > 0) return;
      drained ??= Promise.withResolvers<void>();
      await drained.promise;
      closed.signal.throwIfAborted();
    };
    try {
      await produce(emit, closed.signal);
    } catch (error) {
      if (closed.signal.aborted) return;
      const { code, message } = toProtocolError(error);
      write({ type: 'error', code, message });
    }
    if (!closed.signal.aborted) controller.close();
  }

  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // Not awaited, because `start` must return before the stream can be read.
        void run(controller);
      },
      pull() {
        resume();
      },
      cancel() {
        closed.abort();
      },
    },
    { highWaterMark: streamBufferBytes, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  return new Response(body, { headers: { 'content-type': 'application/x-ndjson' } });
}

/** Responds with a list, a line per element. Throws TOO_LARGE if it exceeds the call's limits. */
export function sendList(
  list: Readonly<Record<string, unknown>>,
  { elements, rest, maxElements, maxBytes }: Extract<SandboxResponse, { kind: 'lines' }>,
): Response {
  const elementsOf = z.array(z.unknown());
  const lines = [...elements.keys()].flatMap((name) => elementsOf.parse(list[name]).map((element) => [name, element]));
  const end = Object.fromEntries(Object.keys(rest.shape).map((name) => [name, list[name]]));
  const encoded = [...lines, end].map((line) => Buffer.from(`${JSON.stringify(line)}\n`));
  const body = Buffer.concat(encoded);
  if (lines.length > maxElements || body.length > maxBytes || encoded.some(({ length }) => length > maxListLineBytes)) {
    throw new ProtocolError(
      'TOO_LARGE',
      `The project’s files cannot be listed: there are more than ${maxElements}, or their paths are too long. Delete or rename the files that are not needed.`,
    );
  }
  return sendBytes(body, 'application/x-ndjson');
}

/** Responds with a stream, and destroys it when the client disconnects. */
export function sendStream(stream: Readable, headers: Record<string, string>): Response {
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { headers });
}

export function sendBytes(bytes: Uint8Array, contentType: string): Response {
  return new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } });
}

/** Responds with chunks on demand. `signal` aborts on a disconnect, even while waiting for data. */
export function sendChunks(produce: (signal: AbortSignal) => AsyncGenerator<Buffer>, headers: Record<string, string>): Response {
  const closed = new AbortController();
  const chunks = produce(closed.signal);
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await chunks.next();
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel() {
        closed.abort();
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { headers });
}
