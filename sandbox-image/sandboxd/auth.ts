import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { ProtocolError } from './http.ts';

/** Refuses whoever does not bring the token. Compared by digest: the time tells neither its length nor a prefix. */
export function requireToken(token: string): MiddlewareHandler {
  const expected = digest(`Bearer ${token}`);
  return async (c, next) => {
    if (!timingSafeEqual(digest(c.req.header('authorization') ?? ''), expected)) {
      throw new ProtocolError('UNAUTHORIZED', 401, 'The token is missing or wrong.');
    }
    await next();
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
