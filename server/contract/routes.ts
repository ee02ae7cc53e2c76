import { z } from 'zod';
import { createdTokenSchema, sessionSchema, signInRequestSchema, tokenRequestSchema, tokenSchema } from './access.ts';
import {
  answerRequestSchema,
  createProjectRequestSchema,
  healthResponseSchema,
  messageRequestSchema,
  modelChecksSchema,
  page,
  parameterCheckRequestSchema,
  parameterCheckResponseSchema,
  planRequestSchema,
  previewRequestSchema,
  previewServerRequestSchema,
  projectDeletedSchema,
  projectListItemSchema,
  projectListQuerySchema,
  projectPatchSchema,
  projectSnapshotSchema,
  projectUsageSchema,
} from './api.ts';
import { batchCheckSchema, batchDetailSchema, batchRequestSchema, batchSchema } from './batch.ts';
import { queuePositionSchema, renderEstimateSchema } from './estimate.ts';
import {
  branchRequestSchema,
  checkpointEntrySchema,
  checkpointRequestSchema,
  checkpointResponseSchema,
  diffQuerySchema,
  diffResponseSchema,
  historyQuerySchema,
  restoreResponseSchema,
} from './history.ts';
import {
  approvalIdSchema,
  assetIdSchema,
  batchIdSchema,
  checkpointIdSchema,
  messageIdSchema,
  projectIdSchema,
  renderIdSchema,
  scheduleIdSchema,
  tokenIdSchema,
} from './ids.ts';
import { verifyLineSchema } from './maintenance.ts';
import {
  mcpRiskRequestSchema,
  mcpSearchRequestSchema,
  mcpServerRequestSchema,
  mcpSettingsSchema,
  mcpTestSchema,
  serverNameSchema,
} from './mcp-servers.ts';
import { foundServersSchema, modelTestLineSchema } from './model-servers.ts';
import { projectPathSchema } from './paths.ts';
import { assetSchema, projectSchema, sandboxStateSchema } from './project.ts';
import { liveFileName, renderRequestSchema, renderSchema } from './render.ts';
import { fileListSchema, stageInfoSchema } from './sandbox/answers.ts';
import {
  shellNameSchema,
  shellSchema,
  shellsResponseSchema,
  terminalInputSchema,
  terminalNameSchema,
  terminalSizeSchema,
} from './sandbox/shells.ts';
import {
  checkedScheduleSchema,
  createdScheduleSchema,
  schedulePatchSchema,
  scheduleRequestSchema,
  scheduleRunSchema,
  scheduleSchema,
  scheduleTimesRequestSchema,
  scheduleTimesSchema,
} from './schedules.ts';
import { aboutSchema, modelSettingsRequestSchema, modelSettingsSchema, settingsSchema } from './settings.ts';
import { surfaceActionSchema } from './surface/surface.ts';
import { actionCallSchema, actionResultSchema, toolCallResultSchema, toolInfoSchema } from './tools.ts';

const project = z.object({ id: projectIdSchema });
const checkpoint = project.extend({ cid: checkpointIdSchema });
const mcpServer = z.object({ name: serverNameSchema });
const asset = project.extend({ aid: assetIdSchema });
const render = z.object({ id: renderIdSchema });
const batch = project.extend({ batchId: batchIdSchema });
const schedule = z.object({ id: scheduleIdSchema });
const terminal = project.extend({ name: terminalNameSchema });
/** `path` is the only parameter that may contain slashes. */
const file = project.extend({ path: z.string() });
/** The project id followed by “.git”. */
const repository = z.object({ repository: z.string() });
const trueOrFalse = z.enum(['true', 'false']);

const items = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item) });
const accepted = z.object({ accepted: z.literal(true) });
const deleted = z.object({ deleted: z.literal(true) });
const sandbox = z.object({ state: sandboxStateSchema, previewUrl: z.string().nullable() });
const eventNumber = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

const binary = 'application/octet-stream';
const lines = 'application/x-ndjson';
const events = 'text/event-stream';

/**
 * Endpoint of the HTTP API. `path` is an OpenAPI template. A response is either JSON with a schema, or bytes of a media type;
 * in line-delimited JSON, `line` is the schema of one line.
 */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  readonly path: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType | null;
  readonly response?: z.ZodType;
  readonly status?: 200 | 201 | 202;
  readonly produces?: string;
  readonly line?: z.ZodType;
}

