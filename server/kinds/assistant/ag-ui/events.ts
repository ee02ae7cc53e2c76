import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { ProjectSnapshot } from '#contract/api.ts';
import type { Approval } from '#contract/project.ts';
import { messagesOf } from '#contract/surface/messages.ts';
import { questionSurface } from '#contract/surface/question.ts';
import type { SurfaceMessages } from '#contract/surface/surface.ts';
import { answerSchema } from '#kinds/assistant/contract/ag-ui.ts';
import { type AssistantState, stateOf, stepsOf } from '#kinds/assistant/contract/assistant.ts';

/** Describes a conversation in AG-UI's events. Everything follows from Koda's snapshots, and what is new from two of them. */

type AgUiMessage =
  | { readonly id: string; readonly role: 'user' | 'system' | 'assistant'; readonly content: string }
  | { readonly id: string; readonly role: 'assistant'; readonly toolCalls: readonly [AgUiToolCall] }
  | { readonly id: string; readonly role: 'tool'; readonly toolCallId: string; readonly content: string; readonly error?: string }
  | { readonly id: string; readonly role: 'activity'; readonly activityType: string; readonly content: object };

interface AgUiToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
}

interface Interrupt {
  readonly id: string;
  readonly reason: 'input_required' | 'confirmation';
  readonly message: string;
  readonly responseSchema: object;
  readonly metadata: object;
}

interface SharedState {
  readonly projectId: string;
  readonly name: string;
  readonly state: AssistantState;
  readonly steps: ReturnType<typeof stepsOf>;
}

/** Operation of a JSON patch (RFC 6902). */
interface Operation {
  readonly op: 'add' | 'replace';
  readonly path: string;
  readonly value: unknown;
}

export interface Run {
  readonly threadId: string;
  readonly runId: string;
}

export type AgUiEvent =
  | ({ readonly type: 'RUN_STARTED' } & Run)
  | ({
      readonly type: 'RUN_FINISHED';
      readonly outcome: { readonly type: 'success' } | { readonly type: 'interrupt'; readonly interrupts: readonly [Interrupt] };
    } & Run)
  | { readonly type: 'RUN_ERROR'; readonly code: string; readonly message: string }
  | { readonly type: 'STATE_SNAPSHOT'; readonly snapshot: SharedState }
  | { readonly type: 'STATE_DELTA'; readonly delta: readonly Operation[] }
  | { readonly type: 'MESSAGES_SNAPSHOT'; readonly messages: readonly AgUiMessage[] }
  | { readonly type: 'TEXT_MESSAGE_START'; readonly messageId: string; readonly role: string }
  | { readonly type: 'TEXT_MESSAGE_CONTENT'; readonly messageId: string; readonly delta: string }
  | { readonly type: 'TEXT_MESSAGE_END'; readonly messageId: string }
  | {
      readonly type: 'TOOL_CALL_START';
      readonly toolCallId: string;
      readonly toolCallName: string;
      readonly parentMessageId: string;
    }
  | { readonly type: 'TOOL_CALL_ARGS'; readonly toolCallId: string; readonly delta: string }
  | { readonly type: 'TOOL_CALL_END'; readonly toolCallId: string }
  | {
      readonly type: 'TOOL_CALL_RESULT';
      readonly messageId: string;
      readonly toolCallId: string;
      readonly content: string;
      readonly role: 'tool';
    }
  | {
      readonly type: 'ACTIVITY_SNAPSHOT';
      readonly messageId: string;
      readonly activityType: string;
      readonly content: object;
      readonly replace: true;
    };

/** A conversation, read at one time. */
export interface View {
  readonly snapshot: ProjectSnapshot;
  /** Questions that were answered. */
  readonly answered: readonly Approval[];
  /** Ids that the client uses for messages of its own, by Koda's. */
  readonly clientIds: ReadonlyMap<string, string>;
}

/** As AG-UI's A2UI middleware carries surfaces. */
const surface = (owner: string, messages: SurfaceMessages): AgUiMessage => ({
  ...{ id: `a2ui-surface-${owner}`, role: 'activity', activityType: 'a2ui-surface', content: { a2ui_operations: messages } },
});

function messagesIn({ snapshot, answered, clientIds }: View): AgUiMessage[] {
  const { messages, approval } = snapshot;
  const said = messages.map(({ id: ownId, role, content, at, surface: shown }) => {
    const id = clientIds.get(ownId) ?? ownId;
    return { at, parts: [{ id, role, content }, ...(shown === undefined ? [] : [surface(ownId, shown)])] };
  });
  const asked = answered
    .filter(({ id }) => id !== approval?.id)
    .map(({ id, content, at }) => ({ at, parts: [{ id, role: 'assistant' as const, content }] }));
  const open = approval === null ? [] : [{ at: approval.at, parts: questionParts(approval) }];
  const called = stepsOf(snapshot).map(({ callId, tool, verb, state, sentence, startedAt: at }) => {
    // A model may use an id again in a later turn.
    const toolCallId = `${callId}-${Date.parse(at)}`;
    // Koda records what a call is for, and not its arguments.
    const call: AgUiToolCall = { id: toolCallId, type: 'function', function: { name: tool, arguments: '{}' } };
    const content = sentence ?? verb;
    const result: AgUiMessage = {
      ...{ id: `${toolCallId}-result`, role: 'tool', toolCallId, content },
      ...(state === 'failed' && { error: content }),
    };
    const started: AgUiMessage = { id: `${toolCallId}-call`, role: 'assistant', toolCalls: [call] };
    return { at, parts: state === 'running' ? [started] : [started, result] };
  });
  const all: { at: string; parts: AgUiMessage[] }[] = [...said, ...asked, ...open, ...called];
  return all.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at)).flatMap(({ parts }) => parts);
}

