import { z } from 'zod';
import { type ErrorCode, errorMessage, isCancelled } from './errors.ts';
import { type RetryClass, retryPolicies } from './retry.ts';

export const failureCategories = ['validation', 'execution', 'timeout', 'permission', 'resource', 'network', 'internal'] as const;
export type FailureCategory = (typeof failureCategories)[number];

/** What kind of failure it is, and what can be done about it (T12). */
export interface Failure {
  readonly category: FailureCategory;
  /** The agent can go on: by another call, or by the same one later. */
  readonly recoverable: boolean;
  /** The same call, unchanged, may succeed. */
  readonly retryable: boolean;
  /** How long to wait before that. */
  readonly delayMs: number;
  /** The policy by which it is tried again; null = not at all. */
  readonly retryAs: RetryClass | null;
  /** A sentence for the model. Never holds text of a sandbox or a page. */
  readonly action: string;
}

interface Kind {
  readonly category: FailureCategory;
  readonly retryAs: RetryClass | null;
  readonly action: string;
  /** False where only a person can help. */
  readonly recoverable?: false;
}

const correct = (action: string): Kind => ({ category: 'validation', retryAs: null, action });
const forbidden = (action: string): Kind => ({ category: 'permission', retryAs: null, action });
const scarce = (action: string): Kind => ({ category: 'resource', retryAs: null, action });
const broken = (action: string, retryAs: RetryClass | null = null): Kind => ({ category: 'execution', retryAs, action });
const slow = (action: string): Kind => ({ category: 'timeout', retryAs: 'timeout', action });
const unreachable = (action: string): Kind => ({ category: 'network', retryAs: 'network', action });

const anotherPath = 'Use one of the similar paths, or list the files to find the right one.';
const freeDisk = 'The disk is full: delete what is not needed of the largest files in the details, then call again.';
const waitAndRepeat = 'Wait a moment, then call again.';
const readWords = 'Read what it says, correct the cause, then call again.';

/** Every code that leaves the product. */
const products = {
  BAD_REQUEST: correct('Correct what the message names, then call again.'),
  VALIDATION_ERROR: correct('Call again with the named fields corrected.'),
  INVALID_PATH: correct(
    'Use a path relative to the project, under src/, public/, scripts/, or a configuration file in the root.',
  ),
  UNAUTHORIZED: { ...forbidden('Tell the user: a key or a token is missing or wrong.'), recoverable: false },
  FORBIDDEN: forbidden('This is not allowed; reach the goal in another way.'),
  NOT_FOUND: correct('Use an id or a path that exists.'),
  METHOD_NOT_ALLOWED: correct('Use the method that the message names.'),
  INVALID_TRANSITION: correct('Do what the message names first, e.g. ask for the approval that is missing.'),
  CONFLICT: correct('Look at the present state, then decide anew.'),
  TOO_LARGE: scarce('Work on less at a time: a part of the file, or several smaller calls.'),
  UNSUPPORTED_TYPE: correct('Use one of the types that the message names.'),
  INVALID_PLAN: correct('Correct the plan by each of the reasons, then call again.'),
  LIMIT_EXCEEDED: scarce('Ask for less, so that it stays within the limit that the message names.'),
  RATE_LIMITED: {
    category: 'network',
    retryAs: 'rate_limit',
    action: 'Too many requests: wait as long as it says, then call again.',
  },
  CANCELLED: { ...broken('It was stopped on purpose. Do not call it again unless the user asks for it.'), recoverable: false },
  INTERNAL_ERROR: {
    category: 'internal',
    retryAs: null,
    action: 'This is a fault of the program: reach the goal in another way, or tell the user.',
  },
  RENDER_FAILED: broken('Read the evidence, correct the code, then render again.'),
  ENCODE_FAILED: broken('Render again; if it fails once more, choose another format or a smaller size.', 'transient'),
  CAPTURE_FAILED: broken('Read the errors of the page, correct the code, then call again.'),
  OUT_OF_MEMORY: scarce('Use less memory: smaller pictures, fewer objects or a lower resolution, then call again.'),
  GENERATION_FAILED: broken('Call generate_code again, with a smaller task if it fails once more.', 'transient'),
  SANDBOX_DEAD: broken('The sandbox is being replaced by one with the last saved files: call again.', 'default'),
  SERVER_FAILED: broken('Read the log of the server in the details, correct the cause, then start it again.'),
  LLM_RESPONSE: broken('The answer of the model could not be used; it is asked again.', 'transient'),
  SERVICE_UNAVAILABLE: unreachable('A service does not answer: wait a moment, then call again; if it lasts, tell the user.'),
  LLM_CONNECTION: unreachable('The model service does not answer: wait a moment, then call again.'),
  CIRCUIT_OPEN: {
    ...unreachable('It has failed several times and is left alone for a while: wait as long as it says, then call again.'),
    retryAs: null,
  },
  TIMEOUT: slow('Call again with a longer time limit, or do the work in smaller steps.'),
  STORAGE_FULL: scarce(freeDisk),
} as const satisfies Record<ErrorCode, Kind>;

