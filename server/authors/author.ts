import type { PlanDraft } from '#contract/film.ts';
import type { ApprovalResponse, ModelUsage } from '#contract/project.ts';
import type { GenerateCodeTask, GeneratedCode } from '#contract/tools.ts';
import type { ApprovalRequest, ToolContext } from '../tools/context.ts';
import type { ToolAnswer, ToolRegistry } from '../tools/tool.ts';
import type { Assignment, ProjectFacts, SourceFile, Written } from './assignment.ts';
import type { KindDefinition } from './kind.ts';

/** What is asked of the user. `callId` finds the answer again; null = nobody looks for it. */
export interface Question extends Pick<ApprovalRequest, 'content' | 'options' | 'surface'> {
  readonly callId: string | null;
}

export interface Proposal {
  readonly callId: string | null;
  readonly content: string;
  readonly plan: PlanDraft;
}

type Answer<T> = T | Promise<T>;

/**
 * Who writes films. The project's runner (`projects/work.ts`) owns phases, approvals, todos, checks, checkpoints and the
 * preview, and calls the author once for each question, plan and todo. What an author throws ends the run.
 */
export interface Author {
  readonly kind: string;
  readonly name: string;
  /** Whether it can mend work whose check failed. What cannot be mended by its author is checked only as a whole film. */
  readonly mends: boolean;
  /** Whether it can go on with a run that kept this transcript. */
  resumes(transcript: readonly unknown[]): boolean;
  /** The question worth asking before a plan; null when there is none. */
  ask(facts: ProjectFacts, run: AuthorRun): Answer<Question | null>;
  plan(facts: ProjectFacts, run: AuthorRun): Answer<Proposal>;
  /** The plan after the user asked for changes. */
  revise(facts: ProjectFacts, run: AuthorRun): Answer<Proposal>;
  /** The files of a todo; null when there is none to place: it needs none, or the author has worked in the sandbox itself. */
  write(assignment: Assignment, run: AuthorRun): Answer<Written | null>;
}

/** What an author brings to its own tool calls. */
export interface ToolServices {
  /** Whether it can look at pictures. */
  readonly canSee: boolean;
  /** Files for a task of `generate_code`; `emit` shows them while they are written. */
  generate(job: GenerateJob): Promise<GeneratedCode>;
  requestApproval: ToolContext['requestApproval'];
  /** Called once files are written, before they are kept. */
  onWritten?(): Promise<void>;
}

export interface GenerateJob {
  readonly task: GenerateCodeTask;
  readonly files: () => Promise<SourceFile[]>;
  readonly emit: ToolContext['emit'];
  readonly signal: AbortSignal;
}

/** What a run has used since it began: restarts of the server and waits at approvals do not change it. */
export interface Spent {
  readonly steps: number;
  /** In and out, what came from a cache included. */
  readonly tokens: number;
  readonly costUsd: number;
  /** Time at work; waiting for the user does not count. */
  readonly workedMs: number;
}

/** The run that an author works in; an author that needs neither transcript nor tools ignores it. */
export interface AuthorRun {
  readonly kind: KindDefinition;
  readonly tools: ToolRegistry;
  readonly signal: AbortSignal;
  facts(): Promise<ProjectFacts>;
  /** What was kept of this run, oldest first. */
  transcript(): Promise<readonly unknown[]>;
  /** Keeps an entry of the transcript, durably, before anything that follows from it happens. */
  keep(entry: unknown): Promise<void>;
  /** User messages that wait for a tool boundary; they count as delivered when this returns. */
  takeQueuedMessages(): Promise<string[]>;
  addUsage(usage: ModelUsage & { steps: number }): Promise<void>;
  /** What the run has used so far, the code generator's part included; a restart does not reset it. */
  spent(): Spent;
  /** Shows what the model says: beside its calls, or as the end of its turn. */
  said(text: string, options: { isEnd: boolean }): Promise<void>;
  toolStarted(call: { id: string; name: string; input: unknown; label: string }): Promise<void>;
  toolFinished(call: { id: string; name: string; input: unknown; durationMs: number; answer: ToolAnswer }): Promise<void>;
  contextFor(callId: string, services: ToolServices): ToolContext;
  /**
   * The answer to the approval of this call; null when it has to be asked for. Throws INVALID_PLAN and INVALID_TRANSITION
   * when it may not be asked for.
   */
  answerTo(callId: string, request: ApprovalRequest): Promise<ApprovalResponse | null>;
}
