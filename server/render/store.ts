import type { Render } from '../contract/render.ts';

/**
 * The renders as they are kept. Rows are written by events alone: `render.queued`, `render.complete` and
 * `render.failed` carry the whole render and replace the row, `render.progress` sets status, percent and stage.
 */
export interface RenderStore {
  /** Throws NOT_FOUND. */
  get(renderId: string): Promise<Render>;
  /** Newest first. */
  list(projectId: string): Promise<Render[]>;
  /** The newest complete ones of all projects, at most that many, newest first. */
  recentComplete(limit: number): Promise<Render[]>;
  /** Queued and running ones of all projects, oldest first: what was left when the server stopped. */
  listUnfinished(): Promise<Render[]>;
  /** How many `render.queued` events there are of a render: 1 = it never had to begin again. */
  timesQueued(renderId: string): Promise<number>;
  /** Finished previews (`settings.kind`) whose `finishedAt` is earlier than that moment (ISO 8601). */
  previewsFinishedBefore(moment: string): Promise<Render[]>;
  /** Which of these renders exist. */
  existing(renderIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes the row; fine when it is gone. */
  delete(renderId: string): Promise<void>;
}
