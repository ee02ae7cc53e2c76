import type { Context, ErrorHandler, NotFoundHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { TrieRouter } from 'hono/router/trie-router';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { type ErrorCode, errorTraits, hasCode, isCancelled, KodaError } from '#contract/errors.ts';
import { retryAfterMsOf } from '#contract/failure.ts';
import { maxPromptCharacters } from '#contract/project.ts';
import { SandboxdError } from '../sandbox/sandbox.ts';
import type { HttpApp, HttpEnv } from './deps.ts';

const retryAfterDefaultMs = 5_000;

/** Fields with user-written text. Exceeding their limit is TOO_LARGE, not a malformed request. */
const textFields = ['prompt', 'content', 'feedback'];

/** Converts a zod error: its first issue becomes the message, all of them become the details. */
export function validationError(error: z.ZodError): KodaError {
  const issues = error.issues.map(deepest);
  const first = issues[0];
  const field = first?.path.join('.') ?? '';
  const details = { field, problems: issues.map((issue) => ({ field: issue.path.join('.'), message: issue.message })) };
  if (first?.code === 'too_big' && first.maximum === maxPromptCharacters && textFields.includes(String(first.path.at(-1)))) {
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
  return new KodaError('VALIDATION_ERROR', `${where} is not valid: ${first?.message ?? 'unknown issue'}`, {
    details,
    recovery: 'correct_request',
  });
}

/** Finds a union's innermost issue, which says more than "Invalid input". */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const inner = issue.errors[0]?.[0];
  return inner === undefined ? issue : { ...deepest(inner), path: [...issue.path, ...inner.path] };
}

/** Maps those sandboxd codes that a client can act on. */
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

const httpExceptionCodes: Partial<Record<number, ErrorCode>> = { 413: 'TOO_LARGE', 415: 'UNSUPPORTED_TYPE' };

/**
 * Converts an exception into the error shown to a client. Returns `null` for an internal error, which is logged and hidden.
 */
function toKodaError(error: unknown): KodaError | null {
  if (error instanceof KodaError) return error;
  if (error instanceof SandboxdError) {
    const code = sandboxdCodes[error.code];
    return code === undefined ? null : new KodaError(code, error.message, { details: error.details, cause: error });
  }
  if (error instanceof HTTPException) {
    const code = httpExceptionCodes[error.status] ?? 'BAD_REQUEST';
    const message = error.status === 415 ? 'Send the body as JSON, with "Content-Type: application/json".' : `${error.message}.`;
    return new KodaError(code, message, { recovery: 'correct_request', cause: error });
  }
  if (isCancelled(error)) return new KodaError('CANCELLED', 'The request was cancelled.', { cause: error });
  if (hasCode(error, 'ENOSPC', 'SQLITE_FULL')) {
    return new KodaError('STORAGE_FULL', 'Nothing was changed because the disk is full. Free up some space, then try again.', {
      recovery: 'free_disk_space',
      cause: error,
    });
  }
  return null;
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
