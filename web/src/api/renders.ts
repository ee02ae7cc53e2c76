import type { z } from 'zod';
import type { ParameterValues, renderRequestSchema } from '../../../server/contract/render.ts';
import { routes } from '../../../server/contract/routes.ts';
import { call } from './client.ts';

export type RenderRequestInput = z.input<typeof renderRequestSchema>;

/** Calls about renders. Each one throws an ApiError. */
export const renderApi = {
  start: (id: string, body: RenderRequestInput) => call(routes.startRender, { id, body }),
  /** What such a render would cost; nothing is begun. */
  estimate: (id: string, body: RenderRequestInput, signal: AbortSignal) => call(routes.estimateRender, { id, body }, { signal }),
  /** When those that wait will have their turn. */
  queue: (id: string, signal: AbortSignal) => call(routes.renderQueue, { id }, { signal }),
  /** What the film says of itself. Starts a sandbox when none is running. */
  film: (id: string, signal: AbortSignal) => call(routes.film, { id }, { signal }),
  /** What is wrong with these values for the film's parameters, in a sentence; null = nothing. */
  async checkParameters(id: string, values: ParameterValues, signal: AbortSignal): Promise<string | null> {
    return (await call(routes.checkParameters, { id, body: { sets: [values] } }, { signal })).problems[0] ?? null;
  },
  /** Cancels a render at work, deletes a finished one. `leaving`: the page is about to go, and the request outlives it. */
  remove: (id: string, { leaving } = { leaving: false }) => call(routes.removeRender, { id }, { keepalive: leaving }),
};
