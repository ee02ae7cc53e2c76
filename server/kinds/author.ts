import type { ApprovalResponse, ModelUsage, Plan, PlanDraft } from '#contract/project.ts';
import type { GenerateCodeTask, GeneratedCode } from '#contract/tools.ts';
import type { ApprovalRequest, ToolContext } from '../tools/context.ts';
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

/**
 * Creates films. The project's runner (`projects/work.ts`) owns phases, approvals, todos, checks, checkpoints and the
 * preview, and calls the author once for each question, plan and todo. Errors from the author end the run.
 */
export interface Author {
  readonly kind: string;
  readonly name: string;
  /** Whether it can repair work that failed its check. If not, only the whole film is checked. */
  readonly canRepair: boolean;
  canResume(transcript: readonly unknown[]): boolean;
  ask(context: AuthorContext, run: AuthorRun): Awaitable<Question | null>;
  /** Returns `null` if a call waits for the user's permission, as may be the case after every call. */
  plan(context: AuthorContext, run: AuthorRun): Awaitable<Proposal | null>;
  /** Returns a new plan after the user requested changes. */
  revise(context: AuthorContext, run: AuthorRun): Awaitable<Proposal | null>;
  /**
   * Returns a todo's files, or `null` if there are none to write: the todo needs none, or the author used the sandbox itself.
   */
  write(assignment: Assignment, run: AuthorRun): Awaitable<Written | null>;
}

/** What an author needs to know about a kind of project. */
export interface AuthoredKind {
  /** Budget for one run (T17). The operator may change everything except `maxIdenticalCalls`. */
  readonly limits: {
    readonly maxSteps: number;
    readonly maxIdenticalCalls: number;
    readonly maxRunMinutes: number;
    /** Input and output, including cached tokens. */
    readonly maxTokens: number;
    readonly maxCostUsd: number;
  };
  /** `workflow`: last layer of the main model's prompt; `generator`: the code generator's whole prompt. */
  readonly prompts: { readonly workflow: string; readonly generator: string };
  /** Project files shown to the code generator. */
  readonly generatorFiles: {
    /** Included in every task. */
    readonly always: readonly string[];
    /** Folders that the prompt describes. Included only if a task names a file in them. */
    readonly described: readonly string[];
  };
  readonly print: PrintRules;
}

/** Work of a todo whose code the kind prints from the document, so that a language model does not have to write it. */
interface PrintRules {
  /** Returns a todo's files, or `null` if its author writes them. */
  written(assignment: Pick<Assignment, 'context' | 'todo'>): Written | null;
  /** Returns a model's generated code without the files that the kind prints. */
  withPrinted(
    generated: GeneratedCode,
    made: { readonly task: GenerateCodeTask; readonly plan: Plan | null; readonly files: readonly SourceFile[] },
  ): GeneratedCode;
}

/** Services that an author provides for its own tool calls. */
export interface ToolServices {
  readonly supportsImages: boolean;
  /** Generates files for a `generate_code` task. `emit` publishes them while they are generated. */
  generate(job: GenerateJob): Promise<GeneratedCode>;
  requestApproval: ToolContext['requestApproval'];
  /** Called after files have been written and before they are saved. */
  onWritten?(): Promise<void>;
}

export interface GenerateJob {
  readonly task: GenerateCodeTask;
  readonly files: () => Promise<SourceFile[]>;
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

/** Run of an author. The built-in author needs neither transcript nor tools. */
export interface AuthorRun {
  readonly kind: AuthoredKind;
  readonly tools: ToolRegistry;
  readonly signal: AbortSignal;
  context(): Promise<AuthorContext>;
  /** Returns the stored transcript, oldest entry first. */
  transcript(): Promise<readonly unknown[]>;
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
   * Returns the response to this call's approval, or `null` if it must be requested. Throws INVALID_PLAN or
   * INVALID_TRANSITION if it cannot be requested.
   */
  responseTo(callId: string, request: ApprovalRequest): Promise<ApprovalResponse | null>;
}
