import type {
  Approval,
  ApprovalResponse,
  Asset,
  Hints,
  Message,
  Phase,
  Plan,
  PlanDraft,
  PreviewError,
  Todo,
} from '#contract/project.ts';
import type { RenderRequest } from '#contract/render.ts';
import type { GenerateCodeTask, GeneratedCode } from '#contract/tools.ts';

export interface SourceFile {
  readonly path: string;
  readonly content: string;
}

export interface AuthorContext {
  readonly projectId: string;
  readonly phase: Phase;
  readonly prompt: string;
  readonly hints: Hints;
  readonly plan: Plan | null;
  /** The plan's outline as JSON for language models. `null` if there is no plan. */
  readonly outline: unknown;
  readonly todos: readonly Todo[];
  readonly messages: readonly Message[];
  /** Approvals that have been answered, oldest first. */
  readonly settled: readonly { readonly approval: Approval; readonly response: ApprovalResponse }[];
  readonly assets: readonly Asset[];
  readonly previewError: PreviewError | null;
}

export interface Assignment {
  readonly context: AuthorContext;
  readonly todo: Todo;
  /** Reason for the last attempt's failure. `null` for the first attempt. */
  readonly evidence: string | null;
  /** Returns the text files under `src/`, up to a size limit. */
  files(): Promise<SourceFile[]>;
}

export interface Written extends GeneratedCode {
  /** Task for the activity line that the user sees. */
  readonly task: GenerateCodeTask;
  /** Plan that the project follows from now on. `null` to keep the accepted plan. */
  readonly plan: PlanDraft | null;
  /** Final that the user requested, started once the files are written. */
  readonly render?: RenderRequest;
  /** Message to the user once the todo is done. `null` for none. */
  readonly message: string | null;
  /** Whether Koda generated the files from the document. The author cannot repair them, so only the final check covers them. */
  readonly isPrinted?: boolean;
}

/** Returns the words of a response, or the id of the chosen option. `null` if it has neither. */
export function requestTextOf(response: ApprovalResponse | undefined): string | null {
  switch (response?.outcome) {
    case 'option':
      return response.optionId;
    case 'free_text':
    case 'changes':
      return response.text;
    default:
      return null;
  }
}