/** Codes that tools and sandboxd add. */
const toolsOwn: Readonly<Record<string, Kind>> = {
  UNKNOWN_TOOL: correct('Call one of the tools that are offered.'),
  TOOL_TIMEOUT: slow('Do the work in smaller steps.'),
  EXECUTION_FAILED: broken(readWords),
  INTERRUPTED: broken('Look at what is there, and call again if it is still needed.'),
  COMMAND_BLOCKED: forbidden(
    'Do not run it in another form; reach the goal with the tools for files or with a harmless command.',
  ),
  NOT_PERMITTED: forbidden('Leave it to the user, and go on with what is left.'),
  PERMISSION_DENIED: forbidden('Work on files of the project only, with the rights that they have.'),
  FILE_NOT_FOUND: correct(anotherPath),
  IS_A_DIRECTORY: correct('This is a folder: list it, or name a file in it.'),
  NOT_A_DIRECTORY: correct('A part of the path is a file: list the folder above it.'),
  FILE_TOO_LARGE: scarce('Read a part of it with a command such as head, tail or sed.'),
  READ_FAILED: broken(readWords),
  WRITE_FAILED: broken(readWords),
  NO_MATCH: correct('Read the file and copy the text to find exactly as it stands there.'),
  AMBIGUOUS_MATCH: correct('Give more of the text around it, or set "all".'),
  INVALID_PATTERN: correct('Correct the pattern, then call again.'),
  INVALID_ARCHIVE: correct('Use an archive that is whole.'),
  TODO_NOT_FOUND: correct('Use an id of the list of todos.'),
  SESSION_NOT_FOUND: correct('Start a session first, or use the name of one that runs.'),
  SESSION_BUSY: scarce('A command is at work in this session: wait for it, stop it, or use another session.'),
  SESSION_IDLE: correct('Nothing is at work in this session: start a command first.'),
  CHECK_FAILED: broken(readWords),
  PROCESS_NOT_FOUND: correct('It has ended or never ran: start it again if it is needed.'),
  ELEMENT_NOT_FOUND: correct('Look at the page first, then use a selector that is on it.'),
  NAVIGATION_FAILED: broken('Check that the server runs and that the address is right, then call again.', 'transient'),
  SEEK_FAILED: broken('Use a time within the film; if it is, read the errors of the page and correct the code.'),
  SANDBOX_NOT_FOUND: correct('Call sandbox_create first.'),
  TEMPLATE_NOT_FOUND: { ...correct('Tell the user: the installation lacks this template.'), recoverable: false },
  QUOTA_EXCEEDED: scarce('Free what is not needed, or tell the user that the quota is used up.'),
  PROVIDER_ERROR: unreachable('Sandboxes cannot be made now: wait a moment, then call again; if it lasts, tell the user.'),
  PORT_UNAVAILABLE: scarce('Stop the process that holds the port, then call again.'),
  SAVE_FAILED: scarce('Nothing was destroyed. Try again; if it lasts, tell the user.'),
  STORAGE_FAILED: scarce('Nothing was kept. Try again; if it lasts, tell the user.'),
  APPLY_FAILED: broken('Everything is as it was before. Correct what the message names, then call again.'),
  DEPENDENCY_FAILED: broken('Check the name and the version of the package, then call again.'),
};

/** What the operating system, SQLite and HTTP clients say. */
const system: Readonly<Record<string, Kind>> = {
  ...each(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'ERR_FS_QUOTA'], scarce(freeDisk)),
  ...each(['ENOMEM', 'ERR_WORKER_OUT_OF_MEMORY'], products.OUT_OF_MEMORY),
  ...each(['EMFILE', 'ENFILE', 'EAGAIN'], scarce('Too much is open at a time: end what is not needed, then call again.')),
  ...each(['EACCES', 'EPERM', 'EROFS'], forbidden('Work on files of the project only, with the rights that they have.')),
  ...each(['ENOENT'], correct(anotherPath)),
  ...each(['EEXIST', 'ENOTEMPTY'], correct('It exists already: choose another name, or change what is there.')),
  ...each(['EISDIR'], correct('This is a folder: list it, or name a file in it.')),
  ...each(['ENOTDIR'], correct('A part of the path is a file: list the folder above it.')),
  ...each(['ENAMETOOLONG', 'EINVAL', 'ELOOP'], correct('Use a shorter or simpler path or value.')),
  ...each(['EADDRINUSE'], scarce('Stop the process that holds the port, then call again.')),
  ...each(
    ['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT'],
    slow('Call again; if it is slow once more, do the work in smaller steps.'),
  ),
  ...each(
    // biome-ignore format: one group, like those above
    ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'UND_ERR_SOCKET', 'SQLITE_BUSY'],
    unreachable(waitAndRepeat),
  ),
};

