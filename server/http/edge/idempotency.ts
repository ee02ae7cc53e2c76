import { createHash } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { KodaError } from '#contract/errors.ts';
import { type IdPrefix, newId } from '#contract/ids.ts';
import { failpoint } from '../../lib/failpoint.ts';
import type { IdempotencyStore } from '../../storage/idempotency.ts';
import type { HttpEnv } from '../deps.ts';

const maxKeyCharacters = 200;

/**
 * Middleware for create routes: executes a request with an `Idempotency-Key` once, and returns the stored response to retries
 * (with `Idempotency-Replayed: true`). A failed request does not consume the key. If the server crashes before the response
 * is stored, a retry finds the created resource by its id (`createOnce`). `fingerprint: 'head'` does not read the body, for
 * streamed uploads.
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
        throw new KodaError('CONFLICT', 'The first request with this Idempotency-Key is still running. Wait for it to finish.', {
          recovery: 'wait',
        });
      case 'mismatch':
        throw new KodaError('CONFLICT', 'This Idempotency-Key was used for a different request. Use a new key.', {
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

/** Returns the resource's id, which is the same for all attempts. `isRetry`: an earlier attempt may have created it. */
function resourceId(c: Context<HttpEnv>, prefix: IdPrefix): { id: string; isRetry: boolean } {
  const claim = c.get('claim');
  return claim === undefined
    ? { id: newId(prefix), isRetry: false }
    : { id: `${prefix}_${claim.idSuffix}`, isRetry: claim.isRetry };
}

/**
 * Creates a resource, or finds the one from an interrupted attempt. `find` throws NOT_FOUND if that attempt did not create
 * it.
 */
export async function createOnce<T>(
  c: Context<HttpEnv>,
  prefix: IdPrefix,
  { find, make }: { find: (id: string) => Promise<T>; make: (id: string) => Promise<T> },
): Promise<T> {
  const { id, isRetry } = resourceId(c, prefix);
  if (isRetry) {
    try {
      return await find(id);
    } catch (error) {
      if (!(error instanceof KodaError) || error.code !== 'NOT_FOUND') throw error;
    }
  }
  return await make(id);
}
