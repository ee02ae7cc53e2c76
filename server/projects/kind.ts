import type { z } from 'zod';
import type { Asset, Chip, DocumentEdit, Hints, OutlineEdit, Plan, PlanDraft, Todo } from '#contract/project.ts';
import type { RenderRequest } from '#contract/render.ts';
import type { RenderSubject } from '../renders/settings.ts';
import type { CallOptions, Sandbox, SandboxLimits } from '../sandbox/sandbox.ts';
import type { PlanUpgrade } from '../storage/upgrade-plans.ts';
import type { CheckReport } from '../tools/context.ts';
import type { OwnTool, ToolRegistry } from '../tools/tool.ts';
import type { Author, AuthoredKind, JsonPath } from './author.ts';

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

/** What a user can choose in addition to the prompt. */
interface HintRules {
  readonly schema: z.ZodType<Hints>;
  /** Returns an error message if hints do not fit the kind's current tools, else `null`. */
  problem?(hints: Hints, tools: ToolRegistry): string | null;
  /** Returns what the project shows until a plan is accepted. */
  chips(hints: Hints): Chip[];
}

/** How a project goes from its plan over todos to finished work. */
export interface BuildWorkflow {
  readonly type: 'build';
  /** Last layer of the main model's prompt. */
  readonly prompt: string;
  /** Returns a plan as JSON for language models. */
  shown(plan: Plan): unknown;
  /** Returns what is wrong with a plan, one sentence each. */
  problems(draft: PlanDraft): string[];
  planTodos(plan: Plan): TodoDraft[];
  changeTodos(message: { readonly id: string; readonly content: string }): TodoDraft[];
  /** Returns whether a todo checks or shows the finished work. Todos from late messages are inserted before these. */
  isFinalStep(todoKey: string): boolean;
  /** Message that asks for approval of the finished or changed work. */
  readonly previewText: { readonly finished: string; readonly changed: string };
}

/**
 * A project that is messages, questions and surfaces: each message, and each act on a surface, starts a turn of the author. It has
 * no plan, so its kind needs none of the capabilities that are about one.
 */
interface Conversation {
  readonly type: 'conversation';
  /** Last layer of the main model's prompt. */
  readonly prompt: string;
}

/** How users and language models edit a plan's outline: the part of the document that the plan shows. */
interface OutlineRules {
  /** Schema of an edit, which is parsed before the kind sees it. */
  readonly schema: z.ZodType<OutlineEdit>;
  /** Returns what is wrong with an outline, one sentence each, including how to correct it. */
  problems(outline: OutlineEdit): string[];
  /** Returns the plan that a language model proposes. Every part of it will be written as code. */
  proposed(outline: OutlineEdit, options: { projectId: string }): PlanDraft;
  /** Applies an edit to the plan. `parsesText`: whether to parse new text, as the built-in author does. */
  edited(before: Plan, edit: OutlineEdit, options: { assets: readonly Asset[]; parsesText: boolean }): PlanDraft;
}

/** How users edit the document, and how the project's files follow it. */
interface DocumentRules {
  /** Returns what a request contains but its plan does not show. */
  unused(draft: PlanDraft, prompt: string): Plan['unused'];
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
}

/** The live preview, and the todo that shows the finished work in it. */
interface PreviewRules {
  /** Tool that starts the live preview. */
  readonly live: string;
  /** Tool that shows the finished work and moves the project to its preview. */
  readonly show: string;
  isTodo(todoKey: string): boolean;
  /** Whether the live preview starts with a new sandbox, before the first file is written. */
  readonly startsEarly?: boolean;
}

/** What a project's work is rendered to. */
interface OutputRules {
  /** Render that starts when the user accepts the finished work. `null` if the operator has switched it off. */
  readonly onAccept: RenderRequest | null;
  /** Returns what the renderer needs to know, or `null` if this version cannot read the plan. */
  rendered(plan: Plan): RenderSubject | null;
}

/** How an archive becomes a project. */
interface ArchiveRules {
  /** Files that the archive must contain in its top folder. */
  readonly requiredFiles: readonly string[];
  /** Whether the work on the archive's plan begins at once. Otherwise the imported project is complete. */
  readonly startsWork: boolean;
  /** Returns the plan that the files describe, or one that says what it does not know. Throws VALIDATION_ERROR if it must be there. */
  imported(read: ReadText, options: { name: string }): Promise<PlanDraft>;
}

/** Scope of a check. A check of everything covers all others of the same files; other scopes are equal if their keys are. */
export interface CheckScope {
  readonly key: string;
  readonly isWhole: boolean;
}

interface CheckRules {
  /** Tool that checks the whole work as a visible step of a final todo. Without it, the check has no step of its own. */
  readonly tool?: string;
  /** Returns what to check before the todo is done. `null` stands for the whole project. */
  scopeOf(todoKey: string | null): CheckScope;
  /**
   * Checks a sandbox's files. `unfinished`: whether other todos may still write missing files. `typesFirst`: whether frames are
   * captured only if the types are right. Errors from the sandbox propagate.
   */
  run(
    sandbox: Sandbox,
    request: { plan: Plan; scope: CheckScope; unfinished: boolean; typesFirst: boolean; contactSheet: boolean },
    options: CallOptions,
  ): Promise<CheckReport>;
}

/**
 * Kind of project: everything that is specific to it. Projects, the agent loop and the tools use kinds only through this interface.
 * What not every kind can do is an optional member: a kind that has it fills all of it.
 */
export interface Kind extends AuthoredKind {
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
  /** Tools that it offers, by name, and those that only it has. */
  readonly tools: readonly string[];
  readonly ownTools: readonly OwnTool[];
  readonly workflow: BuildWorkflow | Conversation;
  /** Author that needs no language model. */
  readonly author?: Author;
  /** Whether that author works on a project even if there is a language model, from what the user has said so far, oldest first. */
  readonly usesNoModel?: (requests: readonly string[]) => boolean;
  /** Whether programs may not say what happens in its projects, because it acts on other projects for the person who asks. */
  readonly forPeopleOnly?: true;
  readonly jsonPath?: JsonPath;
  readonly outline?: OutlineRules;
  readonly document?: DocumentRules;
  readonly preview?: PreviewRules;
  readonly check?: CheckRules;
  readonly output?: OutputRules;
  readonly archive?: ArchiveRules;
  readonly hints?: HintRules;
  /** For a kind whose plans earlier versions stored in another form. */
  readonly planUpgrade?: PlanUpgrade;
}
