import { z } from 'zod';
import { errorMessage, KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import type { ApprovalResponse } from '#contract/project.ts';
import { isWithinLimits } from '#contract/sandbox/payload-limits.ts';
import { textIn } from '#contract/surface/drawing.ts';
import { applyMessages, messagesOf, type Read, readSurface } from '#contract/surface/messages.ts';
import { chooseAction, questionSurface, submitAction } from '#contract/surface/question.ts';
import type { Component, Surface, SurfaceAction, SurfaceMessages } from '#contract/surface/surface.ts';
import { validationProblems } from '../lib/validation-error.ts';
import type { ProjectState } from '../storage/projects.ts';
import { newMessage } from './phases.ts';

/**
 * A project's surfaces. Each belongs to a message or question. A user's action on a surface is routed by its name to one of
 * the tools below; a surface cannot call anything else.
 */

/** User commands that action tools can call. */
export interface UserCommands<Decision> {
  choose(optionId: string): Decision;
  answer(response: ApprovalResponse, text: string): Decision;
  say(text: string): Decision;
}

interface Pressed {
  readonly state: ProjectState;
  readonly action: SurfaceAction;
  readonly shown: Shown;
}

interface ActionTool {
  readonly run: <Decision>(input: unknown, pressed: Pressed, commands: UserCommands<Decision>) => Decision;
}

function actionTool<Input>(
  schema: z.ZodType<Input>,
  run: <Decision>(input: Input, pressed: Pressed, commands: UserCommands<Decision>) => Decision,
): ActionTool {
  return {
    run(input, pressed, commands) {
      const parsed = schema.safeParse(input);
      if (parsed.success) return run(parsed.data, pressed, commands);
      const problems = validationProblems(parsed.error).map(({ field, message }) => `${field || 'context'}: ${message}`);
      throw new KodaError(
        'VALIDATION_ERROR',
        `The values for the action "${pressed.action.name}" are not valid: ${problems.join('; ')}.`,
        {
          details: { problems },
        },
      );
    },
  };
}

/** Entered values become a message or part of a model's context. */
const enteredLimits = { values: 1000, depth: 6, characters: 8_000 };
const enteredSchema = z
  .record(z.string(), z.unknown())
  .refine((value) => isWithinLimits(value, enteredLimits), 'the limit is 8,000 characters in 1,000 values');

const actionTools: ReadonlyMap<string, ActionTool> = new Map([
  [
    chooseAction,
    actionTool(z.strictObject({ optionId: z.string().min(1) }), ({ optionId }, { shown }, commands) => {
      if (shown.question) return commands.choose(optionId);
      throw notWaiting();
    }),
  ],
  [
    submitAction,
    actionTool(enteredSchema, (values, { action, shown }, commands) => {
      const text = messageText(shown.surface, action.sourceComponentId, values);
      if (!shown.question) return commands.say(text);
      return commands.answer({ outcome: 'submitted', button: action.sourceComponentId, values }, text);
    }),
  ],
]);
export const actionNames: readonly string[] = [...actionTools.keys()];

const notWaiting = () =>
  new KodaError('INVALID_TRANSITION', 'This question is no longer open. Send a message with your change.', {
    recovery: 'send_message',
  });

/**
 * Executes a pressed button's action. Throws TOOL_NOT_FOUND for an unknown action, VALIDATION_ERROR for invalid values and
 * EXECUTION_ERROR if the tool fails, each with `executionMs`.
 */
export function runAction<Decision>(state: ProjectState, action: SurfaceAction, commands: UserCommands<Decision>): Decision {
  const startedAt = performance.now();
  const failed = (code: 'TOOL_NOT_FOUND' | 'VALIDATION_ERROR' | 'EXECUTION_ERROR', error: unknown) => {
    const known = error instanceof KodaError ? error : null;
    return new KodaError(code, errorMessage(error), {
      details: { ...known?.details, cause: known?.code ?? null, executionMs: Math.round(performance.now() - startedAt) },
      ...(known?.recovery ? { recovery: known.recovery } : {}),
      cause: error,
    });
  };
  const tool = actionTools.get(action.name);
  if (tool === undefined) throw failed('TOOL_NOT_FOUND', unregistered([action.name]));
  try {
    const shown = surfaceIn(state, action.surfaceId);
    if (shown === null) throw notWaiting();
    const source = shown.surface.components.get(action.sourceComponentId);
    if (source?.component !== 'Button' || source.action.event.name !== action.name) {
      throw new KodaError('VALIDATION_ERROR', `"${action.sourceComponentId}" is not a button of this surface with this action.`, {
        details: { field: 'sourceComponentId' },
      });
    }
    return tool.run(action.context, { state, action, shown }, commands);
  } catch (error) {
    throw failed(error instanceof KodaError && error.code === 'VALIDATION_ERROR' ? 'VALIDATION_ERROR' : 'EXECUTION_ERROR', error);
  }
}

function unregistered(names: readonly string[]): KodaError {
  return new KodaError(
    'TOOL_NOT_FOUND',
    `The action "${names.join('", "')}" does not exist. Use one of: ${actionNames.join(', ')}.`,
  );
}

interface Shown {
  readonly surface: Surface;
  readonly question: boolean;
}

/** Returns the surface of the open question, or the last surface shown with this id. */
function surfaceIn({ approval, messages }: ProjectState, surfaceId: string): Shown | null {
  const questioned = approval?.type === 'question' ? questionSurface(approval) : null;
  if (questioned?.surfaceId === surfaceId) return { surface: questioned, question: true };
  const surface = lastShown(messages, surfaceId)?.surface;
  return surface === undefined ? null : { surface, question: false };
}

function lastShown(messages: ProjectState['messages'], surfaceId: string): { id: string; surface: Surface } | null {
  for (const { id, surface } of messages.toReversed()) {
    if (surface === undefined) continue;
    const read = readSurface(surface);
    if (read.ok && read.value.surfaceId === surfaceId) return { id, surface: read.value };
  }
  return null;
}

export function shownSurface(
  state: ProjectState,
  content: string,
  messages: SurfaceMessages,
): { value: Read<string>; events: EventBody[] } {
  const isNew = messages.some((message) => 'createSurface' in message);
  const before = isNew ? null : lastShown(state.messages, idIn(messages));
  const after = applyMessages(before?.surface ?? null, messages);
  if (!after.ok) return { value: after, events: [] };
  const unknown = after.value === null ? [] : actionsOf(after.value.components).filter((name) => !actionTools.has(name));
  if (unknown.length > 0) {
    const issue = { code: 'INVALID_REFERENCE', message: errorMessage(unregistered(unknown)), allowed: actionNames } as const;
    return { value: { ok: false, issue }, events: [] };
  }
  if (before !== null) {
    return { value: { ok: true, value: before.id }, events: [{ type: 'surface.updated', messageId: before.id, messages }] };
  }
  const message = newMessage('assistant', content, after.value === null ? {} : { surface: messagesOf(after.value) });
  return { value: { ok: true, value: message.id }, events: [{ type: 'message.added', message }] };
}

function idIn(messages: SurfaceMessages): string {
  const [part] = messages.flatMap((message) => Object.values(message)).filter((value) => typeof value === 'object');
  const id: unknown = typeof part === 'object' && part !== null ? Reflect.get(part, 'surfaceId') : null;
  return typeof id === 'string' ? id : '';
}

function actionsOf(components: ReadonlyMap<string, Component>): string[] {
  return [...components.values()].flatMap((one) => (one.component === 'Button' ? [one.action.event.name] : []));
}

/** Formats entered values as a message: the button's label, then each value. */
function messageText(surface: Surface, buttonId: string, values: Readonly<Record<string, unknown>>): string {
  const button = surface.components.get(buttonId);
  const label = button?.component === 'Button' ? surface.components.get(button.child) : undefined;
  const head = label?.component === 'Text' ? textIn(label.text, { data: surface.data, row: '' }) : '';
  const lines = Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [head, ...lines].filter((line) => line !== '').join('\n') || submitAction;
}
