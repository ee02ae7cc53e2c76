import type { Film, PlanDraft, PlanEdit } from '#contract/film.ts';
import type { FilmEdit } from '#contract/film-edit.ts';
import type { Asset, Plan, Todo } from '#contract/project.ts';
import type { GenerateCodeTask, GeneratedCode, ToolInput, ToolName } from '#contract/tools.ts';
import type { CheckScope } from '../tools/checks/check-work.ts';
import type { FormatInfo, ScenesSet } from '../tools/context.ts';
import type { Assignment, SourceFile, Written } from './assignment.ts';

/** A todo before it is in the list. `key` says what is due; its forms are the kind's. */
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
 * A kind of project as data (A26): everything that is special about it beside its prompts. Projects,
 * the loop and the tools know kinds only through this.
 */
export interface KindDefinition {
  readonly id: string;
  readonly title: string;
  readonly capabilities: readonly ('plan' | 'preview' | 'render' | 'assets')[];
  readonly services: readonly ('sandbox' | 'dev-server' | 'browser' | 'encoder')[];
  /** Folder of the sandbox image's templates that a new workspace is a copy of. */
  readonly template: string;
  /** What one run may use (T17); the operator may set all but the calls. */
  readonly limits: {
    readonly maxSteps: number;
    readonly maxIdenticalCalls: number;
    readonly maxRunMinutes: number;
    /** In and out together, what came from a cache included. */
    readonly maxTokens: number;
    readonly maxCostUsd: number;
  };
  /** What may be wired into it, and out of it. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly tools: readonly ToolName[];
  /** `workflow`: the last layer of what the leading model is told; `generator`: all that the code generator is told. */
  readonly prompts: { readonly workflow: string; readonly generator: string };
  /** Which of a project's files the code generator is shown. */
  readonly generatorFiles: {
    /** Shown with every task. */
    readonly always: readonly string[];
    /** Folders that its prompt describes: shown only when a task names a file of them. */
    readonly described: readonly string[];
  };
  /** The todos of an accepted plan. */
  planTodos(plan: Plan): TodoDraft[];
  /** The todos of a change that the user's message asked for. */
  changeTodos(message: { readonly id: string; readonly content: string }): TodoDraft[];
  /** True for todos that look at the finished work: a message that comes late is put before them. */
  isClosing(todoKey: string): boolean;
  /** True for the todo whose work is to render the preview. */
  isPreview(todoKey: string): boolean;
  /** What has to be right before this todo is done; null = the whole project. */
  checkFor(todoKey: string | null, plan: Plan): CheckScope;
  /**
   * The plan after a client has edited its outline: the stored document takes the edits. `reads`: whether new words are
   * read as a scene; otherwise they describe a scene in code.
   */
  editedPlan(before: Plan | null, edit: PlanEdit, options: { assets: readonly Asset[]; reads: boolean }): PlanDraft;
  readonly document: DocumentRules;
  readonly formats: FormatRules;
  /** The plan that the files of an imported project describe; null if they describe none. */
  plannedIn(read: ReadText): Promise<PlanDraft | null>;
}
