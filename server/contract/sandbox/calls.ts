import { z } from 'zod';
import {
  applyLimits,
  applyRequestSchema,
  applyResultSchema,
  browserActionSchema,
  browserReportSchema,
  changesSchema,
  execEventSchema,
  execRequestSchema,
  fileEntrySchema,
  fileListSchema,
  foundLinesSchema,
  foundPathsSchema,
  healthSchema,
  imageRequestSchema,
  initRequestSchema,
  innerPathSchema,
  inspectReportSchema,
  inspectRequestSchema,
  lineSearchSchema,
  modelImageSchema,
  pathSearchSchema,
  previewStatusSchema,
  processStatusSchema,
  renderEventSchema,
  renderJobSchema,
  screenshotRequestSchema,
  svgRequestSchema,
} from './answers.ts';
import {
  shellExecRequestSchema,
  shellInputSchema,
  shellListSchema,
  shellNameSchema,
  shellResultSchema,
  shellStatusSchema,
  shellWaitSchema,
  terminalSizeSchema,
} from './shells.ts';
import { soundRequestSchema, soundSchema } from './sounds.ts';

/**
 * The protocol between the server and sandboxd, the daemon in a sandbox: HTTP/1.1 over a Unix socket, `Authorization: Bearer
 * <token>` on every request. An error is `{ error: { code, message, details? } }` with a 4xx or 5xx status; in a stream of events
 * it is a last line `{ type: 'error', … }`. Closing a request cancels its work. `preview.sock`, beside the control socket,
 * carries raw bytes to the dev server, without a token. This table is the only definition of a call. The server's client
 * (`Sandbox` in server/sandbox), the daemon's routes, its handlers (`SandboxHandlers` in sandboxd), the validation on both sides
 * and every limit derive from it.
 */

/** Limit of a JSON request. The longest legitimate one is a command of 10,000 characters with its environment. */
export const maxRequestBytes = 1024 * 1024;

/** Limits of untrusted JSON, which are checked before it is parsed. */
export interface JsonLimits {
  /** Number of the characters `{`, `[`, `,` and `:` outside of strings. The time that parsing takes depends on it. */
  readonly structure: number;
  readonly depth: number;
  /** Number of elements in each list and of fields in each object. */
  readonly elements: number;
}

/** The largest report, of a film with all its scenes, parameters and console messages, has about 30,000 structural characters. */
export const responseLimits: JsonLimits = { structure: 40_000, depth: 32, elements: 1_000 };
/** Limits of an element of a list. A file entry has 10 structural characters. */
export const elementLimits: JsonLimits = { structure: 32, depth: 4, elements: 16 };
export const eventLimits: JsonLimits = { structure: 256, depth: 8, elements: 64 };
/** A path of 1,024 characters may need three bytes for each. */
export const maxListLineBytes = 4 * 1024;
/** Limit for one event: an output chunk has up to 128 KiB, and each byte may need six characters of JSON. */
export const maxEventBytes = 1024 * 1024;

/** Form of a response and the maximum size that the server accepts. */
export type SandboxResponse =
  | { readonly kind: 'json'; readonly schema: z.ZodType; readonly maxBytes: number }
  /**
   * NDJSON: `["field", element]` for each element of the schema's list fields, then an object with the other fields. The server
   * counts and validates each line as it arrives.
   */
  | {
      readonly kind: 'lines';
      readonly schema: z.ZodObject;
      readonly elements: ReadonlyMap<string, z.ZodType>;
      readonly rest: z.ZodObject;
      readonly maxElements: number;
      readonly maxBytes: number;
    }
  | { readonly kind: 'bytes'; readonly maxBytes: number }
  /** Bytes of unknown length. `hasOffset`: the x-koda-offset header contains the offset of the first byte. */
  | { readonly kind: 'stream'; readonly hasOffset: boolean }
  /** NDJSON, one event per line. An event of type `last` ends the stream. */
  | { readonly kind: 'events'; readonly schema: z.ZodType<{ type: string }>; readonly last: string };

