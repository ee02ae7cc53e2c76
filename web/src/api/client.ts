import type { z } from 'zod';
import type {
  AnswerRequest,
  PlanRequest,
  PreviewRequest,
  PreviewServerRequest,
  ProjectFilter,
  ProjectOrder,
} from '#contract/api.ts';
import type { batchRequestSchema } from '#contract/batch.ts';
import { type ErrorCode, errorEnvelopeSchema } from '#contract/errors.ts';
import type { ModelTest } from '#contract/model-servers.ts';
import type { ParameterValues, renderRequestSchema } from '#contract/render.ts';
import { cloneUrl, type JsonRoute, type Route, type RouteInput, type RouteResponse, routes, routeUrl } from '#contract/routes.ts';
import type { SurfaceActionMessage } from '#contract/surface/surface.ts';
import { addressOf, studioAddress } from '../address.ts';

export class ApiError extends Error {
  readonly code: ErrorCode | 'NETWORK' | 'UNREADABLE';
  readonly recovery: string | null;
  /** HTTP status, or 0 if there was no response. */
  readonly status: number;

  constructor(code: ApiError['code'], message: string, options: { status: number; recovery: string | null; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status;
    this.recovery = options.recovery;
  }
}

export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('UNREADABLE', error instanceof Error ? error.message : String(error), {
    status: 0,
    recovery: null,
    cause: error,
  });
}

export function disconnected(cause?: unknown): ApiError {
  const message = 'The server is not responding. Check that Koda is running, then try again.';
  return new ApiError('NETWORK', message, { status: 0, recovery: 'retry', cause });
}

export function unreadable(status: number, cause: unknown): ApiError {
  const message = `This page cannot read the server’s response (status ${status}). Reload the page.`;
  return new ApiError('UNREADABLE', message, { status, recovery: null, cause });
}

export function failureOf(status: number, text: string): ApiError {
  try {
    const { error } = errorEnvelopeSchema.parse(JSON.parse(text));
    return new ApiError(error.code, error.message, { status, recovery: error.recovery?.action ?? null });
  } catch (cause) {
    return unreadable(status, cause);
  }
}

/** Calls `fetch` with one of the studio's paths. Throws ApiError, or the signal's abort reason. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(addressOf(path), init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw disconnected(cause);
  }
  if (!response.ok) throw failureOf(response.status, await response.text());
  return response;
}

type CallOptions = Pick<RequestInit, 'signal' | 'keepalive' | 'headers' | 'body' | 'priority'>;
type Body<Name extends keyof typeof routes> = RouteInput<(typeof routes)[Name]> extends { readonly body: infer B } ? B : never;

/** Calls a route with a non-JSON body or response. Throws ApiError, or the signal's abort reason. */
export function request<R extends Route>(route: R, input: RouteInput<R>, options: CallOptions = {}): Promise<Response> {
  const json = 'body' in (input as object) ? jsonInit((input as { body: unknown }).body) : {};
  return send(routeUrl(route, input), { method: route.method.toUpperCase(), ...json, ...options });
}

/** Calls a route and validates its response. Throws ApiError, or the signal's abort reason. */
export async function call<R extends JsonRoute>(
  route: R,
  input: RouteInput<R>,
  options?: CallOptions,
): Promise<RouteResponse<R>> {
  const response = await request(route, input, options);
  return route.response.parse(await response.json()) as RouteResponse<R>;
}

