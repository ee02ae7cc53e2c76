import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { KodaError } from '#contract/errors.ts';
import { ByteCollector } from '../../lib/bytes.ts';
import { type Sandbox, SandboxdError } from '../../sandbox/sandbox.ts';
import type { HttpEnv } from '../deps.ts';
import { matchesEtag } from '../streams/send-bytes.ts';

/** Larger files have no ETag when read, because the header comes before the content, which would have to be buffered. */
const maxTaggedBytes = 2 * 1024 * 1024;

/** Hashes content into an ETag as it passes through. A client that sends the ETag has received exactly this content. */
export class Tagger {
  readonly #hash = createHash('sha256');

  async *over(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of content) {
      this.#hash.update(piece);
      yield piece;
    }
  }

  /** Call once, after all content has passed. */
  tag(): string {
    return `"${this.#hash.digest('base64url')}"`;
  }
}

/** Returns a file's ETag, or `null` if it is missing. A file larger than `maxBytes` gets a random ETag. */
export async function currentTag(
  sandbox: Pick<Sandbox, 'readFile'>,
  path: string,
  { signal, maxBytes }: { signal: AbortSignal; maxBytes: number },
): Promise<string | null> {
  const tagger = new Tagger();
  let sizeBytes = 0;
  try {
    for await (const piece of tagger.over(await sandbox.readFile(path, { signal }))) {
      signal.throwIfAborted();
      sizeBytes += piece.byteLength;
      if (sizeBytes > maxBytes) return `"${randomUUID()}"`;
    }
  } catch (error) {
    if (error instanceof SandboxdError && error.code === 'FILE_NOT_FOUND') return null;
    throw error;
  }
  return tagger.tag();
}

/** A file's content with its ETag, or a stream without one if the file is large. */
export type OpenedFile = { readonly tag: string; readonly bytes: Buffer } | { readonly tag: null; readonly content: Readable };

export async function openTagged(content: Readable): Promise<OpenedFile> {
  const tagger = new Tagger();
  const source = tagger.over(content);
  const bytes = new ByteCollector();
  for (let turn = await source.next(); turn.done !== true; turn = await source.next()) {
    bytes.add(turn.value);
    if (bytes.length > maxTaggedBytes) return { tag: null, content: joined(bytes.whole(), source, content) };
  }
  return { tag: tagger.tag(), bytes: bytes.whole() };
}

function joined(beginning: Uint8Array, rest: AsyncIterable<Uint8Array>, source: Readable): Readable {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield beginning;
    yield* rest;
  }
  const stream = Readable.from(bytes(), { objectMode: false });
  // The source of a generator that was never started is not closed.
  stream.once('close', () => source.destroy());
  return stream;
}

/** File version that a change expects, or `null` for any version. */
export type Expected = { readonly kind: 'absent' } | { readonly kind: 'seen'; readonly tags: string } | null;

/** Reads the expected version: `If-Match: "<tag>"`, or `If-None-Match: *` for no file. */
export function expectedOf(c: Context<HttpEnv>): Expected {
  const tags = c.req.header('if-match');
  if (tags !== undefined) return { kind: 'seen', tags };
  const none = c.req.header('if-none-match');
  if (none === undefined) return null;
  if (none.trim() === '*') return { kind: 'absent' };
  throw new KodaError(
    'BAD_REQUEST',
    'The condition is not supported. Use "If-None-Match: *", or "If-Match" with the ETag of a version.',
    {
      recovery: 'correct_request',
    },
  );
}

/** Throws CONFLICT if the file's current `tag` (`null` if it does not exist) is not the expected version. */
export function assertExpected(expected: NonNullable<Expected>, { path, tag }: { path: string; tag: string | null }): void {
  if (expected.kind === 'absent') {
    if (tag === null) return;
    throw new KodaError('CONFLICT', `The file "${path}" already exists. Choose another name, or open that file.`, {
      details: { etag: tag },
      recovery: 'read_again',
    });
  }
  if (tag !== null && matchesEtag(expected.tags, tag)) return;
  const what = tag === null ? 'has been deleted' : 'has been changed';
  throw new KodaError('CONFLICT', `"${path}" ${what} since you read it. Read it again, then decide which version to keep.`, {
    details: { etag: tag },
    recovery: 'read_again',
  });
}
