import { z } from 'zod';
import type { RetryClass } from './retry.ts';

export const failureCategories = ['validation', 'execution', 'timeout', 'permission', 'resource', 'network', 'internal'] as const;
export type FailureCategory = (typeof failureCategories)[number];

/** Category, retry policy and advice for an error code. */
export interface ErrorPolicy {
  readonly category: FailureCategory;
  /** Retry policy for the unchanged call. `null` if a retry cannot succeed. */
  readonly retryAs: RetryClass | null;
  /** Advice for a model, as a sentence. Never contains text from a sandbox or film page. */
  readonly advice: string;
  /** False if only a person can fix the problem. */
  readonly recoverable?: false;
}

const correct = (advice: string): ErrorPolicy => ({ category: 'validation', retryAs: null, advice });
const forbidden = (advice: string): ErrorPolicy => ({ category: 'permission', retryAs: null, advice });
const scarce = (advice: string): ErrorPolicy => ({ category: 'resource', retryAs: null, advice });
const broken = (advice: string, retryAs: RetryClass | null = null): ErrorPolicy => ({ category: 'execution', retryAs, advice });
const slow = (advice: string): ErrorPolicy => ({ category: 'timeout', retryAs: 'timeout', advice });
const unreachable = (advice: string): ErrorPolicy => ({ category: 'network', retryAs: 'network', advice });

const readMessage = 'Read the message, correct the cause, then call again.';

/**
 * Every error that leaves the product has one of these codes. This table and `toolTable` alone define what a code means: HTTP
 * status, CLI exit code, category, retry policy, and advice for a model.
 */
const table = {
  BAD_REQUEST: { status: 400, exit: 2, ...correct('Correct what the message names, then call again.') },
  VALIDATION_ERROR: { status: 400, exit: 2, ...correct('Correct the named fields, then call again.') },
  INVALID_PATH: {
    status: 400,
    exit: 2,
    ...correct('Use a path relative to the project, such as src/a.ts, in a folder that can be changed.'),
  },
  UNAUTHORIZED: {
    status: 401,
    exit: 3,
    ...forbidden('Tell the user: a key or a token is missing or wrong.'),
    recoverable: false,
  },
  FORBIDDEN: { status: 403, exit: 3, ...forbidden('This is not allowed; find another way to reach the goal.') },
  NOT_FOUND: { status: 404, exit: 4, ...correct('Use an id or a path that exists.') },
  METHOD_NOT_ALLOWED: { status: 405, exit: 2, ...correct('Use the method that the message names.') },
  INVALID_TRANSITION: {
    status: 409,
    exit: 5,
    ...correct('First do what the message asks for, such as requesting a missing approval.'),
  },
  CONFLICT: { status: 409, exit: 5, ...correct('Check the current state, then decide how to continue.') },
  TOO_LARGE: { status: 413, exit: 2, ...scarce('Process less per call: part of the file, or several smaller calls.') },
  UNSUPPORTED_TYPE: { status: 415, exit: 2, ...correct('Use one of the types that the message names.') },
  TOOL_NOT_FOUND: { status: 404, exit: 4, ...correct('Use one of the actions that the message names.') },
  EXECUTION_ERROR: { status: 409, exit: 5, ...broken('Nothing was done. Check the current state, then decide how to continue.') },
  MAX_RETRIES: { status: 409, exit: 5, ...broken('Every allowed attempt failed. Change something before you try again.') },
  INVALID_PLAN: { status: 422, exit: 2, ...correct('Correct the plan as each reason says, then call again.') },
  LIMIT_EXCEEDED: { status: 422, exit: 2, ...scarce('Request less, to stay within the limit that the message names.') },
  RATE_LIMITED: {
    status: 429,
    exit: 6,
    category: 'network',
    retryAs: 'rate_limit',
    advice: 'Too many requests: wait as long as the message says, then call again.',
  },
  CANCELLED: {
    status: 499,
    exit: 130,
    ...broken('The call was cancelled. Do not repeat it unless the user asks for it.'),
    recoverable: false,
  },
  INTERNAL_ERROR: {
    status: 500,
    exit: 1,
    category: 'internal',
    retryAs: null,
    advice: 'This is a bug in Koda: find another way to reach the goal, or tell the user.',
  },
  RENDER_FAILED: { status: 500, exit: 7, ...broken('Read the evidence, correct the code, then render again.') },
  ENCODE_FAILED: {
    status: 500,
    exit: 7,
    ...broken('Render again. If it fails again, choose another format or a smaller size.', 'transient'),
  },
  CAPTURE_FAILED: { status: 500, exit: 7, ...broken('Read the page errors, correct the code, then call again.') },
  OUT_OF_MEMORY: {
    status: 500,
    exit: 7,
    ...scarce('Use less memory: smaller images, fewer objects or a lower resolution, then call again.'),
  },
  GENERATION_FAILED: {
    status: 502,
    exit: 7,
    ...broken('Call generate_code again, with a smaller task if it fails again.', 'transient'),
  },
  SANDBOX_DEAD: {
    status: 502,
    exit: 7,
    ...broken('The sandbox is being replaced by one with the last saved files: call again.', 'default'),
  },
  SERVER_FAILED: {
    status: 502,
    exit: 7,
    ...broken('Read the server log in the details, correct the cause, then start the server again.'),
  },
  LLM_RESPONSE: { status: 502, exit: 6, ...broken('The model response was unusable; the request is retried.', 'transient') },
  SERVICE_UNAVAILABLE: {
    status: 503,
    exit: 6,
    ...unreachable('A service is not responding: wait a moment, then call again. If it keeps failing, tell the user.'),
  },
  LLM_CONNECTION: {
    status: 503,
    exit: 6,
    ...unreachable('The model service is not responding: wait a moment, then call again.'),
  },
  CIRCUIT_OPEN: {
    status: 503,
    exit: 6,
    ...unreachable('The service failed repeatedly, so calls are paused: wait as long as the message says, then call again.'),
    retryAs: null,
  },
  TIMEOUT: { status: 504, exit: 6, ...slow('Call again with a longer time limit, or do the work in smaller steps.') },
  STORAGE_FULL: {
    status: 507,
    exit: 8,
    ...scarce('The disk is full: delete the largest files in the details that are not needed, then call again.'),
  },
} as const satisfies Record<string, ErrorTraits>;

