import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { z } from 'zod';
import {
  type BrowserAction,
  type BrowserReport,
  browserReportSchema,
  type Changes,
  changesSchema,
  controlSocketName,
  type ExecEvent,
  type ExecRequest,
  execEventSchema,
  type FileEntry,
  type FileList,
  type FoundLines,
  type FoundPaths,
  fileEntrySchema,
  fileListSchema,
  foundLinesSchema,
  foundPathsSchema,
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
import { type CallOptions, type Sandbox, SandboxdError } from './sandbox.ts';
import { type Answer, brokenProtocol, type Call, readAll, readLines, readStream, SandboxTransport } from './transport.ts';

/** How long each kind of call may take before the sandbox counts as stuck. */
const timeouts = {
  healthMs: 5_000,
  callMs: 30_000,
  /** Scans and listings of a workspace with 20,000 files on a busy machine. */
  scanMs: 60_000,
  initMs: 120_000,
  /** The dev server has 60 s; the answer needs a moment more. */
  previewMs: 75_000,
  pictureMs: 120_000,
  /** The dev server may have to start first, and a busy machine's page gets four times as long. */
  browserMs: 180_000,
  transferMs: 900_000,
  /** A terminal is watched as long as its page is open; then the page asks again. */
  watchMs: 24 * 3_600_000,
  /** On top of a command's or render's own limit: the kill ladder takes up to 8 s. */
  overrunMs: 30_000,
} as const;

/** Most that an answer of each kind may hold. The longest honest listing: 20,000 entries of some hundred bytes. */
const limits = {
  jsonBytes: 1024 * 1024,
  listBytes: 32 * 1024 * 1024,
  logBytes: 4 * 1024 * 1024,
  /** With the console of a page that complains at every frame, and a picture of the frames. */
  reportBytes: 4 * 1024 * 1024,
  /** A picture for a model has 1.5 MB at most; in base64 that is 2 MB, and the answer says other things, too. */
  pictureBytes: 4 * 1024 * 1024,
  /** A chunk of output is 64 KiB at most, in which every byte may need six characters of JSON. */
  lineLength: 1024 * 1024,
} as const;

/** A path that a sandbox names must not lead anywhere else, whatever is done with it. */
function isInner(path: string): boolean {
  return (
    path !== '' &&
    path.length <= 4096 &&
    path.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..')
  );
}
const innerPathSchema = z.string().refine(isInner, 'a path that leaves the project');
const innerEntrySchema = fileEntrySchema.refine((entry) => isInner(entry.path), 'a path that leaves the project');
const innerListSchema = fileListSchema.extend({ files: z.array(innerEntrySchema) });
const innerChangesSchema = changesSchema.extend({
  changed: z.array(innerEntrySchema),
  deleted: z.array(innerPathSchema),
});
const innerPathsSchema = foundPathsSchema.extend({ paths: z.array(innerPathSchema) });
const innerLinesSchema = foundLinesSchema.refine(
  ({ matches }) => matches.every(({ path }) => isInner(path)),
  'a path that leaves the project',
);
const createdSchema = z.object({ created: z.boolean() });
const deletedSchema = z.object({ deleted: z.boolean() });
const writtenSchema = z.object({ path: z.string().refine(isInner), sizeBytes: z.int().min(0) });
const importedSchema = z.object({ files: z.int().min(0), bytes: z.int().min(0) });
const problemsSchema = z.object({ problems: z.array(z.string().max(5000)).max(100) });
const startedSchema = z.object({ pid: z.int().positive() });

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
  readonly #transport: SandboxTransport;

  constructor(options: SandboxdClientOptions) {
    this.id = options.sandboxId;
    this.projectId = options.projectId;
    this.previewSocketPath = join(options.socketDir, previewSocketName);
    this.#transport = new SandboxTransport(join(options.socketDir, controlSocketName), options.token);
  }

  health({ signal }: CallOptions): Promise<Health> {
    return this.#json(healthSchema, { ...get('/health'), signal, timeoutMs: timeouts.healthMs });
  }

  async init(template: string, { signal }: CallOptions): Promise<boolean> {
    const call = { ...post('/init', { template }), signal, timeoutMs: timeouts.initMs };
    return (await this.#json(createdSchema, call)).created;
  }

  listFiles(path: string, { signal, recursive }: CallOptions & { recursive: boolean }): Promise<FileList> {
    const target = withQuery('/files', { path, recursive });
    return this.#json(innerListSchema, { ...get(target), signal, timeoutMs: timeouts.scanMs }, limits.listBytes);
  }

  statFile(path: string, { signal }: CallOptions): Promise<FileEntry> {
    return this.#json(innerEntrySchema, { ...get(withQuery('/files/stat', { path })), signal, timeoutMs: timeouts.callMs });
  }

  readFile(path: string, { signal }: CallOptions): Promise<Readable> {
    return this.#stream({ ...get(withQuery('/files/content', { path })), signal, timeoutMs: timeouts.transferMs });
  }

  writeFile(path: string, content: Uint8Array | Readable, { signal }: CallOptions): Promise<{ path: string; sizeBytes: number }> {
    const call = { ...put(withQuery('/files/content', { path }), content), signal, timeoutMs: timeouts.transferMs };
    return this.#json(writtenSchema, call);
  }

  async deleteFile(path: string, { signal }: CallOptions): Promise<boolean> {
    const call = { ...remove(withQuery('/files/content', { path })), signal, timeoutMs: timeouts.callMs };
    return (await this.#json(deletedSchema, call)).deleted;
  }

  exportTar({ signal, since, seen = 0 }: CallOptions & { since: number; seen?: number }): Promise<Readable> {
    return this.#stream({ ...get(withQuery('/tar', { since, seen })), signal, timeoutMs: timeouts.transferMs });
  }

  importTar(tar: Readable, { signal, clear }: CallOptions & { clear: boolean }): Promise<{ files: number; bytes: number }> {
    return this.#json(importedSchema, { ...put(withQuery('/tar', { clear }), tar), signal, timeoutMs: timeouts.transferMs });
  }

  changes({ signal, since }: CallOptions & { since: number }): Promise<Changes> {
    const call = { ...get(withQuery('/changes', { since })), signal, timeoutMs: timeouts.scanMs };
    return this.#json(innerChangesSchema, call, limits.listBytes);
  }

  findPaths(search: PathSearch, { signal }: CallOptions): Promise<FoundPaths> {
    return this.#json(innerPathsSchema, { ...post('/search/paths', search), signal, timeoutMs: timeouts.scanMs });
  }

  findLines(search: LineSearch, { signal }: CallOptions): Promise<FoundLines> {
    return this.#json(innerLinesSchema, { ...post('/search/lines', search), signal, timeoutMs: timeouts.scanMs });
  }

  exec(request: ExecRequest, { signal }: CallOptions): AsyncIterable<ExecEvent> {
    const call = { ...post('/exec', request), signal, timeoutMs: request.timeoutMs + timeouts.overrunMs };
    return this.#events(execEventSchema, call, 'exit');
  }

  startProcess(request: ExecRequest, { signal }: CallOptions): Promise<{ pid: number }> {
    return this.#json(startedSchema, { ...post('/processes', request), signal, timeoutMs: timeouts.callMs });
  }

  processStatus(pid: number, { signal }: CallOptions): Promise<ProcessStatus> {
    return this.#json(processStatusSchema, { ...get(`/processes/${pid}`), signal, timeoutMs: timeouts.callMs });
  }

  processLog(pid: number, { signal, offset }: CallOptions & { offset: number }): Promise<Buffer> {
    const call = { ...get(withQuery(`/processes/${pid}/log`, { offset })), signal, timeoutMs: timeouts.callMs };
    return this.#bytes(call, limits.logBytes);
  }

  killProcess(pid: number, { signal }: CallOptions): Promise<ProcessStatus> {
    return this.#json(processStatusSchema, { ...remove(`/processes/${pid}`), signal, timeoutMs: timeouts.callMs });
  }

  async shells({ signal }: CallOptions): Promise<ShellStatus[]> {
    return (await this.#json(shellListSchema, { ...get('/shells'), signal, timeoutMs: timeouts.callMs })).shells;
  }

  shellExec(name: string, request: ShellExecRequest, { signal }: CallOptions): Promise<ShellAnswer> {
    const call = { ...post(shellPath(name, '/exec'), request), signal, timeoutMs: request.timeoutMs + timeouts.overrunMs };
    return this.#json(shellAnswerSchema, call);
  }

  shellSend(name: string, input: ShellInput, { signal }: CallOptions): Promise<ShellAnswer> {
    const call = { ...post(shellPath(name, '/input'), input), signal, timeoutMs: input.timeoutMs + timeouts.overrunMs };
    return this.#json(shellAnswerSchema, call);
  }

  shellWait(name: string, { signal, timeoutMs }: CallOptions & { timeoutMs: number }): Promise<ShellAnswer> {
    const call = { ...post(shellPath(name, '/wait'), { timeoutMs }), signal, timeoutMs: timeoutMs + timeouts.overrunMs };
    return this.#json(shellAnswerSchema, call);
  }

  shellView(name: string, { signal }: CallOptions): Promise<ShellAnswer> {
    return this.#json(shellAnswerSchema, { ...get(shellPath(name)), signal, timeoutMs: timeouts.callMs });
  }

  shellKill(name: string, { signal }: CallOptions): Promise<ShellAnswer> {
    return this.#json(shellAnswerSchema, { ...remove(shellPath(name)), signal, timeoutMs: timeouts.callMs });
  }

  openTerminal(name: string, size: TerminalSize, { signal }: CallOptions): Promise<ShellStatus> {
    const call = { ...put(shellPath(name), Buffer.from(JSON.stringify(size))), signal, timeoutMs: timeouts.callMs };
    return this.#json(shellStatusSchema, call);
  }

  async shellStream(
    name: string,
    { signal, offset }: CallOptions & { offset: number },
  ): Promise<{ stream: Readable; offset: number }> {
    const call = { ...get(withQuery(shellPath(name, '/stream'), { offset })), signal, timeoutMs: timeouts.watchMs };
    const answer = await this.#transport.send(call);
    const began = z.coerce.number().int().min(0).safeParse(answer.response.headers['x-koda-offset']);
    if (!began.success) {
      // Nobody would read it to its end, which may never come.
      answer.response.destroy();
      throw brokenProtocol('a stream that does not say where it begins');
    }
    return { stream: readStream(answer), offset: began.data };
  }

  startPreview({ signal }: CallOptions): Promise<PreviewStatus> {
    return this.#json(previewStatusSchema, { ...post('/preview', {}), signal, timeoutMs: timeouts.previewMs });
  }

  previewStatus({ signal }: CallOptions): Promise<PreviewStatus> {
    return this.#json(previewStatusSchema, { ...get('/preview'), signal, timeoutMs: timeouts.callMs });
  }

  stopPreview({ signal }: CallOptions): Promise<PreviewStatus> {
    return this.#json(previewStatusSchema, { ...remove('/preview'), signal, timeoutMs: timeouts.callMs });
  }

  async compileProblems({ signal }: CallOptions): Promise<string[]> {
    const call = { ...get('/preview/problems'), signal, timeoutMs: timeouts.previewMs + timeouts.callMs };
    return (await this.#json(problemsSchema, call)).problems;
  }

  screenshot(request: ScreenshotRequest, { signal }: CallOptions): Promise<Buffer> {
    return this.#bytes({ ...post('/screenshot', request), signal, timeoutMs: timeouts.pictureMs }, limits.pictureBytes);
  }

  inspect(request: InspectRequest, { signal }: CallOptions): Promise<InspectReport> {
    const call = { ...post('/inspect', request), signal, timeoutMs: timeouts.pictureMs };
    return this.#json(inspectReportSchema, call, limits.reportBytes);
  }

  picture(request: PictureRequest, { signal }: CallOptions): Promise<Picture> {
    const call = { ...post('/picture', request), signal, timeoutMs: timeouts.pictureMs };
    return this.#json(pictureSchema, call, limits.pictureBytes);
  }

  browse(action: BrowserAction, { signal }: CallOptions): Promise<BrowserReport> {
    const call = { ...post('/browser', action), signal, timeoutMs: timeouts.browserMs };
    return this.#json(browserReportSchema, call, limits.pictureBytes);
  }

  render(job: RenderJob, { signal }: CallOptions): AsyncIterable<RenderEvent> {
    const call = { ...post('/render', job), signal, timeoutMs: job.timeoutMs + timeouts.overrunMs };
    return this.#events(renderEventSchema, call, 'done');
  }

  renderLive(renderId: string, { signal }: CallOptions): Promise<Readable> {
    return this.#stream({ ...get(`/render/${encodeURIComponent(renderId)}/live`), signal, timeoutMs: timeouts.transferMs });
  }

  renderVideo(renderId: string, { signal }: CallOptions): Promise<Readable> {
    return this.#stream({ ...get(`/render/${encodeURIComponent(renderId)}/video`), signal, timeoutMs: timeouts.transferMs });
  }

  renderThumbnail(renderId: string, { signal }: CallOptions): Promise<Buffer> {
    const call = { ...get(`/render/${encodeURIComponent(renderId)}/thumbnail`), signal, timeoutMs: timeouts.callMs };
    return this.#bytes(call, limits.pictureBytes);
  }

  async deleteRender(renderId: string, { signal }: CallOptions): Promise<boolean> {
    const call = { ...remove(`/render/${encodeURIComponent(renderId)}`), signal, timeoutMs: timeouts.callMs };
    return (await this.#json(deletedSchema, call)).deleted;
  }

  async #json<Schema extends z.ZodType>(
    schema: Schema,
    call: Call,
    maxBytes: number = limits.jsonBytes,
  ): Promise<z.output<Schema>> {
    const text = (await this.#bytes(call, maxBytes)).toString('utf8');
    return parse(schema, text);
  }

  async #bytes(call: Call, maxBytes: number): Promise<Buffer> {
    return await readAll(await this.#transport.send(call), maxBytes);
  }

  async #stream(call: Call): Promise<Readable> {
    return readStream(await this.#transport.send(call));
  }

  /** The events of a streaming call, up to and with the one named `last`. Leaving the iteration early cancels the work. */
  async *#events<Schema extends z.ZodType<{ type: string }>>(
    schema: Schema,
    call: Call,
    last: string,
  ): AsyncGenerator<z.output<Schema>> {
    const answer: Answer = await this.#transport.send(call);
    let ended = false;
    for await (const line of readLines(answer, limits.lineLength)) {
      const event = parse(schema, line);
      const failure = streamErrorSchema.safeParse(event);
      if (failure.success) throw new SandboxdError(failure.data.code, failure.data.message, {});
      yield event;
      ended ||= event.type === last;
    }
    if (!ended) throw brokenProtocol(`a stream that ends without "${last}"`);
  }
}

const streamErrorSchema = z.object({ type: z.literal('error'), code: z.string(), message: z.string() });

function parse<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw brokenProtocol('an answer that is not JSON');
  }
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw brokenProtocol(z.prettifyError(parsed.error).slice(0, 500));
  return parsed.data;
}

function shellPath(name: string, action = ''): string {
  return `/shells/${encodeURIComponent(name)}${action}`;
}

function withQuery(path: string, query: Record<string, string | number | boolean>): string {
  const entries = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return `${path}?${new URLSearchParams(entries)}`;
}

type Target = Pick<Call, 'method' | 'target' | 'body'>;
const get = (target: string): Target => ({ method: 'GET', target, body: null });
const remove = (target: string): Target => ({ method: 'DELETE', target, body: null });
const put = (target: string, body: Uint8Array | Readable): Target => ({ method: 'PUT', target, body });
const post = (target: string, value: object): Target => ({ method: 'POST', target, body: Buffer.from(JSON.stringify(value)) });
