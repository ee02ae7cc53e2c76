import type { PlanDraft, PlanEdit } from '#contract/film.ts';
import type { Asset, Plan } from '#contract/project.ts';
import type { ToolName } from '#contract/tools.ts';
import type { CheckScope } from '../tools/checks/check-work.ts';

/** Todo before it is stored. `key` names the work; each kind defines its own keys. */
export interface TodoDraft {
  readonly key: string;
  readonly title: string;
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
  /** Returns the plan that an imported project's files describe, or `null`. */
  plannedIn(read: (path: string) => Promise<string | null>): Promise<PlanDraft | null>;
}
