import type { EventBody } from '#contract/events.ts';
import type { PlanDraft } from '#contract/film.ts';
import type { ApprovalResponse, Todo } from '#contract/project.ts';
import type { Render, RenderRequest } from '#contract/render.ts';
import type { SurfaceMessages } from '#contract/surface.ts';
import type { Read } from '#contract/surface-messages.ts';
import type { AgentPermission, GenerateCodeTask, GeneratedCode, ToolInput } from '#contract/tools.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CheckReport } from './checks/check-work.ts';

/** Approval that a tool opens. Only one can wait for the user at a time. */
export interface ApprovalRequest {
  readonly type: 'question' | 'plan' | 'preview';
  readonly content: string;
  readonly options: readonly { id: string; label: string; description?: string | undefined }[];
  readonly plan: PlanDraft | null;
  readonly surface?: SurfaceMessages | undefined;
}

/** A designed kind of scene, as language models choose and fill it. */
export interface FormatInfo {
  readonly id: string;
  readonly title: string;
  readonly use: string;
  readonly avoid: string;
  /** JSON schema of its fields. */
  readonly schema: Record<string, unknown>;
  readonly example: unknown;
}

type File = { readonly path: string; readonly content: string };

/** A film as a language model has set it: `problems` say for each field what is wrong with it. */
export type ScenesSet =
  | { readonly problems: readonly string[] }
  | {
      readonly plan: PlanDraft;
      /** What follows for the files, which exist once the plan is accepted. */
      readonly files: readonly File[];
      readonly deleted: readonly string[];
      /** What differs from what was asked for, in sentences. */
      readonly notes: readonly string[];
    };

/** Result of a failed check, or, without problems, of a check with warnings to consider first. */
export interface CheckFailure {
  /** The todo that the work belongs to; null when none is at work. */
  readonly title: string | null;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
  /** If none are left, the todo has failed and the run ends. */
  readonly attempts: { readonly made: number; readonly left: number } | null;
}

/**
 * Everything that a tool may do: it affects one project, through these functions. `projects` implements it; a tool never sees a
 * database, a container or a browser.
 */
export interface ToolContext {
  readonly projectId: string;
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Permissions that the user's settings grant in addition to those of the phase. */
  readonly agentPermissions: ReadonlySet<AgentPermission>;
  /** Returns the running sandbox, or a new one from the last checkpoint. */
  sandbox(): Promise<{ sandbox: Sandbox; created: boolean }>;
  destroySandbox(): Promise<void>;
  emit(...bodies: EventBody[]): Promise<void>;
  /** The formats of the project's kind. */
  formats(): Promise<readonly FormatInfo[]>;
  /** Checks a whole film and says what follows from it; `files` reads the current ones. Changes nothing. */
  setScenes(input: ToolInput<'set_scenes'>, files: () => Promise<readonly File[]>): Promise<ScenesSet>;
  /** The plan if it has a film, as after `set_scenes`; also once it is accepted, when the call that waited is resumed. */
  draftPlan(): Promise<PlanDraft | null>;
  /**
   * Makes the accepted plan follow a change of the film. Before it is accepted, stores the plan that is proposed next. Throws
   * INVALID_PLAN with the reasons.
   */
  updatePlan(plan: PlanDraft): Promise<void>;
  /** Returns the user's response, or `null` as long as there is none. Throws INVALID_PLAN or INVALID_TRANSITION. */
  requestApproval(request: ApprovalRequest): Promise<ApprovalResponse | null>;
  /** Sets a todo's status. Returns its title, or `null` if the todo does not exist. */
  setTodo(todoId: string, status: 'pending' | 'active' | 'done' | 'failed'): Promise<string | null>;
  activeTodo(): Promise<Todo | null>;
  /** Completes the active todo and activates the next one. Returns all todos, and the title of the completed one. */
  advanceTodos(): Promise<{ todos: readonly Todo[]; ended: string | null }>;
  addMessage(content: string): Promise<string>;
  /** Shows or extends a surface. Returns the id of its message. */
  showSurface(content: string, messages: SurfaceMessages): Promise<Read<string>>;
  /**
   * Saves this call's changes as a checkpoint, from the sandbox that the call used. `title` is its entry in the history. Throws
   * SANDBOX_DEAD if that sandbox no longer exists; its changes are lost then, and the call must be repeated.
   */
  saveWork(title: string): Promise<void>;
  /** Saves a checkpoint if something changed. `title` defaults to that of the trigger. */
  checkpoint(trigger: string, title?: string): Promise<void>;
  /** Generates the files of a task. `files` reads the current ones. */
  generate(task: GenerateCodeTask, files: () => Promise<{ path: string; content: string }[]>): Promise<GeneratedCode>;
  render(request: RenderRequest): Promise<Render>;
  previewRendered(): Promise<void>;
  /** Checks types, page and frames of the whole film (A8). `failure`: consequence for the todo that this check belongs to. */
  checkFilm(): Promise<CheckReport & { readonly failure: CheckFailure | null }>;
  /** Checks the todo, or with `null` the film. Returns `null` if it passes. */
  checkBeforeDone(todoId: string | null): Promise<CheckFailure | null>;
  /** Returns the address of the live preview in the user's browser. */
  previewUrl(): Promise<string>;
}
