import type { ProjectFilter, ProjectOrder, ProjectSnapshot } from '#contract/api.ts';
import type { EventBody, ProjectEvent } from '#contract/events.ts';
import type { LastingPermission } from '#contract/permission.ts';
import type { Principal } from '#contract/principal.ts';
import type { Approval, ApprovalResponse, Asset, Hints, Message, ModelUsage, Plan, Project, Todo } from '#contract/project.ts';
import type { Render } from '#contract/render.ts';

/** Stored project, including fields that clients never receive. */
export interface ProjectRecord extends Project {
  /** Choices made in addition to the prompt, validated by the project's kind. */
  readonly hints: Hints;
  /** Host label of the preview's origin. Random, so that one preview cannot guess another's. */
  readonly previewLabel: string;
  /** Id of the person to whom the project belongs. */
  readonly owner: string;
}

export interface ListedProject extends ProjectRecord {
  /** URLs of the newest complete render of the whole project, or `null`. */
  readonly thumbnailUrl: string | null;
  readonly videoUrl: string | null;
  readonly deletedAt: string | null;
}

/** Query for a project list. Default: all projects that are not deleted, newest first. */
export interface ProjectQuery {
  readonly cursor: string | null;
  readonly limit: number;
  readonly search: string | null;
  readonly state?: ProjectFilter | undefined;
  readonly kind?: string | undefined;
  readonly exceptKind?: string | undefined;
  readonly sort?: ProjectOrder;
}

export interface SettledApproval {
  readonly approval: Approval;
  readonly callId: string;
  readonly response: ApprovalResponse;
}

/** Durable state of a project after the event numbered `seq`. */
export interface ProjectState {
  readonly project: ProjectRecord;
  readonly plan: Plan | null;
  readonly todos: readonly Todo[];
  readonly messages: readonly Message[];
  readonly approval: (Approval & { readonly callId: string }) | null;
  readonly settled: readonly SettledApproval[];
  /** Lasting permissions, oldest first. */
  readonly permissions: readonly LastingPermission[];
  readonly assets: readonly Asset[];
  readonly renders: readonly Render[];
  readonly usage: ModelUsage;
  readonly seq: number;
}

/**
 * Stores projects as a projection of their events. In one transaction, which is durable on return, `record` appends events
 * and applies each to the tables (`projection.ts`). It then publishes them. Nothing else changes a project's state.
 */
export interface ProjectStore {
  /** Creates a project and its first events, unpublished because no client can follow the project yet. */
  create(input: {
    id: string;
    name: string;
    kind: string;
    prompt: string;
    hints: Hints;
    chips?: ProjectRecord['chips'];
    /** Who creates it, and causes the events. */
    by: Principal;
    events: readonly EventBody[];
  }): Promise<ProjectRecord>;
  get(projectId: string): Promise<ProjectRecord>;
  /** Returns the sequence number of the project's last event, or 0. Throws NOT_FOUND. */
  lastSeq(projectId: string): Promise<number>;
  state(projectId: string): Promise<ProjectState>;
  /** Returns the client's view of a project, from one transaction. Throws NOT_FOUND. */
  snapshot(projectId: string): Promise<ProjectSnapshot>;
  /** Returns plan and messages as they were right after an event. Throws NOT_FOUND. */
  stateAt(projectId: string, seq: number): Promise<{ plan: Plan | null; messages: Message[] }>;
  /** Lists the ids of all projects that are not deleted, or of those with events since a time (ISO 8601). */
  listIds(query: { changedSince: string | null }): Promise<string[]>;
  /** Lists projects with a preview address that are not deleted. */
  listPreviews(): Promise<ProjectRecord[]>;
  list(query: ProjectQuery): Promise<{ items: ListedProject[]; nextCursor: string | null }>;
  record(projectId: string, bodies: readonly EventBody[], extra: RecordExtra): Promise<ProjectEvent[]>;
  /** Hides a project from most methods and cancels its renders, as of `at` (ISO 8601). Throws NOT_FOUND or STORAGE_FULL. */
  markDeleted(projectId: string, at: string, by: Principal): Promise<void>;
  /** Undoes `markDeleted`. Does nothing if the project is not marked. Throws NOT_FOUND if it was removed permanently. */
  restore(projectId: string): Promise<void>;
  /** Lists projects that were marked as deleted at or before that time. */
  listDeleted(before: string): Promise<string[]>;
  /** Deletes a project's rows. Returns its render ids; the caller then deletes all files. Throws NOT_FOUND. */
  delete(projectId: string): Promise<readonly string[]>;
  /** Lists projects to resume at startup: those that were running, and those with due work (`isWorkDue`). */
  listDue(): Promise<string[]>;
  findByPreviewLabel(label: string): Promise<ProjectRecord | null>;
}

export interface RecordExtra {
  /** Who causes the events. */
  readonly by: Principal;
  /** Tool call that opened an `approval.requested`. A resumed run finds its approval by it. */
  readonly callId?: string;
}
