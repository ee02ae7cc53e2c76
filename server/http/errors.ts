import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { TrieRouter } from 'hono/router/trie-router';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { type ErrorCode, errorTraits, hasCode, isCancelled, KodaError } from '../contract/errors.ts';
import { retryAfterMsOf } from '../contract/failure.ts';
import { maxPromptCharacters } from '../contract/project.ts';
import { SandboxdError } from '../sandbox/sandbox.ts';
import type { HttpApp, HttpEnv } from './deps.ts';

/** When a client may try again, when the error does not say. */
const retryAfterDefaultMs = 5_000;

/** Names of the fields that hold a person's words: too many of them is TOO_LARGE, not a malformed request. */
const proseFields = ['prompt', 'content', 'feedback'];

/** The first problem of a zod error in words, and all of them as details. */
export function validationError(error: z.ZodError): KodaError {
  const issues = error.issues.map(deepest);
  const first = issues[0];
  const field = first?.path.join('.') ?? '';
  const details = { field, problems: issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })) };
  if (first?.code === 'too_big' && first.maximum === maxPromptCharacters && proseFields.includes(String(first.path.at(-1)))) {
    return new KodaError(
      'TOO_LARGE',
      `The text in "${field}" is too long: at most ${maxPromptCharacters} characters. Shorten it.`,
      {
        details,
        recovery: 'shorten_text',
      },
    );
  }
  const where = field === '' ? 'The request' : `The field "${field}"`;
  return new KodaError('VALIDATION_ERROR', `${where} is not valid: ${first?.message ?? 'unknown problem'}`, {
    details,
    recovery: 'correct_request',
  });
}

/** A union hides what went wrong in its branches; the first branch's first problem says more than "Invalid input". */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors[0]?.[0];
  return inner === undefined ? issue : { ...deepest(inner), path: [...issue.path, ...inner.path] };
}

/** sandboxd's codes that a client can act on. */
const sandboxdCodes: Record<string, ErrorCode> = {
  FILE_NOT_FOUND: 'NOT_FOUND',
  FILE_TOO_LARGE: 'TOO_LARGE',
  INVALID_PATH: 'INVALID_PATH',
  SERVER_FAILED: 'SERVER_FAILED',
  CAPTURE_FAILED: 'CAPTURE_FAILED',
  STORAGE_FULL: 'STORAGE_FULL',
  SESSION_NOT_FOUND: 'NOT_FOUND',
  SESSION_IDLE: 'CONFLICT',
  LIMIT_EXCEEDED: 'LIMIT_EXCEEDED',
};

/** The one mapping from an exception to what a client sees; null = a fault of ours, which is logged and hidden. */
function toKodaError(error: unknown): KodaError | null {
  if (error instanceof KodaError) return error;
  if (error instanceof SandboxdError) {
    const code = sandboxdCodes[error.code];
    return code === undefined ? null : new KodaError(code, error.message, { details: error.details, cause: error });
  }
  if (error instanceof HTTPException) {
    const code = error.status === 415 ? 'UNSUPPORTED_TYPE' : error.status === 413 ? 'TOO_LARGE' : 'BAD_REQUEST';
    const message = error.status === 415 ? 'Send the body as JSON, with "Content-Type: application/json".' : `${error.message}.`;
    return new KodaError(code, message, { recovery: 'correct_request', cause: error });
  }
  if (isCancelled(error)) return new KodaError('CANCELLED', 'The request was cancelled.', { cause: error });
  if (hasCode(error, 'ENOSPC', 'SQLITE_FULL')) {
    return new KodaError('STORAGE_FULL', 'The disk is full, so nothing was changed. Free some space, then try again.', {
      recovery: 'free_disk_space',
      cause: error,
    });
  }
  return null;
}

/** The response that belongs to an error. */
export function errorResponse(error: KodaError): Response {
  const { status } = errorTraits(error.code);
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' });
  if (status === 429 || status === 503) {
    const waitMs = retryAfterMsOf(error) ?? retryAfterDefaultMs;
    headers.set('retry-after', String(Math.ceil(waitMs / 1000)));
  }
  return new Response(JSON.stringify(error.toEnvelope()), { status, headers });
}

/** The response to an exception; a fault of ours is logged. */
export function errorOfRequest(error: unknown, { c, log }: { c: Context<HttpEnv>; log: Logger }): KodaError {
  const known = toKodaError(error);
  if (known !== null) return known;
  const requestId = c.get('requestId');
  log.error({ err: error, requestId, method: c.req.method, path: c.req.path }, 'a request failed');
  return new KodaError('INTERNAL_ERROR', `Something failed inside Koda. The log says more under ${requestId}.`, {
    details: { requestId },
    recovery: 'look_up_request_id',
  });
}

export function onError(log: Logger): ErrorHandler<HttpEnv> {
  return (error, c) => errorResponse(errorOfRequest(error, { c, log }));
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Unknown paths: 405 with `Allow` when another method would do, else 404. Call it after all routes are there. */
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
        new KodaError('NOT_FOUND', `There is nothing at ${path}. See /docs for what there is.`, { recovery: 'see_docs' }),
      );
    }
    const response = errorResponse(
      new KodaError('METHOD_NOT_ALLOWED', `${method} is not possible at ${path}; use ${allowed.join(' or ')}.`, {
        details: { allowed },
      }),
    );
    response.headers.set('allow', allowed.join(', '));
    return response;
  };
}
