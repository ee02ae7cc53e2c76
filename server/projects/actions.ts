import { KodaError } from '#contract/errors.ts';
import { newId } from '#contract/ids.ts';
import type { Caller } from '../access/policies.ts';
import type { KeyedLock } from '../lib/keyed-lock.ts';
import { answeringActions } from '../tools/action-registry.ts';
import type { Pressed } from '../tools/context.ts';
import { failed, type ToolResult } from '../tools/tool.ts';
import { callTool, callToolFor } from './calls.ts';
import type { ProjectCore } from './deps.ts';
import { pressedSurface, unregistered } from './surfaces.ts';

export interface RequestedAction {
  readonly id: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Button that was pressed. `null` if the action comes from no surface. */
  readonly button: { readonly surfaceId: string; readonly sourceComponentId: string } | null;
}

export interface ActionFailure {
  readonly code: 'TOOL_NOT_FOUND' | 'VALIDATION_ERROR' | 'EXECUTION_ERROR';
  readonly message: string;
  readonly details: Record<string, unknown>;
  readonly recovery: string | null;
}

export interface ActionOutcome {
  readonly data: unknown;
  readonly error: ActionFailure | null;
  readonly executionMs: number;
}

/** Performs actions: those of a surface's buttons, and those that a program names. */
export interface ActionScope {
  readonly core: ProjectCore;
  readonly lock: KeyedLock;
  readonly isWorking: (projectId: string) => boolean;
  readonly actor: Caller;
  readonly signal: AbortSignal;
  /** Returns what the pressed button can do beside calling a tool. */
  readonly pressed: (projectId: string, action: RequestedAction) => Pressed;
}

/**
 * Performs a registered action through `callTool`. A button's surface must still be shown and unanswered, and have that button.
 * Failures are part of the outcome. Throws NOT_FOUND for an unknown project, and FORBIDDEN.
 */
export async function runAction(scope: ActionScope, projectId: string, action: RequestedAction): Promise<ActionOutcome> {
  const startedAt = performance.now();
  const { code, data, error } = await resultOf(scope, projectId, action);
  const executionMs = Math.round(performance.now() - startedAt);
  if (code === null) return { data, error: null, executionMs };
  const { message, details, recovery } = error;
  return { data: null, error: { code, message, details: { ...details, executionMs }, recovery }, executionMs };
}

type Result =
  | { readonly code: null; readonly data: unknown; readonly error: null }
  | {
      readonly code: ActionFailure['code'];
      readonly data: null;
      readonly error: Omit<ActionFailure, 'code'>;
    };

async function resultOf(scope: ActionScope, projectId: string, action: RequestedAction): Promise<Result> {
  const state = await scope.core.store.state(projectId);
  const actions = scope.core.actions.get(state.project.kind);
  if (!actions?.find(action.id)) {
    const error = { message: unregistered([action.id], actions?.ids() ?? []), details: { cause: null }, recovery: null };
    return { code: 'TOOL_NOT_FOUND', data: null, error };
  }
  try {
    if (action.button !== null) pressedSurface(state, { name: action.id, ...action.button });
    const { result, thrown } = await call(scope, projectId, action);
    if (thrown !== null) return failure(thrown);
    if (result.status === 'completed') return { code: null, data: result.output, error: null };
    if (result.status === 'suspended') return failure(new Error('The action waits for an author.'));
    const code = result.code === 'VALIDATION_ERROR' ? 'VALIDATION_ERROR' : 'EXECUTION_ERROR';
    const { message, details } = result;
    return { code, data: null, error: { message, details: { ...details, cause: result.code }, recovery: null } };
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): Result {
  if (!(error instanceof KodaError) || error.code === 'FORBIDDEN') throw error;
  const code = error.code === 'VALIDATION_ERROR' ? 'VALIDATION_ERROR' : 'EXECUTION_ERROR';
  const { message, details, recovery } = error;
  return { code, data: null, error: { message, details: { ...details, cause: error.code }, recovery } };
}

/** `thrown`: the refusal of an answer, which says more than the tool's result. */
async function call(
  { core, lock, isWorking, actor, signal, pressed }: ActionScope,
  projectId: string,
  action: RequestedAction,
): Promise<{ result: ToolResult; thrown: KodaError | null }> {
  const requested = { id: newId('call'), name: action.id, input: action.parameters };
  const tool = answeringActions.find(({ name }) => name === action.id);
  if (tool === undefined) {
    const { result } = await callToolFor({ core, lock, isWorking }, projectId, requested, { actor, signal });
    return { result, thrown: null };
  }
  if (action.button === null) return { result: failed('VALIDATION_ERROR', 'Set surfaceId and sourceComponentId.'), thrown: null };
  let thrown: KodaError | null = null;
  const noted = async (answer: Promise<void>): Promise<void> => {
    try {
      await answer;
    } catch (error) {
      if (error instanceof KodaError) thrown = error;
      throw error;
    }
  };
  const button = pressed(projectId, action);
  const { result } = await callTool(core, projectId, requested, {
    ...{ actor, signal },
    answering: {
      tool,
      pressed: {
        choose: (optionId) => noted(button.choose(optionId)),
        submit: (values) => noted(button.submit(values)),
      },
    },
  });
  return { result, thrown };
}
