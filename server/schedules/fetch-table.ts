import { KodaError } from '#contract/errors.ts';
import { connectionProblem, type Fetch } from '../lib/outbound-fetch.ts';

const maxTableBytes = 1_000_000;
const timeoutMs = 60_000;

/** Returns whether an address is one of these, or below one of them. Prefixes end at a segment of the path. */
export function isListed(address: string, prefixes: readonly string[]): boolean {
  const { origin, pathname } = new URL(address);
  return prefixes.some((prefix) => {
    const allowed = new URL(prefix);
    const folder = allowed.pathname.endsWith('/') ? allowed.pathname : `${allowed.pathname}/`;
    return origin === allowed.origin && (pathname === allowed.pathname || pathname.startsWith(folder));
  });
}

/** An address without its scheme and query, which may contain a key. */
export function shortAddress(address: string): string {
  const { host, pathname } = new URL(address);
  return host + pathname;
}

export function assertMayFetch(address: string, allowed: readonly string[]): void {
  if (isListed(address, allowed)) return;
  throw new KodaError(
    'VALIDATION_ERROR',
    `Koda may not fetch ${shortAddress(address)}. The operator allows addresses with KODA_FETCH_ADDRESSES.`,
    { details: { field: 'source.url' } },
  );
}

/** Fetches a table. Follows no redirects. Throws NOT_FOUND, FORBIDDEN, TOO_LARGE or SERVICE_UNAVAILABLE, whose messages a person reads. */
export async function fetchTable(address: string, fetch: Fetch, { signal }: { signal: AbortSignal }): Promise<string> {
  const short = shortAddress(address);
  const unreachable = (why: string, cause?: unknown) =>
    new KodaError('SERVICE_UNAVAILABLE', `The table at ${short} cannot be read: ${why}.`, { cause });
  const ends = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  try {
    const response = await fetch(address, { headers: { accept: 'text/csv, application/json, text/plain' }, signal: ends });
    if (!response.ok) {
      await response.body?.cancel();
      const { status } = response;
      if (status === 404 || status === 410) throw new KodaError('NOT_FOUND', `Not found at ${short}.`);
      if (status === 401 || status === 403) throw new KodaError('FORBIDDEN', `${short} refuses the request (${status}).`);
      throw unreachable(`it answered ${status}`);
    }
    return await limitedText(response, short);
  } catch (error) {
    if (error instanceof KodaError || signal.aborted) throw error;
    throw unreachable(ends.aborted ? `there was no answer within ${timeoutMs / 1000} s` : connectionProblem(error), error);
  }
}

async function limitedText({ body }: Response, short: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  if (body !== null)
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > maxTableBytes)
        throw new KodaError('TOO_LARGE', `The table at ${short} is larger than 1 MB.`, { details: { maxBytes: maxTableBytes } });
      chunks.push(chunk);
    }
  return Buffer.concat(chunks).toString('utf8');
}
