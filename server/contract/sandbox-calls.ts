import { z } from 'zod';
import {
  applyAnswerSchema,
  applyLimits,
  applyRequestSchema,
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
  initRequestSchema,
  innerPathSchema,
  inspectReportSchema,
  inspectRequestSchema,
  lineSearchSchema,
  pathSearchSchema,
  pictureRequestSchema,
  pictureSchema,
  previewStatusSchema,
  processStatusSchema,
  renderEventSchema,
  renderJobSchema,
  screenshotRequestSchema,
} from './sandboxd.ts';
import {
  shellAnswerSchema,
  shellExecRequestSchema,
  shellInputSchema,
  shellListSchema,
  shellNameSchema,
  shellStatusSchema,
  shellWaitSchema,
  terminalSizeSchema,
} from './shells.ts';

/**
 * The protocol between the server and sandboxd, the daemon in a sandbox: HTTP/1.1 over a Unix socket,
 * `Authorization: Bearer <token>` on every request. An error is `{ error: { code, message, details? } }` with a 4xx or
 * 5xx status; in a stream of events it is a last line `{ type: 'error', … }`. When the client closes a request, the work
 * behind it is cancelled. `preview.sock`, beside the control socket, carries raw bytes to the dev server, without a token.
 *
 * This table is the only description of a call. From it derive the server's client (`Sandbox` in server/sandbox), the
 * daemon's routes and the handlers it needs (`SandboxHandlers` in sandboxd), what each side validates, and every limit.
 */

/** Most bytes of a JSON request; the longest honest one is a command of 10,000 characters with its environment. */
export const maxRequestBytes = 1024 * 1024;
/** Most parts (numbers, texts, lists, objects) and levels of a JSON answer: a listing has five parts an entry. */
export const answerParts = { values: 200_000, depth: 32 } as const;
/** Most bytes of one event: a chunk of output has 64 KiB, in which every byte may need six characters of JSON. */
export const maxEventBytes = 1024 * 1024;

/** How an answer comes, and how much of it the server takes. */
export type SandboxAnswer =
  | { readonly kind: 'json'; readonly schema: z.ZodType; readonly maxBytes: number }
  | { readonly kind: 'bytes'; readonly maxBytes: number }
  /** Bytes without an end that is known; `hasOffset`: the header x-koda-offset says where they begin. */
  | { readonly kind: 'stream'; readonly hasOffset: boolean }
  /** NDJSON, one event a line, up to the one of type `last`. */
  | { readonly kind: 'events'; readonly schema: z.ZodType<{ type: string }>; readonly last: string };

export interface SandboxCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** What the call is about: a parameter of the path where it stands there (`:name`), else of the query. */
  readonly subject?: keyof typeof subjects;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType | 'bytes';
  /** Where `maxRequestBytes` is too little. */
  readonly maxBodyBytes?: number;
  readonly answer: SandboxAnswer;
  /** For the whole call, streams included; then the sandbox counts as stuck. */
  readonly timeoutMs: number;
  /** The request has a time limit of its own (`timeoutMs` of its body), to which the call's is added. */
  readonly addsRequested?: true;
  /** The sandbox counts as busy meanwhile; the other calls are over in a moment. */
  readonly isWork?: true;
}

const json = <Schema extends z.ZodType>(schema: Schema, maxBytes = 1024 * 1024) => ({ kind: 'json', schema, maxBytes }) as const;
const bytes = (maxBytes: number) => ({ kind: 'bytes', maxBytes }) as const;
const events = <Schema extends z.ZodType<{ type: string }>>(schema: Schema, last: string) =>
  ({ kind: 'events', schema, last }) as const;
const stream = { kind: 'stream', hasOffset: false } as const;
const offsetStream = { kind: 'stream', hasOffset: true } as const;

/** The longest honest listing: 20,000 entries of some hundred bytes. */
const listBytes = 32 * 1024 * 1024;
/** A picture for a model has 1.5 MB at most, in base64 2 MB; reports hold one beside the console of a noisy page. */
const pictureBytes = 4 * 1024 * 1024;
const logBytes = 4 * 1024 * 1024;

