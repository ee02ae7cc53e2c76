import type { Film, PlanDraft, PlanEdit } from '#contract/film.ts';
import type { FilmEdit } from '#contract/film-edit.ts';
import type { Asset, Plan, Todo } from '#contract/project.ts';
import type { GenerateCodeTask, GeneratedCode, ToolInput, ToolName } from '#contract/tools.ts';
import type { CheckScope } from '../tools/checks/check-work.ts';
import type { FormatInfo, ScenesSet } from '../tools/context.ts';
import type { Assignment, SourceFile, Written } from './assignment.ts';

/** Todo before it is stored. `key` names the work; each kind defines its own keys. */
export interface TodoDraft {
  readonly key: string;
  readonly title: string;
}

/** Returns the text of a project's file; null if there is none. */
export type ReadText = (path: string) => Promise<string | null>;

export interface FileChanges {
  readonly write: readonly { readonly path: string; readonly content: string }[];
  readonly remove: readonly string[];
}

/** What the history calls edits: “Scene 2: title, order of items”. */
export interface EditLabel {
  /** Edits of one place share a checkpoint. */
  readonly place: string;
  readonly name: string;
  readonly words: readonly string[];
}

export interface EditedDocument {
  readonly draft: PlanDraft;
  readonly film: Film;
  /** The todos in their new order, new ones without an id; null if they stay as they are. */
  readonly todos: readonly (TodoDraft & Partial<Todo>)[] | null;
  readonly label: EditLabel;
}

/** How a project's document is edited, and how its files follow. */
export interface DocumentRules {
  /** Throws CONFLICT and VALIDATION_ERROR. */
  edit(
    before: Plan & { readonly film: Film },
    edits: readonly FilmEdit[],
    options: { assets: readonly Asset[]; todos: readonly Todo[] },
  ): EditedDocument;
  /** What the files lack of their document; null if they follow it. */
  changesToFollow(film: Film, read: ReadText): Promise<FileChanges | null>;
  /** The document with those scenes as code whose files somebody has edited by hand; null if none of them was. */
  withHandwork(film: Film, edits: readonly FilmEdit[], read: ReadText): Promise<PlanDraft | null>;
}

/** How language models make films of formats, whose scenes Koda prints. */
export interface FormatRules {
  list(): readonly FormatInfo[];
  /** `files`: the current ones; null before the plan is accepted. */
  setScenes(
    input: ToolInput<'set_scenes'>,
    project: {
      readonly projectId: string;
      readonly plan: Plan | null;
      readonly assets: readonly Asset[];
      readonly files: readonly SourceFile[] | null;
    },
  ): ScenesSet;
  /** The files of a todo that needs no work of a model; null for other todos. */
  printed(assignment: Omit<Assignment, 'evidence'>): Promise<Written> | null;
  /** What a model has generated, without the files that Koda prints, and with its list of the scenes. */
  withPrinted(
    generated: GeneratedCode,
    made: { readonly task: GenerateCodeTask; readonly plan: Plan | null; readonly files: readonly SourceFile[] },
  ): GeneratedCode;
}

/**
 * Kind of project as data (A26): everything specific to it, including its prompts. Projects, the loop and the tools know kinds
 * only through this.
 */
export interface KindDefinition {
  readonly id: string;
  readonly title: string;
  readonly capabilities: readonly ('plan' | 'preview' | 'render' | 'assets')[];
  readonly services: readonly ('sandbox' | 'dev-server' | 'browser' | 'encoder')[];
  /** Template folder of the sandbox image that a new workspace copies. */
  readonly template: string;
  /** Budget of one run (T17). The operator may change all except `maxIdenticalCalls`. */
  readonly limits: {
    readonly maxSteps: number;
    readonly maxIdenticalCalls: number;
    readonly maxRunMinutes: number;
    /** Input and output, including cached tokens. */
    readonly maxTokens: number;
    readonly maxCostUsd: number;
  };
  /** Types that can be connected to its input and output. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly tools: readonly ToolName[];
  /** `workflow`: last layer of the main model's prompt; `generator`: whole prompt of the code generator. */
  readonly prompts: { readonly workflow: string; readonly generator: string };
  /** Project files that the code generator sees. */
  readonly generatorFiles: {
    /** Included in every task. */
    readonly always: readonly string[];
    /** Folders that the prompt describes. Included only if a task names a file in them. */
    readonly described: readonly string[];
  };
  planTodos(plan: Plan): TodoDraft[];
  changeTodos(message: { readonly id: string; readonly content: string }): TodoDraft[];
  /** Returns whether a todo checks or shows the finished work. Late messages are inserted before these. */
  isFinalStep(todoKey: string): boolean;
  isPreview(todoKey: string): boolean;
  /** Returns what must pass before the todo is done. `null` stands for the whole project. */
  checkFor(todoKey: string | null, plan: Plan): CheckScope;
  /**
   * Applies a client's edits of the outline to the stored document. `reads`: whether new text is parsed as a scene; otherwise it
   * describes a scene in code.
   */
  editedPlan(before: Plan | null, edit: PlanEdit, options: { assets: readonly Asset[]; parsesText: boolean }): PlanDraft;
  readonly document: DocumentRules;
  readonly formats: FormatRules;
  /** The plan that the files of an imported project describe; null if they describe none. */
  plannedIn(read: ReadText): Promise<PlanDraft | null>;
}