/** Reads line-delimited JSON as it arrives. Throws ApiError, or the signal's abort reason. */
async function* linesOf<Line>({ body, status }: Response, schema: z.ZodType<Line>): AsyncGenerator<Line> {
  if (body === null) throw unreadable(status, null);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value = '' } = await reader.read();
      if (done) return;
      const lines = `${rest}${value}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield schema.parse(JSON.parse(line));
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

export const jsonInit = (body: unknown) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Filter and order of the project list. If `state` is `null`, the list has all projects except deleted ones. */
export interface ProjectListQuery {
  readonly search: string;
  readonly state: ProjectFilter | null;
  readonly sort: ProjectOrder;
  /** If omitted, the list has projects of every kind. */
  readonly kind?: string;
  /** Kind that the list leaves out. */
  readonly exceptKind?: string;
}

export const api = {
  health: (signal: AbortSignal) => call(routes.health, {}, { signal }),
  settings: (signal: AbortSignal) => call(routes.settings, {}, { signal }),
  about: (signal: AbortSignal) => call(routes.about, {}, { signal }),
  saveModel: (body: Body<'saveModel'>) => call(routes.saveModel, { body }),
  removeModelKey: () => call(routes.removeModelKey, {}),
  modelServers: async (signal: AbortSignal) => (await call(routes.modelServers, {}, { signal })).servers,
  /** Measures a model with these settings without saving them. Each progress and the report have the same form. */
  async *testModel(body: Body<'testModel'>, signal: AbortSignal): AsyncGenerator<ModelTest> {
    const response = await request(routes.testModel, { body }, { signal });
    for await (const line of linesOf(response, routes.testModel.line)) {
      if (line.type === 'error') {
        const { code, message, recovery } = line.error;
        throw new ApiError(code, message, { status: response.status, recovery: recovery?.action ?? null });
      }
      yield line.test;
    }
  },

  listProjects(
    { search, state, sort, kind, exceptKind, cursor }: ProjectListQuery & { cursor: string | null },
    signal: AbortSignal,
  ) {
    const query = {
      limit: 48,
      sort,
      ...(search && { search }),
      ...(state && { state }),
      ...(kind && { kind }),
      ...(exceptKind && { exceptKind }),
      ...(cursor && { cursor }),
    };
    return call(routes.projects, { query }, { signal });
  },
  createProject: (body: Body<'createProject'>) => call(routes.createProject, { body }),
  snapshot: (id: string, signal?: AbortSignal) => call(routes.project, { id }, signal ? { signal } : {}),
  renameProject: (id: string, name: string) => call(routes.renameProject, { id, body: { name } }),
  /** Deletes a project. It stays restorable for a while unless `now` is set. The request survives leaving the page. */
  deleteProject: (id: string, { now } = { now: false }) =>
    call(routes.deleteProject, { id, ...(now && { query: { now: 'true' } }) }, { keepalive: true }),
  restoreProject: (id: string) => call(routes.restoreProject, { id }),
  branchProject: (id: string, name: string) => call(routes.branchProject, { id, body: { name } }),

  sendMessage: (id: string, content: string) => call(routes.sendMessage, { id, body: { content } }),
  withdrawMessage: (id: string, mid: string) => call(routes.withdrawMessage, { id, mid }),
  answer: (id: string, body: AnswerRequest) => call(routes.answerQuestion, { id, body }),
  revokePermission: (id: string, approvalId: string) => call(routes.revokePermission, { id, approvalId }),
  act: (id: string, message: SurfaceActionMessage) => call(routes.act, { id, body: message }),
  decidePlan: (id: string, body: PlanRequest) => call(routes.decidePlan, { id, body }),
  decidePreview: (id: string, body: PreviewRequest) => call(routes.decidePreview, { id, body }),
  controlPreview: (id: string, action: PreviewServerRequest['action']) => call(routes.controlPreview, { id, body: { action } }),
  retry: (id: string) => call(routes.retry, { id }),
  reportActivity: (id: string) => call(routes.reportActivity, { id }),
  stop: (id: string) => call(routes.stop, { id }),

  listFiles: (id: string, signal: AbortSignal) => call(routes.files, { id }, { signal }),

  listAssets: (id: string, signal: AbortSignal) => call(routes.assets, { id }, { signal }),
  deleteAsset: (id: string, aid: string) => call(routes.deleteAsset, { id, aid }),
  assetUrl: (id: string, aid: string) => addressOf(routeUrl(routes.asset, { id, aid })),
};

export const mcpServerApi = {
  list: (signal: AbortSignal) => call(routes.mcpServers, {}, { signal }),
  save: (name: string, body: Body<'saveMcpServer'>) => call(routes.saveMcpServer, { name, body }),
  remove: (name: string) => call(routes.removeMcpServer, { name }),
  test: (name: string, body: Body<'testMcpServer'>) => call(routes.testMcpServer, { name, body }),
  setRisk: (body: Body<'setMcpRisk'>) => call(routes.setMcpRisk, { body }),
  setSearch: (body: Body<'setMcpSearch'>) => call(routes.setMcpSearch, { body }),
};

export const sessionApi = {
  read: (signal: AbortSignal) => call(routes.session, {}, { signal }),
  signIn: (token: string) => call(routes.signIn, { body: { token } }),
  signOut: () => call(routes.signOut, {}),
};

export const tokenApi = {
  list: async (signal: AbortSignal) => (await call(routes.tokens, {}, { signal })).items,
  create: (body: Body<'createToken'>) => call(routes.createToken, { body }),
  revoke: (id: string) => call(routes.revokeToken, { id }),
};

export const scheduleApi = {
  list: async (signal: AbortSignal) => (await call(routes.schedules, {}, { signal })).items,
  create: (body: Body<'createSchedule'>) => call(routes.createSchedule, { body }),
  change: (id: string, body: Body<'changeSchedule'>) => call(routes.changeSchedule, { id, body }),
  check: (body: Body<'checkSchedule'>) => call(routes.checkSchedule, { body }),
  times: async (body: Body<'scheduleTimes'>, signal: AbortSignal) =>
    (await call(routes.scheduleTimes, { body }, { signal })).times,
  runs: async (id: string, signal: AbortSignal) => (await call(routes.scheduleRuns, { id }, { signal })).items,
  run: (id: string) => call(routes.runSchedule, { id }),
  pause: (id: string) => call(routes.pauseSchedule, { id }),
  resume: (id: string) => call(routes.resumeSchedule, { id }),
  remove: (id: string) => call(routes.removeSchedule, { id }),
};

export const historyApi = {
  list: (id: string, { cursor, limit }: { cursor: string | null; limit: number }, signal?: AbortSignal) =>
    call(routes.checkpoints, { id, query: { limit, ...(cursor !== null && { cursor }) } }, signal ? { signal } : {}),
  keep: (id: string, name: string) => call(routes.keepCheckpoint, { id, body: { name } }),
  /**
   * Compares a checkpoint with `against`, or with its predecessor if that is `null`. If a path is given, returns that file's
   * changed lines.
   */
  diff(
    id: string,
    { checkpointId, against, path }: { checkpointId: string; against: string | null; path: string | null },
    signal: AbortSignal,
  ) {
    const query = { ...(against !== null && { against }), ...(path !== null && { path }) };
    return call(routes.checkpointDiff, { id, cid: checkpointId, query }, { signal });
  },
  restore: (id: string, cid: string) => call(routes.restoreCheckpoint, { id, cid }),
  branch: (id: string, checkpointId: string) => call(routes.branchProject, { id, body: { checkpointId } }),
  archiveUrl: (id: string, cid: string) => addressOf(routeUrl(routes.checkpointArchive, { id, cid })),
  cloneUrl: (id: string) => studioAddress() + cloneUrl(id),
};

type BatchRequestInput = z.input<typeof batchRequestSchema>;
export type RenderRequestInput = z.input<typeof renderRequestSchema>;

export const batchApi = {
  start: (id: string, body: BatchRequestInput) => call(routes.startBatch, { id, body }),
  /** Returns how the rows are read. Starts a sandbox if none is running. */
  check: (id: string, body: BatchRequestInput, signal: AbortSignal) => call(routes.checkBatch, { id, body }, { signal }),
  get: (id: string, batchId: string, signal: AbortSignal) => call(routes.batch, { id, batchId }, { signal }),
  cancel: (id: string, batchId: string) => call(routes.cancelBatch, { id, batchId }),
  resume: (id: string, batchId: string) => call(routes.resumeBatch, { id, batchId }),
  retry: (id: string, batchId: string) => call(routes.retryBatch, { id, batchId }),
  remove: (id: string, batchId: string) => call(routes.removeBatch, { id, batchId }),
};

export const renderApi = {
  get: (id: string, signal: AbortSignal) => call(routes.render, { id }, { signal }),
  start: (id: string, body: RenderRequestInput) => call(routes.startRender, { id, body }),
  estimate: (id: string, body: RenderRequestInput, signal: AbortSignal) => call(routes.estimateRender, { id, body }, { signal }),
  /** Returns when each queued render will start. */
  queue: (id: string, signal: AbortSignal) => call(routes.renderQueue, { id }, { signal }),
  /** Returns the film's description of itself. Starts a sandbox if none is running. */
  film: (id: string, signal?: AbortSignal) => call(routes.film, { id }, signal && { signal }),
  /** Returns the validation error for these parameter values as a sentence, or `null` if they are valid. */
  async checkParameters(id: string, values: ParameterValues, signal: AbortSignal): Promise<string | null> {
    return (await call(routes.checkParameters, { id, body: { sets: [values] } }, { signal })).problems[0] ?? null;
  },
  remove: (id: string, { leaving } = { leaving: false }) => call(routes.removeRender, { id }, { keepalive: leaving }),
};