/** Words of errors that carry nothing else: the last resort. */
const words: readonly { readonly form: RegExp; readonly kind: Kind }[] = [
  { form: /no space left|disk (is )?full|quota exceeded/i, kind: scarce(freeDisk) },
  { form: /out of memory|heap limit|cannot allocate/i, kind: products.OUT_OF_MEMORY },
  { form: /permission denied|not permitted|access denied|read-only file system/i, kind: system['EACCES'] ?? products.FORBIDDEN },
  { form: /timed? ?out|deadline exceeded/i, kind: products.TIMEOUT },
  { form: /too many requests|rate limit/i, kind: products.RATE_LIMITED },
  {
    form: /socket hang up|fetch failed|network|connection (refused|reset|closed|error)|overloaded/i,
    kind: unreachable(waitAndRepeat),
  },
  { form: /no such file|not found|does not exist/i, kind: correct(anotherPath) },
];

function each(codes: readonly string[], kind: Kind): Record<string, Kind> {
  return Object.fromEntries(codes.map((code) => [code, kind]));
}

const table: ReadonlyMap<string, Kind> = new Map(Object.entries({ ...products, ...toolsOwn, ...system }));

/** What an error is: by its type, code, errno or status, then by those of its cause, and by words when there are none. */
export function classify(error: unknown): Failure {
  return failure(kindOf(error) ?? kindByWords(errorMessage(error)), retryAfterMsOf(error));
}

/** The same for what is known by its code alone, as the answer of a tool. */
export function classifyCode(code: string, message = ''): Failure {
  return failure(table.get(code) ?? kindByWords(message), null);
}

function failure(kind: Kind, retryAfterMs: number | null): Failure {
  const { category, retryAs, action, recoverable = true } = kind;
  const delayMs = retryAfterMs ?? (retryAs === null ? 0 : retryPolicies[retryAs].firstDelayMs);
  return { category, recoverable, retryable: retryAs !== null, delayMs, retryAs, action };
}

const maxCauses = 5;

function kindOf(error: unknown, depth = 0): Kind | null {
  if (!(error instanceof Error) || depth > maxCauses) return null;
  if (isCancelled(error)) return products.CANCELLED;
  if (error instanceof z.ZodError) return products.VALIDATION_ERROR;
  if (error.name === 'TimeoutError') return products.TIMEOUT;
  return codeKind(error) ?? statusKind(error) ?? kindOf(error.cause, depth + 1);
}

function codeKind(error: Error): Kind | null {
  return 'code' in error && typeof error.code === 'string' ? (table.get(error.code) ?? null) : null;
}

/** By the HTTP status of an answer (`status` or `statusCode`, as clients call it). */
function statusKind(error: Error): Kind | null {
  const status = 'status' in error ? error.status : 'statusCode' in error ? error.statusCode : null;
  if (typeof status !== 'number') return null;
  if (status === 401) return products.UNAUTHORIZED;
  if (status === 403) return products.FORBIDDEN;
  if (status === 408 || status === 504) return products.TIMEOUT;
  if (status === 413) return products.TOO_LARGE;
  if (status === 429) return products.RATE_LIMITED;
  if (status === 507) return products.STORAGE_FULL;
  if (status >= 500) return products.SERVICE_UNAVAILABLE;
  return status >= 400 ? products.BAD_REQUEST : null;
}

function kindByWords(message: string): Kind {
  return words.find(({ form }) => form.test(message))?.kind ?? products.INTERNAL_ERROR;
}

/** What a service asked to be waited, as it stands in the details of our errors; null = nothing. */
export function retryAfterMsOf(error: unknown): number | null {
  if (!(error instanceof Error) || !('details' in error) || typeof error.details !== 'object' || error.details === null)
    return null;
  const wanted = 'retryAfterMs' in error.details ? error.details.retryAfterMs : null;
  return typeof wanted === 'number' && wanted >= 0 ? wanted : null;
}
