import type { Readable } from 'node:stream';
import type {
  BrowserAction,
  BrowserReport,
  Changes,
  ExecEvent,
  ExecRequest,
  FileEntry,
  FileList,
  FoundLines,
  FoundPaths,
  Health,
  InspectReport,
  InspectRequest,
  LineSearch,
  PathSearch,
  Picture,
  PictureRequest,
  PreviewStatus,
  ProcessStatus,
  RenderEvent,
  RenderJob,
  ScreenshotRequest,
  ShellAnswer,
  ShellExecRequest,
  ShellInput,
  ShellStatus,
  TerminalSize,
} from '../contract/sandboxd.ts';
import type { DiskRoom, ProjectSize } from './engine-room.ts';

/** What every call on a sandbox takes: nothing that can hang is without a signal. */
export interface CallOptions {
  readonly signal: AbortSignal;
}

/**
 * A running sandbox, seen through sandboxd. Every method throws `KodaError` with code SANDBOX_DEAD when the
 * sandbox is gone, CANCELLED when `signal` fired, TIMEOUT when it does not answer, and `SandboxdError`
 * (its own code and details, e.g. FILE_NOT_FOUND with similar paths) when sandboxd refuses.
 */
export interface Sandbox {
  readonly id: string;
  readonly projectId: string;
  /** The Unix socket that carries raw bytes to the project's dev server. */
  readonly previewSocketPath: string;
  health(options: CallOptions): Promise<Health>;
  /** Copies the template into an empty workspace; false when the workspace had files already. */
  init(template: string, options: CallOptions): Promise<boolean>;
  listFiles(path: string, options: CallOptions & { recursive: boolean }): Promise<FileList>;
  statFile(path: string, options: CallOptions): Promise<FileEntry>;
  /** The whole file as a stream of bytes. */
  readFile(path: string, options: CallOptions): Promise<Readable>;
  /** Written to a temporary file, then renamed: never half there. */
  writeFile(path: string, content: Uint8Array | Readable, options: CallOptions): Promise<{ path: string; sizeBytes: number }>;
  deleteFile(path: string, options: CallOptions): Promise<boolean>;
  /** Tracked files that changed after `since` (0 = all) as a tar stream; `seen` is the revision of the last `changes`, which need not look again then. */
  exportTar(options: CallOptions & { since: number; seen?: number }): Promise<Readable>;
  /** Unpacks regular files, folders and inner symbolic links; with `clear` all other tracked files go first. */
  importTar(tar: Readable, options: CallOptions & { clear: boolean }): Promise<{ files: number; bytes: number }>;
  changes(options: CallOptions & { since: number }): Promise<Changes>;
  /** Tracked files by a glob. Refused with INVALID_PATTERN. */
  findPaths(search: PathSearch, options: CallOptions): Promise<FoundPaths>;
  /** Lines of tracked files by a regular expression. Refused with INVALID_PATTERN. */
  findLines(search: LineSearch, options: CallOptions): Promise<FoundLines>;
  /** Runs a command; the iteration ends after `exit`. Aborting kills its whole process group. */
  exec(request: ExecRequest, options: CallOptions): AsyncIterable<ExecEvent>;
  startProcess(request: ExecRequest, options: CallOptions): Promise<{ pid: number }>;
  processStatus(pid: number, options: CallOptions): Promise<ProcessStatus>;
  processLog(pid: number, options: CallOptions & { offset: number }): Promise<Buffer>;
  killProcess(pid: number, options: CallOptions): Promise<ProcessStatus>;
  /** The shell sessions, by the time they began. */
  shells(options: CallOptions): Promise<ShellStatus[]>;
  /**
   * Runs a command in a shell session, which begins when there is none. Answers when it has ended, or, with `running`, at
   * its time limit. Aborting interrupts it. Refused with SESSION_BUSY while another command runs there.
   */
  shellExec(name: string, request: ShellExecRequest, options: CallOptions): Promise<ShellAnswer>;
  /** Keys for what runs in a session; what it wrote then. Refused with SESSION_IDLE, SESSION_NOT_FOUND. */
  shellSend(name: string, input: ShellInput, options: CallOptions): Promise<ShellAnswer>;
  shellWait(name: string, options: CallOptions & { timeoutMs: number }): Promise<ShellAnswer>;
  shellView(name: string, options: CallOptions): Promise<ShellAnswer>;
  shellKill(name: string, options: CallOptions): Promise<ShellAnswer>;
  /** Opens a terminal for a person, or gives the session of that name another size. */
  openTerminal(name: string, size: TerminalSize, options: CallOptions): Promise<ShellStatus>;
  /** The raw bytes of a session's terminal from an offset (or from the oldest that is kept), as they come, to its end. */
  shellStream(name: string, options: CallOptions & { offset: number }): Promise<{ stream: Readable; offset: number }>;
  startPreview(options: CallOptions): Promise<PreviewStatus>;
  previewStatus(options: CallOptions): Promise<PreviewStatus>;
  stopPreview(options: CallOptions): Promise<PreviewStatus>;
  /** Why modules of the page do not compile, with file and line; empty when all of them do. Starts the dev server. */
  compileProblems(options: CallOptions): Promise<string[]>;
  screenshot(request: ScreenshotRequest, options: CallOptions): Promise<Buffer>;
  inspect(request: InspectRequest, options: CallOptions): Promise<InspectReport>;
  /** An image file of the project. Refused with UNSUPPORTED_TYPE, FILE_TOO_LARGE, FILE_NOT_FOUND. */
  picture(request: PictureRequest, options: CallOptions): Promise<Picture>;
  /** One step on the page that is kept for the agent. Refused with NAVIGATION_FAILED, ELEMENT_NOT_FOUND. */
  browse(action: BrowserAction, options: CallOptions): Promise<BrowserReport>;
  /** The iteration ends after `done`; aborting cancels and leaves nothing behind. */
  render(job: RenderJob, options: CallOptions): AsyncIterable<RenderEvent>;
  /**
   * A preview that is at work, as a fragmented MP4 from its beginning: waits for what is not made yet, ends with the film,
   * and fails when the render does. Refused (NOT_FOUND) when that preview is not at work.
   */
  renderLive(renderId: string, options: CallOptions): Promise<Readable>;
  renderVideo(renderId: string, options: CallOptions): Promise<Readable>;
  renderThumbnail(renderId: string, options: CallOptions): Promise<Buffer>;
  deleteRender(renderId: string, options: CallOptions): Promise<boolean>;
}

