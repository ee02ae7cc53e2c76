import type { Film, PlanDraft, PlanEdit } from '#contract/film.ts';
import type { FilmEdit } from '#contract/film-edit.ts';
import type { Asset, Plan, Todo } from '#contract/project.ts';
import type { GenerateCodeTask, GeneratedCode, ToolInput, ToolName } from '#contract/tools.ts';
import type { CheckScope } from '../tools/checks/check-work.ts';
import type { FormatInfo, ScenesSet } from '../tools/context.ts';
import type { Assignment, SourceFile, Written } from './assignment.ts';

/** Todo before it is stored. `key` identifies the work; each project kind defines its own keys. */
export interface TodoDraft {
  readonly key: string;
  readonly title: string;
}

/** Returns the text of a project file, or `null` if it does not exist. */
export type ReadText = (path: string) => Promise<string | null>;

export interface FileChanges {
  readonly write: readonly { readonly path: string; readonly content: string }[];
  readonly remove: readonly string[];
}

/** Label of edits in the history: “Scene 2: title, order of items”. */
export interface EditLabel {
  /** Edits in the same place share a checkpoint. */
  readonly place: string;
  readonly name: string;
  readonly words: readonly string[];
}

export interface EditedDocument {
  readonly draft: PlanDraft;
  readonly film: Film;
  /** Reordered todos, new ones without an id. `null` if nothing changes. */
  readonly todos: readonly (TodoDraft & Partial<Todo>)[] | null;
  readonly label: EditLabel;
}

/** Rules for editing a project's document and updating its files. */
export interface DocumentRules {
  /** Throws CONFLICT or VALIDATION_ERROR. */
  edit(
    before: Plan & { readonly film: Film },
    edits: readonly FilmEdit[],
    options: { assets: readonly Asset[]; todos: readonly Todo[] },
  ): EditedDocument;
  /** Returns the file changes that bring the files up to date with the document, or `null` if they already are. */
  changesToFollow(film: Film, read: ReadText): Promise<FileChanges | null>;
  /** Returns the document with hand-edited scenes converted to code scenes, or `null` if none was edited by hand. */
  withHandwork(film: Film, edits: readonly FilmEdit[], read: ReadText): Promise<PlanDraft | null>;
}

/** How language models create films from formats, whose scenes Koda generates. */
export interface FormatRules {
  list(): readonly FormatInfo[];
  /** `files`: the current ones; `null` before the plan is accepted. */
  setScenes(
    input: ToolInput<'set_scenes'>,
    project: {
      readonly projectId: string;
      readonly plan: Plan | null;
      readonly assets: readonly Asset[];
      readonly files: readonly SourceFile[] | null;
    },
  ): ScenesSet;
  /** Files for a todo that can be completed without a model call; `null` for other todos. */
  printed(assignment: Omit<Assignment, 'evidence'>): Promise<Written> | null;
  /** Returns the model's generated code without the files that Koda generates, but with the model's scene list. */
  withPrinted(
    generated: GeneratedCode,
    made: { readonly task: GenerateCodeTask; readonly plan: Plan | null; readonly files: readonly SourceFile[] },
  ): GeneratedCode;
}

/**
 * Kind of project as data (A26): everything specific to it, including its prompts. Projects, the agent loop and the tools use
 * kinds only through this interface.
 */
export interface KindDefinition {
  readonly id: string;
  readonly title: string;
  readonly capabilities: readonly ('plan' | 'preview' | 'render' | 'assets')[];
  readonly services: readonly ('sandbox' | 'dev-server' | 'browser' | 'encoder')[];
  /** Template folder in the sandbox image that is copied into a new workspace. */
  readonly template: string;
  /** Budget for one run (T17). The operator may change everything except `maxIdenticalCalls`. */
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
  /** `workflow`: last layer of the main model's prompt; `generator`: the code generator's whole prompt. */
  readonly prompts: { readonly workflow: string; readonly generator: string };
  /** Project files shown to the code generator. */
  readonly generatorFiles: {
    /** Included in every task. */
    readonly always: readonly string[];
    /** Folders that the prompt describes. Included only if a task names a file in them. */
    readonly described: readonly string[];
  };
  planTodos(plan: Plan): TodoDraft[];
  changeTodos(message: { readonly id: string; readonly content: string }): TodoDraft[];
  /** Returns whether a todo checks or shows the finished work. Todos from late messages are inserted before these. */
  isFinalStep(todoKey: string): boolean;
  isPreview(todoKey: string): boolean;
  /** Returns what to check before the todo is done. `null` stands for the whole project. */
  checkFor(todoKey: string | null, plan: Plan): CheckScope;
  /**
   * Applies a client's edits to the outline in the stored document. `reads`: whether to parse new text as a scene; otherwise
   * it describes a code scene.
   */
  editedPlan(before: Plan | null, edit: PlanEdit, options: { assets: readonly Asset[]; parsesText: boolean }): PlanDraft;
  readonly document: DocumentRules;
  readonly formats: FormatRules;
  /** Returns the plan that an imported project's files describe, or `null` if there is none. */
  plannedIn(read: ReadText): Promise<PlanDraft | null>;
}
