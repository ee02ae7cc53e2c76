import { createHash } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { KodaError } from '../contract/errors.ts';
import { type IdPrefix, newId } from '../contract/ids.ts';
import { failpoint } from '../lib/failpoint.ts';
import type { IdempotencyStore } from '../storage/idempotency.ts';
import type { HttpEnv } from './deps.ts';

const maxKeyCharacters = 200;

/**
 * For routes that create something: a request with `Idempotency-Key` is carried out once, and a repeat gets
 * the first answer (with `Idempotency-Replayed: true`). A refused or failed request does not use the key up. When the
 * server dies before the answer is kept, the repeat finds what was made by its id: see `madeOnce`.
 * `fingerprint: 'head'` leaves the body alone (uploads that are streamed).
 */
export function idempotent(store: IdempotencyStore, options: { fingerprint: 'body' | 'head' }): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const key = c.req.header('idempotency-key');
    if (key === undefined) return await next();
    if (key === '' || key.length > maxKeyCharacters) {
      throw new KodaError('VALIDATION_ERROR', `Idempotency-Key must have 1 to ${maxKeyCharacters} characters.`, {
        details: { field: 'Idempotency-Key' },
      });
    }
    const content =
      options.fingerprint === 'body' ? await c.req.text() : `${c.req.header('x-filename')} ${c.req.header('content-length')}`;
    const request = {
      scope: `${c.req.method} ${c.req.path}`,
      key,
      fingerprint: createHash('sha256').update(content).digest('hex'),
    };
    const claim = store.claim(request);
    switch (claim.kind) {
      case 'running':
        throw new KodaError('CONFLICT', 'The first request with this Idempotency-Key is still under way. Wait for it.', {
          recovery: 'wait',
        });
      case 'mismatch':
        throw new KodaError('CONFLICT', 'This Idempotency-Key was used for a different request. Take a new key.', {
          recovery: 'use_new_key',
        });
      case 'done':
        return new Response(claim.response.body, {
          status: claim.response.status,
          headers: { 'content-type': claim.response.contentType, 'idempotency-replayed': 'true' },
        });
      case 'claimed': {
        let finished = false;
        c.set('claim', claim);
        try {
          await next();
          if (c.error === undefined && c.res.ok) {
            const contentType = c.res.headers.get('content-type') ?? 'application/json';
            failpoint('request.before-remembered');
            store.finish(request, { status: c.res.status, contentType, body: await c.res.clone().text() });
            finished = true;
          }
        } finally {
          if (!finished) store.release(request);
        }
      }
    }
    return undefined;
  };
}

/**
 * The id for what a request creates; with a key, every attempt under it gets the same. `isRepeat`: an earlier attempt was
 * cut off, and may have made it.
 */
function idOfCreated(c: Context<HttpEnv>, prefix: IdPrefix): { id: string; isRepeat: boolean } {
  const claim = c.get('claim');
  return claim === undefined
    ? { id: newId(prefix), isRepeat: false }
    : { id: `${prefix}_${claim.mark}`, isRepeat: claim.isRepeat };
}

/**
 * What an earlier attempt of this request made before it was cut off (`find` throws NOT_FOUND when it did not come so far),
 * or what `make` makes now.
 */
export async function madeOnce<T>(
  c: Context<HttpEnv>,
  prefix: IdPrefix,
  { find, make }: { find: (id: string) => Promise<T>; make: (id: string) => Promise<T> },
): Promise<T> {
  const { id, isRepeat } = idOfCreated(c, prefix);
  if (isRepeat) {
    try {
      return await find(id);
    } catch (error) {
      if (!(error instanceof KodaError) || error.code !== 'NOT_FOUND') throw error;
    }
  }
  return await make(id);
}
