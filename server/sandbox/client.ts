import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import {
  type BrowserAction,
  type BrowserReport,
  browserReportSchema,
  type Changes,
  controlSocketName,
  type ExecEvent,
  type ExecRequest,
  execEventSchema,
  type FileEntry,
  type FileList,
  type FoundLines,
  type FoundPaths,
  type Health,
  healthSchema,
  type InspectReport,
  type InspectRequest,
  inspectReportSchema,
  type LineSearch,
  type PathSearch,
  type Picture,
  type PictureRequest,
  type PreviewStatus,
  type ProcessStatus,
  pictureSchema,
  previewSocketName,
  previewStatusSchema,
  processStatusSchema,
  type RenderEvent,
  type RenderJob,
  renderEventSchema,
  type ScreenshotRequest,
  type ShellAnswer,
  type ShellExecRequest,
  type ShellInput,
  type ShellStatus,
  shellAnswerSchema,
  shellListSchema,
  shellStatusSchema,
  type TerminalSize,
} from '../contract/sandboxd.ts';
import {
  answerLimits,
  createdSchema,
  deletedSchema,
  importedSchema,
  innerChangesSchema,
  innerEntrySchema,
  innerLinesSchema,
  innerListSchema,
  innerPathsSchema,
  problemsSchema,
  startedSchema,
  writtenSchema,
} from './answers.ts';
import { SandboxCaller } from './caller.ts';
import { get, post, put, remove, renderPath, shellPath, timeouts, withQuery } from './calls.ts';
import type { CallOptions, Sandbox } from './sandbox.ts';
import { brokenProtocol, readStream } from './transport.ts';

export interface SandboxdClientOptions {
  readonly sandboxId: string;
  readonly projectId: string;
  /** Folder that holds the sandbox's sockets. */
  readonly socketDir: string;
  readonly token: string;
}

/** A sandbox through its daemon's socket. Whatever comes back is hostile until its schema has passed it. */
export class SandboxdClient implements Sandbox {
  readonly id: string;
  readonly projectId: string;
  readonly previewSocketPath: string;
  readonly #caller: SandboxCaller;

  constructor(options: SandboxdClientOptions) {
    this.id = options.sandboxId;
    this.projectId = options.projectId;
    this.previewSocketPath = join(options.socketDir, previewSocketName);
    this.#caller = new SandboxCaller(join(options.socketDir, controlSocketName), options.token);
  }

  health({ signal }: CallOptions): Promise<Health> {
    return this.#caller.json(healthSchema, { ...get('/health'), signal, timeoutMs: timeouts.healthMs });
  }

