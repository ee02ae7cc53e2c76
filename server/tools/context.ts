import type { EventBody } from '#contract/events.ts';
import type { PlanDraft } from '#contract/film.ts';
import type { ApprovalResponse, Todo } from '#contract/project.ts';
import type { Render, RenderRequest } from '#contract/render.ts';
import type { SurfaceMessages } from '#contract/surface.ts';
import type { Read } from '#contract/surface-messages.ts';
import type { Boundary, GenerateCodeTask, GeneratedCode, ToolInput } from '#contract/tools.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { CheckReport } from './checks/check-work.ts';

/** An approval that a tool opens. Exactly one of them waits for the user at a time. */
export interface ApprovalRequest {
  readonly type: 'question' | 'plan' | 'preview';
  readonly content: string;
  readonly options: readonly { id: string; label: string; description?: string | undefined }[];
  readonly plan: PlanDraft | null;
  /** What a question is answered on, in place of options. */
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

/** Why work does not count as done: its check failed, or (without problems) found something to look at first. */
export interface Refusal {
  /** The todo that the work belongs to; null when none is at work. */
  readonly title: string | null;
  readonly problems: readonly string[];
  /** What looks wrong and may be meant so: reported once. */
  readonly remarks: readonly string[];
  /** With none left the todo has failed, and the run ends. */
  readonly attempts: { readonly made: number; readonly left: number } | null;
}

/**
 * What a tool may touch: one project, through these functions. `projects` implements it; a tool never
 * sees a database, a container or a browser.
 */
export interface ToolContext {
  readonly projectId: string;
  readonly callId: string;
  readonly signal: AbortSignal;
  /** What the user's settings allow the agent beyond its phase. */
  readonly agentMay: ReadonlySet<Boundary>;
  /** The project's sandbox: the running one, or a new one filled from the last checkpoint. */
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
  /** The user's answer to what this call asks; null while there is none. Throws INVALID_PLAN and INVALID_TRANSITION. */
  requestApproval(request: ApprovalRequest): Promise<ApprovalResponse | null>;
  /** Sets the status of a todo and returns its title; null when there is no such todo. */
  setTodo(todoId: string, status: 'pending' | 'active' | 'done' | 'failed'): Promise<string | null>;
  /** The todo at work; null when there is none. */
  activeTodo(): Promise<Todo | null>;
  /** Marks what is active as done and what comes next as active: all todos as they are then, and the title of what ended. */
  advanceTodos(): Promise<{ todos: readonly Todo[]; ended: string | null }>;
  addMessage(content: string): Promise<string>;
  /** Shows a surface below a message, or pieces of one that is shown already; the id of its message. */
  showSurface(content: string, messages: SurfaceMessages): Promise<Read<string>>;
  /**
   * Saves what this call wrote, from the sandbox that it was given. Throws SANDBOX_DEAD when that one is gone: then what
   * it wrote is gone, too, and the call has to be made again. `title` says what was done, for the project's history.
   */
  keepWork(title: string): Promise<void>;
  /** Saves a checkpoint when something changed; `title` where the trigger alone says too little. */
  checkpoint(trigger: string, title?: string): Promise<void>;
  /** Asks for the files of a task; `files` reads the current ones. */
  generate(task: GenerateCodeTask, files: () => Promise<{ path: string; content: string }[]>): Promise<GeneratedCode>;
  /** Renders and waits for the end; events report the progress. */
  render(request: RenderRequest): Promise<Render>;
  /** Records that the preview video is there: executing → preview. */
  previewRendered(): Promise<void>;
  /** Checks types, page and frames of the whole film (A8). `refusal`: the consequence for the todo whose work this check is. */
  checkFilm(): Promise<CheckReport & { readonly refusal: Refusal | null }>;
  /** Checks the changes: why the todo (null = the film) is not good enough yet; null = it is. */
  refuseUnchecked(todoId: string | null): Promise<Refusal | null>;
  /** Address of the project's live preview in the user's browser. */
  previewUrl(): Promise<string>;
}
