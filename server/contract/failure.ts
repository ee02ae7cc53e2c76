import { z } from 'zod';
import { type AnyErrorCode, errorMessage, type FailureCategory, isCancelled, isErrorCode, policyFor } from './errors.ts';
import { type RetryClass, retryPolicies } from './retry.ts';

export interface Failure {
  readonly category: FailureCategory;
  /** Whether the agent can continue with another call, or with the same one later. */
  readonly recoverable: boolean;
  /** Whether the unchanged call may succeed if it is repeated. */
  readonly retryable: boolean;
  readonly delayMs: number;
  readonly retryAs: RetryClass | null;
  /** Advice for the model, as a sentence. Never contains text from a sandbox or film page. */
  readonly action: string;
}

/** Codes of the operating system, SQLite and HTTP clients, by the error code that they map to. */
const systemCodes: Readonly<Partial<Record<AnyErrorCode, readonly string[]>>> = {
  STORAGE_FULL: ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'ERR_FS_QUOTA'],
  OUT_OF_MEMORY: ['ENOMEM', 'ERR_WORKER_OUT_OF_MEMORY'],
  QUOTA_EXCEEDED: ['EMFILE', 'ENFILE', 'EAGAIN'],
  PERMISSION_DENIED: ['EACCES', 'EPERM', 'EROFS'],
  FILE_NOT_FOUND: ['ENOENT'],
  CONFLICT: ['EEXIST', 'ENOTEMPTY'],
  IS_A_DIRECTORY: ['EISDIR'],
  NOT_A_DIRECTORY: ['ENOTDIR'],
  BAD_REQUEST: ['ENAMETOOLONG', 'EINVAL', 'ELOOP'],
  PORT_UNAVAILABLE: ['EADDRINUSE'],
  TIMEOUT: ['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
  // biome-ignore format: one group, like those above
  SERVICE_UNAVAILABLE: ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'UND_ERR_SOCKET', 'SQLITE_BUSY'],
};
const codeOfSystemCode = new Map(
  Object.entries(systemCodes).flatMap(([code, names]) => names.map((name) => [name, code as AnyErrorCode])),
);

/** Patterns for errors that have only a message. */
const messagePatterns: readonly (readonly [RegExp, AnyErrorCode])[] = [
  [/no space left|disk (is )?full|quota exceeded/i, 'STORAGE_FULL'],
  [/out of memory|heap limit|cannot allocate/i, 'OUT_OF_MEMORY'],
  [/permission denied|not permitted|access denied|read-only file system/i, 'PERMISSION_DENIED'],
  [/timed? ?out|deadline exceeded/i, 'TIMEOUT'],
  [/too many requests|rate limit/i, 'RATE_LIMITED'],
  [/socket hang up|fetch failed|network|connection (refused|reset|closed|error)|overloaded/i, 'SERVICE_UNAVAILABLE'],
  [/no such file|not found|does not exist/i, 'FILE_NOT_FOUND'],
];

/** Classifies an error by its type, code, errno or status, then by those of its causes, and last by its message. */
export function classify(error: unknown): Failure {
  return failure(codeOf(error) ?? codeByMessage(errorMessage(error)), retryAfterMsOf(error));
}

/** Classifies an error from its code alone, for example in a tool result. */
export function classifyCode(code: string, message = ''): Failure {
  return failure(knownCode(code) ?? codeByMessage(message), null);
}

function failure(code: AnyErrorCode, retryAfterMs: number | null): Failure {
  const { category, retryAs, advice, recoverable = true } = policyFor(code);
  const delayMs = retryAfterMs ?? (retryAs === null ? 0 : retryPolicies[retryAs].firstDelayMs);
  return { category, recoverable, retryable: retryAs !== null, delayMs, retryAs, action: advice };
}

const maxCauses = 5;

function codeOf(error: unknown, depth = 0): AnyErrorCode | null {
  if (!(error instanceof Error) || depth > maxCauses) return null;
  if (isCancelled(error)) return 'CANCELLED';
  if (error instanceof z.ZodError) return 'VALIDATION_ERROR';
  if (error.name === 'TimeoutError') return 'TIMEOUT';
  return systemCode(error) ?? codeOfStatus(error) ?? codeOf(error.cause, depth + 1);
}

function systemCode(error: Error): AnyErrorCode | null {
  return 'code' in error && typeof error.code === 'string' ? knownCode(error.code) : null;
}

function knownCode(code: string): AnyErrorCode | null {
  return isErrorCode(code) ? code : (codeOfSystemCode.get(code) ?? null);
}

/** Maps an HTTP response's status, which clients call `status` or `statusCode`. */
function codeOfStatus(error: Error): AnyErrorCode | null {
  const status = 'status' in error ? error.status : 'statusCode' in error && error.statusCode;
  if (typeof status !== 'number') return null;
  if (status === 401) return 'UNAUTHORIZED';
  if (status === 403) return 'FORBIDDEN';
  if (status === 408 || status === 504) return 'TIMEOUT';
  if (status === 413) return 'TOO_LARGE';
  if (status === 429) return 'RATE_LIMITED';
  if (status === 507) return 'STORAGE_FULL';
  if (status >= 500) return 'SERVICE_UNAVAILABLE';
  return status >= 400 ? 'BAD_REQUEST' : null;
}

function codeByMessage(message: string): AnyErrorCode {
  return messagePatterns.find(([form]) => form.test(message))?.[1] ?? 'INTERNAL_ERROR';
}

/** Returns the delay that a service requested, from a KodaError's details. `null` if none. */
export function retryAfterMsOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('details' in error) || typeof error.details !== 'object' || error.details === null)
    return null;
  const requested = 'retryAfterMs' in error.details ? error.details.retryAfterMs : null;
  return typeof requested === 'number' && requested >= 0 ? requested : null;
}