/** Codes used only by tools and sandboxd; the HTTP API never returns them. The status is that of sandboxd's response. */
const toolTable = {
  JSON_SYNTAX: { status: 400, ...correct('Correct the text at that position, then call again.') },
  SCHEMA_INVALID: { status: 400, ...correct('Correct the named field, then call again.') },
  UNKNOWN_COMPONENT: { status: 400, ...correct('Use the components that are allowed, then call again.') },
  INVALID_REFERENCE: {
    status: 400,
    ...correct('Correct the ids so that each refers to an existing component, then call again.'),
  },
  SECURITY_VIOLATION: { status: 400, ...forbidden('Show plain text instead.') },
  UNKNOWN_TOOL: { status: 404, ...correct('Call one of the tools that are offered.') },
  TOOL_TIMEOUT: { status: 504, ...slow('Do the work in smaller steps.') },
  EXECUTION_FAILED: { status: 500, ...broken(readMessage) },
  INTERRUPTED: { status: 500, ...broken('Check what exists, and call again if it is still needed.') },
  COMMAND_BLOCKED: {
    status: 403,
    ...forbidden('Do not run it in another form; use the file tools or a harmless command instead.'),
  },
  NOT_PERMITTED: { status: 403, ...forbidden('Leave it to the user, and continue with the rest.') },
  PERMISSION_DENIED: { status: 403, ...forbidden('Work only on the project’s files, with their existing permissions.') },
  FILE_NOT_FOUND: { status: 404, ...correct('Use one of the similar paths, or list the files to find the right one.') },
  IS_A_DIRECTORY: { status: 400, ...correct('This is a folder: list it, or name a file in it.') },
  NOT_A_DIRECTORY: { status: 400, ...correct('Part of the path is a file: list the folder above it.') },
  FILE_TOO_LARGE: { status: 413, ...scarce('Read part of it with a command such as head, tail or sed.') },
  READ_FAILED: { status: 500, ...broken(readMessage) },
  WRITE_FAILED: { status: 500, ...broken(readMessage) },
  NO_MATCH: { status: 409, ...correct('Read the file and copy the text to find exactly as it appears there.') },
  AMBIGUOUS_MATCH: { status: 409, ...correct('Include more of the surrounding text, or set "all".') },
  INVALID_PATTERN: { status: 400, ...correct('Correct the pattern, then call again.') },
  INVALID_ARCHIVE: { status: 400, ...correct('Use a complete archive.') },
  TODO_NOT_FOUND: { status: 404, ...correct('Use an id from the todo list.') },
  SESSION_NOT_FOUND: { status: 404, ...correct('Start a session first, or use the name of a running one.') },
  SESSION_BUSY: { status: 409, ...scarce('A command is running in this session: wait for it, stop it, or use another session.') },
  SESSION_IDLE: { status: 409, ...correct('No command is running in this session: start one first.') },
  CHECK_FAILED: { status: 500, ...broken(readMessage) },
  PROCESS_NOT_FOUND: { status: 404, ...correct('The process has ended or never started: start it again if it is needed.') },
  ELEMENT_NOT_FOUND: { status: 404, ...correct('Inspect the page first, then use a selector that matches it.') },
  NAVIGATION_FAILED: {
    status: 502,
    ...broken('Check that the server is running and the address is correct, then call again.', 'transient'),
  },
  SEEK_FAILED: {
    status: 500,
    ...broken('Use a time within the film. If it already is, read the page errors and correct the code.'),
  },
  SANDBOX_NOT_FOUND: { status: 404, ...correct('Call sandbox_create first.') },
  TEMPLATE_NOT_FOUND: { status: 404, ...correct('Tell the user: the installation lacks this template.'), recoverable: false },
  QUOTA_EXCEEDED: { status: 422, ...scarce('Free unneeded resources, or tell the user that the quota is used up.') },
  PROVIDER_ERROR: {
    status: 503,
    ...unreachable('Sandboxes cannot be created now: wait a moment, then call again. If it keeps failing, tell the user.'),
  },
  PORT_UNAVAILABLE: { status: 502, ...scarce('Stop the process that uses the port, then call again.') },
  SAVE_FAILED: { status: 500, ...scarce('Nothing was destroyed. Try again. If it keeps failing, tell the user.') },
  STORAGE_FAILED: { status: 500, ...scarce('Nothing was stored. Try again. If it keeps failing, tell the user.') },
  APPLY_FAILED: { status: 500, ...broken('No file was changed. Correct what the message names, then call again.') },
  DEPENDENCY_FAILED: { status: 500, ...broken('Check the name and the version of the package, then call again.') },
} as const satisfies Record<string, ErrorPolicy & { readonly status: number }>;

