import type { ApprovalResponse, ModelUsage, Plan, PlanDraft } from '#contract/project.ts';
import type { GenerateCodeTask, GeneratedCode } from '#contract/tools.ts';
import type { ApprovalRequest, Correction, ToolContext } from '../tools/context.ts';
import type { ToolRegistry, ToolResult } from '../tools/tool.ts';
import type { Assignment, AuthorContext, SourceFile, Written } from './assignment.ts';

/** Question to the user. `callId` matches the answer to a tool call; `null` if no call is waiting. */
export interface Question extends Pick<ApprovalRequest, 'content' | 'options' | 'surface'> {
  readonly callId: string | null;
}

export interface Proposal {
  readonly callId: string | null;
  readonly content: string;
  readonly plan: PlanDraft;
}

type Awaitable<T> = T | Promise<T>;

interface AnyAuthor {
  readonly kind: string;
  readonly name: string;
  canResume(transcript: readonly unknown[]): boolean;
  /** Generates the files of a `generate_code` call. Only authors that call this tool have it. */
  generate?(job: GenerateJob, run: AuthorRun): Promise<GeneratedCode>;
}

/**
 * Author of projects with a plan. The project's runner (`projects/work.ts`) owns phases, approvals, todos, checks, checkpoints and
 * the preview, and calls the author once for each question, plan and todo. Errors from the author end the run. Each method may ask
 * the user (`run.responseTo`), and returns `null` while it waits for an answer or permission.
 */
export interface Builder extends AnyAuthor {
  /** Whether it can repair work that failed its check. If not, only the whole film is checked. */
  readonly canRepair: boolean;
  ask(context: AuthorContext, run: AuthorRun): Awaitable<Question | null>;
  plan(context: AuthorContext, run: AuthorRun): Awaitable<Proposal | null>;
  /** Returns a new plan after the user requested changes. */
  revise(context: AuthorContext, run: AuthorRun): Awaitable<Proposal | null>;
  /**
   * Returns a todo's files, or `null` if there are none to write: the todo needs none, or the author used the sandbox itself.
   */
  write(assignment: Assignment, run: AuthorRun): Awaitable<Written | null>;
}

/** What an author says at the end of its turn. */
export type Reply = Pick<ApprovalRequest, 'content' | 'surface'>;

/** Author of conversations. */
export interface Converser extends AnyAuthor {
  /**
   * Runs one turn, which may call tools, send messages and ask the user (`run.responseTo`). Returns the last message of the turn, or
   * `null` if it has been sent, or while the turn waits for an answer or permission. An interrupted turn is made again.
   */
  converse(context: AuthorContext, run: AuthorRun): Awaitable<Reply | null>;
}

export type Author = Builder | Converser;

/** Request for one JSON value. */
export interface JsonRequest {
  /** Whole prompt: the same text in every request, so that the service can cache it. */
  readonly system: string;
  readonly message: string;
  /** Schema of the value, as the input of a tool that the model has to call. */
  readonly tool: { readonly name: string; readonly description: string; readonly inputSchema: Record<string, unknown> };
}

/**
 * The value, which may have any form, or a sentence on why the response contains none. `isDeclined`: the model would decline the
 * same request again.
 */
export type JsonAnswer = { readonly value: unknown } | { readonly problem: string; readonly isDeclined: boolean };

/**
 * Asks a language model for one JSON value. Throws LIMIT_EXCEEDED if the run's budget is exhausted or the model's context is too
 * small. Errors from the connection propagate.
 */
export type AskForJson = (request: JsonRequest, run: AuthorRun) => Promise<JsonAnswer>;

/** How a language model does a kind's work with answers in JSON, which the kind reads: it writes no code, and calls no tool itself. */
export interface JsonPath<Made extends Author = Author> {
  /** `model`: how the author is named in reports. */
  author(ask: AskForJson, model: Pick<Author, 'kind' | 'name'>): Made;
  /** Returns whether the user asks for work that only code can do. Without it, no model writes code for the kind. */
  isCodeRequest?(text: string): boolean;
}

/** What an author needs to know about a kind of project. */
export interface AuthoredKind {
  /** Budget for one run. The operator may change everything except `maxIdenticalCalls`. */
  readonly limits: {
    readonly maxSteps: number;
    readonly maxIdenticalCalls: number;
    readonly maxRunMinutes: number;
    /** Input and output, including cached tokens. */
    readonly maxTokens: number;
    readonly maxCostUsd: number;
  };
  readonly workflow: {
    /** Last layer of the main model's prompt. */
    readonly prompt: string;
  };
  readonly generator?: GeneratorRules;
  /** Returns the names of the tools that a language model is offered. If missing, all tools of the kind. */
  readonly offeredTools?: (context: AuthorContext) => readonly string[];
}

