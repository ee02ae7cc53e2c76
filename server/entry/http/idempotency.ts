import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { KodaError } from '../../contract/errors.ts';
import { failpoint } from '../../failpoint.ts';
import type { IdempotencyStore } from '../../storage/idempotency.ts';
import type { HttpEnv } from './deps.ts';

const maxKeyCharacters = 200;

/**
 * For routes that create something: a request with `Idempotency-Key` is carried out once, and a repeat gets
 * the first answer (with `Idempotency-Replayed: true`). A refused or failed request does not use the key up.
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
