import type { Context } from 'hono';
import { KodaError } from '../contract/errors.ts';
import { streamedBody } from './body.ts';
import type { HttpEnv } from './deps.ts';
import { errorResponse } from './errors.ts';
import { ifRangeHolds, matchesEtag, parseRange } from './range.ts';

/** Bytes that are kept somewhere and can be read from any place on. */
interface KeptBytes {
  readonly sizeBytes: number;
  /** Strong, with its quotes. */
  readonly etag: string;
  readonly modifiedAt: Date;
  /** Reads from `start` to `end`, both inclusive. Called at most once, and not at all when no bytes are sent. */
  readonly open: (part: { start: number; end: number }) => AsyncIterable<Uint8Array>;
}

/** Answers a request for kept bytes by RFC 9110: 200, 206, 304 or 416. `headers` say what they are. */
export function sendBytes(c: Context<HttpEnv>, headers: Headers, { sizeBytes, etag, modifiedAt, open }: KeptBytes): Response {
  headers.set('etag', etag);
  headers.set('last-modified', modifiedAt.toUTCString());
  headers.set('accept-ranges', 'bytes');
  if (matchesEtag(c.req.header('if-none-match'), etag)) return new Response(null, { status: 304, headers });

  const mayBePart = ifRangeHolds(c.req.header('if-range'), { etag, modifiedAt });
  const range = mayBePart ? parseRange(c.req.header('range'), sizeBytes) : { kind: 'whole' as const };
  if (range.kind === 'unsatisfiable') {
    const envelope = new KodaError('BAD_REQUEST', `The file has ${sizeBytes} bytes; the range lies outside.`, {
      details: { sizeBytes },
    });
    const { body, headers: errorHeaders } = errorResponse(envelope);
    errorHeaders.set('content-range', `bytes */${sizeBytes}`);
    return new Response(body, { status: 416, headers: errorHeaders });
  }
  const { start, end } = range.kind === 'part' ? range : { start: 0, end: sizeBytes - 1 };
  headers.set('content-length', String(end - start + 1));
  if (range.kind === 'part') headers.set('content-range', `bytes ${start}-${end}/${sizeBytes}`);
  const status = range.kind === 'part' ? 206 : 200;
  const body = sizeBytes === 0 || c.req.method === 'HEAD' ? null : streamedBody(c, open({ start, end }));
  return new Response(body, { status, headers });
}
