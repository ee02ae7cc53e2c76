import { KodaError } from '#contract/errors.ts';
import type { EventBody } from '#contract/events.ts';
import type { Approval } from '#contract/project.ts';
import { textIn } from '#contract/surface/drawing.ts';
import { applyMessages, messagesOf, type Read, readSurface } from '#contract/surface/messages.ts';
import { questionSurface, submitAction } from '#contract/surface/question.ts';
import type { Component, Surface, SurfaceAction, SurfaceMessages } from '#contract/surface/surface.ts';
import type { ProjectState } from '../storage/projects.ts';
import type { ProjectCore } from './deps.ts';
import { newMessage } from './phases.ts';

/** A project's surfaces. Each belongs to a message or question. */

const notWaiting = () =>
  new KodaError('INVALID_TRANSITION', 'This question is no longer open. Send a message with your change.', {
    recovery: 'send_message',
  });

/** Throws INVALID_TRANSITION if the surface is not shown or has been answered, and VALIDATION_ERROR if it lacks the button. */
export function pressedSurface(
  state: ProjectState,
  { name, surfaceId, sourceComponentId }: Pick<SurfaceAction, 'name' | 'surfaceId' | 'sourceComponentId'>,
): Shown {
  const shown = surfaceIn(state, surfaceId);
  if (shown === null) throw answeredBefore(state, surfaceId) ?? notWaiting();
  const source = shown.surface.components.get(sourceComponentId);
  if (source?.component === 'Button' && source.action.event.name === name) return shown;
  throw new KodaError('VALIDATION_ERROR', `"${sourceComponentId}" is not a button of this surface with this action.`, {
    details: { field: 'sourceComponentId' },
  });
}

/** Returns the error of a second answer, with the time of the first one, or `null` if there was none. */
function answeredBefore({ settled, messages }: ProjectState, surfaceId: string): KodaError | null {
  const before = settled.findLast(({ approval }) => surfaceIdOf(approval) === surfaceId);
  if (before === undefined) return null;
  // Every answer is a message too, and nothing else that a person says can come before it.
  const answer = messages.find(({ role, at }) => role === 'user' && at >= before.approval.at);
  const at = new Date(answer?.at ?? before.approval.at);
  const time = at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  return new KodaError('INVALID_TRANSITION', `This form was answered at ${time}.`, {
    details: { answeredAt: at.toISOString() },
    recovery: 'show_project',
  });
}

const surfaceIdOf = ({ id, surface }: Approval): string => (surface === undefined ? id : idIn(surface));

export interface Shown {
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
  core: Pick<ProjectCore, 'actions'>,
  state: ProjectState,
  { content, surface: messages }: { readonly content: string; readonly surface: SurfaceMessages },
): { value: Read<string>; events: EventBody[] } {
  const isNew = messages.some((message) => 'createSurface' in message);
  const before = isNew ? null : lastShown(state.messages, idIn(messages));
  const after = applyMessages(before?.surface ?? null, messages);
  if (!after.ok) return { value: after, events: [] };
  const allowed = core.actions.get(state.project.kind)?.ids() ?? [];
  const unknown = after.value === null ? [] : actionsOf(after.value.components).filter((name) => !allowed.includes(name));
  if (unknown.length > 0) {
    const issue = { code: 'INVALID_REFERENCE', message: unregistered(unknown, allowed), allowed } as const;
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

export function unregistered(ids: readonly string[], allowed: readonly string[]): string {
  return `The action "${ids.join('", "')}" does not exist. Use one of: ${allowed.join(', ')}.`;
}

function actionsOf(components: ReadonlyMap<string, Component>): string[] {
  return [...components.values()].flatMap((one) => (one.component === 'Button' ? [one.action.event.name] : []));
}

/** Formats entered values as a message: the button's label, then each value. */
export function messageText(surface: Surface, buttonId: string, values: Readonly<Record<string, unknown>>): string {
  const button = surface.components.get(buttonId);
  const label = button?.component === 'Button' ? surface.components.get(button.child) : undefined;
  const head = label?.component === 'Text' ? textIn(label.text, { data: surface.data, row: '' }) : '';
  const lines = Object.entries(values).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return [head, ...lines].filter((line) => line !== '').join('\n') || submitAction;
}
