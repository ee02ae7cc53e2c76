import type { Plan } from '../contract/project.ts';
import type { Render, RenderRequest } from '../contract/render.ts';

/** Videos of a project; progress and results are events. */
export interface RenderPort {
  /** Throws LIMIT_EXCEEDED when the request does not fit the preset it names. */
  start(projectId: string, request: RenderRequest, plan: Plan, options?: { id: string }): Promise<Render>;
  /** The render when it is complete, failed or cancelled. */
  wait(renderId: string, options: { signal: AbortSignal }): Promise<Render>;
  /** Idempotent; takes effect within a second. */
  cancel(renderId: string): Promise<void>;
  /** Deletes the files of a render whose row went with its project. */
  removeFiles(renderId: string): Promise<void>;
}
