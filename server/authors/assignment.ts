import type { Aspect, PlanDraft, Style } from '#contract/film.ts';
import type { Approval, ApprovalResponse, Asset, Message, Phase, Plan, Todo } from '#contract/project.ts';
import type { GenerateCodeTask, GeneratedCode } from '#contract/tools.ts';

/** A text file of a project. */
export interface SourceFile {
  readonly path: string;
  readonly content: string;
}

/** The state of a project as data: what an author decides by. */
export interface ProjectFacts {
  readonly projectId: string;
  readonly phase: Phase;
  readonly prompt: string;
  readonly hints: { readonly style: Style | null; readonly aspect: Aspect | null; readonly durationSeconds: number | null };
  readonly plan: Plan | null;
  readonly todos: readonly Todo[];
  readonly messages: readonly Message[];
  /** Answered approvals, oldest first. */
  readonly settled: readonly { readonly approval: Approval; readonly response: ApprovalResponse }[];
  readonly assets: readonly Asset[];
}

/** The work of one todo. */
export interface Assignment {
  readonly facts: ProjectFacts;
  readonly todo: Todo;
  /** Why the last attempt does not count, in words; null at the first one. */
  readonly evidence: string | null;
  /** The text files under `src/` as they are now, within a limit. */
  files(): Promise<SourceFile[]>;
}

/** Files for a todo, and what follows from them. */
export interface Written extends GeneratedCode {
  /** What was written, for the line that the user sees. */
  readonly task: GenerateCodeTask;
  /** The plan that the film follows now; null = the accepted one. */
  readonly plan: PlanDraft | null;
  /** A message to the user once the work counts; null = none. */
  readonly message: string | null;
}