export interface SandboxCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /**
   * Name of the parameter that identifies the subject: a path parameter if the path contains `:name`, otherwise a query
   * parameter.
   */
  readonly subject?: keyof typeof subjects;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType | 'bytes';
  readonly maxBodyBytes?: number;
  readonly response: SandboxResponse;
  /** Limit for the whole call, including streams. If it is exceeded, the server treats the sandbox as stuck. */
  readonly timeoutMs: number;
  /** Adds the request's own limit (`timeoutMs` in its body) to the call's limit. */
  readonly addsRequested?: true;
  /** Marks the sandbox as busy during the call. Other calls are short. */
  readonly isWork?: true;
}

const json = <Schema extends z.ZodType>(schema: Schema, maxBytes = 1024 * 1024) => ({ kind: 'json', schema, maxBytes }) as const;
const lines = <Schema extends z.ZodObject>(schema: Schema, maxElements: number) => {
  const fields = Object.entries(schema.shape);
  const elements = new Map<string, z.ZodType>();
  for (const [name, field] of fields) {
    if (field instanceof z.ZodArray && field.element instanceof z.ZodType) elements.set(name, field.element);
  }
  const rest = z.object(Object.fromEntries(fields.filter(([name]) => !elements.has(name))));
  return { kind: 'lines', schema, elements, rest, maxElements, maxBytes: maxListBytes } as const;
};
const bytes = (maxBytes: number) => ({ kind: 'bytes', maxBytes }) as const;
const events = <Schema extends z.ZodType<{ type: string }>>(schema: Schema, last: string) =>
  ({ kind: 'events', schema, last }) as const;
const stream = { kind: 'stream', hasOffset: false } as const;
const offsetStream = { kind: 'stream', hasOffset: true } as const;

/** The longest legitimate list has 20,000 entries of a few hundred bytes. */
const maxListBytes = 16 * 1024 * 1024;
/** Number of files and folders that a project may have. */
const maxEntries = 20_000;
/** An image for a model has at most 1.5 MB, or 2 MB in base64. Reports also contain the console of a noisy page. */
const imageBytes = 4 * 1024 * 1024;
/** A frame or drawing that becomes an upload, whose limit is a little higher. */
const pngBytes = 20 * 1024 * 1024;
/** Three minutes of MP3 with 128 kbit/s have 2.9 MB, or 3.9 MB in base64. */
const soundBytes = 6 * 1024 * 1024;
const logBytes = 4 * 1024 * 1024;

const callMs = 30_000;
/** Scanning a workspace with 20,000 files takes this long on a busy machine. */
const scanMs = 60_000;
/** The dev server gets 60 s, plus a margin for the response. */
const previewMs = 75_000;
const imageMs = 120_000;
/** Five programs run, and each has 30 s. */
const soundMs = 160_000;
const browserMs = 180_000;
const transferMs = 900_000;
/** A terminal streams as long as its page is open. After the limit, the page reconnects. */
const watchMs = 24 * 3_600_000;
/** Added to the limit for a command or render, because terminating its processes takes up to 8 s, and longer on a busy machine. */
const overrunMs = 60_000;

export const subjects = {
  path: z.string(),
  name: shellNameSchema,
  pid: z.coerce.number('a process id is a whole number').int().positive(),
  id: renderJobSchema.shape.id,
} as const;

const count = z.coerce.number('a whole number from 0').int().min(0).default(0);
const flag = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0', ''] }).default(false);

const deleted = z.object({ deleted: z.boolean() }).transform((response) => response.deleted);