/**
 * All endpoints of the HTTP API, except those of a single kind of project. The server's routes, the OpenAPI document and all
 * clients derive from this table and those of the kinds.
 */
export const routes = {
  health: { method: 'get', path: '/api/health', response: healthResponseSchema },
  ready: { method: 'get', path: '/api/ready', response: z.object({ ready: z.literal(true) }) },
  checkModels: { method: 'post', path: '/api/models/check', response: modelChecksSchema },
  about: { method: 'get', path: '/api/about', response: aboutSchema },
  settings: { method: 'get', path: '/api/settings', response: settingsSchema },
  saveModel: { method: 'put', path: '/api/settings/model', body: modelSettingsRequestSchema, response: modelSettingsSchema },
  removeModelKey: { method: 'delete', path: '/api/settings/model/key', response: modelSettingsSchema },
  testModel: {
    method: 'post',
    path: '/api/settings/model/test',
    body: modelSettingsRequestSchema,
    produces: lines,
    line: modelTestLineSchema,
  },
  modelServers: { method: 'get', path: '/api/settings/model/servers', response: foundServersSchema },

  mcpServers: { method: 'get', path: '/api/settings/mcp-servers', response: mcpSettingsSchema },
  saveMcpServer: {
    method: 'put',
    path: '/api/settings/mcp-servers/{name}',
    params: mcpServer,
    body: mcpServerRequestSchema,
    response: mcpSettingsSchema,
  },
  removeMcpServer: {
    method: 'delete',
    path: '/api/settings/mcp-servers/{name}',
    params: mcpServer,
    response: mcpSettingsSchema,
  },
  testMcpServer: {
    method: 'post',
    path: '/api/settings/mcp-servers/{name}/test',
    params: mcpServer,
    body: mcpServerRequestSchema,
    response: mcpTestSchema,
  },
  setMcpRisk: { method: 'put', path: '/api/settings/mcp-risk', body: mcpRiskRequestSchema, response: mcpSettingsSchema },
  setMcpSearch: { method: 'put', path: '/api/settings/mcp-search', body: mcpSearchRequestSchema, response: mcpSettingsSchema },

  session: { method: 'get', path: '/api/session', response: sessionSchema },
  signIn: { method: 'post', path: '/api/session', body: signInRequestSchema, response: sessionSchema },
  signOut: { method: 'delete', path: '/api/session', response: sessionSchema },
  tokens: { method: 'get', path: '/api/tokens', response: items(tokenSchema) },
  createToken: { method: 'post', path: '/api/tokens', body: tokenRequestSchema, status: 201, response: createdTokenSchema },
  revokeToken: { method: 'delete', path: '/api/tokens/{id}', params: z.object({ id: tokenIdSchema }), response: deleted },

  createProject: {
    method: 'post',
    path: '/api/projects',
    body: createProjectRequestSchema,
    status: 201,
    response: projectSchema,
  },
  importProject: {
    method: 'post',
    path: '/api/projects/import',
    query: z.object({ kind: z.string().max(60).default('animation') }),
    body: null,
    status: 201,
    response: projectSchema,
  },
  projects: { method: 'get', path: '/api/projects', query: projectListQuerySchema, response: page(projectListItemSchema) },
  project: { method: 'get', path: '/api/projects/{id}', params: project, response: projectSnapshotSchema },
  renameProject: {
    method: 'patch',
    path: '/api/projects/{id}',
    params: project,
    body: projectPatchSchema,
    response: projectSchema,
  },
  deleteProject: {
    method: 'delete',
    path: '/api/projects/{id}',
    params: project,
    query: z.object({ now: trueOrFalse.default('false') }),
    response: projectDeletedSchema,
  },
  restoreProject: { method: 'post', path: '/api/projects/{id}/restore', params: project, response: projectSchema },
  branchProject: {
    method: 'post',
    path: '/api/projects/{id}/branch',
    params: project,
    body: branchRequestSchema,
    status: 201,
    response: projectSchema,
  },
  projectUsage: {
    method: 'get',
    path: '/api/projects/{id}/usage',
    params: project,
    response: projectUsageSchema,
  },

  sendMessage: {
    method: 'post',
    path: '/api/projects/{id}/messages',
    params: project,
    body: messageRequestSchema,
    status: 201,
    /** `queued`: the agent is running and reads the message at the next tool boundary. */
    response: z.object({ messageId: messageIdSchema, queued: z.boolean() }),
  },
  withdrawMessage: {
    method: 'delete',
    path: '/api/projects/{id}/messages/{mid}',
    params: project.extend({ mid: messageIdSchema }),
    status: 202,
    response: accepted,
  },
  answerQuestion: {
    method: 'post',
    path: '/api/projects/{id}/answer',
    params: project,
    body: answerRequestSchema,
    status: 202,
    response: accepted,
  },
  revokePermission: {
    method: 'delete',
    path: '/api/projects/{id}/permissions/{approvalId}',
    params: project.extend({ approvalId: approvalIdSchema }),
    status: 202,
    response: accepted,
  },
  act: {
    method: 'post',
    path: '/api/projects/{id}/actions',
    params: project,
    body: surfaceActionSchema,
    status: 202,
    /** `executionMs`: run time of the action's tool. */
    response: z.object({ accepted: z.literal(true), tool: z.string(), executionMs: z.int() }),
  },
  tools: {
    method: 'get',
    path: '/api/projects/{id}/tools',
    params: project,
    response: z.object({ tools: z.array(toolInfoSchema) }),
  },
  callTool: {
    method: 'post',
    path: '/api/projects/{id}/tools/{name}',
    params: project.extend({ name: z.string().min(1).max(60) }),
    body: z.record(z.string(), z.unknown()),
    /** A tool that fails is not a failed request: its error is the result. */
    response: toolCallResultSchema,
  },
  callAction: {
    method: 'post',
    path: '/api/tools/{action}',
    params: z.object({ action: z.string().min(1).max(100) }),
    body: actionCallSchema,
    response: actionResultSchema,
  },
  decidePlan: {
    method: 'post',
    path: '/api/projects/{id}/plan',
    params: project,
    body: planRequestSchema,
    status: 202,
    response: accepted,
  },
  decidePreview: {
    method: 'post',
    path: '/api/projects/{id}/preview',
    params: project,
    body: previewRequestSchema,
    status: 202,
    response: accepted,
  },
  controlPreview: {
    method: 'post',
    path: '/api/projects/{id}/preview/server',
    params: project,
    body: previewServerRequestSchema,
    status: 202,
    response: accepted,
  },
  retry: { method: 'post', path: '/api/projects/{id}/retry', params: project, status: 202, response: accepted },
  stop: { method: 'post', path: '/api/projects/{id}/stop', params: project, status: 202, response: accepted },

  /** The user did something in a page of the project. Pages report it at most every 30 s. */
  reportActivity: { method: 'post', path: '/api/projects/{id}/activity', params: project, status: 202, response: accepted },

  projectEvents: {
    method: 'get',
    path: '/api/projects/{id}/events',
    params: project,
    query: z.object({ after: eventNumber.optional() }),
    produces: events,
  },
  events: { method: 'get', path: '/api/events', query: z.object({ follow: z.array(z.string()) }), produces: events },

  files: {
    method: 'get',
    path: '/api/projects/{id}/files',
    params: project,
    query: z.object({ path: z.string().optional() }),
    response: fileListSchema,
  },
  readFile: { method: 'get', path: '/api/projects/{id}/files/{path}', params: file, produces: binary },
  writeFile: {
    method: 'put',
    path: '/api/projects/{id}/files/{path}',
    params: file,
    body: null,
    response: z.object({ path: z.string(), sizeBytes: z.int() }),
  },
  deleteFile: { method: 'delete', path: '/api/projects/{id}/files/{path}', params: file, response: deleted },

  checkpoints: {
    method: 'get',
    path: '/api/projects/{id}/checkpoints',
    params: project,
    query: historyQuerySchema,
    response: page(checkpointEntrySchema),
  },
  keepCheckpoint: {
    method: 'post',
    path: '/api/projects/{id}/checkpoints',
    params: project,
    body: checkpointRequestSchema,
    status: 201,
    response: checkpointResponseSchema,
  },
  checkpointDiff: {
    method: 'get',
    path: '/api/projects/{id}/checkpoints/{cid}/diff',
    params: checkpoint,
    query: diffQuerySchema,
    response: diffResponseSchema,
  },
  restoreCheckpoint: {
    method: 'post',
    path: '/api/projects/{id}/checkpoints/{cid}/restore',
    params: checkpoint,
    response: restoreResponseSchema,
  },
  checkpointFile: {
    method: 'get',
    path: '/api/projects/{id}/checkpoints/{cid}/files/{path}',
    params: checkpoint.extend({ path: projectPathSchema }),
    produces: binary,
  },
  checkpointArchive: {
    method: 'get',
    path: '/api/projects/{id}/checkpoints/{cid}/archive.zip',
    params: checkpoint,
    produces: 'application/zip',
  },
  gitRefs: {
    method: 'get',
    path: '/git/{repository}/info/refs',
    params: repository,
    query: z.object({ service: z.string().optional() }),
    produces: 'application/x-git-upload-pack-advertisement',
  },
  gitPack: {
    method: 'post',
    path: '/git/{repository}/git-upload-pack',
    params: repository,
    produces: 'application/x-git-upload-pack-result',
  },
  archive: { method: 'get', path: '/api/projects/{id}/archive.zip', params: project, produces: 'application/zip' },

  renders: { method: 'get', path: '/api/projects/{id}/renders', params: project, response: items(renderSchema) },
  startRender: {
    method: 'post',
    path: '/api/projects/{id}/renders',
    params: project,
    body: renderRequestSchema,
    status: 202,
    response: renderSchema,
  },
  estimateRender: {
    method: 'post',
    path: '/api/projects/{id}/renders/estimate',
    params: project,
    body: renderRequestSchema,
    response: renderEstimateSchema,
  },
  renderQueue: { method: 'get', path: '/api/projects/{id}/renders/queue', params: project, response: items(queuePositionSchema) },
  render: { method: 'get', path: '/api/renders/{id}', params: render, response: renderSchema },
  removeRender: { method: 'delete', path: '/api/renders/{id}', params: render, response: deleted },
  batches: { method: 'get', path: '/api/projects/{id}/batches', params: project, response: items(batchSchema) },
  startBatch: {
    method: 'post',
    path: '/api/projects/{id}/batches',
    params: project,
    body: batchRequestSchema,
    status: 202,
    response: batchSchema,
  },
  checkBatch: {
    method: 'post',
    path: '/api/projects/{id}/batches/check',
    params: project,
    body: batchRequestSchema,
    response: batchCheckSchema,
  },
  batch: { method: 'get', path: '/api/projects/{id}/batches/{batchId}', params: batch, response: batchDetailSchema },
  cancelBatch: {
    method: 'post',
    path: '/api/projects/{id}/batches/{batchId}/cancel',
    params: batch,
    response: batchSchema,
  },
  resumeBatch: {
    method: 'post',
    path: '/api/projects/{id}/batches/{batchId}/resume',
    params: batch,
    response: batchSchema,
  },
  retryBatch: {
    method: 'post',
    path: '/api/projects/{id}/batches/{batchId}/retry',
    params: batch,
    response: batchSchema,
  },
  removeBatch: { method: 'delete', path: '/api/projects/{id}/batches/{batchId}', params: batch, response: deleted },
  schedules: {
    method: 'get',
    path: '/api/schedules',
    query: z.object({ project: projectIdSchema.optional() }),
    response: items(scheduleSchema),
  },
  createSchedule: {
    method: 'post',
    path: '/api/schedules',
    body: scheduleRequestSchema,
    status: 201,
    response: createdScheduleSchema,
  },
  scheduleTimes: {
    method: 'post',
    path: '/api/schedules/times',
    body: scheduleTimesRequestSchema,
    response: scheduleTimesSchema,
  },
  checkSchedule: {
    method: 'post',
    path: '/api/schedules/check',
    body: scheduleRequestSchema,
    response: checkedScheduleSchema,
  },
  schedule: { method: 'get', path: '/api/schedules/{id}', params: schedule, response: scheduleSchema },
  changeSchedule: {
    method: 'patch',
    path: '/api/schedules/{id}',
    params: schedule,
    body: schedulePatchSchema,
    response: createdScheduleSchema,
  },
  removeSchedule: { method: 'delete', path: '/api/schedules/{id}', params: schedule, response: deleted },
  scheduleRuns: { method: 'get', path: '/api/schedules/{id}/runs', params: schedule, response: items(scheduleRunSchema) },
  runSchedule: { method: 'post', path: '/api/schedules/{id}/run', params: schedule, status: 202, response: scheduleRunSchema },
  pauseSchedule: { method: 'post', path: '/api/schedules/{id}/pause', params: schedule, response: scheduleSchema },
  resumeSchedule: { method: 'post', path: '/api/schedules/{id}/resume', params: schedule, response: scheduleSchema },
  film: { method: 'get', path: '/api/projects/{id}/film', params: project, response: stageInfoSchema },
  checkParameters: {
    method: 'post',
    path: '/api/projects/{id}/film/check',
    params: project,
    body: parameterCheckRequestSchema,
    response: parameterCheckResponseSchema,
  },
  renderFile: {
    method: 'get',
    path: '/storage/renders/{id}/{file}',
    params: render.extend({ file: z.string() }),
    query: z.object({ download: z.string().optional() }),
    produces: binary,
  },

  liveRender: { method: 'get', path: `/storage/renders/{id}/${liveFileName}`, params: render, produces: 'video/mp4' },

  assets: { method: 'get', path: '/api/projects/{id}/assets', params: project, response: items(assetSchema) },
  uploadAsset: {
    method: 'post',
    path: '/api/projects/{id}/assets',
    params: project,
    body: null,
    status: 201,
    response: assetSchema,
  },
  asset: { method: 'get', path: '/api/projects/{id}/assets/{aid}', params: asset, produces: binary },
  deleteAsset: { method: 'delete', path: '/api/projects/{id}/assets/{aid}', params: asset, response: deleted },

  sandbox: {
    method: 'get',
    path: '/api/projects/{id}/sandbox',
    params: project,
    response: sandbox,
  },
  restartSandbox: {
    method: 'post',
    path: '/api/projects/{id}/sandbox',
    params: project,
    response: sandbox,
  },
  removeSandbox: { method: 'delete', path: '/api/projects/{id}/sandbox', params: project, response: deleted },

  shells: { method: 'get', path: '/api/projects/{id}/shells', params: project, response: shellsResponseSchema },
  openTerminal: {
    method: 'put',
    path: '/api/projects/{id}/shells/{name}',
    params: terminal,
    body: terminalSizeSchema,
    response: shellSchema,
  },
  typeInTerminal: {
    method: 'post',
    path: '/api/projects/{id}/shells/{name}/input',
    params: terminal,
    body: terminalInputSchema,
    response: accepted,
  },
  closeTerminal: { method: 'delete', path: '/api/projects/{id}/shells/{name}', params: terminal, response: deleted },
  shellOutput: {
    method: 'get',
    path: '/api/projects/{id}/shells/{name}/output',
    params: project.extend({ name: shellNameSchema }),
    query: z.object({
      session: z.string().max(64).default(''),
      offset: eventNumber.default(0),
    }),
    produces: lines,
  },

  verify: { method: 'post', path: '/api/verify', produces: lines, line: verifyLineSchema },
  backup: {
    method: 'post',
    path: '/api/backup',
    query: z.object({ renders: trueOrFalse.default('true') }),
    produces: 'application/x-tar',
  },
} as const satisfies Record<string, Route>;

type Query<T> = Partial<T> extends T ? { readonly query?: T } : { readonly query: T };

export type RouteInput<R extends Route> = (R['params'] extends z.ZodType
  ? { readonly [Name in keyof z.input<R['params']>]: string }
  : unknown) &
  (R['query'] extends z.ZodType ? Query<z.input<R['query']>> : unknown) &
  (R['body'] extends z.ZodType ? { readonly body: z.input<R['body']> } : unknown);

export type RouteResponse<R extends Route> = R['response'] extends z.ZodType ? z.output<R['response']> : never;

export type JsonRoute = Route & { readonly response: z.ZodType };

/** Returns a call's URL, relative to the server's origin. Encodes each parameter; `path` is encoded segment by segment. */
export function routeUrl<R extends Route>(route: R, input: RouteInput<R>): string {
  const values: Record<string, unknown> = { ...(input as object) };
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(values[name]);
    return name === 'path' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values['query'] ?? {})) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) query.append(name, String(one));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}

export const cloneUrl = (projectId: string) => `/git/${encodeURIComponent(projectId)}.git`;
