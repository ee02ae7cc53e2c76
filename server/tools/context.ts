import type { EventBody } from '#contract/events.ts';
import type { Permission } from '#contract/permission.ts';
import type { Approval, ApprovalResponse, Asset, OutlineEdit, PlanDraft, Todo } from '#contract/project.ts';
import type { Render, RenderRequest } from '#contract/render.ts';
import type { Read } from '#contract/surface/messages.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import type { AgentPermission, GenerateCodeTask, GeneratedCode } from '#contract/tools.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ProjectState } from '../storage/projects.ts';

/** Approval that a tool opens. Only one can be pending at a time. */
export interface ApprovalRequest {
  readonly type: Approval['type'];
  readonly content: string;
  readonly options: readonly { id: string; label: string; description?: string | undefined }[];
  readonly plan: PlanDraft | null;
  readonly surface?: SurfaceMessages | undefined;
  readonly permission?: PermissionRequest;
}

/** Call that needs permission. `isSearch`: no earlier permission applies once the model has read untrusted content. */
export type PermissionRequest = Omit<Permission, 'reason'> & { readonly isSearch: boolean };

export interface CheckReport {
  readonly problems: readonly string[];
  /** Findings that may be intentional. */
  readonly warnings: readonly string[];
  /** Differences between the document and what the project shows, in sentences for the user. */
  readonly differences: readonly string[];
  /** Result of the check as JSON for language models. `null` if it could not run yet. */
  readonly info: unknown;
  /** JPEG in base64. `null` unless requested. */
  readonly contactSheet: string | null;
}

/** Files that the code generator has written and what their check found. The generator corrects them. */
export interface Correction extends Pick<CheckReport, 'problems' | 'contactSheet'> {
  readonly generated: GeneratedCode;
  /** Findings that the generator may have intended. */
  readonly remarks: readonly string[];
}

/** Result of a failed check, or of a check that only has warnings to consider first. */
export interface CheckFailure {
  /** Title of the todo that the work belongs to. `null` if no todo is active. */
  readonly title: string | null;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** If none are left, the todo has failed and the run ends. */
  readonly attempts: { readonly made: number; readonly left: number } | null;
}

/** The button that calls a tool, on a surface that is still shown. Both methods throw if the surface has been answered. */
export interface Pressed {
  choose(optionId: string): Promise<void>;
  submit(values: Readonly<Record<string, unknown>>): Promise<void>;
}

/**
 * Everything that a tool can access: one project, through these functions. `projects` implements it; a tool has no access to
 * databases, containers or browsers.
 */
export interface ToolContext {
  readonly projectId: string;
  readonly signal: AbortSignal;
  /** `null` unless the call answers a surface. */
  readonly pressed: Pressed | null;
  /** Folders that the call may write to. `./` stands for configuration files in the root. */
  readonly writableRoots: readonly string[];
  /** Whether the caller can see images. */
  readonly supportsImages: boolean;
  /** Returns whether the operator's settings, or a message from the user, grant a permission in addition to the phase's. */
  isPermitted(permission: AgentPermission): Promise<boolean>;
  /** Returns the running sandbox, or a new one from the last checkpoint. */
  sandbox(): Promise<{ sandbox: Sandbox; created: boolean }>;
  /** Returns whether the project waits for other projects' sandboxes to end. */
  waitsForSandbox(): boolean;
  destroySandbox(): Promise<void>;
  emit(...bodies: EventBody[]): Promise<void>;
  project(): Promise<Pick<ProjectState, 'plan' | 'todos' | 'assets'>>;
  /** Returns the plan that an outline describes. Throws INVALID_PLAN with the reasons. */
  planFrom(outline: OutlineEdit): Promise<PlanDraft>;
  /**
   * Updates the accepted plan to match an edit to the document. If no plan has been accepted yet, stores the updated plan as
   * the next proposal. Throws INVALID_PLAN with the reasons.
   */
  updatePlan(plan: PlanDraft): Promise<void>;
  /** Applies an edited outline to the plan. Throws INVALID_PLAN with the reasons. */
  updateOutline(outline: OutlineEdit): Promise<void>;
  /** Returns the user's response, or `null` until there is one. Throws INVALID_PLAN or INVALID_TRANSITION. */
  requestApproval(request: ApprovalRequest): Promise<ApprovalResponse | null>;
  setTodo(todoId: string, status: 'pending' | 'active' | 'done' | 'failed'): Promise<string | null>;
  /** Completes the active todo and activates the next one. Returns all todos, and the title of the completed one. */
  advanceTodos(): Promise<{ todos: readonly Todo[]; ended: string | null }>;
  addMessage(content: string): Promise<string>;
  showSurface(content: string, messages: SurfaceMessages): Promise<Read<string>>;
  /**
   * Saves what this call has changed since it last saved as a checkpoint, from the sandbox that the call used. `title` is its entry
   * in the history. Throws SANDBOX_DEAD if that sandbox no longer exists; its changes are lost then, and the call must be repeated.
   */
  saveWork(title: string): Promise<void>;
  /** Saves a checkpoint if something has changed. `title` defaults to the trigger's title. */
  checkpoint(trigger: string, title?: string): Promise<void>;
  /**
   * Generates the files for a task, and publishes them meanwhile. `files`: those before the task. `corrections`: earlier responses to
   * this task, oldest first.
   */
  generate(
    task: GenerateCodeTask,
    files: readonly { path: string; content: string }[],
    corrections: readonly Correction[],
  ): Promise<GeneratedCode>;
  /** Checks what a task has written: its types, and if they are right, its frames. Counts no attempt. */
  checkGenerated(task: GenerateCodeTask): Promise<CheckReport>;
  /**
   * Stores a file as an upload, which is also placed in the sandbox. Throws UNSUPPORTED_TYPE, TOO_LARGE or STORAGE_FULL, as for
   * the user's uploads.
   */
  addAsset(file: { readonly name: string; readonly content: AsyncIterable<Uint8Array> }): Promise<Asset>;
  render(request: RenderRequest): Promise<Render>;
  /**
   * Ends the run if the user's messages only requested a render: the work is unchanged, so it needs neither a check nor a preview.
   * `message` tells the user about it. Returns whether the run has ended.
   */
  endWithRender(message: string | null): Promise<boolean>;
  previewRendered(): Promise<void>;
  /** Checks everything. `failure`: consequence for the todo that this check belongs to. */
  checkAll(): Promise<CheckReport & { readonly failure: CheckFailure | null }>;
  /**
   * Checks the todo, or everything if `null`. `failure` is `null` if the check passes. `contactSheet`: the frames, if this check has
   * captured any.
   */
  checkBeforeDone(todoId: string | null): Promise<{ readonly failure: CheckFailure | null } & Pick<CheckReport, 'contactSheet'>>;
  previewUrl(): Promise<string>;
}
