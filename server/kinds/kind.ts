import type { Asset, DocumentEdit, OutlineEdit, Plan, PlanDraft, Todo } from '#contract/project.ts';
import type { RenderRequest } from '#contract/render.ts';
import type { ToolName } from '#contract/tools.ts';
import type { PlannedFilm } from '../renders/settings.ts';
import type { CallOptions, Sandbox, SandboxLimits } from '../sandbox/sandbox.ts';
import type { CheckReport } from '../tools/context.ts';
import type { OwnTool } from '../tools/tool.ts';
import type { Author, AuthoredKind } from './author.ts';

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
  /** Reordered todos, new ones without an id. `null` if nothing changes. */
  readonly todos: readonly (TodoDraft & Partial<Todo>)[] | null;
  readonly label: EditLabel;
}

/** How a kind edits its outline: the part of the document that a plan shows. */
interface OutlineRules {
  /** Returns the outline as JSON for language models. */
  shown(plan: Plan): unknown;
  /** Returns what is wrong with an outline, one sentence each, including how to correct it. */
  problems(outline: OutlineEdit): string[];
  /** Returns the plan that a language model proposes. Every part of it will be written as code. */
  proposed(outline: OutlineEdit, options: { projectId: string }): PlanDraft;
  /** Applies an edit to the plan. `parsesText`: whether to parse new text, as the built-in author does. */
  edited(before: Plan, edit: OutlineEdit, options: { assets: readonly Asset[]; parsesText: boolean }): PlanDraft;
}

/** How a kind edits its document and keeps the project's files up to date. */
interface DocumentRules {
  /** Returns what is wrong with a plan, one sentence each. */
  problems(draft: PlanDraft): string[];
  /** Throws CONFLICT or VALIDATION_ERROR. */
  edit(
    before: Plan,
    edits: readonly DocumentEdit[],
    options: { assets: readonly Asset[]; todos: readonly Todo[] },
  ): EditedDocument;
  /**
   * Returns the file changes that bring the files up to date with the document, or `null` if they already are. `isProposed`:
   * the plan waits for approval, so nothing may have been written yet.
   */
  changesToFollow(plan: Plan, read: ReadText, options?: { isProposed?: boolean }): Promise<FileChanges | null>;
  /** Returns the plan with hand-edited parts marked as code, or `null` if no part that the edits name was edited by hand. */
  withHandwork(plan: Plan, edits: readonly DocumentEdit[], read: ReadText): Promise<PlanDraft | null>;
  /** Returns the plan that an imported project's files describe, or one that says what it does not know. */
  imported(read: ReadText, options: { name: string }): Promise<PlanDraft>;
}

/** Scope of a check. A check of everything covers all others of the same files; other scopes are equal if their keys are. */
export interface CheckScope {
  readonly key: string;
  readonly isWhole: boolean;
}

interface CheckRules {
  /** Returns what to check before the todo is done. `null` stands for the whole project. */
  scopeOf(todoKey: string | null): CheckScope;
  /**
   * Checks a sandbox's files (A8). `unfinished`: whether other todos may still write missing files. Errors from the sandbox
   * propagate.
   */
  run(
    sandbox: Sandbox,
    request: { plan: Plan; scope: CheckScope; unfinished: boolean; contactSheet: boolean },
    options: CallOptions,
  ): Promise<CheckReport>;
}

/**
 * Kind of project (A26): everything that is specific to it. Projects, the agent loop and the tools use kinds only through this
 * interface.
 */
export interface KindDefinition extends AuthoredKind {
  readonly id: string;
  readonly title: string;
  /** Noun for messages: “the film”. */
  readonly noun: string;
  /** Template folder in the sandbox image that is copied into a new workspace. */
  readonly template: string;
  /** Folders, each with a trailing slash, that authors and users may write to. `./` stands for configuration files in the root. */
  readonly writableRoots: readonly string[];
  readonly sandbox: SandboxLimits & {
    /** Idle time after which a sandbox is saved and destroyed. */
    readonly idleMinutes: number;
  };
  /**
   * Whether a project starts from an archive with its plan, and its work begins at once. Otherwise it starts from a prompt, and an
   * imported project is complete.
   */
  readonly startsFromArchive: boolean;
  /** Files that an archive must contain in its top folder. */
  readonly requiredFiles: readonly string[];
  /** Tools that it offers, by name, and those that only it has. */
  readonly tools: readonly string[];
  readonly ownTools: readonly OwnTool[];
  /** Author that needs no language model, or `null` if there is none. */
  readonly builtIn: Author | null;
  planTodos(plan: Plan): TodoDraft[];
  changeTodos(message: { readonly id: string; readonly content: string }): TodoDraft[];
  /** Returns whether a todo checks or shows the finished work. Todos from late messages are inserted before these. */
  isFinalStep(todoKey: string): boolean;
  isPreview(todoKey: string): boolean;
  /** Steps that the runner executes itself. `null`: the kind has no such step. */
  readonly steps: {
    readonly live: ToolName | null;
    readonly check: ToolName | null;
    /** Shows the finished work and moves the project to its preview. */
    readonly show: ToolName | null;
  };
  /** Message that asks for approval of the finished or changed work. */
  readonly previewText: { readonly finished: string; readonly changed: string };
  readonly outline: OutlineRules;
  readonly document: DocumentRules;
  readonly check: CheckRules;
  /** Render that starts when the user accepts the finished work (A29). `null` if none does. */
  readonly finalRender: RenderRequest | null;
  /** Returns what the renderer needs to know, or `null` if the kind has nothing to render. */
  rendered(plan: Plan): PlannedFilm | null;
}
