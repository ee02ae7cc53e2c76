import { z } from 'zod';
import {
  type AnswerRequest,
  type createProjectRequestSchema,
  healthResponseSchema,
  type PlanRequest,
  type PreviewRequest,
  page,
  projectSnapshotSchema,
} from '../../../server/contract/api.ts';
import { type ErrorCode, errorEnvelopeSchema } from '../../../server/contract/errors.ts';
import { assetSchema, projectSchema } from '../../../server/contract/project.ts';
import { renderSchema } from '../../../server/contract/render.ts';
import { fileListSchema } from '../../../server/contract/sandboxd.ts';
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

export function jsonInit(method: 'POST' | 'PUT' | 'PATCH', body: unknown): RequestInit {
  return { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function command(path: string, body: unknown = {}): Promise<void> {
  await send(path, jsonInit('POST', body));
}

export const project = (projectId: string) => `/api/projects/${encodeURIComponent(projectId)}`;

const projectPageSchema = page(projectSchema);
const renderListSchema = z.object({ items: z.array(renderSchema) });
const assetListSchema = z.object({ items: z.array(assetSchema) });

/** Every call the page makes to its server. Each one throws an ApiError. */
export const api = {
  health: (signal: AbortSignal) => getJson('/api/health', healthResponseSchema, signal),

  listProjects(query: { search: string; cursor: string | null }, signal: AbortSignal) {
    const parameters = new URLSearchParams({ limit: '24' });
    if (query.search) parameters.set('search', query.search);
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
  async deleteProject(projectId: string): Promise<void> {
    await send(project(projectId), { method: 'DELETE' });
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

  listRenders: (projectId: string, signal: AbortSignal) => getJson(`${project(projectId)}/renders`, renderListSchema, signal),
  listAssets: (projectId: string, signal: AbortSignal) => getJson(`${project(projectId)}/assets`, assetListSchema, signal),
  async uploadAsset(projectId: string, file: File) {
    const form = new FormData();
    form.set('file', file, file.name);
    const response = await send(`${project(projectId)}/assets`, { method: 'POST', body: form });
    return assetSchema.parse(await response.json());
  },
  async deleteAsset(projectId: string, assetId: string): Promise<void> {
    await send(`${project(projectId)}/assets/${encodeURIComponent(assetId)}`, { method: 'DELETE' });
  },
  assetUrl: (projectId: string, assetId: string) => `${project(projectId)}/assets/${encodeURIComponent(assetId)}`,
};