export type ErrorCode = keyof typeof table;
export const errorCodes = Object.keys(table) as ErrorCode[];
export const errorCodeSchema = z.enum(errorCodes as [ErrorCode, ...ErrorCode[]]);

/** Properties of an error code that the HTTP API and the CLI return. */
export interface ErrorTraits extends ErrorPolicy {
  readonly status: number;
  readonly exit: number;
}

export function errorTraits(code: ErrorCode): ErrorTraits {
  return table[code];
}

export type AnyErrorCode = ErrorCode | keyof typeof toolTable;

export function policyFor(code: AnyErrorCode): ErrorPolicy {
  return policies[code];
}

export function statusOf(code: AnyErrorCode): number {
  return policies[code].status;
}

export function isErrorCode(code: string): code is AnyErrorCode {
  return Object.hasOwn(policies, code);
}

const policies: Readonly<Record<AnyErrorCode, ErrorPolicy & { readonly status: number }>> = { ...table, ...toolTable };

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
  /** Next step as a short snake_case action (`accept_plan`, `retry`, `shorten_prompt`). */
  readonly recovery?: string;
  readonly cause?: unknown;
}

/**
 * Error whose message a user may see: what failed, why, and what to do. Any other error becomes INTERNAL_ERROR at the API
 * boundary, with an id for the log and without a stack.
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

/** Returns whether an error comes from a deliberate cancellation, which is not a failure. */
export function isCancelled(error: unknown): boolean {
  if (error instanceof KodaError) return error.code === 'CANCELLED';
  return error instanceof Error && error.name === 'AbortError';
}

/** Returns whether a thrown value has one of these system (`ENOENT`) or library (`SQLITE_FULL`) codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.some((code) => error.code === code);
}

/** Returns the message of an unknown thrown value, for logs and diagnostics. Never throws. */
export function errorMessage(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    // Converting an object such as `{ toString: '' }` to a string throws.
    return 'an unprintable value';
  }
}
