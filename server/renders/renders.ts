import type { Principal } from '#contract/principal.ts';
import type { Render, RenderRequest } from '#contract/render.ts';
import type { RenderSubject } from './settings.ts';

export interface RenderPort {
  /** Throws LIMIT_EXCEEDED if the request exceeds its preset. */
  start(projectId: string, request: RenderRequest, film: RenderSubject, options: { by: Principal; id?: string }): Promise<Render>;
  /** As `start`, but records and starts nothing: record `render.queued` with other events, then call `enqueue`. */
  prepare(projectId: string, request: RenderRequest, film: RenderSubject): Render;
  enqueue(render: Render): void;
  wait(renderId: string, options: { signal: AbortSignal }): Promise<Render>;
  /** Idempotent. Takes effect within a second. */
  cancel(renderId: string, by: Principal): Promise<void>;
  removeFiles(renderId: string): Promise<void>;
}
