import { z } from 'zod';
import {
  type AnswerRequest,
  type createProjectRequestSchema,
  healthResponseSchema,
  modelChecksSchema,
  type PlanRequest,
  type PreviewRequest,
  type ProjectFilter,
  type ProjectOrder,
  page,
  projectListItemSchema,
  projectSnapshotSchema,
} from '../../../server/contract/api.ts';
import { type ErrorCode, errorEnvelopeSchema } from '../../../server/contract/errors.ts';
import { assetSchema, projectSchema } from '../../../server/contract/project.ts';
import { fileListSchema } from '../../../server/contract/sandboxd.ts';
import {
  aboutSchema,
  type modelSettingsRequestSchema,
  modelSettingsSchema,
  settingsSchema,
} from '../../../server/contract/settings.ts';
import { texts } from '../texts.ts';

/** What went wrong, in the server's own words; `NETWORK` when no answer came at all. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'NETWORK' | 'UNREADABLE';
  readonly recovery: string | null;
  /** HTTP status; 0 when there was no answer. */
  readonly status: number;

  constructor(code: ApiError['code'], message: string, options: { status: number; recovery: string | null; cause?: unknown }) {
    super(message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.status = options.status;
    this.recovery = options.recovery;
  }
}

/** Any thrown value as an ApiError, for showing it. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError('UNREADABLE', error instanceof Error ? error.message : String(error), {
    status: 0,
    recovery: null,
    cause: error,
  });
}

/** What the server said with an answer that is no success. */
export function failureOf(status: number, text: string): ApiError {
  try {
    const { error } = errorEnvelopeSchema.parse(JSON.parse(text));
    return new ApiError(error.code, error.message, { status, recovery: error.recovery?.action ?? null });
  } catch (cause) {
    return new ApiError('UNREADABLE', texts.errors.unreadable(status), { status, recovery: null, cause });
  }
}

/** `fetch` whose failures are ApiErrors; throws what `signal` did when it was that. */
export async function send(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (cause) {
    if (init.signal?.aborted) throw cause;
    throw new ApiError('NETWORK', texts.errors.network, { status: 0, recovery: 'retry', cause });
  }
  if (!response.ok) throw failureOf(response.status, await response.text());
  return response;
}

/** A checked answer to a GET. Throws ApiError. */
export async function getJson<T extends z.ZodType>(path: string, schema: T, signal?: AbortSignal): Promise<z.output<T>> {
  const response = await send(path, signal ? { signal } : {});
  return schema.parse(await response.json());
}

export function jsonInit(method: 'POST' | 'PUT' | 'PATCH', body: unknown): RequestInit & { body: string } {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function command(path: string, body: unknown = {}): Promise<void> {
  await send(path, jsonInit('POST', body));
}

export const project = (projectId: string) => `/api/projects/${encodeURIComponent(projectId)}`;

const projectPageSchema = page(projectListItemSchema);

/** Which projects are listed, and in which order; `state` null = all that were not deleted. */
export interface ProjectListQuery {
  readonly search: string;
  readonly state: ProjectFilter | null;
  readonly sort: ProjectOrder;
}
const assetListSchema = z.object({ items: z.array(assetSchema) });

/** Every call the page makes to its server. Each one throws an ApiError. */
export const api = {
  health: (signal: AbortSignal) => getJson('/api/health', healthResponseSchema, signal),

  settings: (signal: AbortSignal) => getJson('/api/settings', settingsSchema, signal),
  about: (signal: AbortSignal) => getJson('/api/about', aboutSchema, signal),
  async saveModel(request: z.input<typeof modelSettingsRequestSchema>) {
    const response = await send('/api/settings/model', jsonInit('PUT', request));
    return modelSettingsSchema.parse(await response.json());
  },
  async removeModelKey() {
    const response = await send('/api/settings/model/key', { method: 'DELETE' });
    return modelSettingsSchema.parse(await response.json());
  },
  /** Asks models as they would be set; nothing is kept. */
  async testModel(request: z.input<typeof modelSettingsRequestSchema>, signal: AbortSignal) {
    const response = await send('/api/settings/model/test', { ...jsonInit('POST', request), signal });
    return modelChecksSchema.parse(await response.json()).models;
  },

  listProjects(query: ProjectListQuery & { cursor: string | null }, signal: AbortSignal) {
    const parameters = new URLSearchParams({ limit: '48', sort: query.sort });
    if (query.search) parameters.set('search', query.search);
    if (query.state) parameters.set('state', query.state);
    if (query.cursor) parameters.set('cursor', query.cursor);
    return getJson(`/api/projects?${parameters}`, projectPageSchema, signal);
  },
  async createProject(request: z.input<typeof createProjectRequestSchema>) {
    const response = await send('/api/projects', jsonInit('POST', request));
    return projectSchema.parse(await response.json());
  },
  snapshot: (projectId: string, signal?: AbortSignal) => getJson(project(projectId), projectSnapshotSchema, signal),
  async renameProject(projectId: string, name: string): Promise<void> {
    await send(project(projectId), jsonInit('PATCH', { name }));
  },
  /** It can be restored for a while; with `now` it cannot. Goes through also when the page is left meanwhile. */
  async deleteProject(projectId: string, options: { now: boolean } = { now: false }): Promise<void> {
    await send(`${project(projectId)}${options.now ? '?now=true' : ''}`, { method: 'DELETE', keepalive: true });
  },
  restoreProject: (projectId: string) => command(`${project(projectId)}/restore`),
  /** A new project with the files, the plan and the conversation of this one. */
  async branchProject(projectId: string, name: string) {
    const response = await send(`${project(projectId)}/branch`, jsonInit('POST', { name }));
    return projectSchema.parse(await response.json());
  },

  sendMessage: (projectId: string, content: string) => command(`${project(projectId)}/messages`, { content }),
  /** Takes back a message that waits. */
  async withdrawMessage(projectId: string, messageId: string): Promise<void> {
    await send(`${project(projectId)}/messages/${encodeURIComponent(messageId)}`, { method: 'DELETE' });
  },
  answer: (projectId: string, answer: AnswerRequest) => command(`${project(projectId)}/answer`, answer),
  decidePlan: (projectId: string, request: PlanRequest) => command(`${project(projectId)}/plan`, request),
  decidePreview: (projectId: string, request: PreviewRequest) => command(`${project(projectId)}/preview`, request),
  retry: (projectId: string) => command(`${project(projectId)}/retry`),
  stop: (projectId: string) => command(`${project(projectId)}/stop`),

  listFiles: (projectId: string, signal: AbortSignal) => getJson(`${project(projectId)}/files`, fileListSchema, signal),

  listAssets: (projectId: string, signal: AbortSignal) => getJson(`${project(projectId)}/assets`, assetListSchema, signal),
  async deleteAsset(projectId: string, assetId: string): Promise<void> {
    await send(`${project(projectId)}/assets/${encodeURIComponent(assetId)}`, { method: 'DELETE' });
  },
  assetUrl: (projectId: string, assetId: string) => `${project(projectId)}/assets/${encodeURIComponent(assetId)}`,
};