const callMs = 30_000;
/** Scans and listings of a workspace with 20,000 files on a busy machine. */
const scanMs = 60_000;
/** The dev server has 60 s; the answer needs a moment more. */
const previewMs = 75_000;
const pictureMs = 120_000;
/** The dev server may have to start first, and a busy machine's page gets four times as long. */
const browserMs = 180_000;
const transferMs = 900_000;
/** A terminal is watched as long as its page is open; then the page asks again. */
const watchMs = 24 * 3_600_000;
/** On top of a command's or render's own limit: the kill ladder takes up to 8 s. */
const overrunMs = 30_000;

/** What calls are about, as it comes in a URL. */
export const subjects = {
  path: z.string(),
  name: shellNameSchema,
  pid: z.coerce.number('a process id is a whole number').int().positive(),
  id: renderJobSchema.shape.id,
} as const;

const count = z.coerce.number('a whole number from 0').int().min(0).default(0);
const flag = z.stringbool({ truthy: ['true', '1'], falsy: ['false', '0', ''] }).default(false);

const deleted = z.object({ deleted: z.boolean() }).transform((answer) => answer.deleted);

export const sandboxCalls = {
  health: { method: 'GET', path: '/health', answer: json(healthSchema), timeoutMs: 5_000 },
  /** Copies the template into an empty workspace; false when the workspace had files already. */
  init: {
    method: 'POST',
    path: '/init',
    body: initRequestSchema,
    answer: json(z.object({ created: z.boolean() }).transform(({ created }) => created)),
    timeoutMs: 120_000,
    isWork: true,
  },

  listFiles: {
    method: 'GET',
    path: '/files',
    subject: 'path',
    query: z.object({ recursive: flag }),
    answer: json(fileListSchema, listBytes),
    timeoutMs: scanMs,
  },
  statFile: { method: 'GET', path: '/files/stat', subject: 'path', answer: json(fileEntrySchema), timeoutMs: callMs },
  /** The whole file. Refused with FILE_NOT_FOUND, which carries `details.similar`. */
  readFile: { method: 'GET', path: '/files/content', subject: 'path', answer: stream, timeoutMs: transferMs },
  /** Written to a temporary file, then renamed: never half there. */
  writeFile: {
    method: 'PUT',
    path: '/files/content',
    subject: 'path',
    body: 'bytes',
    answer: json(z.object({ path: innerPathSchema, sizeBytes: z.int().min(0) })),
    timeoutMs: transferMs,
  },
  deleteFile: { method: 'DELETE', path: '/files/content', subject: 'path', answer: json(deleted), timeoutMs: callMs },
  /**
   * Changes files, all or none, also when the sandbox dies meanwhile. Refused before any effect: INVALID_PATH, CONFLICT (a
   * file is there already), FILE_NOT_FOUND, IS_A_DIRECTORY, NOT_A_DIRECTORY, TOO_LARGE, DEPENDENCY_FAILED; with everything
   * taken back: APPLY_FAILED, STORAGE_FULL.
   */
  applyFiles: {
    method: 'POST',
    path: '/files/apply',
    body: applyRequestSchema,
    // In JSON a byte may need more than one.
    maxBodyBytes: 2 * applyLimits.bytes,
    answer: json(applyAnswerSchema),
    timeoutMs: overrunMs,
    addsRequested: true,
    isWork: true,
  },
  /** Tracked files that changed after `since` (0 = all) as a tar; `seen` is the revision of the last `changes`, which need not look again then. */
  exportTar: {
    method: 'GET',
    path: '/tar',
    query: z.object({ since: count, seen: count.optional() }),
    answer: stream,
    timeoutMs: transferMs,
  },
  /** Unpacks regular files, folders and inner symbolic links; with `clear` all other tracked files go first. */
  importTar: {
    method: 'PUT',
    path: '/tar',
    query: z.object({ clear: flag }),
    body: 'bytes',
    answer: json(z.object({ files: z.int().min(0), bytes: z.int().min(0) })),
    timeoutMs: transferMs,
    isWork: true,
  },
  changes: {
    method: 'GET',
    path: '/changes',
    query: z.object({ since: count }),
    answer: json(changesSchema, listBytes),
    timeoutMs: scanMs,
  },
  /** Tracked files by a glob. Refused with INVALID_PATTERN. */
  findPaths: { method: 'POST', path: '/search/paths', body: pathSearchSchema, answer: json(foundPathsSchema), timeoutMs: scanMs },
  /** Lines of tracked files by a regular expression. Refused with INVALID_PATTERN. */
  findLines: { method: 'POST', path: '/search/lines', body: lineSearchSchema, answer: json(foundLinesSchema), timeoutMs: scanMs },

  /** Runs a command; the iteration ends after `exit`. Aborting kills its whole process group. */
  exec: {
    method: 'POST',
    path: '/exec',
    body: execRequestSchema,
    answer: events(execEventSchema, 'exit'),
    timeoutMs: overrunMs,
    addsRequested: true,
    isWork: true,
  },
  /** Runs on in the background, its output goes to a log. */
  startProcess: {
    method: 'POST',
    path: '/processes',
    body: execRequestSchema,
    answer: json(z.object({ pid: z.int().positive() })),
    timeoutMs: callMs,
  },
  processStatus: { method: 'GET', path: '/processes/:pid', subject: 'pid', answer: json(processStatusSchema), timeoutMs: callMs },
  /** The log from an offset. */
  processLog: {
    method: 'GET',
    path: '/processes/:pid/log',
    subject: 'pid',
    query: z.object({ offset: count }),
    answer: bytes(logBytes),
    timeoutMs: callMs,
  },
  /** Kill ladder for the process group: TERM, 5 s, KILL. */
  killProcess: {
    method: 'DELETE',
    path: '/processes/:pid',
    subject: 'pid',
    answer: json(processStatusSchema),
    timeoutMs: callMs,
  },

  /** The shell sessions, by the time they began. */
  shells: {
    method: 'GET',
    path: '/shells',
    answer: json(shellListSchema.transform((list) => list.shells)),
    timeoutMs: callMs,
  },
  /**
   * Runs a command in a shell session, which begins when there is none. Answers when it has ended, or, with `running`, at
   * its time limit. Aborting interrupts it. Refused with SESSION_BUSY while another command runs there.
   */
  shellExec: {
    method: 'POST',
    path: '/shells/:name/exec',
    subject: 'name',
    body: shellExecRequestSchema,
    answer: json(shellAnswerSchema),
    timeoutMs: overrunMs,
    addsRequested: true,
    isWork: true,
  },
  /** Keys for what runs in a session; what it wrote until it ended or is quiet. Refused with SESSION_IDLE, SESSION_NOT_FOUND. */
  shellSend: {
    method: 'POST',
    path: '/shells/:name/input',
    subject: 'name',
    body: shellInputSchema,
    answer: json(shellAnswerSchema),
    timeoutMs: overrunMs,
    addsRequested: true,
    isWork: true,
  },
  /** Waits for the command that runs. */
  shellWait: {
    method: 'POST',
    path: '/shells/:name/wait',
    subject: 'name',
    body: shellWaitSchema,
    answer: json(shellAnswerSchema),
    timeoutMs: overrunMs,
    addsRequested: true,
    isWork: true,
  },
  /** The last 50 KB of all output of a session. */
  shellView: { method: 'GET', path: '/shells/:name', subject: 'name', answer: json(shellAnswerSchema), timeoutMs: callMs },
  /** Kill ladder, for all that the session started. */
  shellKill: { method: 'DELETE', path: '/shells/:name', subject: 'name', answer: json(shellAnswerSchema), timeoutMs: callMs },
  /** Opens a terminal, a shell with a prompt for a person, or gives the session of that name another size. */
  openTerminal: {
    method: 'PUT',
    path: '/shells/:name',
    subject: 'name',
    body: terminalSizeSchema,
    answer: json(shellStatusSchema),
    timeoutMs: callMs,
  },
  /**
   * The raw bytes of a session's terminal from an offset (or from the oldest that is kept: 256 KB), as they come, to its
   * end. A reader that falls behind what is kept comes to an end and asks anew.
   */
  shellStream: {
    method: 'GET',
    path: '/shells/:name/stream',
    subject: 'name',
    query: z.object({ offset: count }),
    answer: offsetStream,
    timeoutMs: watchMs,
  },

  /** Starts the dev server, answers when it listens. */
  startPreview: {
    method: 'POST',
    path: '/preview',
    answer: json(previewStatusSchema),
    timeoutMs: previewMs,
    isWork: true,
  },
  previewStatus: { method: 'GET', path: '/preview', answer: json(previewStatusSchema), timeoutMs: callMs },
  stopPreview: { method: 'DELETE', path: '/preview', answer: json(previewStatusSchema), timeoutMs: callMs },
  /** Why modules of the page do not compile, with file and line; empty when all of them do. Starts the dev server. */
  compileProblems: {
    method: 'GET',
    path: '/preview/problems',
    answer: json(z.object({ problems: z.array(z.string().max(5000)).max(100) }).transform(({ problems }) => problems)),
    timeoutMs: previewMs + callMs,
  },

  screenshot: {
    method: 'POST',
    path: '/screenshot',
    body: screenshotRequestSchema,
    answer: bytes(pictureBytes),
    timeoutMs: pictureMs,
    isWork: true,
  },
  /** Frames, layout and console of the running page. */
  inspect: {
    method: 'POST',
    path: '/inspect',
    body: inspectRequestSchema,
    answer: json(inspectReportSchema, pictureBytes),
    timeoutMs: pictureMs,
    isWork: true,
  },
  /** An image file of the project, small enough for a model. Refused with UNSUPPORTED_TYPE, FILE_TOO_LARGE, FILE_NOT_FOUND. */
  picture: {
    method: 'POST',
    path: '/picture',
    body: pictureRequestSchema,
    answer: json(pictureSchema, pictureBytes),
    timeoutMs: pictureMs,
  },
  /** One step on the page that is kept for the agent. Refused with NAVIGATION_FAILED, ELEMENT_NOT_FOUND. */
  browse: {
    method: 'POST',
    path: '/browser',
    body: browserActionSchema,
    answer: json(browserReportSchema, pictureBytes),
    timeoutMs: browserMs,
    isWork: true,
  },

  /** The iteration ends after `done`; the file stays until it is deleted. Aborting cancels and leaves nothing behind. */
  render: {
    method: 'POST',
    path: '/render',
    body: renderJobSchema,
    answer: events(renderEventSchema, 'done'),
    timeoutMs: overrunMs,
    addsRequested: true,
    isWork: true,
  },
  /**
   * A preview that is at work, as a fragmented MP4 from its beginning: waits for what is not made yet, ends with the film,
   * and fails when the render does. Refused (NOT_FOUND) when that preview is not at work.
   */
  renderLive: { method: 'GET', path: '/render/:id/live', subject: 'id', answer: stream, timeoutMs: transferMs },
  renderVideo: { method: 'GET', path: '/render/:id/video', subject: 'id', answer: stream, timeoutMs: transferMs },
  renderThumbnail: {
    method: 'GET',
    path: '/render/:id/thumbnail',
    subject: 'id',
    answer: bytes(pictureBytes),
    timeoutMs: callMs,
  },
  /** Also cancels. False when there was none. */
  deleteRender: { method: 'DELETE', path: '/render/:id', subject: 'id', answer: json(deleted), timeoutMs: callMs },
} as const satisfies Record<string, SandboxCall>;

export type SandboxCalls = typeof sandboxCalls;
export type SandboxCallName = keyof SandboxCalls;
