import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { TrieRouter } from 'hono/router/trie-router';
import type { Logger } from 'pino';
import { type ErrorCode, errorTraits, KodaError } from '#contract/errors.ts';
import { retryAfterMsOf } from '#contract/failure.ts';
import { errorForCaller } from '../../projects/errors.ts';
import type { HttpApp, HttpEnv } from '../deps.ts';

const retryAfterDefaultMs = 5_000;

const httpExceptionCodes: Partial<Record<number, ErrorCode>> = { 413: 'TOO_LARGE', 415: 'UNSUPPORTED_TYPE' };

function toKodaError(error: unknown): KodaError | null {
  if (!(error instanceof HTTPException)) return errorForCaller(error);
  const code = httpExceptionCodes[error.status] ?? 'BAD_REQUEST';
  const message = error.status === 415 ? 'Send the body as JSON, with "Content-Type: application/json".' : `${error.message}.`;
  return new KodaError(code, message, { recovery: 'correct_request', cause: error });
}

export function errorResponse(error: KodaError): Response {
  const { status } = errorTraits(error.code);
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  if (status === 401) headers.set('www-authenticate', 'Bearer');
  if (status === 429 || status === 503) {
    const waitMs = retryAfterMsOf(error) ?? retryAfterDefaultMs;
    headers.set('retry-after', String(Math.ceil(waitMs / 1000)));
  }
  return new Response(JSON.stringify(error.toEnvelope()), { status, headers });
}

export function errorOfRequest(error: unknown, { c, log }: { c: Context<HttpEnv>; log: Logger }): KodaError {
  const known = toKodaError(error);
  if (known !== null) return known;
  const requestId = c.get('requestId');
  log.error({ err: error, requestId, method: c.req.method, path: c.req.path }, 'request failed');
  return new KodaError('INTERNAL_ERROR', `Koda failed because of an internal error. Search the server log for ${requestId}.`, {
    details: { requestId },
    recovery: 'look_up_request_id',
  });
}

export function onError(log: Logger): ErrorHandler<HttpEnv> {
  return (error, c) => errorResponse(errorOfRequest(error, { c, log }));
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/**
 * Handles unknown paths: 405 with `Allow` if the path has other methods, otherwise 404. Call after registering all routes.
 */
export function notFound(app: HttpApp): NotFoundHandler<HttpEnv> {
  const router = new TrieRouter<true>();
  for (const route of app.routes) {
    if (methods.includes(route.method)) router.add(route.method, route.path, true);
  }
  return (c) => {
    const { method, path } = c.req;
    const allowed = methods.filter((candidate) => router.match(candidate, path)[0].length > 0);
    if (allowed.length === 0 || (method === 'HEAD' && allowed.includes('GET'))) {
      return errorResponse(
        new KodaError('NOT_FOUND', `There is nothing at ${path}. See /docs for the list of endpoints.`, { recovery: 'see_docs' }),
      );
    }
    const response = errorResponse(
      new KodaError('METHOD_NOT_ALLOWED', `${path} does not support ${method}. Use ${allowed.join(' or ')}.`, {
        details: { allowed },
      }),
    );
    response.headers.set('allow', allowed.join(', '));
    return response;
  };
}
