export type ProblemStatus = 400 | 403 | 404 | 409 | 413 | 422 | 503 | 507;

/** An error of the API with a message for the user. */
export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly code: string;
  readonly details: unknown;

  constructor(status: ProblemStatus, code: string, message: string, details?: unknown) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

/** Returns the problem that a failed write has, with a reason that the user can do something about. */
export function diskProblem(error: unknown): Problem {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Problem(507, 'DISK_FULL', 'The disk is full, so nothing was saved. Free some space, and try again.');
  }
  const reason = error instanceof Error ? error.message : String(error);
  return new Problem(503, 'NOT_WRITABLE', `The data could not be written: ${reason}`);
}
