import type { ProjectSnapshot } from '#contract/api.ts';
import type { ProjectEvent } from '#contract/events.ts';
import { allowLasting, type LastingPermission, usedAgain } from '#contract/permission.ts';
import type { Asset, Message } from '#contract/project.ts';
import type { Render } from '#contract/render.ts';
import { withPieces } from '#contract/surface/messages.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import { withToolEvent } from '#contract/tool-calls.ts';
import { byNewest } from './renders.ts';

/** A file as reported by events. `text` is `null` if the page lacks a part and must fetch the file. */
export interface LiveFile {
  readonly path: string;
  readonly text: string | null;
  readonly streaming: boolean;
  readonly deleted: boolean;
  /** Incremented with each change to the content, which makes a fetched copy stale. */
  readonly version: number;
}

/**
 * Tracks what one batch of events has already copied. Copies that no reader has received yet are changed in place. Otherwise,
 * each of thousands of events would copy thousands of files or messages.
 */
export class Batch {
  #files: Record<string, LiveFile> | null = null;
  #messages: Message[] | null = null;
  #messageIds: Set<string> = new Set();

  withFile(files: Readonly<Record<string, LiveFile>>, file: LiveFile): Readonly<Record<string, LiveFile>> {
    // The object has no prototype, because a path can be any name.
    this.#files = files === this.#files ? this.#files : Object.assign(Object.create(null) as Record<string, LiveFile>, files);
    this.#files[file.path] = file;
    return this.#files;
  }

