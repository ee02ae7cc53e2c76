import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { Semaphore, type SemaphoreInterface, withTimeout } from 'async-mutex';
import type { Context } from 'hono';
import { KodaError } from '#contract/errors.ts';
import type { HttpEnv } from '../deps.ts';
import { limitedBody } from '../edge/body.ts';

export interface Upload {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Higher than every limit of the asset store, whose error messages are clearer. */
const maxBodyBytes = 512 * 1024 * 1024;

/** Shorter than a client's own time limit. */
const maxWaitMs = 10_000;

/** Limits how many uploads of one kind are received at once. Others wait up to 10 s, then RATE_LIMITED is thrown. */
export function uploadSlots(what: string, atOnce: number): SemaphoreInterface {
  const busy = new KodaError('RATE_LIMITED', `${atOnce} ${what} are already running. Wait for one to finish, then try again.`, {
    details: { retryAfterMs: maxWaitMs },
    recovery: 'wait',
  });
  return withTimeout(new Semaphore(atOnce), maxWaitMs, busy);
}

const noFile = (message: string) =>
  new KodaError('BAD_REQUEST', message, { details: { field: 'file' }, recovery: 'send_one_file' });

/**
 * Passes an incoming file to `take` once there is a slot: the first file in a form, or the body, whose name is in `X-Filename`
 * (percent-encoded).
 */
export function receiveUpload<T>(
  c: Context<HttpEnv>,
  slots: SemaphoreInterface,
  take: (upload: Upload) => Promise<T>,
): Promise<T> {
  return slots.runExclusive(() => receive(c, take));
}

async function receive<T>(c: Context<HttpEnv>, take: (upload: Upload) => Promise<T>): Promise<T> {
  const contentType = c.req.header('content-type') ?? '';
  if (contentType.startsWith('multipart/form-data')) return await receiveForm(c, contentType, take);
  const name = decodeName(c.req.header('x-filename'));
  if (name === null)
    throw noFile('Send the file as multipart form data, or as the body with its percent-encoded name in X-Filename.');
  return await take({ name, content: limitedBody(c, maxBodyBytes) });
}

function decodeName(header: string | undefined): string | null {
  if (header === undefined || header === '') return null;
  try {
    return decodeURIComponent(header);
  } catch (error) {
    throw new KodaError('VALIDATION_ERROR', 'X-Filename is not valid. Send the file name as percent-encoded UTF-8.', {
      details: { field: 'X-Filename' },
      cause: error,
    });
  }
}

async function receiveForm<T>(c: Context<HttpEnv>, contentType: string, take: (upload: Upload) => Promise<T>): Promise<T> {
  const form = formOf(contentType);
  const pending: Promise<T>[] = [];
  const files: Readable[] = [];
  let broken: unknown = null;
  let hasMore = false;
  form.on('file', (_field, stream, name) => {
    files.push(
      stream.once('error', (error: unknown) => {
        broken ??= error;
      }),
    );
    const result = take({ name, content: stream });
    // After an error, the rest of the form is still read, because the client would otherwise not receive the response.
    result.catch(() => stream.resume());
    pending.push(result);
  });
  form.on('filesLimit', () => {
    hasMore = true;
  });
  try {
    await pipeline(limitedBody(c, maxBodyBytes), form);
  } catch (error) {
    broken ??= error;
    // Ends the file's stream, because its reader would otherwise wait forever.
    for (const file of files) file.destroy(error instanceof Error ? error : new Error(String(error)));
  }
  const results = await Promise.allSettled(pending);
  // A rejected file's error says more than the form error that it caused.
  const failed = results.find((one) => one.status === 'rejected' && (broken === null || one.reason instanceof KodaError));
  if (failed?.status === 'rejected') throw failed.reason;
  if (broken !== null) throw broken instanceof KodaError ? broken : malformed(broken);
  const [first] = results;
  if (first?.status !== 'fulfilled') throw noFile('The form contains no file. Add one and send it again.');
  if (hasMore) throw noFile('Send one file per request. Only the first one was saved.');
  return first.value;
}

function formOf(contentType: string) {
  const headers: BusboyHeaders = { 'content-type': contentType };
  try {
    return new Busboy({ headers, limits: { files: 1, fields: 20, fieldSize: 10_000, parts: 30 } });
  } catch (error) {
    throw malformed(error);
  }
}

function malformed(cause: unknown): KodaError {
  return new KodaError('BAD_REQUEST', 'The multipart form is malformed or incomplete. Send it again.', {
    recovery: 'send_one_file',
    cause,
  });
}
