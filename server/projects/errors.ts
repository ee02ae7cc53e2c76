import { type ErrorCode, hasCode, isCancelled, KodaError } from '#contract/errors.ts';
import { SandboxdError } from '../sandbox/sandbox.ts';

/** Maps those sandboxd codes that a client can act on. */
const sandboxdCodes: Record<string, ErrorCode> = {
  FILE_NOT_FOUND: 'NOT_FOUND',
  FILE_TOO_LARGE: 'TOO_LARGE',
  TOO_LARGE: 'TOO_LARGE',
  INVALID_PATH: 'INVALID_PATH',
  SERVER_FAILED: 'SERVER_FAILED',
  CAPTURE_FAILED: 'CAPTURE_FAILED',
  STORAGE_FULL: 'STORAGE_FULL',
  SESSION_NOT_FOUND: 'NOT_FOUND',
  SESSION_IDLE: 'CONFLICT',
  LIMIT_EXCEEDED: 'LIMIT_EXCEEDED',
};

/** Returns the error that a caller may see. Returns `null` for an internal error, which the door logs and hides. */
export function errorForCaller(error: unknown): KodaError | null {
  if (error instanceof KodaError) return error;
  if (error instanceof SandboxdError) {
    const code = sandboxdCodes[error.code];
    return code === undefined ? null : new KodaError(code, error.message, { details: error.details, cause: error });
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
