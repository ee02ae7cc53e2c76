import type { Context } from 'hono';
import { KodaError } from '#contract/errors.ts';
import type { HttpEnv } from '../deps.ts';
import { streamedBody } from '../edge/body.ts';
import { errorResponse } from '../edge/errors.ts';

interface StoredContent {
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedAt: Date;
  /** Reads from `start` to `end`, both inclusive. Called at most once, and not at all if no content is sent. */
  readonly open: (part: { start: number; end: number }) => AsyncIterable<Uint8Array>;
}

/** Responds to a request for stored content according to RFC 9110: 200, 206, 304 or 416. `headers` describe the content. */
export function sendBytes(c: Context<HttpEnv>, headers: Headers, { sizeBytes, etag, modifiedAt, open }: StoredContent): Response {
  headers.set('etag', etag);
  headers.set('last-modified', modifiedAt.toUTCString());
  headers.set('accept-ranges', 'bytes');
  if (matchesEtag(c.req.header('if-none-match'), etag)) return new Response(null, { status: 304, headers });

  const mayBePart = ifRangeHolds(c.req.header('if-range'), { etag, modifiedAt });
  const range = mayBePart ? parseRange(c.req.header('range'), sizeBytes) : { kind: 'whole' as const };
  if (range.kind === 'unsatisfiable') {
    const envelope = new KodaError('BAD_REQUEST', `The requested range is outside the file, which is ${sizeBytes} bytes long.`, {
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

export type RangeResult =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' };

/** Parses a `Range` (RFC 9110, 14.2); `end` is inclusive. Multiple or malformed ranges mean the whole file. */
export function parseRange(header: string | undefined, sizeBytes: number): RangeResult {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '');
  const [, first = '', last = ''] = match ?? [];
  if (match === null || (first === '' && last === '')) return { kind: 'whole' };
  if (first === '') {
    const suffix = Number(last);
    if (suffix === 0 || sizeBytes === 0) return { kind: 'unsatisfiable' };
    return { kind: 'part', start: Math.max(0, sizeBytes - suffix), end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < start) return { kind: 'whole' };
  return start >= sizeBytes ? { kind: 'unsatisfiable' } : { kind: 'part', start, end };
}

/** Returns whether `If-None-Match` contains this ETag (weak comparison). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

/** Returns whether this version's range may be sent: `If-Range` is missing, or matches its ETag or exact date. */
export function ifRangeHolds(header: string | undefined, { etag, modifiedAt }: { etag: string; modifiedAt: Date }): boolean {
  if (header === undefined) return true;
  if (header.startsWith('"') || header.startsWith('W/')) return header === etag;
  return Date.parse(header) === Math.floor(modifiedAt.getTime() / 1000) * 1000;
}