  withMessage(messages: Message[], message: Message): Message[] {
    if (messages !== this.#messages) {
      this.#messages = [...messages];
      this.#messageIds = new Set(messages.map(({ id }) => id));
    }
    // This is rare, because each message is reported once.
    if (this.#messageIds.has(message.id)) this.#messages = this.#messages.filter(({ id }) => id !== message.id);
    this.#messages.push(message);
    this.#messageIds.add(message.id);
    return this.#messages;
  }
}

interface RenderProgress {
  readonly framesDone: number;
  readonly framesTotal: number;
  readonly secondsLeft: number | null;
}

export interface ConsoleLine {
  readonly seq: number;
  readonly at: string;
  readonly text: string;
}

/** The project's state in the page: the snapshot, updated by later events, plus page-local state. */
export interface ProjectView extends ProjectSnapshot {
  readonly files: Readonly<Record<string, LiveFile>>;
  readonly currentFile: string | null;
  readonly progress: Readonly<Record<string, RenderProgress>>;
  /** Errors of the preview. */
  readonly console: readonly ConsoleLine[];
  /**
   * Incremented when files changed as a whole (a restore, a discarded stream), so that the page must fetch the list again.
   */
  readonly filesVersion: number;
  /** Incremented with each change to a file, after which the preview may have to restart. */
  readonly codeVersion: number;
  /** Incremented when a checkpoint was added or got an image, which makes the fetched history stale. */
  readonly historyVersion: number;
  /** Incremented when the preview server started, so that its frame must reload. */
  readonly previewVersion: number;
  /** Why this view is no longer reliable; `null` if it is. */
  readonly staleReason: string | null;
}

const maxTools = 500;
const maxConsoleLines = 2000;

export function viewFromSnapshot(snapshot: ProjectSnapshot): ProjectView {
  return {
    ...snapshot,
    files: {},
    currentFile: null,
    progress: {},
    console: [],
    filesVersion: 0,
    codeVersion: 0,
    historyVersion: 0,
    previewVersion: 0,
    staleReason: null,
  };
}

/** Applies a fresh snapshot after a gap. Page-local state is preserved. */
export function viewAfterReload(view: ProjectView, snapshot: ProjectSnapshot): ProjectView {
  const first = snapshot.tools[0];
  const tools = first ? [...view.tools.filter((call) => call.startedAt < first.startedAt), ...snapshot.tools] : [];
  const { filesVersion, codeVersion, historyVersion } = view;
  return {
    ...view,
    ...snapshot,
    tools,
    files: {},
    currentFile: null,
    filesVersion: filesVersion + 1,
    codeVersion: codeVersion + 1,
    historyVersion: historyVersion + 1,
    staleReason: null,
  };
}

/** No event reports asset changes; this page's own requests cause them. */
export function withAssets(view: ProjectView, assets: readonly Asset[]): ProjectView {
  return { ...view, assets: [...assets] };
}

/** Removes a render that the user deleted, because no event reports it. */
export function withoutRender(view: ProjectView, renderId: string): ProjectView {
  return { ...view, renders: view.renders.filter((render) => render.id !== renderId) };
}

/** Applies events in order. The cost per event does not grow with the project. */
export function applyEvents(view: ProjectView, events: readonly ProjectEvent[]): ProjectView {
  const batch = new Batch();
  return events.reduce((next, event) => applyEvent(next, event, batch), view);
}

/**
 * Applies one event, as the server does to its tables. An event that was already applied changes nothing; a gap in the
 * sequence marks the view stale. Pure, except that views in the same batch are mutated, so only the last one is valid.
 */
export function applyEvent(view: ProjectView, event: ProjectEvent, batch: Batch): ProjectView {
  if (event.type === 'reset') return viewAfterReload(view, event.snapshot);
  if (event.seq <= view.seq || view.staleReason !== null) return view;
  if (event.seq > view.seq + 1) return { ...view, staleReason: `event ${view.seq + 1} is missing` };
  return { ...applyBody(view, event, batch), seq: event.seq };
}

function applyBody(view: ProjectView, event: Exclude<ProjectEvent, { type: 'reset' }>, batch: Batch): ProjectView {
  switch (event.type) {
    case 'project.phase':
      return withProject(view, { phase: event.phase, error: event.error, updatedAt: event.at });
    case 'project.updated':
      return withProject(view, { name: event.name, updatedAt: event.at });
    case 'run.started':
      return withProject(view, { running: true, error: null, thinking: null });
    case 'run.finished':
      return { ...withoutHalfFiles(withProject(view, { running: false, thinking: null })), currentFile: null };
    case 'plan.proposed':
      return { ...view, plan: event.plan };
    case 'approval.requested':
      return { ...view, approval: event.approval };
    case 'approval.settled':
      return settleApproval(view, event);
    case 'permission.used':
      return {
        ...view,
        permissions: view.permissions.map((given) =>
          given.approvalId === event.approvalId ? { ...given, uses: usedAgain(given.uses, event.input, event.at) } : given,
        ),
      };
    case 'permission.revoked':
      return { ...view, permissions: view.permissions.filter((given) => given.approvalId !== event.approvalId) };
    case 'todo.updated':
      return { ...view, todos: event.todos };
    case 'thinking':
      return withProject(view, { thinking: event.text });
    case 'message.added':
      return { ...view, messages: batch.withMessage(view.messages, event.message) };
    case 'surface.updated':
      return {
        ...view,
        messages: view.messages.map((message) =>
          message.id === event.messageId ? withSurface(message, event.messages) : message,
        ),
      };
    case 'message.delivered':
      return {
        ...view,
        messages: view.messages.map((message) => (message.id === event.messageId ? { ...message, queued: false } : message)),
      };
    case 'message.withdrawn':
      return { ...view, messages: view.messages.filter((message) => message.id !== event.messageId) };
    case 'code.chunk':
      return applyChunk(view, event, batch);
    case 'file.written':
      return fileWritten(view, event, batch);
    case 'file.deleted':
      return {
        ...withFile(view, { path: event.path, text: null, streaming: false, deleted: true }, batch),
        ...changed(view),
      };
    case 'tool.started':
      return { ...view, tools: withToolEvent(view.tools, event, maxTools) };
    case 'tool.finished':
      return toolFinished(view, event);
    case 'sandbox.state':
      return withProject(view, { sandbox: event.state });
    case 'preview.ready':
      return { ...withProject(view, { previewUrl: event.url, previewError: null }), previewVersion: view.previewVersion + 1 };
    case 'preview.error':
      return withConsoleLine(
        withProject(view, { previewError: { message: event.message, log: event.log } }),
        event.seq,
        event.at,
        event.message,
      );
    case 'preview.stopped':
      return withProject(view, { previewUrl: null, previewError: null });
    case 'render.queued':
      return withRender(view, event.render);
    case 'batch.updated': {
      const others = view.batches.filter(({ id }) => id !== event.batch.id);
      return { ...view, batches: byNewest([event.batch, ...others]) };
    }
    case 'batch.removed':
      return {
        ...view,
        batches: view.batches.filter(({ id }) => id !== event.batchId),
        renders: view.renders.filter(({ batch }) => batch?.id !== event.batchId),
      };
    case 'render.progress':
      return applyRenderProgress(view, event);
    case 'render.complete':
      // The render's thumbnail is also the image of a checkpoint.
      return { ...withRender(view, event.render), historyVersion: view.historyVersion + 1 };
    case 'render.failed':
      return withRender(view, event.render);
    case 'checkpoint.restored':
      return { ...view, files: {}, currentFile: null, filesVersion: view.filesVersion + 1, ...changed(view) };
    case 'usage':
      return {
        ...view,
        usage: {
          inputTokens: view.usage.inputTokens + event.inputTokens,
          cachedInputTokens: view.usage.cachedInputTokens + event.cachedInputTokens,
          outputTokens: view.usage.outputTokens + event.outputTokens,
          costUsd: view.usage.costUsd + event.costUsd,
        },
      };
    case 'error':
      return withProject(view, { error: { code: event.code, message: event.message, canRetry: event.canRetry } });
    case 'checkpoint.saved':
      return { ...view, historyVersion: view.historyVersion + 1 };
    // The approval itself arrives with `approval.requested`.
    case 'question.asked':
      return view;
    default:
      return unknownEvent(event);
  }
}

/** Fails to compile if one of the contract's event types is not handled above. */
function unknownEvent(event: never): never {
  throw new Error(`Unknown event: ${JSON.stringify(event)}`);
}

function withProject(view: ProjectView, change: Partial<ProjectView['project']>): ProjectView {
  return { ...view, project: { ...view.project, ...change } };
}

type SettledEvent = Extract<ProjectEvent, { type: 'approval.settled' }>;

function settleApproval(view: ProjectView, event: SettledEvent): ProjectView {
  if (view.approval?.id !== event.approvalId) return view;
  const settledView = { ...view, approval: null, permissions: withGiven(view, event) };
  const { plan } = view;
  if (plan === null || view.approval.planId === null || event.response.outcome !== 'accepted') return settledView;
  return { ...withProject(settledView, { chips: plan.chips ?? [] }), plan: { ...plan, accepted: true } };
}

function withGiven({ approval, permissions }: ProjectView, { response, at }: SettledEvent): LastingPermission[] {
  const isGiven = response.outcome === 'option' && response.optionId === allowLasting;
  if (!isGiven || approval?.permission === undefined) return permissions;
  const { server, tool, digest, input } = approval.permission;
  return [...permissions, { server, tool, digest, input, approvalId: approval.id, uses: usedAgain(null, input, at) }];
}

function withFile(view: ProjectView, file: Omit<LiveFile, 'version'>, batch: Batch): ProjectView {
  const version = (view.files[file.path]?.version ?? 0) + 1;
  return { ...view, files: batch.withFile(view.files, { ...file, version }) };
}

function applyChunk(view: ProjectView, event: Extract<ProjectEvent, { type: 'code.chunk' }>, batch: Batch): ProjectView {
  const before = event.offset === 0 ? '' : (view.files[event.path]?.text ?? null);
  // The page opened in the middle of the stream and missed its start.
  const text = before === null || before.length < event.offset ? null : before.slice(0, event.offset) + event.text;
  return { ...withFile(view, { path: event.path, text, streaming: true, deleted: false }, batch), currentFile: event.path };
}

function withSurface(message: Message, pieces: SurfaceMessages): Message {
  const surface = withPieces(message.surface ?? [], pieces);
  return surface.ok ? { ...message, surface: surface.value } : message;
}

function fileWritten(view: ProjectView, event: Extract<ProjectEvent, { type: 'file.written' }>, batch: Batch): ProjectView {
  const streamed = view.files[event.path]?.streaming ? (view.files[event.path]?.text ?? null) : null;
  const whole = streamed !== null && new TextEncoder().encode(streamed).length === event.sizeBytes;
  const next = withFile(view, { path: event.path, text: whole ? streamed : null, streaming: false, deleted: false }, batch);
  return { ...next, currentFile: event.path, ...changed(view) };
}

const changed = ({ codeVersion }: ProjectView) => ({ codeVersion: codeVersion + 1 });

function toolFinished(view: ProjectView, event: Extract<ProjectEvent, { type: 'tool.finished' }>): ProjectView {
  const tools = withToolEvent(view.tools, event, maxTools);
  // The generator has ended. After a restart or failure, files that it streamed but did not write are discarded.
  return { ...(event.name === 'generate_code' ? withoutHalfFiles(view) : view), tools };
}

/** Discards files that were streamed but never written. The page fetches files that exist in the workspace. */
function withoutHalfFiles(view: ProjectView): ProjectView {
  const whole = Object.values(view.files).filter((file) => !file.streaming);
  if (whole.length === Object.keys(view.files).length) return view;
  const files = Object.fromEntries(whole.map((file) => [file.path, file]));
  const currentFile = view.currentFile !== null && view.currentFile in files ? view.currentFile : null;
  return { ...view, files, currentFile, filesVersion: view.filesVersion + 1 };
}

function withConsoleLine(view: ProjectView, seq: number, at: string, text: string): ProjectView {
  return { ...view, console: [...view.console.slice(1 - maxConsoleLines), { seq, at, text }] };
}

function withRender(view: ProjectView, render: Render): ProjectView {
  const known = view.renders.some((candidate) => candidate.id === render.id);
  const renders = known ? view.renders.map((old) => (old.id === render.id ? render : old)) : [render, ...view.renders];
  const { [render.id]: _finished, ...progress } = view.progress;
  return { ...view, renders, progress: render.status === 'running' ? view.progress : progress };
}

function applyRenderProgress(view: ProjectView, event: Extract<ProjectEvent, { type: 'render.progress' }>): ProjectView {
  return {
    ...view,
    renders: view.renders.map((render) =>
      render.id === event.renderId ? { ...render, status: 'running', percent: event.percent, stage: event.stage } : render,
    ),
    progress: {
      ...view.progress,
      [event.renderId]: { framesDone: event.framesDone, framesTotal: event.framesTotal, secondsLeft: event.secondsLeft },
    },
  };
}
