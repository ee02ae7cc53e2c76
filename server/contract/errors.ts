import { z } from 'zod';

/**
 * Every error that leaves the product has one of these codes. The table is the only mapping from a
 * cause to an HTTP status, to whether trying again may help, and to the exit code of the CLI.
 */
const table = {
  BAD_REQUEST: { status: 400, retryable: false, exit: 2 },
  VALIDATION_ERROR: { status: 400, retryable: false, exit: 2 },
  INVALID_PATH: { status: 400, retryable: false, exit: 2 },
  UNAUTHORIZED: { status: 401, retryable: false, exit: 3 },
  FORBIDDEN: { status: 403, retryable: false, exit: 3 },
  NOT_FOUND: { status: 404, retryable: false, exit: 4 },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false, exit: 2 },
  INVALID_TRANSITION: { status: 409, retryable: false, exit: 5 },
  CONFLICT: { status: 409, retryable: false, exit: 5 },
  TOO_LARGE: { status: 413, retryable: false, exit: 2 },
  UNSUPPORTED_TYPE: { status: 415, retryable: false, exit: 2 },
  INVALID_PLAN: { status: 422, retryable: false, exit: 2 },
  LIMIT_EXCEEDED: { status: 422, retryable: false, exit: 2 },
  RATE_LIMITED: { status: 429, retryable: true, exit: 6 },
  CANCELLED: { status: 499, retryable: true, exit: 130 },
  INTERNAL_ERROR: { status: 500, retryable: false, exit: 1 },
  RENDER_FAILED: { status: 500, retryable: true, exit: 7 },
  ENCODE_FAILED: { status: 500, retryable: true, exit: 7 },
  CAPTURE_FAILED: { status: 500, retryable: true, exit: 7 },
  OUT_OF_MEMORY: { status: 500, retryable: true, exit: 7 },
  GENERATION_FAILED: { status: 502, retryable: true, exit: 7 },
  SANDBOX_DEAD: { status: 502, retryable: true, exit: 7 },
  SERVER_FAILED: { status: 502, retryable: true, exit: 7 },
  LLM_RESPONSE: { status: 502, retryable: true, exit: 6 },
  SERVICE_UNAVAILABLE: { status: 503, retryable: true, exit: 6 },
  LLM_CONNECTION: { status: 503, retryable: true, exit: 6 },
  CIRCUIT_OPEN: { status: 503, retryable: true, exit: 6 },
  TIMEOUT: { status: 504, retryable: true, exit: 6 },
  STORAGE_FULL: { status: 507, retryable: true, exit: 8 },
} as const satisfies Record<string, { status: number; retryable: boolean; exit: number }>;

export type ErrorCode = keyof typeof table;
export const errorCodes = Object.keys(table) as ErrorCode[];
export const errorCodeSchema = z.enum(errorCodes as [ErrorCode, ...ErrorCode[]]);

/** HTTP status, retryability and CLI exit code of a code. */
export function errorTraits(code: ErrorCode): { status: number; retryable: boolean; exit: number } {
  return table[code];
}

export const errorEnvelopeSchema = z.object({
  error: z.object({
    code: errorCodeSchema,
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    recovery: z.object({ action: z.string() }).optional(),
  }),
});
export type ErrorEnvelope = z.infer<typeof errorEnvelopeSchema>;

interface KodaErrorOptions {
  readonly details?: Record<string, unknown>;
  /** What to do next, as a short snake_case action (`accept_plan`, `retry`, `shorten_prompt`). */
  readonly recovery?: string;
  readonly cause?: unknown;
}

/**
 * An error that a user may see. The message says what failed, why, and what to do. Everything that is
 * not a KodaError becomes INTERNAL_ERROR at the boundary, with an id to look up and no stack.
 */
export class KodaError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | null;
  readonly recovery: string | null;

  constructor(code: ErrorCode, message: string, options: KodaErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'KodaError';
    this.code = code;
    this.details = options.details ?? null;
    this.recovery = options.recovery ?? null;
  }

  toEnvelope(): ErrorEnvelope {
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(this.details ? { details: this.details } : {}),
        ...(this.recovery ? { recovery: { action: this.recovery } } : {}),
      },
    };
  }
}

/** True when the failure is the effect of somebody's wish to stop, and not a fault. */
export function isCancelled(error: unknown): boolean {
  if (error instanceof KodaError) return error.code === 'CANCELLED';
  return error instanceof Error && error.name === 'AbortError';
}

/** Whether a thrown value carries one of these codes: of the system (`ENOENT`) or of a library (`SQLITE_FULL`). */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => error.code === code);
}

/** Words of an unknown thrown value, for logs and evidence. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