function questionParts(approval: Approval): AgUiMessage[] {
  const { id, content } = approval;
  const drawn = questionSurface(approval);
  return [{ id, role: 'assistant', content }, ...(drawn.components.size > 1 ? [surface(id, messagesOf(drawn))] : [])];
}

const sharedState = ({ snapshot }: View): SharedState => ({
  ...{ projectId: snapshot.project.id, name: snapshot.project.name, state: stateOf(snapshot), steps: stepsOf(snapshot) },
});

/** Returns what tells a client everything. */
export const everything = (view: View): AgUiEvent[] => [
  { type: 'STATE_SNAPSHOT', snapshot: sharedState(view) },
  { type: 'MESSAGES_SNAPSHOT', messages: messagesIn(view) },
];

/** Returns what is new for a client that knows `before`. */
export function newSince(before: View, after: View): AgUiEvent[] {
  const known = new Map(messagesIn(before).map((message) => [message.id, message]));
  const events = messagesIn(after).flatMap((message) => {
    const earlier = known.get(message.id);
    if (earlier === undefined) return eventsOf(message);
    return message.role === 'activity' && !isDeepStrictEqual(earlier, message) ? eventsOf(message) : [];
  });
  const delta = changes(sharedState(before), sharedState(after));
  return delta.length === 0 ? events : [...events, { type: 'STATE_DELTA', delta }];
}

function eventsOf(message: AgUiMessage): AgUiEvent[] {
  const { id: messageId, role } = message;
  if (role === 'activity') {
    const { activityType, content } = message;
    return [{ type: 'ACTIVITY_SNAPSHOT', messageId, activityType, content, replace: true }];
  }
  if (role === 'tool') {
    const { toolCallId, content } = message;
    return [{ type: 'TOOL_CALL_RESULT', messageId, toolCallId, content, role }];
  }
  if ('toolCalls' in message) {
    const [{ id: toolCallId, function: called }] = message.toolCalls;
    return [
      { type: 'TOOL_CALL_START', toolCallId, toolCallName: called.name, parentMessageId: messageId },
      { type: 'TOOL_CALL_ARGS', toolCallId, delta: called.arguments },
      { type: 'TOOL_CALL_END', toolCallId },
    ];
  }
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: message.content },
    { type: 'TEXT_MESSAGE_END', messageId },
  ];
}

function changes(before: SharedState, after: SharedState): Operation[] {
  const replaced = (['name', 'state'] as const)
    .filter((key) => before[key] !== after[key])
    .map((key): Operation => ({ op: 'replace', path: `/${key}`, value: after[key] }));
  // A snapshot contains only the latest steps, so the oldest may have dropped out.
  const isLonger = before.steps.every(({ callId }, index) => callId === after.steps[index]?.callId);
  if (!isLonger) return [...replaced, { op: 'replace', path: '/steps', value: after.steps }];
  const steps = after.steps.flatMap((step, index): Operation[] => {
    if (isDeepStrictEqual(step, before.steps[index])) return [];
    return [{ op: index < before.steps.length ? 'replace' : 'add', path: `/steps/${index}`, value: step }];
  });
  return [...replaced, ...steps];
}

/** Returns how the run ends, or `null` while it goes on. */
export function endOf(run: Run, { snapshot }: View): AgUiEvent | null {
  const { project, approval } = snapshot;
  if (approval !== null)
    return { type: 'RUN_FINISHED', ...run, outcome: { type: 'interrupt', interrupts: [interruptOf(approval)] } };
  if (project.error !== null) return { type: 'RUN_ERROR', code: project.error.code, message: project.error.message };
  return stateOf(snapshot) === 'done' ? { type: 'RUN_FINISHED', ...run, outcome: { type: 'success' } } : null;
}

const responseSchema = z.toJSONSchema(answerSchema, { io: 'input' });

function interruptOf(approval: Approval): Interrupt {
  const { id, type, content: message, options, permission } = approval;
  const { surfaceId, components } = questionSurface(approval);
  const buttons = [...components.values()].flatMap((one) => (one.component === 'Button' ? [one.id] : []));
  return {
    ...{ id, reason: type === 'permission' ? 'confirmation' : 'input_required', message, responseSchema },
    metadata: { surfaceId, buttons, options, ...(permission && { permission }) },
  };
}
