import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Context } from 'hono';
import { KodaError } from '../contract/errors.ts';
import { ByteCollector } from '../lib/byte-collector.ts';
import { type Sandbox, SandboxdError } from '../sandbox/sandbox.ts';
import type { HttpEnv } from './deps.ts';
import { matchesEtag } from './send-bytes.ts';

/** Files up to this size are tagged when they are read: a tag comes before the bytes, which are held until then. */
const maxTaggedBytes = 2 * 1024 * 1024;

/** Hashes bytes as they pass into an ETag: a client that names it has seen exactly these bytes. */
export class Tagger {
  readonly #hash = createHash('sha256');

  /** The same pieces. */
  async *over(content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array, void, void> {
    for await (const piece of content) {
      this.#hash.update(piece);
      yield piece;
    }
  }

  /** Once, when all has passed. */
  tag(): string {
    return `"${this.#hash.digest('base64url')}"`;
  }
}

/**
 * The tag of a file in a sandbox; null when there is no such file. A file of more than `maxBytes` cannot have been written
 * over HTTP: it is not read to its end, and gets a tag that no client knows.
 */
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

/** The bytes of a file with their tag, or, when there are many, all of them as a stream without one. */
export type OpenedFile = { readonly tag: string; readonly bytes: Buffer } | { readonly tag: null; readonly content: Readable };

/** Reads as much of a file as can be tagged. */
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
  // A generator that never started closes nothing.
  stream.once('close', () => source.destroy());
  return stream;
}

/** The version of a file that a change expects; null = any. */
export type Expected = { readonly kind: 'absent' } | { readonly kind: 'seen'; readonly tags: string } | null;

/** `If-Match: "<tag>"`: the version that was seen; `If-None-Match: *`: no file at all. */
export function expectedOf(c: Context<HttpEnv>): Expected {
  const tags = c.req.header('if-match');
  if (tags !== undefined) return { kind: 'seen', tags };
  const none = c.req.header('if-none-match');
  if (none === undefined) return null;
  if (none.trim() === '*') return { kind: 'absent' };
  throw new KodaError('BAD_REQUEST', 'A change may say "If-None-Match: *" or "If-Match" with the tag of a version.', {
    recovery: 'correct_request',
  });
}

/** Throws CONFLICT when the file (`tag`; null = there is none) is not the version that the client expects. */
export function assertExpected(expected: NonNullable<Expected>, { path, tag }: { path: string; tag: string | null }): void {
  if (expected.kind === 'absent') {
    if (tag === null) return;
    throw new KodaError('CONFLICT', `There is a file "${path}" already. Choose another name, or open that file.`, {
      details: { etag: tag },
      recovery: 'read_again',
    });
  }
  if (tag !== null && matchesEtag(expected.tags, tag)) return;
  const what = tag === null ? 'was deleted' : 'was changed';
  throw new KodaError('CONFLICT', `"${path}" ${what} since you read it. Read it again, then decide which version to keep.`, {
    details: { etag: tag },
    recovery: 'read_again',
  });
}
