import { z } from 'zod';
import { parameterCheckResponseSchema } from '../../../server/contract/api.ts';
import { queueTurnSchema, renderEstimateSchema } from '../../../server/contract/estimate.ts';
import { type ParameterValues, type renderRequestSchema, renderSchema } from '../../../server/contract/render.ts';
import { stageInfoSchema } from '../../../server/contract/sandboxd.ts';
import { getJson, jsonInit, send } from './client.ts';

const project = (projectId: string) => `/api/projects/${encodeURIComponent(projectId)}`;
const render = (renderId: string) => `/api/renders/${encodeURIComponent(renderId)}`;
const queueSchema = z.object({ items: z.array(queueTurnSchema) });

export type RenderRequestInput = z.input<typeof renderRequestSchema>;

/** Calls about renders. Each one throws an ApiError. */
export const renderApi = {
  async start(projectId: string, request: RenderRequestInput) {
    const response = await send(`${project(projectId)}/renders`, jsonInit('POST', request));
    return renderSchema.parse(await response.json());
  },
  /** What such a render would cost; nothing is begun. */
  async estimate(projectId: string, request: RenderRequestInput, signal: AbortSignal) {
    const response = await send(`${project(projectId)}/renders/estimate`, { ...jsonInit('POST', request), signal });
    return renderEstimateSchema.parse(await response.json());
  },
  /** When those that wait will have their turn. */
  queue: (projectId: string, signal: AbortSignal) => getJson(`${project(projectId)}/renders/queue`, queueSchema, signal),
  /** What the film says of itself. Starts a sandbox when none is running. */
  film: (projectId: string, signal: AbortSignal) => getJson(`${project(projectId)}/film`, stageInfoSchema, signal),
  /** What is wrong with these values for the film's parameters, in a sentence; null = nothing. */
  async checkParameters(projectId: string, values: ParameterValues, signal: AbortSignal): Promise<string | null> {
    const response = await send(`${project(projectId)}/film/check`, { ...jsonInit('POST', { sets: [values] }), signal });
    return parameterCheckResponseSchema.parse(await response.json()).problems[0] ?? null;
  },
  /** Cancels a render at work, deletes a finished one. `leaving`: the page is about to go, and the request outlives it. */
  async remove(renderId: string, { leaving } = { leaving: false }): Promise<void> {
    await send(render(renderId), { method: 'DELETE', keepalive: leaving });
  },
};
