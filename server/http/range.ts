/** The part of a file that a request asks for; `unsatisfiable` is answered with 416. */
export type RangeResult =
  | { readonly kind: 'whole' }
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' };

/**
 * Reads a `Range` header (RFC 9110, section 14.2) for a file of `sizeBytes`; `end` is inclusive. Several ranges
 * at once, other units and malformed headers give the whole file, as the RFC allows.
 */
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

/** Whether `If-None-Match` names this version (weak comparison). */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}

/** Whether a range may be taken from this version: `If-Range` is absent, its tag, or exactly its date. */
export function ifRangeHolds(header: string | undefined, { etag, modifiedAt }: { etag: string; modifiedAt: Date }): boolean {
  if (header === undefined) return true;
  if (header.startsWith('"') || header.startsWith('W/')) return header === etag;
  return Date.parse(header) === Math.floor(modifiedAt.getTime() / 1000) * 1000;
}