export const sandboxCalls = {
  health: { method: 'GET', path: '/health', response: json(healthSchema), timeoutMs: 5_000 },
  /** Copies the template into an empty workspace. Returns false if the workspace has files. */
  init: {
    method: 'POST',
    path: '/init',
    body: initRequestSchema,
    response: json(z.object({ created: z.boolean() }).transform(({ created }) => created)),
    timeoutMs: 120_000,
    isWork: true,
  },

  listFiles: {
    method: 'GET',
    path: '/files',
    subject: 'path',
    query: z.object({ recursive: flag }),
    response: lines(fileListSchema, maxEntries),
    timeoutMs: scanMs,
  },
  statFile: { method: 'GET', path: '/files/stat', subject: 'path', response: json(fileEntrySchema), timeoutMs: callMs },
  /** Returns the whole file. Fails with FILE_NOT_FOUND, which has `details.similar`. */
  readFile: { method: 'GET', path: '/files/content', subject: 'path', response: stream, timeoutMs: transferMs },
  /** Writes atomically through a temp file. */
  writeFile: {
    method: 'PUT',
    path: '/files/content',
    subject: 'path',
    body: 'bytes',
    response: json(z.object({ path: innerPathSchema, sizeBytes: z.int().min(0) })),
    timeoutMs: transferMs,
  },
  deleteFile: { method: 'DELETE', path: '/files/content', subject: 'path', response: json(deleted), timeoutMs: callMs },
  /**
   * Changes files atomically, even across a sandbox crash. Fails before any effect with INVALID_PATH, CONFLICT (a file exists),
   * FILE_NOT_FOUND, IS_A_DIRECTORY, NOT_A_DIRECTORY, TOO_LARGE or DEPENDENCY_FAILED, and after a rollback with APPLY_FAILED or
   * STORAGE_FULL.
   */
  applyFiles: {
    method: 'POST',
    path: '/files/apply',
    body: applyRequestSchema,
    // A byte may need more than one JSON character.
    maxBodyBytes: 2 * applyLimits.bytes,
    response: json(applyResultSchema),
    timeoutMs: overrunMs,
    addsRequested: true,
    isWork: true,
  },
  /**
   * Returns tracked files that changed after `since` (0 for all) as a tar. `seen` is the revision of the last `changes` call,
   * which saves a second scan.
   */
  exportTar: {
    method: 'GET',
    path: '/tar',
    query: z.object({ since: count, seen: count.optional() }),
    response: stream,
    timeoutMs: transferMs,
  },
  /** Extracts regular files, folders and inner symbolic links. `clear` deletes all other tracked files first. */
  importTar: {
    method: 'PUT',
    path: '/tar',
    query: z.object({ clear: flag }),
    body: 'bytes',
    response: json(z.object({ files: z.int().min(0), bytes: z.int().min(0) })),
    timeoutMs: transferMs,
    isWork: true,
  },
  /** Fails with TOO_LARGE if the project has too many files. */
  changes: {
    method: 'GET',
    path: '/changes',
    query: z.object({ since: count }),
    // All files may be new, and as many may have been deleted.
    response: lines(changesSchema, 2 * maxEntries),
    timeoutMs: scanMs,
  },
  /** Finds tracked files that match a glob. Fails with INVALID_PATTERN. */
  findPaths: {
    method: 'POST',
    path: '/search/paths',
    body: pathSearchSchema,
    response: lines(foundPathsSchema, 5_000),
    timeoutMs: scanMs,
  },
  /** Finds lines in tracked files that match a regular expression. Fails with INVALID_PATTERN. */
  findLines: {
    method: 'POST',
    path: '/search/lines',
    body: lineSearchSchema,
    response: lines(foundLinesSchema, 1_000),
    timeoutMs: scanMs,
  },

  /** Runs a command; the iteration ends after `exit`. Aborting kills the process group. */
  exec: {
    method: 'POST',
    path: '/exec',
    body: execRequestSchema,
    response: events(execEventSchema, 'exit'),
    timeoutMs: overrunMs,
    addsRequested: true,
    isWork: true,
  },
  startProcess: {
    method: 'POST',
    path: '/processes',
    body: execRequestSchema,
    response: json(z.object({ pid: z.int().positive() })),
    timeoutMs: callMs,
  },
  processStatus: {
    method: 'GET',
    path: '/processes/:pid',
    subject: 'pid',
    response: json(processStatusSchema),
    timeoutMs: callMs,
  },
  processLog: {
    method: 'GET',
    path: '/processes/:pid/log',
    subject: 'pid',
    query: z.object({ offset: count }),
    response: bytes(logBytes),
    timeoutMs: callMs,
  },
  /** Stops the process group: SIGTERM, and SIGKILL after 5 s. */
  killProcess: {
    method: 'DELETE',
    path: '/processes/:pid',
    subject: 'pid',
    response: json(processStatusSchema),
    timeoutMs: callMs,
  },

  shells: {
    method: 'GET',
    path: '/shells',
    response: json(shellListSchema.transform((list) => list.shells)),
    timeoutMs: callMs,
  },
  /**
   * Runs a command in a shell session, which it creates if missing. Returns when the command has ended, or at the time limit with
   * `running`. Aborting interrupts the command. Fails with SESSION_BUSY if another one is running.
   */
  shellExec: {
    method: 'POST',
    path: '/shells/:name/exec',
    subject: 'name',
    body: shellExecRequestSchema,
    response: json(shellResultSchema),
    timeoutMs: overrunMs,
    addsRequested: true,
    isWork: true,
  },
  /**
   * Sends input to the running command. Returns the output until the command ends or is quiet. Fails with SESSION_IDLE or
   * SESSION_NOT_FOUND.
   */
  shellSend: {
    method: 'POST',
    path: '/shells/:name/input',
    subject: 'name',
    body: shellInputSchema,
    response: json(shellResultSchema),
    timeoutMs: overrunMs,
    addsRequested: true,
    isWork: true,
  },
  shellWait: {
    method: 'POST',
    path: '/shells/:name/wait',
    subject: 'name',
    body: shellWaitSchema,
    response: json(shellResultSchema),
    timeoutMs: overrunMs,
    addsRequested: true,
    isWork: true,
  },
  shellView: { method: 'GET', path: '/shells/:name', subject: 'name', response: json(shellResultSchema), timeoutMs: callMs },
  /** Stops all processes of a session: SIGTERM, and SIGKILL after 5 s. */
  shellKill: { method: 'DELETE', path: '/shells/:name', subject: 'name', response: json(shellResultSchema), timeoutMs: callMs },
  openTerminal: {
    method: 'PUT',
    path: '/shells/:name',
    subject: 'name',
    body: terminalSizeSchema,
    response: json(shellStatusSchema),
    timeoutMs: callMs,
  },
  /**
   * Streams a terminal's raw bytes from an offset (or from the oldest stored byte: 256 KB) to its end. If a reader falls too
   * far behind, its stream ends and the reader requests a new one.
   */
  shellStream: {
    method: 'GET',
    path: '/shells/:name/stream',
    subject: 'name',
    query: z.object({ offset: count }),
    response: offsetStream,
    timeoutMs: watchMs,
  },

  /**
   * Makes a sound of the usual loudness. Fails with VALIDATION_ERROR (also for an unknown language and for silence), TOO_LARGE or
   * UNSUPPORTED_TYPE.
   */
  makeSound: {
    method: 'POST',
    path: '/sounds',
    body: soundRequestSchema,
    response: json(soundSchema, soundBytes),
    timeoutMs: soundMs,
    isWork: true,
  },
  /** Decodes a recording and gives it the usual loudness. Fails like `makeSound`. */
  normaliseSound: {
    method: 'POST',
    path: '/sounds/recording',
    body: 'bytes',
    response: json(soundSchema, soundBytes),
    timeoutMs: soundMs,
    isWork: true,
  },

  startPreview: {
    method: 'POST',
    path: '/preview',
    response: json(previewStatusSchema),
    timeoutMs: previewMs,
    isWork: true,
  },
  previewStatus: { method: 'GET', path: '/preview', response: json(previewStatusSchema), timeoutMs: callMs },
  /** Resolves when the status has another revision, or after 20 s with the same one. Never starts the dev server. */
  watchPreview: {
    method: 'GET',
    path: '/preview/changes',
    query: z.object({ revision: count }),
    response: json(previewStatusSchema),
    timeoutMs: callMs,
  },
  stopPreview: { method: 'DELETE', path: '/preview', response: json(previewStatusSchema), timeoutMs: callMs },
  /** Lists compile errors of the film page's modules, with file and line. Starts the dev server. */
  compileProblems: {
    method: 'GET',
    path: '/preview/problems',
    response: json(z.object({ problems: z.array(z.string().max(5000)).max(100) }).transform(({ problems }) => problems)),
    timeoutMs: previewMs + callMs,
  },

  screenshot: {
    method: 'POST',
    path: '/screenshot',
    body: screenshotRequestSchema,
    response: bytes(pngBytes),
    timeoutMs: imageMs,
    isWork: true,
  },
  /** Returns frames, layout and console of the running film page. */
  inspect: {
    method: 'POST',
    path: '/inspect',
    body: inspectRequestSchema,
    response: json(inspectReportSchema, imageBytes),
    timeoutMs: imageMs,
    isWork: true,
  },
  /**
   * Returns an image file of the project, small enough for a model. Fails with UNSUPPORTED_TYPE, FILE_TOO_LARGE or
   * FILE_NOT_FOUND.
   */
  readImage: {
    method: 'POST',
    path: '/picture',
    body: imageRequestSchema,
    response: json(modelImageSchema, imageBytes),
    timeoutMs: imageMs,
  },
  /** Draws an SVG as PNG, of which the longer side has `maxSide` pixels. Fails with UNSUPPORTED_TYPE, TOO_LARGE or EXECUTION_FAILED. */
  drawSvg: {
    method: 'POST',
    path: '/svg',
    body: svgRequestSchema,
    response: bytes(pngBytes),
    timeoutMs: imageMs,
    isWork: true,
  },
  /** Performs one step on the agent's browser page. Fails with NAVIGATION_FAILED or ELEMENT_NOT_FOUND. */
  browse: {
    method: 'POST',
    path: '/browser',
    body: browserActionSchema,
    response: json(browserReportSchema, imageBytes),
    timeoutMs: browserMs,
    isWork: true,
  },

  /**
   * Renders a film; the iteration ends after `done`. The file exists until it is deleted. Aborting cancels the render and deletes
   * its files.
   */
  render: {
    method: 'POST',
    path: '/render',
    body: renderJobSchema,
    response: events(renderEventSchema, 'done'),
    timeoutMs: overrunMs,
    addsRequested: true,
    isWork: true,
  },
  /**
   * Streams a running preview as fragmented MP4 from its beginning, at the speed of the render. Fails if the render fails, and
   * with NOT_FOUND if that preview is not running.
   */
  renderLive: { method: 'GET', path: '/render/:id/live', subject: 'id', response: stream, timeoutMs: transferMs },
  renderVideo: { method: 'GET', path: '/render/:id/video', subject: 'id', response: stream, timeoutMs: transferMs },
  renderThumbnail: {
    method: 'GET',
    path: '/render/:id/thumbnail',
    subject: 'id',
    response: bytes(imageBytes),
    timeoutMs: callMs,
  },
  /** Cancels the render if it is running. Returns false if it does not exist. */
  deleteRender: { method: 'DELETE', path: '/render/:id', subject: 'id', response: json(deleted), timeoutMs: callMs },
} as const satisfies Record<string, SandboxCall>;

export type SandboxCalls = typeof sandboxCalls;
export type SandboxCallName = keyof SandboxCalls;
