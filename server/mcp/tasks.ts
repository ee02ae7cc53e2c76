import { ErrorCode, McpError, type Result } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { KodaError } from '#contract/errors.ts';
import { renderIdSchema } from '#contract/ids.ts';
import type { Render } from '#contract/render.ts';
import { assertVisible, type ToolCall } from './tool.ts';

/** Extension for clients that poll the result of a long call instead of waiting for it. A render is Koda's only task. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

const pollIntervalMs = 2_000;
const requestSchema = z.object({ taskId: renderIdSchema });

/** Returns what a client is told of a render when it polls it. */
export function taskOf(render: Render): Result {
  const { id: taskId, status, percent, stage, createdAt, finishedAt } = render;
  const isRunning = status === 'queued' || status === 'running';
  const ended = status === 'cancelled' ? 'cancelled' : 'completed';
  return {
    ...{ taskId, status: isRunning ? 'working' : ended, createdAt, ttlMs: null },
    ...(isRunning && { statusMessage: `${stage ?? status}: ${Math.round(percent)} %`, pollIntervalMs }),
    lastUpdatedAt: finishedAt ?? (isRunning ? new Date().toISOString() : createdAt),
  };
}

/** Runs a request about a task. `resultOf` returns the result that the call would have had. */
export async function runTaskRequest(
  call: ToolCall,
  { method, params }: { readonly method: string; readonly params: unknown },
  resultOf: (render: Render) => Result,
): Promise<Result> {
  const parsed = requestSchema.safeParse(params);
  if (!parsed.success) throw new KodaError('NOT_FOUND', 'There is no such task.');
  const render = await call.studio.renders.get(parsed.data.taskId);
  assertVisible(call.caller, render.projectId);
  const task = taskOf(render);
  switch (method) {
    case 'tasks/get':
      return task['status'] === 'completed' ? { ...task, result: resultOf(render) } : task;
    case 'tasks/cancel':
      if (task['status'] === 'working') await call.studio.removeRender(render.id);
      return {};
    case 'tasks/update':
      // A render asks for nothing, so there is no response to take.
      return {};
    default:
      throw new McpError(ErrorCode.MethodNotFound, 'Method not found');
  }
}