  async init(template: string, { signal }: CallOptions): Promise<boolean> {
    const call = { ...post('/init', { template }), signal, timeoutMs: timeouts.initMs };
    return (await this.#caller.json(createdSchema, call)).created;
  }

  listFiles(path: string, { signal, recursive }: CallOptions & { recursive: boolean }): Promise<FileList> {
    const target = withQuery('/files', { path, recursive });
    return this.#caller.json(innerListSchema, { ...get(target), signal, timeoutMs: timeouts.scanMs }, answerLimits.listBytes);
  }

  statFile(path: string, { signal }: CallOptions): Promise<FileEntry> {
    return this.#caller.json(innerEntrySchema, {
      ...get(withQuery('/files/stat', { path })),
      signal,
      timeoutMs: timeouts.callMs,
    });
  }

  readFile(path: string, { signal }: CallOptions): Promise<Readable> {
    return this.#caller.stream({ ...get(withQuery('/files/content', { path })), signal, timeoutMs: timeouts.transferMs });
  }

  writeFile(path: string, content: Uint8Array | Readable, { signal }: CallOptions): Promise<{ path: string; sizeBytes: number }> {
    const target = put(withQuery('/files/content', { path }), content);
    return this.#caller.json(writtenSchema, { ...target, signal, timeoutMs: timeouts.transferMs });
  }

  async deleteFile(path: string, { signal }: CallOptions): Promise<boolean> {
    const call = { ...remove(withQuery('/files/content', { path })), signal, timeoutMs: timeouts.callMs };
    return (await this.#caller.json(deletedSchema, call)).deleted;
  }

  exportTar({ signal, since, seen = 0 }: CallOptions & { since: number; seen?: number }): Promise<Readable> {
    return this.#caller.stream({ ...get(withQuery('/tar', { since, seen })), signal, timeoutMs: timeouts.transferMs });
  }

  importTar(tar: Readable, { signal, clear }: CallOptions & { clear: boolean }): Promise<{ files: number; bytes: number }> {
    return this.#caller.json(importedSchema, {
      ...put(withQuery('/tar', { clear }), tar),
      signal,
      timeoutMs: timeouts.transferMs,
    });
  }

  changes({ signal, since }: CallOptions & { since: number }): Promise<Changes> {
    const call = { ...get(withQuery('/changes', { since })), signal, timeoutMs: timeouts.scanMs };
    return this.#caller.json(innerChangesSchema, call, answerLimits.listBytes);
  }

  findPaths(search: PathSearch, { signal }: CallOptions): Promise<FoundPaths> {
    return this.#caller.json(innerPathsSchema, { ...post('/search/paths', search), signal, timeoutMs: timeouts.scanMs });
  }

  findLines(search: LineSearch, { signal }: CallOptions): Promise<FoundLines> {
    return this.#caller.json(innerLinesSchema, { ...post('/search/lines', search), signal, timeoutMs: timeouts.scanMs });
  }

  exec(request: ExecRequest, { signal }: CallOptions): AsyncIterable<ExecEvent> {
    const call = { ...post('/exec', request), signal, timeoutMs: request.timeoutMs + timeouts.overrunMs };
    return this.#caller.events(execEventSchema, call, 'exit');
  }

  startProcess(request: ExecRequest, { signal }: CallOptions): Promise<{ pid: number }> {
    return this.#caller.json(startedSchema, { ...post('/processes', request), signal, timeoutMs: timeouts.callMs });
  }

  processStatus(pid: number, { signal }: CallOptions): Promise<ProcessStatus> {
    return this.#caller.json(processStatusSchema, { ...get(`/processes/${pid}`), signal, timeoutMs: timeouts.callMs });
  }

  processLog(pid: number, { signal, offset }: CallOptions & { offset: number }): Promise<Buffer> {
    const call = { ...get(withQuery(`/processes/${pid}/log`, { offset })), signal, timeoutMs: timeouts.callMs };
    return this.#caller.bytes(call, answerLimits.logBytes);
  }

  killProcess(pid: number, { signal }: CallOptions): Promise<ProcessStatus> {
    return this.#caller.json(processStatusSchema, { ...remove(`/processes/${pid}`), signal, timeoutMs: timeouts.callMs });
  }

  async shells({ signal }: CallOptions): Promise<ShellStatus[]> {
    return (await this.#caller.json(shellListSchema, { ...get('/shells'), signal, timeoutMs: timeouts.callMs })).shells;
  }

  shellExec(name: string, request: ShellExecRequest, { signal }: CallOptions): Promise<ShellAnswer> {
    const call = { ...post(shellPath(name, '/exec'), request), signal, timeoutMs: request.timeoutMs + timeouts.overrunMs };
    return this.#caller.json(shellAnswerSchema, call);
  }

  shellSend(name: string, input: ShellInput, { signal }: CallOptions): Promise<ShellAnswer> {
    const call = { ...post(shellPath(name, '/input'), input), signal, timeoutMs: input.timeoutMs + timeouts.overrunMs };
    return this.#caller.json(shellAnswerSchema, call);
  }

  shellWait(name: string, { signal, timeoutMs }: CallOptions & { timeoutMs: number }): Promise<ShellAnswer> {
    const call = { ...post(shellPath(name, '/wait'), { timeoutMs }), signal, timeoutMs: timeoutMs + timeouts.overrunMs };
    return this.#caller.json(shellAnswerSchema, call);
  }

  shellView(name: string, { signal }: CallOptions): Promise<ShellAnswer> {
    return this.#caller.json(shellAnswerSchema, { ...get(shellPath(name)), signal, timeoutMs: timeouts.callMs });
  }

  shellKill(name: string, { signal }: CallOptions): Promise<ShellAnswer> {
    return this.#caller.json(shellAnswerSchema, { ...remove(shellPath(name)), signal, timeoutMs: timeouts.callMs });
  }

  openTerminal(name: string, size: TerminalSize, { signal }: CallOptions): Promise<ShellStatus> {
    const call = { ...put(shellPath(name), Buffer.from(JSON.stringify(size))), signal, timeoutMs: timeouts.callMs };
    return this.#caller.json(shellStatusSchema, call);
  }

  async shellStream(
    name: string,
    { signal, offset }: CallOptions & { offset: number },
  ): Promise<{ stream: Readable; offset: number }> {
    const call = { ...get(withQuery(shellPath(name, '/stream'), { offset })), signal, timeoutMs: timeouts.watchMs };
    const answer = await this.#caller.send(call);
    const began = z.coerce.number().int().min(0).safeParse(answer.response.headers['x-koda-offset']);
    if (!began.success) {
      // Nobody would read it to its end, which may never come.
      answer.response.destroy();
      throw brokenProtocol('a stream that does not say where it begins');
    }
    return { stream: readStream(answer), offset: began.data };
  }

  startPreview({ signal }: CallOptions): Promise<PreviewStatus> {
    return this.#caller.json(previewStatusSchema, { ...post('/preview', {}), signal, timeoutMs: timeouts.previewMs });
  }

  previewStatus({ signal }: CallOptions): Promise<PreviewStatus> {
    return this.#caller.json(previewStatusSchema, { ...get('/preview'), signal, timeoutMs: timeouts.callMs });
  }

  stopPreview({ signal }: CallOptions): Promise<PreviewStatus> {
    return this.#caller.json(previewStatusSchema, { ...remove('/preview'), signal, timeoutMs: timeouts.callMs });
  }

  async compileProblems({ signal }: CallOptions): Promise<string[]> {
    const call = { ...get('/preview/problems'), signal, timeoutMs: timeouts.previewMs + timeouts.callMs };
    return (await this.#caller.json(problemsSchema, call)).problems;
  }

  screenshot(request: ScreenshotRequest, { signal }: CallOptions): Promise<Buffer> {
    return this.#caller.bytes(
      { ...post('/screenshot', request), signal, timeoutMs: timeouts.pictureMs },
      answerLimits.pictureBytes,
    );
  }

  inspect(request: InspectRequest, { signal }: CallOptions): Promise<InspectReport> {
    const call = { ...post('/inspect', request), signal, timeoutMs: timeouts.pictureMs };
    return this.#caller.json(inspectReportSchema, call, answerLimits.reportBytes);
  }

  picture(request: PictureRequest, { signal }: CallOptions): Promise<Picture> {
    const call = { ...post('/picture', request), signal, timeoutMs: timeouts.pictureMs };
    return this.#caller.json(pictureSchema, call, answerLimits.pictureBytes);
  }

  browse(action: BrowserAction, { signal }: CallOptions): Promise<BrowserReport> {
    const call = { ...post('/browser', action), signal, timeoutMs: timeouts.browserMs };
    return this.#caller.json(browserReportSchema, call, answerLimits.pictureBytes);
  }

  render(job: RenderJob, { signal }: CallOptions): AsyncIterable<RenderEvent> {
    const call = { ...post('/render', job), signal, timeoutMs: job.timeoutMs + timeouts.overrunMs };
    return this.#caller.events(renderEventSchema, call, 'done');
  }

  renderLive(renderId: string, { signal }: CallOptions): Promise<Readable> {
    return this.#caller.stream({ ...get(renderPath(renderId, '/live')), signal, timeoutMs: timeouts.transferMs });
  }

  renderVideo(renderId: string, { signal }: CallOptions): Promise<Readable> {
    return this.#caller.stream({ ...get(renderPath(renderId, '/video')), signal, timeoutMs: timeouts.transferMs });
  }

  renderThumbnail(renderId: string, { signal }: CallOptions): Promise<Buffer> {
    return this.#caller.bytes(
      { ...get(renderPath(renderId, '/thumbnail')), signal, timeoutMs: timeouts.callMs },
      answerLimits.pictureBytes,
    );
  }

  async deleteRender(renderId: string, { signal }: CallOptions): Promise<boolean> {
    const call = { ...remove(renderPath(renderId)), signal, timeoutMs: timeouts.callMs };
    return (await this.#caller.json(deletedSchema, call)).deleted;
  }
}