/** sandboxd refused a call. `code` is its own (FILE_NOT_FOUND, FILE_TOO_LARGE, SERVER_FAILED, CAPTURE_FAILED …). */
export class SandboxdError extends Error {
  readonly code: string;
  readonly details: Record<string, unknown>;

  constructor(code: string, message: string, details: Record<string, unknown>) {
    super(message);
    this.name = 'SandboxdError';
    this.code = code;
    this.details = details;
  }
}

export interface SandboxSummary {
  readonly id: string;
  readonly projectId: string;
  readonly running: boolean;
}

/** Makes, finds and destroys sandboxes; one for each way of running them (`docker`, `process`). */
export interface SandboxProvider {
  readonly kind: 'docker' | 'process';
  /** Says whether sandboxes can be made now, and if not, why and what to do. */
  check(options: CallOptions): Promise<{ available: boolean; detail: string | null }>;
  /** A new sandbox, its sandboxd answering. The workspace is empty until `init` or `importTar`. */
  create(projectId: string, options: CallOptions): Promise<Sandbox>;
  /** The running sandbox of a project, e.g. after a restart of the server; null when there is none. */
  find(projectId: string, options: CallOptions): Promise<Sandbox | null>;
  list(options: CallOptions): Promise<SandboxSummary[]>;
  /** Why a sandbox does not answer any more, in a sentence for the user. */
  diagnose(sandboxId: string, options: CallOptions): Promise<string>;
  /** Removes the sandbox, its workspace and its sockets; the project's cache stays. Idempotent. */
  destroy(sandboxId: string, options: CallOptions): Promise<void>;
  /** What is free on the disk where sandboxes keep their files; null when nobody knows. */
  disk(options: CallOptions): Promise<DiskRoom | null>;
  /** What the sandbox and the cache of each project hold on that disk, as it is seen from outside of them. May be slow. */
  sizes(options: CallOptions): Promise<ProjectSize[]>;
  /** Ids of the projects that have a cache: what one sandbox of a project leaves to the next, and may be deleted. */
  listCaches(options: CallOptions): Promise<string[]>;
  /** Removes the cache of a project that has no sandbox. Idempotent. */
  removeCache(projectId: string, options: CallOptions): Promise<void>;
}
