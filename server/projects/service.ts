import type { AnswerRequest, CreateProjectRequest, PlanRequest, PreviewRequest } from '../contract/api.ts';
import type { ProjectRecord } from '../storage/projects.ts';
import type { HistoryCommands } from './history.ts';

/**
 * Everything a user can do with a project. Each method either throws a KodaError and changes nothing, or
 * returns when the effect is durable; the agent's work that follows goes on in the background and is told
 * by events.
 */
export interface ProjectService {
  readonly history: HistoryCommands;
  create(request: CreateProjectRequest, options?: { id: string }): Promise<ProjectRecord>;
  rename(projectId: string, name: string): Promise<void>;
  /** A message at any time: an answer at an approval, an instruction during execution (queued), an edit when complete. */
  message(projectId: string, content: string, options?: { id: string }): Promise<{ messageId: string; queued: boolean }>;
  /** Takes a message back that waits. Throws NOT_FOUND, or INVALID_TRANSITION once it was taken into account. */
  withdraw(projectId: string, messageId: string): Promise<void>;
  answer(projectId: string, answer: AnswerRequest): Promise<void>;
  decidePlan(projectId: string, request: PlanRequest): Promise<void>;
  decidePreview(projectId: string, request: PreviewRequest): Promise<void>;
  retry(projectId: string): Promise<void>;
  /** Ends the run within a moment; the project stays consistent and can be retried. */
  stop(projectId: string): Promise<void>;
  /**
   * Stops, destroys the sandbox and hides the project, its rows and files kept until the answered moment (ISO 8601), so
   * that it can be restored; with `now`, or when the disk is full, they are deleted at once, which is answered by null.
   */
  remove(projectId: string, options: { now: boolean }): Promise<{ restorableUntil: string | null }>;
  /** Undoes `remove`. Throws NOT_FOUND when it is gone for good. */
  restore(projectId: string): Promise<ProjectRecord>;
  /** Deletes what was removed and is not kept any more, or with `all`, at any time (`nowMs` since 1970); how many. */
  removeExpired(options: { nowMs: number; all: boolean }): Promise<number>;
  /** A viewer looks at the project: its preview is brought up when it is down. */
  wakePreview(projectId: string): Promise<void>;
  /** Somebody looks at the project until the returned function is called; meanwhile its sandbox stays. */
  viewer(projectId: string): () => void;
  /** Saves what changed in running sandboxes without anybody telling (A21). */
  autosave(options: { signal: AbortSignal }): Promise<void>;
  /** Saves and ends sandboxes that nobody has needed for 5 minutes; how many. */
  suspendIdle(options: { signal: AbortSignal }): Promise<number>;
  /** Continues what was at work when the server stopped. */
  recover(): Promise<void>;
  /** Stops all runs without failing their projects, and saves all files; they continue after `recover`. */
  shutdown(): Promise<void>;
}
