import { isDeepStrictEqual } from 'node:util';
import type { EventBody } from '#contract/events.ts';
import { changeMessageId, type Message } from '#contract/project.ts';
import type { Render } from '#contract/render.ts';
import type { ProjectState } from '../storage/projects.ts';
import { kindOf, type ProjectCore } from './deps.ts';
import { phaseEvents } from './phases.ts';

/**
 * Returns the render that starts when the user accepts the finished work (A29), or `null` if there is none: the kind has none, the
 * operator has switched it off, or the user has already rendered this work, perhaps in another size.
 */
export async function renderOnAccept(core: ProjectCore, state: ProjectState): Promise<Render | null> {
  const { project, plan } = state;
  const kind = kindOf(core, project);
  const rendered = plan === null ? null : kind.rendered(plan);
  if (kind.finalRender === null || rendered === null || (await isRendered(core, state))) return null;
  return core.renders.prepare(project.id, kind.finalRender, rendered);
}

async function isRendered(core: ProjectCore, { project, plan, renders }: ProjectState): Promise<boolean> {
  // Edits that are not yet in the files cannot be in any render.
  if (plan?.edited) return false;
  const finals = renders.filter(isWholeFinal);
  if (finals.length === 0) return false;
  const { at } = await core.checkpoints.find(project.id, null);
  return finals.some(({ createdAt }) => createdAt > at);
}

/** Returns whether a render shows the finished work from start to end, with its own values, or will when it ends. */
function isWholeFinal({ settings, status }: Render): boolean {
  const { kind, range, parameters } = settings;
  return kind === 'final' && range === null && parameters === null && status !== 'failed' && status !== 'cancelled';
}

/** Returns whether a run has already started this render before a crash, after which it resumes. */
export function isStarted(state: ProjectState, { settings }: Render): boolean {
  const since = requestedAt(state);
  return since !== null && state.renders.some((known) => known.createdAt >= since && isDeepStrictEqual(known.settings, settings));
}

/**
 * Returns the events that end a run whose messages only requested a render, or `null` if there is other work. The work is unchanged
 * since those messages, so it needs neither a check nor a new preview: the project returns to the phase in which it received them.
 */
export async function renderOnlyEvents(
  core: ProjectCore,
  state: ProjectState,
  message: Message | null,
): Promise<EventBody[] | null> {
  const { project, todos, settled } = state;
  const kind = kindOf(core, project);
  const requests = todos.filter(({ key }) => !kind.isFinalStep(key));
  const since = requestedAt(state);
  const isOpen = requests.some(({ key, status }) => changeMessageId(key) === null || status === 'pending' || status === 'failed');
  if (project.phase !== 'executing' || since === null || isOpen) return null;
  const { at } = await core.checkpoints.find(project.id, null);
  if (at >= since) return null;
  const shown = phaseEvents(state, 'preview_rendered');
  const last = settled.at(-1);
  const wasAccepted = last?.approval.type === 'preview' && last.response.outcome === 'accepted';
  return [
    ...(message === null ? [] : [{ type: 'message.added' as const, message }]),
    { type: 'todo.updated', todos: requests.map((todo) => ({ ...todo, status: 'done' as const })) },
    ...shown,
    ...(wasAccepted ? phaseEvents({ ...state, project: { ...project, phase: 'preview' } }, 'accept_preview') : []),
  ];
}

/** Returns when the user sent the first message that the todos implement (ISO 8601), or `null` if they implement none. */
export function requestedAt({ todos, messages }: ProjectState): string | null {
  const ids = new Set(todos.map(({ key }) => changeMessageId(key)));
  return messages.find(({ id }) => ids.has(id))?.at ?? null;
}