/** How a second language model writes code for a kind, and which code the kind prints from the document instead. */
export interface GeneratorRules {
  /** The code generator's whole prompt. */
  readonly prompt: string;
  /** Project files shown to the code generator. */
  readonly files: {
    /** Included in every task. */
    readonly always: readonly string[];
    /** Folders that the prompt describes. Included only if a task names a file in them. */
    readonly described: readonly string[];
  };
  /** Returns the todo key whose check covers a task's result. `todoKey`: the active todo's, if there is one. */
  checkKey(task: GenerateCodeTask, made: { readonly plan: Plan; readonly todoKey: string | null }): string;
  /** Returns a todo's printed files, or `null` if its author writes them. */
  printed(assignment: Pick<Assignment, 'context' | 'todo'>): Written | null;
  /** Returns a model's generated code without the files that the kind prints. */
  withPrinted(
    generated: GeneratedCode,
    made: { readonly task: GenerateCodeTask; readonly plan: Plan | null; readonly files: readonly SourceFile[] },
  ): GeneratedCode;
}

/** Services that an author provides for its own tool calls. */
export interface ToolServices {
  readonly supportsImages: boolean;
  requestApproval: ToolContext['requestApproval'];
}

export interface GenerateJob {
  readonly task: GenerateCodeTask;
  /** The current files, as `Assignment.files` returns them. */
  readonly files: readonly SourceFile[];
  /** Earlier responses to this task, oldest first, with what is wrong with each. */
  readonly corrections: readonly Correction[];
  /** Publishes the files while they are generated. */
  readonly emit: ToolContext['emit'];
  readonly signal: AbortSignal;
}

/** A run's usage. Server restarts and approvals do not reset it. */
export interface BudgetUsage {
  readonly steps: number;
  /** Input and output, including cached tokens. */
  readonly tokens: number;
  readonly costUsd: number;
  readonly workedMs: number;
}

export interface RunToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export type Answers = ReadonlyMap<string, ApprovalResponse>;

/** Run of a project that has ended. */
export interface EndedRun {
  readonly startedAt: string;
  readonly finishedAt: string;
  readonly outcome: 'completed' | 'stopped' | 'failed';
  /** Oldest entry first. Empty once it has been removed, long after the project's last activity. */
  readonly transcript: readonly unknown[];
}

/** Run of an author. The built-in author needs neither transcript nor tools. */
export interface AuthorRun {
  readonly kind: AuthoredKind;
  readonly tools: ToolRegistry;
  readonly signal: AbortSignal;
  context(): Promise<AuthorContext>;
  /** Returns the stored transcript, oldest entry first. */
  transcript(): Promise<readonly unknown[]>;
  /** Returns the project's newest ended runs, oldest first. */
  earlierRuns(): Promise<readonly EndedRun[]>;
  /** Returns the user's responses by the id of the call or question that each was for. */
  answers(): Promise<Answers>;
  /** Stores a transcript entry durably, before anything that depends on it. */
  append(entry: unknown): Promise<void>;
  /** Returns user messages that are queued for the next tool boundary, and marks them as delivered. */
  takeQueuedMessages(): Promise<string[]>;
  addUsage(usage: ModelUsage & { steps: number }): Promise<void>;
  /** Returns the run's usage, including the code generator's. */
  usage(): BudgetUsage;
  /** Shows the model's text, either next to its calls or at the end of its turn. */
  showText(text: string, options: { isEnd: boolean }): Promise<void>;
  /** Calls a tool and records it. `refusal`: recorded instead of running the tool. */
  callTool(
    call: RunToolCall,
    options: { services: ToolServices; refusal?: ToolResult | null },
  ): Promise<{ result: ToolResult; durationMs: number }>;
  /** Records that a call which an earlier run started has ended with this result. */
  endCall(call: RunToolCall, result: ToolResult): Promise<void>;
  /** Returns whether a call of an earlier part of the run waits for the user's permission, and may be repeated. */
  isWaiting(callId: string): Promise<boolean>;
  /**
   * Returns the response to this call's approval, or `null` if there is none yet. Opens a question or permission; a plan's approval
   * is opened when the author returns the plan. Throws INVALID_PLAN or INVALID_TRANSITION if it cannot be requested. A call's id is
   * unique in its project.
   */
  responseTo(callId: string, request: ApprovalRequest): Promise<ApprovalResponse | null>;
}
